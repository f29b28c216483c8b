"""python -m tests.independent: compare random programs with Python itself."""
import argparse
import random
import sys

from .hunt import hunt
from .program import generate


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.independent", description=__doc__)
    parser.add_argument("--seed", type=int, default=None, help="the first program's; printed, and drawn if not given")
    parser.add_argument("--count", type=int, default=1000, help="how many programs")
    parser.add_argument("--compiled", action="store_true", help="compile each as well")
    parser.add_argument("--seconds", type=float, default=None, help="stop after so long")
    parser.add_argument("--show", action="store_true", help="print the program of the seed and stop")
    parser.add_argument("--whole", action="store_true", help="do not make failing programs smaller")
    parser.add_argument("--no-save", action="store_true",
                        help="do not write failing programs to tests/independent/failures")
    options = parser.parse_args()
    seed = random.randrange(10**9) if options.seed is None else options.seed
    if options.show:
        print(generate(seed))
        return 0
    report = hunt(seed, options.count, options.compiled, options.seconds, shrinking=not options.whole,
                  save=not options.no_save)
    return 1 if report.found else 0


if __name__ == "__main__":
    sys.exit(main())
