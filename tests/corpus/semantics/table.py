"""The table PROGRAMS, and what enters a function with tuples of arguments there."""


PROGRAMS = []


def program(*args):
    """Enter a function with some tuples of arguments."""
    def enter(fun):
        PROGRAMS.append((fun, args))
        return fun
    return enter
