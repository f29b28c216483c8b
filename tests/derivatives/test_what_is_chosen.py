"""What a choice keeps: at points without a pole a gradient is what it would be without masks, whatever stands between a
steep function and what chooses among its elements."""
import itertools
import linecache
import textwrap

import numpy as np
import pytest

import gradscribe as gs

STEEP = {"square": "y = 3 * x ** 2", "root": "y = np.sqrt(x)", "log": "y = np.log(x)", "quotient": "y = x / (x + u)",
         "norm": "y = np.sqrt(x * x + x[::-1] ** 2)", "product": "y = np.sqrt(x) * x"}
BETWEEN = {
    "nothing": "z = y", "added": "z = y.copy()\nz[0] += 1 / x[0]",
    "added at": "z = y.copy()\nnp.add.at(z, [0, 0, 2], np.log(x[[0, 0, 2]]))",
    "stored": "z = y.copy()\nz[1] = x[0] * x[2]", "slices": "z = y.copy()\nz[1:] -= y[:-1] * x[1:]",
    "gathered": "z = y[[0, 0, 2, 1]] * u[[0, 1, 2, 3]]", "joined": "z = np.concatenate([y[2:], y[:2] * 2.0])",
    "shaped": "z = (y.reshape(2, 2).T * x.reshape(2, 2)).ravel()",
    "spread": "z = (y[:, None] * np.ones((4, 4)) + u).sum(axis=0)", "sorted": "z = np.sort(y) * u",
    "sorted rows": "z = np.sort((y * u).reshape(2, 2), axis=1).ravel()",
    "sorted list": "z = np.array(sorted(y * u)) + y", "rows": "z = (y * np.outer(u, u) + 1.0).sum(axis=1)",
    "read in a loop": "z = 0.5 * x\nfor i in range(4):\n    w = np.sqrt(x)\n    z = z + w[i] * y[3 - i]",
    "branch": "z = y * u if x[0] > 0.1 else x",
    "loop": "z = y.copy()\nfor i in range(1, 4):\n    z[i] = z[i] * z[i - 1]",
}
CHOICE = {
    "where": "np.sum(np.where(x > 0.4, z, 0.0) ** 2)",
    "two wheres": "np.sum(np.where(x > 0.4, z, 0.0) + np.where(u > 0.0, 1.0, z) ** 2)",
    "both": "np.sum(np.where(x > 0.4, z, y * z))", "maximum": "np.sum(np.maximum(z, 0.3) * u)",
    "clip": "np.sum(np.clip(z, -0.2, 0.9) * u)", "mask": "np.sum(z[x > 0.4] ** 2)",
    "product": "np.sum((x > 0.4) * z * y)", "part": "np.sum(z[1:3] ** 2) + np.sum(z) + z[0] * y[3]",
    "two": "z[1] * z[2]", "second of a list": "sorted(z)[1] * y[0]",
    "medians of rows": "np.sum(np.nanmedian(z.reshape(2, 2), axis=0) * u[:2]) + y[1]",
    "one test for all": "np.sum(np.where(x[0] > 0.1, z, 1.0) * u)", "largest": "np.max(z) * np.min(y)",
    "median": "np.median(z) + np.sum(y)", "nansum": "np.nansum(np.where(u > 0, np.nan, z) * y)",
}
X, U = np.array([0.53, 0.3127, 1.47, 2.29]), np.array([0.71, -0.47, 1.27, -1.61])
WHAT = [*itertools.product(STEEP, BETWEEN, CHOICE)]


def program(steep, between, choice):
    lines = [STEEP[steep], *BETWEEN[between].splitlines(), "return " + CHOICE[choice]]
    text = "def f(x, u):\n" + textwrap.indent("\n".join(lines), "    ") + "\n"
    file, names = f"<{steep} {between} {choice}>", {"np": np}
    linecache.cache[file] = len(text), None, text.splitlines(True), file
    exec(compile(text, file, "exec"), names)
    return names["f"]


