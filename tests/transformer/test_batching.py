"""Every rule under vmap against a loop: all combinations of arguments that differ between examples
and that do not, and axes.

Elementwise rules are found in the table, so that a new one is tested without being told; `COVERED` says which test has
each of the others, and a rule that none has fails.
"""
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy import linalg

import gradscribe as gs
from gradscribe.transformer.library.devices import Between
from gradscribe.transformer.library.registry import everything
from gradscribe.transformer.rules import BY_FUNCTION, OPS
from gradscribe.transformer.rules.batching import LIFTS
from gradscribe.transformer.rules.collectives import Collective
from gradscribe.transformer.rules.kinds import Elementwise
from tests.support.cases import rotating
from tests.transformer.batched import of_derivatives, of_values, quiet, smooth

everything()


@dataclass
class Case:
    name: str
    fun: Callable
    args: tuple
    ops: tuple = ()  # rules, by the names that they have in the table


def numbers(seed, *shape):
    """Between 0.2 and 0.8, where every function is defined and smooth."""
    return np.random.default_rng(seed).uniform(0.2, 0.8, size=shape)


WITHOUT = {"rt.again": "it is gone where a program is finished",
           "breakpoint": "tests/refusals/test_error_messages.py", "print": "test_print",
           "rt.tape_zeros": "tests/transforms/test_vmap.py, gradients of gradients", "rt.push_add": "as rt.push",
           "retype": "in every program", "round": "only of Python floats, of which a batch has none",
           "rt.threefry": "tests/jax_parity/test_random.py", "rt.gamma_slope": "only of derivatives",
           "np.einsum": "only of programs of which no derivative is left to take",
           "rt.same_sizes": "only of sizes, which a batch has one of",
           **dict.fromkeys(("rt.segment_length", "rt.segment_starts", "rt.starts_ahead", "rt.next_start"),
                           "only of sizes: tests/transforms/test_memory.py"),
           "np.linalg.svd (tall, all of u)": "tests/library/test_linalg_factors.py",
           "np.linalg.svd (wide, all of v)": "tests/library/test_linalg_factors.py",
           "scipy.special.zeta": "tests/library/test_scipy_special.py, where its arguments are large enough",
           "np.linalg.qr (tall, all of q)": "tests/library/test_public.py",
           **dict.fromkeys(("rt.expm_curve", "rt.lu", "rt.sylvester", "rt.square_root",
                            "scipy.linalg.eigh (one matrix)", "scipy.linalg.eigh (two matrices)"),
                           "tests/library/test_public.py, of scipy.linalg"),
           **dict.fromkeys(("rt.factorise", "rt.substitute", "rt.substitute (transposed)"),
                           "tests/library/test_linalg_factors.py: only in compiled code"),
           **dict.fromkeys(("rt.has_cholesky", "rt.has_upper_cholesky", "rt.has_pivots", "rt.has_inverse"),
                           "tests/library/test_tried_linalg.py: only of a try block"),
           **dict.fromkeys(("rt.warn", "rt.log", "rt.log_enabled", "rt.write", "rt.clock"),
                           "tests/language/test_telling.py: what is said for each example, and a clock that is shown"),
           **dict.fromkeys(("np.linalg.eig of complex numbers", "rt.eig_of_real of real numbers"),
                           "tests/library/test_eigen.py: its vectors have no derivative"),
           "np.flatnonzero": "tests/library/test_masks.py: how many there are differs between examples"}


