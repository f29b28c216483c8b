"""Random programs through Gradscribe:

    python -m tests.fuzz                           2,000 programs, every uncompiled stage and gradient, from a fresh
                                                   seed
    python -m tests.fuzz --seed 7 --count 100 --compiled --shrink
    python -m tests.fuzz --memory --count 100      compiled, where memory has no numbers when it is new or given back,
                                                   and all is given back
    python -m tests.fuzz --saved                   all programs that ever failed
    python -m tests.fuzz --replay FILE             one of them

Prints the seed, progress, each failure with its program (--shrink: made small first), and what was refused how often.
Failures are saved in tests/fuzz/failures/, where the tests find them."""

import argparse
import os
import sys
from dataclasses import replace
from pathlib import Path

from . import loading
from .runner import DEVICE, GPU, Report, Worker, campaign, flag, fresh_seed
from .shrink import shrink

MOST_REFUSED = 0.10


def arguments(argv):
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, help="the first seed (default: a fresh one)")
    parser.add_argument("--count", type=int, help="how many programs (default 2000; compiled 100)")
    parser.add_argument("--compiled", action="store_true", help="through jit, instead of stage by stage")
    parser.add_argument("--memory", action="store_true",
                        help="compiled, with numba's allocator for debugging, its references counted")
    parser.add_argument("--device", dest="compiled", action="store_const", const=DEVICE,
                        help="through jit for a GPU, in numba's simulator")
    parser.add_argument("--gpu", dest="compiled", action="store_const", const=GPU, help="through jit for a GPU, on one")
    parser.add_argument("--order", type=int, default=1, choices=(1, 2), help="2: also differentiate gradients")
    parser.add_argument("--shrink", action="store_true", help="make failing programs small")
    parser.add_argument("--stop-after", type=int, metavar="N", help="end at the N-th failure")
    parser.add_argument("--no-save", action="store_true", help="do not write failures into tests/fuzz/failures/")
    parser.add_argument("--saved", action="store_true", help="run the saved failures instead of fresh programs")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run one saved failure")
    return parser.parse_args(argv)


def main(argv=None) -> int:
    options = arguments(argv)
    if options.memory:
        options.compiled = True
        os.environ.update(NUMBA_DEBUG_NRT="1", NUMBA_DEBUG_NRT_STACK_LIMIT="0")  # read by the child
    if options.replay or options.saved:
        report = replayed([options.replay] if options.replay else loading.saved(), options)
    else:
        report = fresh_run(options)
    print(report.full())
    if report.total >= 100 and report.refused > MOST_REFUSED:
        print(f"more than {MOST_REFUSED:.0%} refused")
        return 1
    return 1 if report.failures else 0


def fresh_run(options) -> Report:
    seed = fresh_seed() if options.seed is None else options.seed
    count = options.count or (100 if options.compiled else 2000)
    flags = flag(options.compiled) + " --order 2" * (options.order == 2)
    print(f"again with: python -m tests.fuzz --seed {seed} --count {count}{flags}", flush=True)
    shown = Shown(options)
    return campaign(range(seed, seed + count), options.compiled, options.order, on_progress=shown.progress,
                    stop_after=options.stop_after)


def replayed(paths, options) -> Report:
    options.no_save = True  # they are there already
    report, shown = Report(), Shown(options)
    with Worker(options.compiled, options.order) as worker:
        for path in paths:
            report.add(worker.examine(loading.from_text(path.read_text())))
            shown.progress(report, 0.0)
    return report


class Shown:
    """A progress line, and each failure as it comes."""

    def __init__(self, options):
        self.options, self.failures = options, 0

    def progress(self, report, seconds):
        if len(report.failures) > self.failures:
            self.failures = len(report.failures)
            self.show(report.failures[-1])
        end = "\r" if sys.stdout.isatty() else "\n"
        if sys.stdout.isatty() or report.total % 100 == 0:
            print(f"{report.line()}, {seconds:.0f} s", end=end, flush=True)

    def show(self, failure):
        if self.options.shrink:
            failure = shrunk(failure, self.options)
        text = loading.to_text(failure.case, str(failure))
        where = "" if self.options.no_save else f"saved as {loading.save(failure.case, str(failure))}\n"
        print(f"\n{'-' * 80}\n{text}{where}{'-' * 80}", flush=True)


def shrunk(failure, options):
    """The smallest program found that fails the same check."""
    with Worker(options.compiled, options.order, limit=20.0 if failure.check == "time" else None) as worker:
        found = lambda case: worker.examine(case).failure
        small = shrink(failure.case, lambda case: (f := found(case)) is not None and f.kind == failure.kind)
        return found(small) or replace(failure, case=small)


if __name__ == "__main__":
    sys.exit(main())
