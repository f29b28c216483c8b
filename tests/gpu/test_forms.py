"""Which threads do what, as the text of a program for a GPU says it: none of them is needed to see that."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest

import gradscribe as gs
from tests.support.imports import ROOT

from .float32 import FLOAT32

V, A = np.linspace(-1.0, 2.0, 50), np.linspace(-1.0, 2.0, 200).reshape(40, 5)


def text(f, *args) -> str:
    made = gs.jit(f, target="cuda").source(*args, stage="compiled")
    return made[made.index("cuda = gpu"):]


def launches(made: str) -> list[str]:
    """What each launch of the host is of: one thread, `count` threads, groups of threads."""
    found = re.findall(r"gpu\.(launch|launch_groups)\(\w+, ([^,]+(?:\([^)]*\))?), ", made)
    return ["groups" if how == "launch_groups" else "one" if count == "1" else "many" for how, count in found]


def total(x):
    s = 0.0
    for i in range(len(x)):
        s += np.sin(x[i]) * x[i]
    return s


def norms(a):
    y = np.zeros(a.shape[0])
    for i in range(a.shape[0]):
        s = 0.0
        for j in range(a.shape[1]):
            s += a[i, j] ** 2
        y[i] = np.sqrt(s)
    return y


def energy(u):
    e = 0.0
    for i in range(1, len(u) - 1):
        e += (u[i + 1] - 2.0 * u[i] + u[i - 1]) ** 2
    return e


def horner(x):
    h = 0.0
    for v in x:
        h = h * 0.5 + v
    return h


def bodies(x):
    d = x[:, None, :] - x[None, :, :]
    r = np.sum(d * d, axis=-1) + 0.01
    return np.sum(d / r[:, :, None] ** 1.5, axis=0)


def heat(u, n):
    for k in range(n):
        u = u + 0.1 * (u[::-1] - 2.0 * u)
    return u


def counted(x, at):
    y = np.zeros(8)
    for i in range(len(at)):
        y[at[i]] += x[i]
    return y


@pytest.mark.parametrize("f, args, want", [
    (total, (V,), ["groups", "groups"]),
    (norms, (A,), ["groups"]),
    (gs.grad(total), (V,), ["many"]),
    (gs.grad(energy), (V,), ["many"] * 3),
    (horner, (V,), ["one"]),
    (bodies, (A,), ["many"]),
    (heat, (V, 3), ["many"]),
    (lambda a: np.sum(a, axis=1), (A,), ["groups"]),
    (lambda a: np.sum(a, axis=0), (A,), ["groups"] * 3),
    (lambda a: np.sum(a[:100], axis=0), (A[:, :40],), ["groups"] * 3),
    (lambda a: np.max(a, axis=0), (A,), ["many"] + ["groups"] * 3),
    (lambda a: np.sum(a[:, :, None] * a[:, None, :], axis=(0, 1)), (A,), ["groups"]),
    (lambda a: np.exp(a) / np.sum(np.exp(a), axis=1, keepdims=True), (A,), ["groups"]),
    (lambda a: np.sum(np.tanh(a)), (A,), ["groups", "groups"]),
    (counted, (V, np.zeros(50, dtype=np.int64)), ["many", "many"]),
], ids=lambda x: getattr(x, "__name__", None))
def test_who_does_it(f, args, want):
    assert launches(text(f, *args)) == want


def test_sums_into_shared_places_go_by_the_order_of_the_places():
    assert "rm.argsort(keys)" in text(counted, V, np.zeros(50, dtype=np.int64))
    assert "argsort" not in text(gs.grad(energy), V), "whose places differ from iteration to iteration"


def test_lanes_read_side_by_side():
    """Along a row it is the lanes that are neighbours, down a column the groups."""
    made = text(lambda a: np.sum(a, axis=1), A)
    assert "gpu.apart(lanes, True)" in made and "for j in range(1024 * block + lane, " in made
    made = text(lambda a: np.sum(a, axis=0), A)
    assert "True" not in made and made.count("gpu.apart(lanes") == made.count(", False)\n") / 2 == 3


def dense(x, w, b):
    return np.sum(np.tanh(x @ w + b))


@pytest.mark.parametrize("f, args", [
    (lambda a: np.sum(a, axis=0), (A,)),
    (lambda a: np.sum(a * a, axis=0, keepdims=True), (A + 1j,)),
    (lambda a: np.min(np.exp(a), axis=0), (A,)),
    (lambda a: np.any(a > 1.9, axis=0), (A,)),
    (lambda a: np.sum(a > 1.9, axis=0), (A,)),
    (lambda a: np.var(a, axis=0), (A,)),
    (gs.grad(dense, argnums=2), (A, A[:5], A[0])),
    (gs.grad(dense, argnums=(0, 2)), (A, A[:5], A[0])),
], ids=["sum", "complex", "least", "any", "count", "variance", "bias", "bias and rows"])
def test_a_column_is_summed_in_a_register(f, args):
    """By groups, which come back to no element in memory; and where it is long, in two stages."""
    made = text(f, *args)
    assert not re.search(r"for i\S* in .*:\n(?: {12,}.*\n)*? {12,}(\w+\[.*\]) = .*\1", made), made
    assert "gpu.in_stages(" in made and "_of_lanes(" in made


def test_a_column_that_stays_in_memory_keeps_what_is_beside_it():
    """The greatest of narrow integers is one: where each round stores into it, rows are not shared out."""
    def f(a, n):
        return np.sum(a * n, axis=0), np.max(n, axis=0)

    made = text(f, A, A.astype(np.int32))
    assert launches(made) == ["many", "many"] and re.search(r"total = total \+ .*\n +(\S+) = .*\1", made), made


def test_rows_of_a_group_lie_in_its_own_memory():
    made = text(lambda a: np.exp(a) / np.sum(np.exp(a), axis=1, keepdims=True), A)
    assert re.search(r"\w+_row = \w+_all\[thread, :\]", made)


SAME = """
import sys
sys.path.insert(0, {folder!r})
from tests.gpu.test_forms import A, gs, np, text
print(text(gs.grad(lambda a: np.sum((np.exp(a - np.max(a, axis=1, keepdims=True))
                                     / np.sum(np.exp(a), axis=1, keepdims=True)) ** 2)), A))
