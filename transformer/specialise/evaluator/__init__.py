"""What the machine does with each kind of expression, of statement and of what is called."""