def elementwise_cases():
    bits = {np.bitwise_and, np.bitwise_or, np.bitwise_xor, np.left_shift, np.right_shift, np.invert, np.gcd, np.lcm}
    for function, op in BY_FUNCTION.items():
        special = op.name.startswith("rt.") and op.name not in WITHOUT and op.name != "rt.choose"
        if not (isinstance(op, Elementwise) and (isinstance(function, np.ufunc) or special)):
            continue
        count = len(op.partials)
        if op.name in WITHOUT:
            continue
        if count > 2:  # of SciPy: one shape, and arguments that differ
            args = tuple([numbers(k + 1, 3) + 0.3 * k for k in range(count - 1)] + [numbers(count, 2, 3)])
            yield Case(f"{function.__name__} of {count}", wrapped(function, count), args, (op.name,))
            continue
        for shapes in (((3,), (2, 3)), ((), (2,)), ((2, 1), (4,))) if count == 2 else (((3,),), ((),), ((2, 3),)):
            if function in bits:
                args = tuple(np.random.default_rng(k).integers(1, 5, size=s) for k, s in enumerate(shapes))
            else:
                args = tuple(numbers(k + 1, *s) for k, s in enumerate(shapes))
            if function is np.ldexp:
                args = args[0], (args[1] * 9).astype(int)
            yield Case(f"{function.__name__} {' '.join(map(str, shapes))}", wrapped(function, count), args, (op.name,))


def wrapped(function, count):
    return [lambda x: function(x), lambda x, y: function(x, y), lambda x, y, z: function(x, y, z),
            lambda w, x, y, z: function(w, x, y, z)][count - 1]


V, M, T = numbers(7, 4), numbers(8, 3, 4), numbers(9, 2, 3, 4)
TURN = np.array([[0.0, -4.0, 0.0], [4.0, 0.0, 0.0], [0.0, 0.0, 1.0]])  # eigenvalues near 4i, -4i and 1
I, J = np.array([2, 0, 1]), np.array([[1, 0], [0, 2]])


def stored(x, i, v):
    y = x.copy()
    y[i] = v
    return y * x


def added(x, i, v):
    y = x * x
    np.add.at(y, i, v)
    return y


def positive(a):
    return a @ np.swapaxes(a, -1, -2) + np.diag([1.0, 2.0, 3.0])


FACTORS = [("eigh", lambda a: np.linalg.eigh(positive(a))[1] ** 2, "np.linalg.eigh"),
           ("eigvalsh", lambda a: np.linalg.eigvalsh(positive(a)), "np.linalg.eigvalsh"),
           ("gaps", lambda a: gs.grad(lambda a: np.sum(np.linalg.eigh(positive(a))[1] ** 4))(a), "rt.gaps"),
           ("expm", lambda a: linalg.expm(a), "scipy.linalg.expm (square)"),
           ("eigh of the upper half", lambda a: np.linalg.eigh(positive(a), "U")[1] ** 2,
            "np.linalg.eigh (upper half)"),
           ("upper factor", lambda a: np.linalg.cholesky(positive(a), upper=True), "np.linalg.cholesky (upper half)"),
           ("slope of expm", lambda a: gs.grad(lambda a: np.sum(linalg.expm(a) ** 2))(a), "rt.expm_slope")]
FACTORS += [(f"solve_triangular {lower}",
             lambda a, lower=lower: linalg.solve_triangular(a + 3.0 * np.eye(3), a, lower=lower) if a.ndim == 2 else a,
             op) for lower, op in ((True, "rt.solve_lower"), (False, "rt.solve_upper"))]
FACTORS += [("lower part",
             lambda a: gs.grad(lambda a: np.sum(linalg.solve_triangular(a + 3.0 * np.eye(3), a, lower=True)))(a)
                       if a.ndim == 2 else a, "np.tril (square)")]
RECTANGULAR = [(lambda a: np.linalg.svd(a, full_matrices=False)[0] ** 2, "np.linalg.svd (tall)"),
               (lambda a: np.linalg.svd(np.swapaxes(a, -1, -2), full_matrices=False)[0] ** 2, "np.linalg.svd (wide)"),
               (lambda a: np.linalg.svdvals(a), "np.linalg.svd (tall, values)"),
               (lambda a: np.linalg.svdvals(np.swapaxes(a, -1, -2)), "np.linalg.svd (wide, values)"),
               (lambda a: np.linalg.qr(a)[1], "np.linalg.qr (tall)"), (lambda a: np.linalg.pinv(a), "np.linalg.pinv")]

