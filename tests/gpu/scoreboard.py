"""Rows of the scoreboard on a GPU, at sizes that the simulator bears."""

from dataclasses import replace
from pathlib import Path

import numpy as np

from benchmarks.gpu import __main__ as command, peers
from benchmarks.gpu.rows import ROWS, TINY
from benchmarks.harness import OURS, leaves

from . import arrays

arrays.use()
MACHINE = {"gpu": "a GPU", "driver": "CUDA 13.0", "python": "3.12.1", "packages": {"gradscribe": "0.1.0", "jax": "0.9"},
           "copy": 2e12, "matmul": 5e13}


def ours(row: str, number: int) -> list:
    """What a case of a row gives: its leaves, as they are on the host."""
    case = list(ROWS[row].cases(TINY))[number]
    peer = case.peers[OURS]()
    result = peer.gradient(*peer.prepare(case.args))
    peer.waiter(result)(result)
    return [np.array(leaf) for leaf in leaves(peer.fetch(result))]


def measured(name: str, folder: str) -> None:
    """A row as `bench --cuda` measures it, at sizes that the simulator bears, NumPy in CuPy's place;
    written into this folder."""
    peers.cupy_module = lambda: np
    row = ROWS[name]
    command.measure(replace(row, cases=lambda size: row.cases(TINY)), True, MACHINE, Path(folder, "row.json"))
