"""Which kernels programs launch, and with arguments of which types: found in the simulator, for `compiling` to compile.

    NUMBA_ENABLE_CUDASIM=1 python tests/gpu/recording.py PART PARTS OUT.json ONE_IN

records every PARTS-th program from PART on: the scoreboard's, those of `float32` and `elementwise`, and one in ONE_IN
of the corpus.
"""
import hashlib
import json
import sys
import warnings
from functools import partial
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent
sys.path += [str(HERE.parents[1])]  # last: a folder here is called cuda, too

from elementwise import FUNCTIONS  # noqa: E402
from float32 import FLOAT32  # noqa: E402
from steps import THREADS  # noqa: E402

import gradscribe as gs  # noqa: E402
from benchmarks import (harness, row03_tanh, row04_mlp, row08_jacobi, row09_seidel, row11_per_example,  # noqa: E402
                        row12_gmm, row17_branches)
from benchmarks.gpu import rows  # noqa: E402
from gradscribe.runtime.cuda import host  # noqa: E402
from gradscribe.test_util import stages  # noqa: E402
from tests.corpus.programs import PROGRAMS  # noqa: E402
from tests.support import cases  # noqa: E402
from tests.transforms.test_stages import primal, vjp  # noqa: E402

ROWS = [module.ROW for module in (
    row03_tanh, row04_mlp, row08_jacobi, row09_seidel, row11_per_example, row12_gmm, row17_branches)]


# ---- what a launch has

def type_of(x) -> str:
    """As `offline.numba_types` reads it: dtype, axes and layout of an array, the dtype of a number."""
    if not isinstance(x, np.ndarray):
        return np.asarray(x).dtype.name
    broadcast = 0 in x.strides and x.size > 1
    layout = "C" if x.flags.c_contiguous and not broadcast else "F" if x.flags.f_contiguous and not broadcast else "A"
    return f"{x.dtype.name} {x.ndim} {layout}"


class Recorded:
    """
    texts     of modules, by their hash
    launches  (program, module, kernel, types), each once
    """

    def __init__(self):
        self.texts, self.launches, self.program = {}, {}, None
        self.start, host.start = host.start, self.launch

    def launch(self, kernel, blocks, block, args):
        if not kernel.fn.__module__.startswith("gradscribe."):  # `compiling.by_rows` has these
            text = Path(kernel.fn.__code__.co_filename).read_text()
            module = hashlib.sha256(text.encode()).hexdigest()[:16]
            self.texts[module] = text
            self.launches[self.program, module, kernel.fn.__name__, tuple(map(type_of, args))] = None
        self.start(kernel, blocks, block, args)


# ---- the programs

def corpus(one_in):
    for place, p in enumerate(PROGRAMS):
        if (cases.TURN + place) % one_in == 0:
            for way in (primal, vjp):
                yield f"corpus: {p.name} {way.__name__}", partial(run_stage, way, p)


def run_stage(way, p):
    transformed, make_args = way(p)
    [(_, run)] = stages(transformed, make_args(), names=("device",))
    cases.ran(run, make_args)


def scoreboard():
    for row in ROWS:
        for case in row.cases(True):
            peer = (case.peers or row.peers)[harness.OURS]()
            yield f"row {row.number}: {case.name}", partial(peer.gradient, *case.args)
            if peer.value is not None:
                yield f"row {row.number}: {case.name}, value", partial(peer.value, *case.args)


def scoreboard_of_the_gpu():
    """Its programs that the other has not: those of more cases are the same kernels."""
    for name, row in rows.ROWS.items():
        if not name.isdigit() or int(name) not in [r.number for r in ROWS] or name == "9":
            for case in row.cases(rows.TINY):
                yield f"row {name}: {case.name}", partial(case.peers[harness.OURS]().gradient, *case.args)


def float32():
    for f, args in FLOAT32:
        yield f"float32: {f.__name__}", partial(gs.jit(f), *args)
        floats = tuple(k for k, x in enumerate(args) if x.dtype.kind == "f")
        yield f"float32: gradient of {f.__name__}", partial(gs.jit(gs.grad(f, argnums=floats)), *args)


def steps():
    for name, f, args, _ in THREADS:
        yield f"steps: {name}", partial(gs.jit(f), *args)


def functions():
    for name, (f, args) in FUNCTIONS.items():
        yield f"function: {name}", partial(gs.jit(f), *args)


def main(part, parts, out, one_in):
    warnings.simplefilter("ignore")
    jit, gs.jit = gs.jit, lambda f, **options: jit(f, **{"target": "cuda"} | options)
    recorded = Recorded()
    programs = [*scoreboard(), *scoreboard_of_the_gpu(), *float32(), *steps(), *functions(), *corpus(int(one_in))]
    for recorded.program, run in programs[int(part)::int(parts)]:
        run()
    Path(out).write_text(json.dumps({"texts": recorded.texts, "launches": list(recorded.launches)}))


if __name__ == "__main__":
    main(*sys.argv[1:])
