"""The tables RIGHT, RAISES and REFUSED, and what enters a program there."""


X = 1.5
RIGHT, RAISES, REFUSED = [], [], []


def right(f):
    RIGHT.append(f)
    return f


def raises(f):
    RAISES.append(f)
    return f


def refused(f):
    REFUSED.append(f)
    return f
