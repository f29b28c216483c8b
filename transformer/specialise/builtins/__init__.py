"""The functions of NumPy, of `math` and of Python, by what they are called."""
