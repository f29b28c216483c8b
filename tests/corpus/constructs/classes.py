"""Users' classes, contexts, exceptions, functions that are chosen, `match` and prints."""
import contextlib
import types

import numpy as np

from tests.corpus.registry import normal, program, uniform


@program(construct="recursion on a shape", args=lambda: (normal(467, 8),))
def halves(x):
    """Divide and conquer."""
    n = len(x)
    return x[0] ** 2 if n == 1 else halves(x[: n // 2]) * 1.5 - halves(x[n // 2:])


class Layer:
    """A plain class with an array, a function and a number that is known."""

    def __init__(self, weights, act):
        self.weights, self.act, self.width = weights, act, len(weights)

    def __call__(self, x):
        return self.act(self.weights @ x) / self.width


@program(construct="object of a plain class as an argument",
         args=lambda: (Layer(normal(468, 2, 3), np.tanh), normal(469, 3)), argnums=(0, 1))
def called_object(layer, x):
    """Its attributes are leaves."""
    return np.sum(layer(x) ** 2) + np.sum(layer.weights**2)


@program(construct="objects of plain classes in a list",
         args=lambda: ([Layer(normal(470, 3, 3), np.sin), Layer(normal(471, 2, 3), np.tanh)], normal(472, 3)),
         argnums=(0, 1))
def objects_in_a_list(layers, x):
    """One after the other."""
    for layer in layers:
        x = layer(x)
    return np.sum(x)


@program(construct="SimpleNamespace as an argument", args=lambda: (types.SimpleNamespace(w=normal(473, 3), scale=0.5),))
def namespace(p):
    """Attributes by name."""
    return np.sum(np.tanh(p.w * p.scale) ** 2) + p.scale


class Body:
    """A plain class that a function makes and changes."""

    def __init__(self, place, speed):
        self.place, self.speed = place, speed

    @property
    def energy(self):
        return 0.5 * self.speed**2 + 0.5 * self.place**2

    def kick(self, dt):
        self.speed -= dt * self.place
        self.place += dt * self.speed
        return self


@program(construct="objects made and changed in a loop", args=lambda: (1.0, 0.3), argnums=(0, 1))
def swinging(place, speed):
    """Methods that store attributes, and a property."""
    body = Body(place, speed)
    for _ in range(5):
        body.kick(0.1)
    return body.energy * body.place


@program(construct="operators of a class", args=lambda: (0.7, 1.2), argnums=(0, 1))
def dual(a, b):
    """Forward mode by hand."""
    x = Dual(a, 1.0)
    y = x * x + Dual(b, 0.0) * x
    return y.value * y.slope


class Dual:
    """A number and its slope."""

    def __init__(self, value, slope):
        self.value, self.slope = value, slope

    def __add__(self, other):
        return Dual(self.value + other.value, self.slope + other.slope)

    def __mul__(self, other):
        return Dual(self.value * other.value, self.value * other.slope + self.slope * other.value)


@program(construct="try, except, else and finally", args=lambda: ({"w": normal(474, 3)}, normal(475, 3)), argnums=(1,))
def defaulted(params, x):
    """A key that is missing, and one that is not."""
    log = []
    try:
        shift = params["b"]
    except KeyError:
        shift = 0.5
    finally:
        log.append("b")
    try:
        w = params["w"]
    except KeyError as error:
        raise ValueError("no weights") from error
    else:
        log.append("w")
    return np.sum(w * x * x) + shift * len(log)


@program(construct="with of contexts that are chosen", args=lambda: (uniform(476, 3), True))
def quiet_or_not(x, quiet):
    """np.errstate, or nothing."""
    with np.errstate(divide="ignore") if quiet else contextlib.nullcontext():
        return np.sum(np.log(x) ** 2)


@program(construct="walrus in a while", args=lambda: (5.0,))
def halved(x):
    """An assignment in a test."""
    total = 0.0
    while (x := 0.5 * x) > 0.4:
        total += x * x
    return total


@program(construct="nonlocal", args=lambda: (normal(477, 4),))
def counted_calls(x):
    """A closure that counts and adds."""
    total, calls = 0.0, 0

    def add(v):
        nonlocal total, calls
        total, calls = total + v * v, calls + 1
        return total

    for v in x:
        add(v)
    return total * calls


@program(construct="unpacking with a star, nested", args=lambda: (normal(478, 2), normal(479, 3)), argnums=(0, 1))
def unpacked(p, q):
    """Patterns of names."""
    (a, b), (first, *others) = p, [q[0], q[1], q[2]]
    return a * first + b * others[0] * others[-1]


@program(construct="lambda with a default in a loop", args=lambda: (normal(480, 3),))
def late_binding(x):
    """Functions that keep the number of their round."""
    functions = [lambda v, k=k: v ** (k + 1) for k in range(3)]
    return sum(f(x[k]) for k, f in enumerate(functions))


@program(construct="functions chosen by a dict", args=lambda: (normal(481, 3), "tanh"), static_argnums=(1,))
def activated(x, name):
    """A table of functions."""
    return np.sum({"tanh": np.tanh, "sin": np.sin, "square": lambda v: v * v}[name](x) ** 2)


@program(construct="function chosen by the run", args=lambda: (normal(482, 3),))
def chosen_function(x):
    """One of two functions."""
    f = np.sin if np.sum(x) > 0.0 else np.tanh
    return np.sum(f(x) * x)


@program(construct="0-d accumulator", args=lambda: (normal(483, 4),))
def zero_axes(x):
    """np.zeros(()) that becomes a number."""
    total = np.zeros(())
    for v in x:
        total = total + v * v
    return total * 2.0


@program(construct="a number before the loop that becomes an array", args=lambda: (normal(484, 3, 4),))
def sum_of_rows(A):
    """total = 0.0, then rows."""
    total = 0.0
    for row in A:
        total = total + row * row
    return np.sum(total**2)


@program(construct="scalar[None]", args=lambda: (normal(485, 3),))
def indexed_number(x):
    """New axes of a number."""
    s = np.sum(x)
    return np.sum(s[None] * x) + np.sum(x[0][np.newaxis, None] * x) + s[()]


@program(construct="x.item(), tolist and float of an array", args=lambda: (normal(486, 2, 2), np.array([1.5])),
         argnums=(0, 1))
def python_numbers(A, b):
    """Numbers of Python's."""
    rows = A.tolist()
    return rows[0][1] * b.item() + A[1, 0].item() * float(A[0, 0]) + A.item(3)


@program(construct="print of what the run computes", args=lambda: (normal(487, 3),))
def printed(x):
    """It says nothing, and is there."""
    for k in range(2):
        print(end="")
        x = x * (k + 1.5)
    print("", x[:0].size, sep="", end="\r")
    return np.sum(x * x)


@program(construct="assert", args=lambda: (uniform(488, 3),))
def asserted(x):
    """A test that holds."""
    assert np.all(x > 0.0), f"not positive: {x}"
    return np.sum(np.sqrt(x))


@program(construct="for and while with else", args=lambda: (normal(489, 5),))
def first_large(x):
    """What is done where nothing was found."""
    for v in x:
        if v > 10.0:
            found = v
            break
    else:
        found = np.max(x)
    return found * found


@program(construct="match of a tuple with a guard", args=lambda: (("circle", 2.0), 1.5), argnums=(0, 1))
def area_of(shape, unit):
    """Shapes by their names."""
    match shape:
        case ("circle", r) if r > 0.0:
            return np.pi * (r * unit) ** 2
        case ("square", a):
            return (a * unit) ** 2
    return 0.0
