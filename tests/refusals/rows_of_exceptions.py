"""Programs of the rows that are of exceptions and of what prints: what is refused, and what is written instead."""
import numpy as np
import scipy.optimize


class Prints(Exception):
    def __init__(self, at):
        print("at", at)


class Stores(Exception):
    def __init__(self, into):
        into[0] = 0.0


class Keeps(Exception):
    def __init__(self, at):
        self.at = at


def caught_as_it_prints(x):
    try:
        raise Prints(x[0])
    except Prints:
        return x[1]


def caught_as_it_stores(x):
    y = x * 1.0
    try:
        if x[0] > 0.0:
            raise Stores(y)
    except Stores:
        pass
    return np.sum(y)


def caught_quietly(x):
    try:
        if x[0] > 0.0:
            raise Keeps(x[0] ** 2)
    except Keeps as problem:
        return problem.at
    return x[0]


def root_of_what_prints(x):
    return scipy.optimize.brentq(lambda t: print(t) or t**3 - x[1], -9.0, 9.0)


def root_printed(x):
    root = scipy.optimize.brentq(lambda t: t**3 - x[1], -9.0, 9.0)
    print(root)
    return root
