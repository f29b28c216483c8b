"""The programs of examples/science/: each file is met by itself,
and says about itself what is tested (README.md there).

Values are held against the reference of the program, gradients against differences at two steps, which must agree with
each other, and against closed forms where there are some.
"""
import copy
import importlib.util
import re
from pathlib import Path

import numpy as np
import pytest

import gradscribe as gs
from tests.support.agreement import agree, compare
from tests.support.cases import rotating

FOLDER = Path(__file__).parents[2] / "examples" / "science"
NAMES = sorted(path.stem for path in FOLDER.glob("*.py"))


class Program:
    def __init__(self, name):
        spec = importlib.util.spec_from_file_location(name, FOLDER / f"{name}.py")
        self.module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.module)
        self.fun, self.also = getattr(self.module, name), self.module.ALSO
        self.args = self.module.arguments()
        self.step, self.rtol = getattr(self.module, "STEP", 1e-4), getattr(self.module, "RTOL", 1e-6)
        self.numbers = tuple(k for k, x in enumerate(self.args) if all(map(is_float, gs.tree.leaves(x))))
        self.floats = tuple(self.args[k] for k in self.numbers)

    def of_floats(self, *floats):
        """The program as a function of its arguments of floats alone."""
        given = list(self.args)
        for number, x in zip(self.numbers, floats):
            given[number] = x
        return self.fun(*given)

    def moved(self, directions, by):
        return gs.tree.map(lambda x, d: x + by * d, copy.deepcopy(self.floats), directions)

    def directions(self):
        """A direction in each argument of floats alone, and one in all of them."""
        rng = np.random.default_rng(len(self.floats))
        everywhere = gs.tree.map(lambda x: magnitude(x) * direction(rng, x), self.floats)
        for k in range(len(self.floats)):
            yield tuple(d if j == k else gs.tree.map(np.zeros_like, d) for j, d in enumerate(everywhere))
        yield everywhere


def is_float(x):
    return np.asarray(x).dtype.kind == "f"


def magnitude(x):
    return max(float(np.max(np.abs(x))), 1e-3)


def direction(rng, x):
    """Such that a float stays one, and a symmetric matrix symmetric."""
    d = rng.uniform(0.3, 1.0, np.shape(x)) * rng.choice([-1.0, 1.0], np.shape(x))
    if np.ndim(x) == 2 and np.array_equal(x, np.transpose(x)):
        d = (d + d.T) / 2.0
    return d if isinstance(x, np.ndarray) else type(x)(d)


def close(got, want, x, value, rtol):
    """Of a gradient, or a part of it: what is 0 but for rounding is so beside what a gradient by x is like."""
    np.testing.assert_allclose(got, want, rtol=rtol,
                               atol=rtol * (np.max(np.abs(want)) + np.max(np.abs(value)) / magnitude(x)))


def along(gradient, directions):
    return sum(np.sum(g * d) for g, d in zip(gs.tree.leaves(gradient), gs.tree.leaves(directions), strict=True))


def differences(function, h):
    """The derivative of a function of one number at 0: two central differences, which must agree,
    and what Richardson makes of them."""
    wide, narrow = [(function(s) - function(-s)) / (2.0 * s) for s in (h, h / 2.0)]
    np.testing.assert_allclose(wide, narrow, rtol=1e-3, atol=1e-3 * np.max(np.abs(narrow)) + 1e-9,
                               err_msg="differences at two steps")
    return (4.0 * narrow - wide) / 3.0


@pytest.fixture(params=NAMES)
def program(request):
    return Program(request.param)


def test_the_table_lists_exactly_the_programs():
    listed = re.findall(r"^\| \[`(\w+)`\]\(\1\.py\) \|(?: [^|]+ \|){3}$", (FOLDER / "README.md").read_text(),
                        re.MULTILINE)
    assert listed == NAMES, "by name, a line for each, with four columns"


@pytest.mark.parametrize("name", NAMES)
def test_a_program_is_a_scientists_own_file(name):
    text = (FOLDER / f"{name}.py").read_text()
    assert (set(re.findall(r"^(?:import|from) (\w+)", text, re.MULTILINE))
            <= {"numpy", "scipy", "math", "dataclasses", "typing", "collections", "itertools", "functools", "enum"})
    assert "Reference:" in Program(name).module.__doc__ and "gradscribe" not in text.lower()
    assert set(Program(name).also) <= {"vmap", "hvp"}


def test_many_programs_are_tested_for_many_examples_and_to_second_order():
    for way in ("vmap", "hvp"):
        assert 3 * len([name for name in NAMES if way in Program(name).also]) >= len(NAMES)


