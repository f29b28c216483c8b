"""Programs one after another in one process, on a GPU or in numba's simulator: what compute-sanitizer is given.

    python -m tests.gpu.many --count=50 --seed=7

A third of them are of the corpus, with a gradient, a third are easy to get wrong, a third are random.
"""

import argparse
import gc
import sys
import traceback
from functools import partial
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[2])]


def programs(count: int, seed: int):
    """(name, what raises where it is wrong) of so many programs; another seed has others."""
    from tests.corpus.programs import PROGRAMS

    from . import corpus
    from .trapped import CASES
    for k in range(count):
        number = seed + k
        match k % 3:
            case 0:
                number = number * 7 % len(PROGRAMS)
                yield f"corpus {PROGRAMS[number].name}", partial(corpus.stage, "vjp", number)
            case 1:
                number = number * 7 % len(CASES)
                yield f"trap {CASES[number][0].__name__}", partial(corpus.call, number)
            case 2:
                yield f"random {number}", partial(random, number)


def random(seed: int) -> None:
    from ..fuzz.device import OnDevice
    from ..fuzz.generate import generate
    from ..fuzz.oracle import check_case
    failure = check_case(generate(seed), "device", gs=OnDevice())
    assert failure is None, f"{failure}\n{failure.case.source}"


def run(cases) -> int:
    """How many fail; says of each what it says."""
    count = failed = 0
    for count, (name, case) in enumerate(cases, 1):
        try:
            case()
        except Exception:
            failed += 1
            print(f"{name}:\n{traceback.format_exc()}", flush=True)
    gc.collect()
    print(f"{count} programs, {failed} failed", flush=True)
    return failed


def main(argv) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.gpu.many")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args(argv)
    from gradscribe.runtime.cuda import backend
    if not backend.SIMULATED:
        backend.arrays().cuda.set_allocator(None)  # CuPy's pool would have an array end where nobody sees it
    return 1 if run(programs(options.count, options.seed)) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