OTHERS = [
    *[Case(f"{f.__name__} {axis} {keep} of {x.ndim}-D",
           (lambda f, axis, keep: lambda x: f(x, axis=axis, keepdims=keep))(f, axis, keep), (x,), (f"np.{f.__name__}",))
      for f in (np.sum, np.mean, np.max, np.min)
      for x, axis in ((V, None), (V, 0), (M, 0), (M, -1), (T, (0, 2)), (T, None)) for keep in (False, True)],
    *[Case(f"{f.__name__} {axis}", (lambda f, axis: lambda x: f(x > 0.5, axis=axis))(f, axis), (M,),
           (f"np.{f.__name__}",)) for f in (np.any, np.all) for axis in (None, 1)],
    *[Case(f"{f.__name__} {axis}", (lambda f, axis: lambda x: f(x, axis=axis))(f, axis), (x,), (f"np.{f.__name__}",))
      for f in (np.argmax, np.argmin) for x, axis in ((V, None), (M, None), (M, 0), (M, -1))],
    *[Case(f"matmul {a} {b}", lambda x, y: x @ y, (numbers(1, *a), numbers(2, *b)), ("matmul",))
      for a, b in (((3,), (3,)), ((3,), (3, 4)), ((2, 3), (3,)), ((2, 3), (3, 4)), ((3,), (2, 3, 4)), ((5, 2, 3), (3,)),
                   ((5, 2, 3), (3, 4)), ((2, 3), (5, 3, 4)), ((5, 2, 3), (5, 3, 4)))],
    *[Case(f"cumsum {axis}", (lambda axis: lambda x: np.cumsum(x, axis=axis))(axis), (x,), ("np.cumsum",))
      for x, axis in ((V, None), (M, 0), (M, -1))],
    *[Case(f"roll {shift} {axis}", (lambda shift, axis: lambda x: np.roll(x, shift, axis=axis) * x)(shift, axis), (x,),
           ("np.roll",)) for shift in (1, -2, 5) for x, axis in ((V, None), (M, 0), (M, -1))],
    *[Case(f"cumprod {axis}", (lambda axis: lambda x: np.cumprod(x, axis=axis))(axis), (x,), ("np.cumprod",))
      for x, axis in ((V, None), (M, 0), (M, -1))],
    *[Case(f"prod {axis}", (lambda axis: lambda x: np.prod(x, axis=axis))(axis), (x,), ("np.prod",))
      for x, axis in ((V, None), (M, 0), (M, -1))],
    Case("products of the others", lambda x: gs.grad(lambda x: np.prod(x))(x), (V,),
         ("rt.products_before", "rt.products_behind")),
    Case("transforms", lambda x: np.real(np.fft.fft(x)) + np.imag(np.fft.ifft(x)) + np.real(np.fft.fft(x * 1j)), (V,),
         ("np.fft.fft", "np.fft.ifft", "np.fft.fft of real numbers")),
    Case("of transforms", lambda x: gs.grad(lambda x: np.sum(np.abs(np.fft.fft(x)) ** 2))(x), (V,),
         ("rt.real_of_fft",)),
    Case("eigenvalues", lambda x: np.abs(np.linalg.eigvals(x + 1j * np.eye(3))), (numbers(5, 3, 3),),
         ("np.linalg.eigvals of complex numbers", "np.linalg.eig of any scale")),
    Case("eigenvalues of real matrices", lambda x: np.abs(np.linalg.eigvals(x + TURN)), (numbers(5, 3, 3),),
         ("rt.eigvals_of_real of real numbers", "rt.eig_of_real of any scale")),
    Case("complex numbers", lambda x: (lambda z: z.real * np.imag(z * np.conj(z) + z))(x + complex(0.5, x[0])), (V,),
         ("complex", "np.real", "np.imag")),
    Case("recurrences", lambda x: gs.grad(lambda x: np.sum(gs.grad(lambda x: np.prod(x))(x) * V))(x), (V,),
         ("rt.recurrence_before", "rt.recurrence_behind")),
    Case("argsort", lambda x, y: y[np.argsort(x)], (V, numbers(3, 4)), ("np.argsort",)),
    *[Case(f"argsort {axis}", (lambda axis: lambda x: np.argsort(x, axis=axis))(axis), (T,), ("np.argsort",))
      for axis in (None, 0, -1)],
    Case("sort", lambda x: np.sort(x) * V, (V,), ("np.argsort",)),
    Case("searchsorted", lambda x, y: np.searchsorted(np.sort(x), y), (V, numbers(3, 5)), ("np.searchsorted",)),
    Case("outer", lambda x, y: np.outer(x, y), (numbers(1, 3), numbers(2, 4)), ("np.outer",)),
    *[Case(f"solve {a} {b}", lambda a, b: np.linalg.solve(a + 3.0 * np.eye(3), b), (numbers(1, *a), numbers(2, *b)),
           ("np.linalg.solve",))
      for a, b in (((3, 3), (3,)), ((3, 3), (3, 2)), ((2, 3, 3), (3,)), ((2, 3, 3), (2, 3, 1)),
                   ((2, 1, 3, 3), (2, 3, 1)), ((3, 3), (2, 3, 1)))],
    *[Case(f"{f.__name__} {a}", (lambda f: lambda a: f(a @ np.swapaxes(a, -1, -2) + np.eye(3)))(f), (numbers(1, *a),),
           (f"np.linalg.{f.__name__}",))
      for f in (np.linalg.inv, np.linalg.det, np.linalg.cholesky) for a in ((3, 3), (2, 3, 3))],
    Case("slogdet", lambda a: np.linalg.slogdet(a + np.eye(3))[1], (numbers(1, 2, 3, 3),), ("np.linalg.slogdet",)),
    *[Case(f"{name} {a}", f, (numbers(1, *a),), (op,)) for a in ((3, 3), (2, 3, 3)) for name, f, op in FACTORS],
    *[Case(f"{op} {a}", f, (numbers(1, *a),), (op,)) for a in ((3, 2), (2, 3, 2)) for f, op in RECTANGULAR],
    Case("least squares", lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], (numbers(1, 3, 2), numbers(2, 3)),
         ("rt.least_squares (tall)",)),
    Case("least squares, wide", lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0], (numbers(1, 2, 3), numbers(2, 2, 2)),
         ("rt.least_squares (wide)",)),
    Case("cofactors", lambda a: gs.grad(lambda a: np.linalg.det(a))(a), (numbers(1, 3, 3),), ("rt.cofactors",)),
    Case("how cofactors change", lambda a: gs.hessian(lambda a: np.linalg.det(a))(a), (numbers(1, 3, 3),),
         ("rt.cofactors_slope",)),
    Case("an inverse or nan", lambda a: gs.grad(lambda a: np.linalg.slogdet(a)[1])(a), (numbers(1, 3, 3),),
         ("rt.inverse",)),
    Case("lower half", lambda a: gs.grad(lambda a: np.sum(np.linalg.cholesky(a) ** 2))(a @ a.T + np.eye(3)),
         (numbers(1, 3, 3),), ("rt.lower_half",)),
    Case("where of arrays", lambda x, y: np.where(x > 0.5, x, y), (M, V), ("np.where",)),
    Case("where of numbers", lambda x, y: np.where(x > 0.5, 2.0, y) * 1.5, (numbers(1), numbers(2)),
         ("np.where", "rt.choose")),
    Case("clip", lambda x, low, high: np.clip(x, low, high) * 1.5, (M, numbers(4), numbers(5, 4) + 0.5), ("np.clip",)),
    Case("float", lambda x: float(x) * np.ones(2, dtype=np.float32), (numbers(1),), ("float",)),
    Case("bool and not", lambda x, y: (not bool(x > 0.5)) * y, (numbers(1), numbers(2)), ("bool", "not ")),
    Case("int", lambda x, y: int(x * 4) * y, (numbers(1), V), ("int",)),
    Case("zeros and ones", lambda x: np.zeros((2, 3)) + np.ones(3) * x + np.empty(3) * 0.0, (numbers(1, 3),),
         ("np.zeros", "np.ones", "np.empty")),
    Case("full", lambda x: np.full((2, 3), x) * 2.0, (numbers(1),), ("rt.full",)),
    Case("eye and arange", lambda x: np.eye(3) * x + np.arange(3), (numbers(1, 3),), ("np.eye", "np.arange")),
    Case("arange from there", lambda k: np.sum(np.arange(k, k + 3) * 2), (np.int64(4),), ("np.arange",)),
    Case("broadcast_to of a number", lambda x: np.broadcast_to(x, (2, 3)) * 1.0, (numbers(1),), ("np.broadcast_to",)),
    Case("broadcast_to", lambda x: np.broadcast_to(x, (2, 3, 4)) * T, (V,), ("np.broadcast_to",)),
    Case("reshape", lambda x: x.reshape(6, 4) * 2.0, (T,), ("np.reshape",)),
    Case("transpose", lambda x: np.transpose(x, (2, 0, 1)) * 1.0, (T,), ("np.transpose",)),
    Case("copy and asarray", lambda x: np.copy(np.asarray(x)) * 2.0, (M,), ("np.copy", "np.asarray")),
    Case("astype", lambda x: x.astype(np.float32) * 2.0, (M,), ("rt.astype",)),
    Case("stop_gradient", lambda x: gs.stop_gradient(x) * x, (M,), ("rt.stop_gradient",)),
    Case("concatenate", lambda x, y: np.concatenate([x, y, x], axis=1), (M, numbers(3, 3, 2)), ("np.concatenate",)),
    Case("stack", lambda x, y: np.stack([x, y], axis=1), (V, numbers(3, 4)), ("np.stack",)),
    Case("sizes", lambda x: x * len(x) + x.shape[0], (M,), ("rt.size",)),
    Case("match", lambda x, y: x + y, (numbers(1, 5), numbers(2, 5)), ("rt.match",)),
    Case("an element", lambda x, i: x[i], (V, np.int64(2)), ("getitem",)),
    Case("an element of two", lambda x, i, j: x[i, j], (M, np.int64(2), np.int64(-1)), ("getitem",)),
    Case("a row and a column", lambda x, i: x[i] * x[:, i][0], (M, np.int64(1)), ("getitem",)),
    Case("a column", lambda x, i: x[:, i] * 1.0, (M, np.int64(1)), ("getitem",)),
    Case("slices", lambda x: x[1:, ::-1] * x[:-1, 0:4:1], (M,), ("getitem",)),
    Case("a slice from there", lambda x, i: np.sum(x[i:i + 2] * 2.0), (V, np.int64(1)), ("getitem", "rt.slice_length")),
    Case("index array", lambda x, i: x[i] * 2.0, (V, I), ("getitem",)),
    Case("index array of the last axis", lambda x, i: x[:, i] * 2.0, (M, I), ("getitem",)),
    Case("2-D index array", lambda x, i: x[i] * 2.0, (M, J), ("getitem",)),
    Case("two index arrays", lambda x, i, j: x[i, j] * 2.0, (M, J, np.array([[1, 3], [0, 2]])), ("getitem",)),
    Case("index arrays apart", lambda x, i, j: x[i, :, j] * 2.0, (T, np.array([1, 0, 1]), I), ("getitem",)),
    Case("index array and an int apart", lambda x, i, j: x[i, :, j] * 2.0, (T, np.array([1, 0, 1]), np.int64(3)),
         ("getitem",)),
    Case("index array behind a new axis", lambda x, i: x[None, :, i] * 2.0, (M, I), ("getitem",)),
    Case("index array between slices", lambda x, i: x[:, i, 1:3] * 2.0, (T, I), ("getitem",)),
    Case("store of an element", stored, (V, np.int64(2), numbers(5)), ("rt.update",)),
    Case("store of a row", stored, (M, np.int64(2), V), ("rt.update",)),
    Case("store at an index array", stored, (V, I, numbers(5, 3)), ("rt.update",)),
    Case("store at places named twice", stored, (V, np.array([1, 1, 0]), numbers(5, 3)),
         ("rt.update", "rt.last_writer")),
    Case("store of rows", stored, (M, I, numbers(5)), ("rt.update",)),
    Case("store into columns", lambda x, i, v: stored(x.T, i, v), (M, np.array([3, 1]), numbers(5, 3)), ("rt.update",)),
    Case("store between slices", lambda x, i, v: inner(x, i, v), (T, np.array([2, 0]), numbers(5, 2, 2, 2)),
         ("rt.update",)),
    Case("added at an index array", added, (V, np.array([1, 1, 0]), numbers(5, 3)), ("rt.update_add",)),
    Case("added at an element", added, (V, np.int64(1), numbers(5)), ("rt.update_add",)),
    Case("added to rows", added, (M, np.array([1, 1]), V), ("rt.update_add",)),
    Case("a check", lambda x: checked(x), (numbers(1),), ("rt.require",)),
    Case("tapes", lambda x, n: taped(x, n), (V, np.int64(3)), ("rt.tape", "rt.push", "rt.pop", "rt.trip_count")),
]


