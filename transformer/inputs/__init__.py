"""What a call has beside plain arrays: values from outside of the function (`guards`), array proxies, results that are
still to come, and what lies on a GPU.

To add: What may be read from outside, and when it is still the same, is decided in `guards`.

Imports runtime.cuda, transformer.errors, transformer.frontend, transformer.pytree.
"""
