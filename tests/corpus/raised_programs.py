"""Programs that catch what the run decides to raise; each with arguments that go different ways."""
import contextlib
import math

import numpy as np

PROGRAMS = []
FIRST, SECOND, THIRD = [np.array(x) for x in ([0.3, -1.2, 2.5, 0.7], [0.9, 1.2, -2.5, 0.7], [0.2, 0.4, 1.1, 0.6])]


def program(fun):
    PROGRAMS.append(fun)
    return fun


class OutOfRange(Exception):
    """Of a user's."""


def root(v):
    if v < 0:
        raise ValueError("a negative number", v)
    return np.sqrt(v)


def twice_root(v):
    return 2 * root(v) + 1


@program
def factorised_further_on(x):
    A = np.outer(x, x) * np.sign(x[0] - 0.5) + 0.1 * np.eye(4)
    try:
        y = x[0] * 2
        L = np.linalg.cholesky(A)
        y = y + np.sum(np.log(np.diag(L)))
    except np.linalg.LinAlgError:
        y = y + np.sum(x)
    return y


@program
def gain_of_a_filter(x):
    """The inverse inside of an expression; singular for the first arguments."""
    P = np.diag(x[:2])
    S = np.array([[1.0, 1.0], [1.0, 1.0]]) if x[0] < 0.5 else P + np.eye(2)
    try:
        K = P @ np.linalg.inv(S)
        z = K @ x[2:]
    except np.linalg.LinAlgError:
        z = x[2:] ** 2
    return np.sum(z)


@program
def all_clauses(x):
    try:
        if x[0] > 0.5:
            raise ValueError("big")
        y = np.linalg.solve(np.outer(x, x) + np.eye(4), x)
    except ValueError as problem:
        y = x * len(str(problem))
    else:
        y = y * 2
    finally:
        z = x[1]
    return np.sum(y) * z


@program
def in_each_round(x):
    s = 0.0
    for v in x:
        try:
            s += twice_root(v)
        except ValueError:
            s -= v**2
    return s


@program
def around_a_loop(x):
    s = 0.0
    try:
        for v in x:
            s += root(v)
        s = s * 2
    except ValueError as problem:
        s = s + x[3] * problem.args[1]
    return s


@program
def around_a_while(x):
    s, k = x[0] * 1.0, 0
    try:
        while s < 20.0 and k < len(x):
            s = s + root(x[k]) * s
            k += 1
        s = s * 2
    except ValueError:
        s = s + x[3] ** 2 * k
    return s


@program
def around_two_loops(x):
    s = 0.0
    try:
        for v in x:
            for w in x:
                if v * w < -2.0:
                    raise OutOfRange
                s += v * w
    except OutOfRange:
        s = s * 0.5
    return s


@program
def two_handlers(x):
    s = 0.0
    try:
        for v in x:
            if v > 2:
                raise KeyError("big")
            if v < -1:
                raise ValueError("small")
            s += v**2
    except KeyError:
        s = s * 2
    except ValueError:
        s = s * 3
    return s


@program
def in_a_branch(x):
    y = x[0]
    try:
        if x[1] < 5:
            if x[0] > 0.5:
                raise OutOfRange(x[0])
            y = y * 2
        else:
            y = y * 3
        y = y + x[2]
    except OutOfRange:
        y = x[3] * 4 * y
    return y


@program
def in_a_conditional_expression(x):
    try:
        y = root(x[2]) if x[0] < 9 else 0.0
        y = y * x[1]
    except ValueError:
        y = x[3]
    return y


@program
def nested(x):
    s = x[0]
    try:
        try:
            s = s + root(x[2])
            if s > 1.5:
                raise KeyError("k")
        except KeyError:
            s = s * 5
        finally:
            s = s + x[1]
    except ValueError:
        s = s * 7
    return s


@program
def raised_by_a_handler(x):
    s = x[0]
    try:
        try:
            s = s + root(x[2])
        except ValueError as problem:
            s = s + 3 * x[1]
            if x[3] > 0.1:
                raise OutOfRange from problem
    except OutOfRange:
        s = s * 7
    return s


@program
def raised_again(x):
    s = x[0]
    try:
        try:
            s = s + root(x[2])
        except ValueError:
            s = s + 3 * x[1]
            raise
    except Exception:
        s = s * 7
    return s


@program
def suppressed(x):
    s = x[0]
    with contextlib.suppress(ValueError):
        s = s + 1
        s = s * root(x[2])
    return s


@program
def growing_jitter(x):
    A = np.outer(x[:2], x[:2]) - 0.05 * np.eye(2)
    jitter = 1e-2
    for _ in range(6):
        try:
            L = np.linalg.cholesky(A + jitter * np.eye(2))
            break
        except np.linalg.LinAlgError:
            jitter *= 10
    else:
        raise ValueError("not positive definite")
    return np.sum(np.log(np.diag(L)))


def robust_factor(A):
    jitter = 0.0
    while True:
        try:
            return np.linalg.cholesky(A + jitter * np.eye(2))
        except np.linalg.LinAlgError:
            jitter = max(jitter * 10, 1e-2)


@program
def tried_until_it_works(x):
    return np.sum(np.log(np.diag(robust_factor(np.outer(x[:2], x[:2]) - 0.05 * np.eye(2)))))


@program
def left_by_the_handler(x):
    s = 0.0
    for v in x:
        try:
            w = root(v)
        except ValueError:
            if s > 1.0:
                break
            continue
        s += w * v
    return s


def ratio(a, b):
    try:
        return a / b
    except ZeroDivisionError:
        return 0.0


@program
def division_by_zero(x):
    return ratio(float(x[0]), float(x[1])) + ratio(float(x[2]), float(x[1] - x[1])) + x[3]


@program
def outside_of_a_domain(x):
    s = 0.0
    for i in range(4):
        try:
            s += math.sqrt(x[i]) + math.acos(x[i])
        except ValueError:
            s += x[i] ** 2
    return s


@program
def no_such_place(x):
    s = 0.0
    for i in range(4):
        k = int(abs(x[i]) * 2)
        try:
            s += x[k] * 2
        except IndexError:
            s += x[0]
    return s


@program
def stores_before_it_is_raised(x):
    a = np.zeros(4)
    try:
        for i in range(4):
            a[i] = x[i] ** 2
            if x[i] < 0:
                raise OutOfRange(f"{x[i]} at {i}")
            a[i] = a[i] * x[0]
    except OutOfRange:
        a[3] = 7 * x[0]
    return np.sum(a)


@program
def raised_on_both_sides(x):
    try:
        if x[0] > 0.5:
            raise OutOfRange
        raise ValueError
    except OutOfRange:
        return x[2] * x[3]
    except ValueError:
        return x[2] * x[1]


@program
def in_a_comprehension(x):
    try:
        return sum([root(v) for v in x])
    except ValueError:
        return x[0] ** 2


@program
def in_a_generator(x):
    def roots():
        for v in x:
            yield root(v)

    s = 0.0
    try:
        for v in roots():
            s += v
    except ValueError:
        s = s * 2
    return s


@program
def powers_of_floats(x):
    """Too large for some, of zero for others."""
    total = 0.0
    for v in (float(x[1]) * 400.0, float(x[0])):
        try:
            y = 10.0**v
            total = total + math.log1p(y) + v**2
            total = total + float(abs(np.floor(x[1]))) ** -1.5
        except OverflowError as problem:
            total = total + (0.5 if "Numerical result" in problem.args[1] else 0.0) * v
        except ZeroDivisionError:
            total = total + 3.0 * v
    return total