def inner(x, i, v):
    y = x.copy()
    y[:, i, 1:3] = v
    return y * x


def checked(x):
    if x < 0.0:
        raise ValueError("negative")
    return np.sqrt(x)


def taped(x, n):
    s = x[0]
    for i in range(n):
        y = x[i:]
        s = s + np.sum(np.sin(y * s))
    return s


CASES = [*elementwise_cases(), *OTHERS]
def test_every_rule_is_here():
    have = {op for case in CASES for op in case.ops} | set(WITHOUT)
    # collectives in test_pmap.py
    missing = [name for name, op in OPS.items() if name not in have and not isinstance(op, (Collective, Between))]
    assert not missing, "a case of each in OTHERS, or a reason in WITHOUT"
    assert set(LIFTS) <= set(OPS)


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=lambda c: c.name)


@pytest.mark.heavy(one_in=18)
@by_name(CASES)
def test_against_a_loop(case):
    for check in of_values(case):
        check.close(quiet(check.got, *check.args))


@pytest.mark.heavy(one_in=52)
@by_name([c for c in CASES if smooth(c)])
def test_derivatives_against_a_loop(case):
    for check in of_derivatives(case):
        check.close(quiet(check.got, *check.args))


COMPILED = [*rotating(elementwise_cases()), *OTHERS]  # of an elementwise function the shapes take turns