@pytest.mark.heavy(one_in=72)
@pytest.mark.parametrize("what", WHAT, ids=" ".join)
def test_a_gradient_has_all_that_a_tangent_has(what):
    f = program(*what)
    gradient, step = gs.grad(f)(X, U), 1e-6
    np.testing.assert_allclose(gradient, gs.jacfwd(f)(X, U), rtol=1e-12, atol=1e-13)
    np.testing.assert_allclose(gradient, [(f(X + e, U) - f(X - e, U)) / (2 * step) for e in step * np.eye(4)],
                               rtol=1e-6, atol=1e-8)


@pytest.mark.heavy(one_in=44)
@pytest.mark.parametrize("what", WHAT[::3], ids=" ".join)
def test_second_derivatives_have_it_too(what):
    f = program(*what)
    hessian = gs.hessian(f)(X, U)
    np.testing.assert_allclose(hessian, gs.jacrev(gs.grad(f))(X, U), rtol=1e-11, atol=1e-12)
    np.testing.assert_allclose(hessian, gs.jacfwd(gs.jacfwd(f))(X, U), rtol=1e-11, atol=1e-12)


@pytest.mark.heavy(one_in=111)
@pytest.mark.parametrize("what", WHAT[::7], ids=" ".join)
def test_compiled_and_for_many_examples(what):
    f = program(*what)
    np.testing.assert_allclose(gs.jit(gs.grad(f))(X, U), gs.grad(f)(X, U), rtol=1e-12, atol=1e-13)
    many = np.stack([X, X + 0.0625])
    np.testing.assert_allclose(gs.vmap(gs.grad(f), in_axes=(0, None))(many, U), [gs.grad(f)(x, U) for x in many],
                               rtol=1e-12, atol=1e-13)


@pytest.mark.parametrize("way", [lambda f: f, gs.jit], ids=["plain", "compiled"])
def test_a_mask_leaves_a_branch(way):
    """With what one side, or both, have chosen of a logarithm before it."""
    def f(p, b):
        log = np.log(p)
        y = np.where(p <= 0, -1.0, p * log)
        if b > 0:
            z = np.where(p <= 0, 0.5, log)
        else:
            z = np.where(p <= 1.0, 0.25, log * log)
        return np.sum(y) + np.sum(z * z)
    p = np.array([0.0, 1.5, 0.5, -1.0, 3.0])
    there, log = p > 0, np.log(np.where(p > 0, p, 1.0))
    for b, slope in ((1.0, np.where(there, 2 * log / np.where(there, p, 1.0), 0)),
                     (-1.0, np.where(p > 1, 4 * log ** 3 / p.clip(1.0), 0))):
        with np.errstate(all="ignore"):
            np.testing.assert_allclose(way(gs.grad(f))(p, b), np.where(there, log + 1, 0) + slope, rtol=1e-13)


def of_rounds(n):
    """y is a sum over all rounds, of which each reads elements; x comes from a pole."""
    lines = ["import numpy as np", "def f(x, c):", "    x = 1.0 / x", "    y, out = np.zeros(3), 0.0"]
    for k in range(n):
        lines += ["    a, b, d = y + 0.5 * x", "    y = y + 0.1 * np.array([b * x[0], d * a, a - x[1]])",
                  f"    if c > {k}.0:", "        out = out + y[1] / x[1]"]
    text, name = "\n".join([*lines, "    return out", ""]), f"<{n} rounds>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    names = {}
    exec(compile(text, name, "exec"), names)
    return names["f"]


def test_an_element_of_a_long_sum_is_not_one_of_each_of_its_terms():
    """Elements were computed of those of all that their array is a sum of: as many as there are rounds before,
    for each read."""
    x, c = np.array([0.5, 2.0, 1.5]), 17.5
    lines = [len(gs.grad(of_rounds(n)).source(x, c).splitlines()) for n in (12, 24, 48)]
    assert (lines[2] - lines[1]) < 2.2 * (lines[1] - lines[0])
    found = gs.grad(of_rounds(24))(x, c)
    apart = [(of_rounds(24)(x + e, c) - of_rounds(24)(x - e, c)) / 2e-6 for e in 1e-6 * np.eye(3)]
    np.testing.assert_allclose(found, apart, rtol=1e-7)