"""


@pytest.mark.heavy(one_in=5)
def test_the_text_is_always_the_same(tmp_path):
    """Whatever order sets have."""
    script = tmp_path / "same.py"
    script.write_text(SAME.format(folder=str(ROOT)))
    found = {subprocess.run([sys.executable, str(script)], env={**os.environ, "PYTHONHASHSEED": seed},
                            capture_output=True, text=True, check=True).stdout for seed in "14"}
    assert len(found) == 1 and "_row_all" in found.pop()


def test_a_group_without_an_iteration_stores_nothing_and_stops_nothing():
    """It does the last iteration once more: what would be of no iteration could be an index out of range,
    or a division by 0."""
    def f(a):
        y = a.copy()
        for i in range(a.shape[0]):
            s = 0.0
            for j in range(a.shape[1]):
                s += a[i, j]
            for j in range(a.shape[1]):
                y[i, j] = a[i, j] / s
            y[i, 0] += s
        return y

    made = text(f, A)
    assert "i, lane, begin = dev.place(" in made
    sums, stores = re.findall(r"for j\S* in range\((\w+), ", made)
    assert (sums, stores) == ("lane", "begin") and "if begin == 0:" in made


def test_names_that_are_copies_become_one():
    def some(x):
        s = 0.0
        for v in x:
            if v > 0.0:
                s += v
        return s

    made = text(some, V)
    assert launches(made) == ["groups", "groups"] and re.search(r"part\w* = part\w* \+ ", made)


# float64 in programs of float32: a length on its way to float32, which NumPy takes, too; and on the CPU, whose sums are
# of doubles, the mean, and SciPy's functions
LENGTHS = r"np\.float32\(np\.float64\(\w*(len|size)\w*\)\)"
MEANS = r"np\.float32\(np\.float64\(total\w*\) / .*\)"


@pytest.mark.heavy(one_in=15)
@pytest.mark.parametrize("target, most", [("cuda", LENGTHS), ("numba", f"{LENGTHS}|{MEANS}")],
                         ids=["cuda", "numba"])
@pytest.mark.parametrize("f, args", [pytest.param(*p, id=p[0].__name__) for p in FLOAT32])
def test_float32_stays_float32(f, args, target, most):
    """Values, gradients, what ties weigh in them: what is widened for nothing would show here."""
    options = {"target": "cuda"} if target == "cuda" else {}
    for made in (f, gs.grad(f, argnums=tuple([k for k, x in enumerate(args) if x.dtype.kind == "f"]))):
        lines = gs.jit(made, **options).source(*args, stage="compiled").splitlines()
        wide = [line for line in lines if "float64" in re.sub(most, "", line)
                and (target == "cuda" or "sp." not in line)]
        assert wide == []