@pytest.mark.heavy(one_in=25)
def test_values(program):
    reference = program.module.reference()
    np.testing.assert_allclose(program.fun(*copy.deepcopy(program.args)), reference["value"], rtol=reference["rtol"])
    agree(program.fun, *program.args, compiled=False)


@pytest.mark.heavy(one_in=33)
def test_gradients(program):
    before = copy.deepcopy(program.args)
    gradient = gs.grad(program.fun, argnums=program.numbers)(*program.args)
    compare(program.args, before, "the arguments afterwards")
    gs.tree.map(lambda g, x: compare(np.shape(g), np.shape(x), "the shape of a gradient"), gradient, program.floats)
    for d in program.directions():
        want = differences(lambda t, d=d: program.of_floats(*program.moved(d, t)), program.step)
        np.testing.assert_allclose(along(gradient, d), want, rtol=program.rtol,
                                   atol=program.rtol * 1e-3 * (1.0 + abs(along(gradient, d))))
    reference = program.module.reference()
    for g, want in zip(gradient, reference.get("gradient", ()), strict="gradient" in reference):
        if want is not None:
            np.testing.assert_allclose(g, want, rtol=10.0 * reference["rtol"],
                                       atol=reference["rtol"] * np.max(np.abs(want)) + 1e-14)


def examples(program):
    """Three examples of the arguments, with an axis in front, and one by one; for how far they differ 1 in 100."""
    *_, d = program.directions()
    single = [program.moved(d, 0.01 * k) for k in (0.0, 1.0, -0.5)]
    return single, gs.tree.map(lambda *x: np.stack(x), *single)


def check_for_many_examples(program, compiled):
    gradient = gs.value_and_grad(program.of_floats, argnums=tuple(range(len(program.floats))))
    single, batch = examples(program)
    got = (gs.jit if compiled else lambda f: f)(gs.vmap(gradient))(*batch)
    for k, floats in enumerate(single):
        value, alone = gradient(*floats)
        for ours, want, x in zip(*map(gs.tree.leaves, (got[1], alone, floats)), strict=True):
            close(ours[k], want, x, value, 1e-3 * program.rtol)
        np.testing.assert_allclose(got[0][k], value, rtol=1e-5 * program.rtol)


def check_to_second_order(program, compiled):
    *_, d = program.directions()
    gradient = gs.grad(program.of_floats, argnums=tuple(range(len(program.floats))))
    product = (gs.jit if compiled else lambda f: f)(lambda x, d: gs.hvp(program.of_floats, x, d))(program.floats, d)
    product = product if len(program.floats) > 1 else (product,)
    want = differences(lambda t: np.concatenate([np.ravel(g) for g in gs.tree.leaves(gradient(*program.moved(d, t)))]),
                       program.step)
    got = np.concatenate([np.ravel(g) for g in gs.tree.leaves(product)])
    np.testing.assert_allclose(got, want, rtol=10.0 * program.rtol, atol=10.0 * program.rtol * np.max(np.abs(want)))


def also(way, parts=1):
    """Parametrise by the programs that say so: a part of them, another after each commit, where they are compiled."""
    return pytest.mark.parametrize("name", rotating([name for name in NAMES if way in Program(name).also], parts))


@pytest.mark.heavy(one_in=52)
@also("vmap")
def test_for_many_examples(name):
    check_for_many_examples(Program(name), compiled=False)


@pytest.mark.heavy(one_in=35)
@also("hvp")
def test_to_second_order(name):
    check_to_second_order(Program(name), compiled=False)


@pytest.mark.heavy(one_in=74)
@pytest.mark.parametrize("name", rotating(NAMES))
def test_compiled(name):
    program = Program(name)
    both = gs.value_and_grad(program.fun, argnums=program.numbers)
    value, gradient = gs.jit(both)(*program.args)
    want, want_gradient = both(*program.args)
    np.testing.assert_allclose(value, want, rtol=1e-11)
    for got, plain, x in zip(*map(gs.tree.leaves, (gradient, want_gradient, program.floats)), strict=True):
        close(got, plain, x, want, 1e-3 * program.rtol)


@pytest.mark.heavy(one_in=167)
@also("vmap", 4)
def test_for_many_examples_compiled(name):
    check_for_many_examples(Program(name), compiled=True)


@pytest.mark.heavy(one_in=20)
@also("hvp", 4)
def test_to_second_order_compiled(name):
    check_to_second_order(Program(name), compiled=True)
