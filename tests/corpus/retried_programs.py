"""Loops that are left at the end of a try block, or go on where an exception came before that; they stand in the table
of `raised_programs`. What a round has done before it raises is what the next one begins with."""
import heapq

import numpy as np

from tests.corpus.raised_programs import OutOfRange, program, root


@program
def until_it_succeeds(x):
    damping = 0.2 * x[0]
    for _ in range(6):
        try:
            damping = damping * 2.0
            step = root(x[1] + damping)
            break
        except ValueError:
            step = 0.0
    return damping * x[3] + step


@program
def raised_in_a_branch(x):
    s, c = 0.3, x[0]
    for v in x:
        try:
            if v > 0.0:
                s = s + v
                raise OutOfRange
            c = c + s
            break
        except OutOfRange:
            c = c * 1.5
        if s > 1.9:
            return s * c
    return s + c


@program
def returned_from_a_loop(x):
    k, s = 0, x[0]
    while k < 5:
        k += 1
        try:
            s += x[k] ** 2
            if s > 1.0:
                raise OutOfRange(s)
            return s * x[3]
        except IndexError:
            break
        except OutOfRange:
            s = 0.5 * s
    return s + k


@program
def left_in_each_round(x):
    s = x[2]
    for v in x:
        s += v
        try:
            s = s * root(v)
        except ZeroDivisionError:
            return 5.0 * s
        except ValueError:
            s = -s
        break
    return s


@program
def as_a_name_before_a_break(x):
    z, best = x[0], x[1]
    for v in x[1:]:
        try:
            z = z * 0.5 + root(v * v - 0.2)
            best = z
            break
        except ValueError:
            z = z - 0.1
        finally:
            z = 1.1 * z
    return best * z


@program
def a_heap_of_numbers_and_one_array(x):
    """What is raised in loops of loops of another function."""
    y, heap = x * x, [1.0, x[3:]]
    try:
        heapq.heapify(heap)
        y = y * heap[0]
    except IndexError:
        y = y + 1.0
    return np.sum(y)
