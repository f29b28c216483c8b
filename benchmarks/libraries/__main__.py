"""`python -m benchmarks.libraries [--list] [LIBRARY | LIBRARY.FUNCTION ...]`: what each function does, a line each.

The value against the library's own, the gradient against central differences, both compiled; of what is refused, the
first words.
"""
import importlib
import sys
import time
import warnings

import numpy as np

import gradscribe as gs

from . import LIBRARIES


def weighed(entry):
    """The entry's results in one number, each element with a weight of its own."""
    def total(*args):
        found = entry(*args)
        parts = found if isinstance(found, tuple) else (found,)
        number = 0.0
        for part in parts:
            part = np.asarray(part)
            number = number + np.sum(part * np.cos(np.arange(part.size, dtype=float).reshape(part.shape)))
        return number
    return total


def copied(args):
    return [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]


def slopes(total, args, ways):
    """The derivative along the way of each argument, by central differences of the fourth order."""
    def at(k, step):
        moved = copied(args)
        moved[k] = moved[k] + step * ways[k]
        return float(total(*moved))
    h = 1e-5
    return [(8 * (at(k, h) - at(k, -h)) - (at(k, 2 * h) - at(k, -2 * h))) / (12 * h) for k in range(len(args))]


def directions(args):
    rng = np.random.default_rng(1)
    return [rng.uniform(0.3, 1.0, np.shape(a)) * np.where(np.abs(a) > 0.0, a, 0.1) for a in args]


def checks(call):
    """The names of what is compared, each with what compares it."""
    total, args = weighed(call.entry), call.args
    numbers, ways = tuple(range(len(args))), directions(args)
    wanted, along = total(*copied(args)), slopes(total, args, ways)

    def value(fun):
        np.testing.assert_allclose(fun(*copied(args)), wanted, rtol=1e-9, atol=1e-12)

    def gradient(fun):
        got = [np.sum(g * way) for g, way in zip(fun(*copied(args)), ways)]
        scale = max(map(abs, along)) if along else 0.0
        np.testing.assert_allclose(got, along, rtol=2e-5, atol=1e-7 * max(abs(float(wanted)), scale) + 1e-12)

    # the value is asked of the program that computes the gradient, since a function on its own is called as it is
    return {"value": lambda: value(lambda *a: gs.value_and_grad(total, numbers)(*a)[0]),
            "gradient": lambda: gradient(gs.grad(total, numbers)), "jit": lambda: value(gs.jit(total)),
            "jit of gradient": lambda: gradient(gs.jit(gs.grad(total, numbers)))}


def outcome(check):
    try:
        check()
        return ""
    except gs.GradscribeError as error:
        return "refused: " + " ".join(str(error).split())
    except AssertionError as error:
        return "WRONG: " + " ".join(str(error).split())
    except Exception as error:  # whatever happens is reported
        return f"RAISES {type(error).__name__}: " + " ".join(str(error).split())


def report(call, width):
    start, said = time.perf_counter(), {what: outcome(check) for what, check in checks(call).items()}
    marks = " ".join(f"{what}: {words.partition(':')[0].partition(' ')[0] or 'equal'}," for what, words in said.items())
    print(f"{call.name:45}{marks} {time.perf_counter() - start:.0f} s", flush=True)
    for words in dict.fromkeys(filter(None, said.values())):
        print(f"    {words[:width]}", flush=True)
    return not any(said.values())


def main(argv):
    warnings.simplefilter("ignore")
    wanted = [word for word in argv if not word.startswith("--")]
    found = [call for library in LIBRARIES if not wanted or library in {w.partition(".")[0] for w in wanted}
             for call in importlib.import_module(f".of_{library}", __package__).calls]
    found = [call for call in found if not wanted or {call.name, call.name.partition(".")[0]} & set(wanted)]
    if "--list" in argv:
        print(*(call.name for call in found), sep="\n")
        return
    worked = [report(call, 2000 if "--long" in argv else 240) for call in found]
    print(f"{sum(worked)} of {len(worked)} work in all four")


if __name__ == "__main__":
    main(sys.argv[1:])