def compiled(checks):
    """All of them as one function: that is one compilation."""
    checks = list(checks)
    functions = [c.got for c in checks]

    def all_of_them(every):
        return [f(*args) for f, args in zip(functions, every)]

    for check, got in zip(checks, gs.jit(all_of_them)([c.args for c in checks]), strict=True):
        check.close(got)


@pytest.mark.heavy(one_in=341)
@by_name(COMPILED)
def test_against_a_loop_compiled(case):
    compiled(of_values(case))


@pytest.mark.heavy(one_in=304)
@by_name(rotating([c for c in COMPILED if smooth(c)]))
def test_derivatives_against_a_loop_compiled(case):
    compiled(of_derivatives(case))


@pytest.mark.parametrize("way", [gs.vmap, lambda f, axes: gs.jit(gs.vmap(f, axes))], ids=["plain", "compiled"])
def test_orders_of_all_examples_at_once(way):
    x, y, a = numbers(1, 4, 5).round(1), numbers(2, 4, 3), np.sort(V)
    ordered, placed = lambda x: np.argsort(x), lambda a, y: np.searchsorted(a, y, side="right")  # noqa: E731
    assert "for " not in gs.vmap(ordered).source(x) and "for " not in gs.vmap(placed, (None, 0)).source(a, y)
    np.testing.assert_array_equal(way(ordered, 0)(x), np.argsort(x, axis=1, kind="stable"))
    np.testing.assert_array_equal(way(placed, (None, 0))(a, y), [placed(a, row) for row in y])
    np.testing.assert_array_equal(way(placed, (None, 0))(a, y[:, 0]), placed(a, y[:, 0]))


def test_what_has_no_form_says_why():
    text = gs.vmap(lambda a, y: np.searchsorted(a, y)).source(np.sort(numbers(1, 4, 5)), numbers(2, 4, 3))
    assert "for " in text and "one example at a time: np.searchsorted in several sorted arrays" in text


def test_print(capsys):
    def f(x):
        print("x is", x)
        return x

    gs.vmap(f)(np.array([1.0, 2.0]))
    assert capsys.readouterr().out == "x is 1.0\nx is 2.0\n"
