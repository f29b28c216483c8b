"""What operations say of themselves (core.Op), asked one by one and held against what they do."""
import ast
import itertools
from pathlib import Path

import numpy as np
import pytest
import scipy

import gradscribe as gs
from gradscribe import runtime as rt
from gradscribe.runtime.devices import crew
from gradscribe.runtime.native import special, vectormath
from gradscribe.runtime.plain import cephes, scalars
from gradscribe.transformer.core import ANY, MADE, MOVED, OWN, PASSED, SAME, STORED, VIEW
from gradscribe.transformer.core.types import Dim, Type
from gradscribe.transformer.library.devices import Between
from gradscribe.transformer.library.registry import everything
from gradscribe.transformer.rules import OPS
from gradscribe.transformer.rules.collectives import Collective
from gradscribe.transformer.rules.control import EffectOp
from gradscribe.transformer.rules.host import Host, parsed
from gradscribe.transformer.rules.kinds import Elementwise, Reduction
from gradscribe.transformer.rules.operators import Comparison

everything()
SOURCES = Path(gs.transformer.__file__).parent
# which know no operation by its name in a collection
PASSES = ("analyse", "transform", "optimise", "lower", "loops", "emit")
SQUARE = np.array([[2.0, 0.5], [0.5, 1.0]])
M = np.array([[0.5, 0.25, 0.75], [1.0, 0.125, 0.375]])
K = np.array([[3, 1, 2], [4, 1, 5]])
I, N, F8 = ":", "n", np.dtype(float)

# what is not elementwise and no reduction: ([arguments], {parameters})
SAMPLES = {
    "matmul": ([M, M.T.copy()], {}), "np.outer": ([M[0], M[1]], {}),
    "np.einsum": ([M, M], {"subscripts": "ij,kj->ik"}),
    "np.zeros": ([2, 3], {"dtype": F8}), "np.ones": ([2, 3], {"dtype": F8}), "np.empty": ([2, 3], {"dtype": F8}),
    "np.eye": ([3, 3], {"dtype": F8}), "rt.full": ([0.5, 2, 3], {"dtype": F8}),
    "np.arange": ([1, 7, 2], {"dtype": np.dtype(int)}), "np.broadcast_to": ([M, 4, 2, 3], {}),
    "np.reshape": ([M, 3, 2], {}), "np.transpose": ([M], {"axes": (1, 0)}),
    "np.copy": ([M], {}), "np.asarray": ([M], {}), "rt.astype": ([M], {"dtype": np.dtype(np.float32)}),
    "rt.stop_gradient": ([M], {}), "np.concatenate": ([M, M], {"axis": 1}), "np.stack": ([M, M], {"axis": 0}),
    "np.roll": ([M, 1], {"axis": 1}),
    "rt.size": ([M], {"axis": 1}), "np.argmax": ([M], {"axis": 1}), "np.argmin": ([M], {"axis": 0}),
    "np.cumsum": ([M], {"axis": 1}), "np.cumprod": ([M], {"axis": 1}),
    "np.ldexp": ([M, K], {}), "np.argsort": ([M[0]], {}), "np.searchsorted": ([np.sort(M[0]), M], {"side": "left"}),
    "np.flatnonzero": ([M > 0.3, 4], {}),
    "getitem": ([M, 0], {"index": ("i", I)}), "rt.update": ([M, 9.0, 0], {"index": ("i", I)}),
    "rt.update_add": ([M, 9.0, 0], {"index": ("i", I)}), "rt.last_writer": ([M, np.array([1, 1])], {"index": ("a",)}),
    "rt.match": ([M, 2, 3, 2, 3], {"axes": (0, 1), "how": "{} {}"}), "retype": ([M], {}), "rt.again": ([M], {}),
    "rt.trip_count": ([0, 7, 2], {}), "rt.slice_length": ([1, 5, 7], {"given": "110"}),
    "rt.segment_length": ([100, 40, 64, 5000], {}), "rt.segment_starts": ([100, 7, 40, 64, 5000], {}),
    "rt.starts_ahead": ([30, 100, 7, 3], {}), "rt.next_start": ([30, 100, 7, 3], {}),
    "rt.tape": ([], {"dtype": F8}), "rt.tape_zeros": ([rt.tape(F8)], {}),
    "rt.push": ([rt.push(rt.tape(F8), 0, M), 6, M], {}), "rt.push_add": ([rt.push(rt.tape(F8), 0, M), 0, M], {}),
    **dict.fromkeys(("rt.substitute", "rt.substitute (transposed)"), ([*rt.factorise(SQUARE), M], {})),
    "rt.pop": ([rt.push(rt.tape(F8), 0, M), 0, 2, 3], {}),
}
INTEGERS = {"lshift", "rshift", "invert", "and_", "or_", "xor", "np.gcd", "np.lcm"}  # of floats NumPy has none
# of arrays there are none: Python's own, or words
NUMBERS = {"complex", "float", "int", "bool", "round", "not ", "rt.choose", "rt.threefry"}


def ordinary():
    return [op for op in OPS.values() if not isinstance(op, (Collective, EffectOp))]


def samples(op):
    """The arguments and parameters on which an operation is tried."""
    if op.name in SAMPLES:
        yield SAMPLES[op.name]
    elif isinstance(op, Reduction):
        x = M > 0.3 if op.joins in ("|", "&") else M
        yield from [([x], {"axis": (1,), "keepdims": False}), ([x], {"axis": (0, 1), "keepdims": True})]
    elif isinstance(op, Between):  # of one device, which meets itself
        with crew.alone() as axis:
            yield [axis, *[0] * (op.count - 2), M], {}
    elif isinstance(op, Host):  # matrices that can be factorised, in rows and in columns
        types = [Type("array", F8, (Dim.of(2), Dim.of(2)))] * op.count
        args = [SQUARE[tuple(slice(0, 2) for _ in core)] for core in parsed(op.signature(*types).rpartition(":")[2])[0]]
        yield from [(args, {}), ([np.asfortranarray(a) for a in args], {})]
    elif isinstance(op, Elementwise) and op.name not in NUMBERS:
        x = K if op.name in INTEGERS else M
        count = len(op.partials)
        yield [x + k for k in range(count)], {}
        yield [np.asfortranarray(x) for _ in range(count)], {}


def result_of(op, args, params):
    """What the text of the operation gives, as the programs of core run it."""
    names = [f"a{k}" for k in range(len(args))]
    text = op.show(names, {k: v for k, v in params.items()})
    with np.errstate(all="ignore"):
        found = eval(text, {"np": np, "rt": rt, "scipy": scipy, "abs": abs, **dict(zip(names, args))})
    return found[0] if isinstance(found, tuple) else found


@pytest.mark.parametrize("op", ordinary(), ids=lambda op: op.name)
def test_every_operation_answers(op):
    assert op.memory in (OWN, VIEW, SAME, STORED, ANY) and op.elements in (PASSED, MOVED, MADE, None)
    tried = 0
    for args, params in samples(op):  # one after the other: an axis is that of its own sample alone
        check_memory(op, args, params)
        check_elements(op, args, params)
        check_order(op, args, params)
        tried += 1
    assert tried or op.name in NUMBERS, f"{op.name} needs arguments in SAMPLES"


def check_memory(op, args, params):
    result = result_of(op, args, params)
    if not isinstance(result, np.ndarray):
        return
    sharing = [k for k, a in enumerate(args) if isinstance(a, np.ndarray) and np.shares_memory(a, result)]
    assert set(sharing) <= {OWN: set(), VIEW: {0}, SAME: {0}, STORED: {0}, ANY: set(range(len(args)))}[op.memory]
    assert not op.own_memory(params) or not sharing
    assert op.memory is not SAME or sharing == [0]


def check_elements(op, args, params):
    result = result_of(op, args, params)
    if op.elements is PASSED:
        np.testing.assert_array_equal(result, args[0])
    if op.elements is MOVED:
        assert set(np.ravel(result)) <= set(np.ravel(args[0]))
    if op.elements is MADE:  # from places, numbers and lengths alone
        assert not any(isinstance(a, np.ndarray) for a in args)
        np.testing.assert_array_equal(result, result_of(op, args, params))
    if getattr(op, "fill", None) is not None:
        assert np.all(result == op.fill)
    if op.lengths_at is not None:
        assert tuple(args[op.lengths_at:]) == result.shape
    if op.length:
        assert type(result) is int and result >= 0
    if op.commutes:
        np.testing.assert_array_equal(result, result_of(op, args[::-1], params))
    if op.renames:
        assert result_of(op, args, params) is args[0]
    if op.converts:
        np.testing.assert_array_equal(result_of(op, args, params), args[0])
    if op.to_fill:
        assert result_of(op, args, params) is not result_of(op, args, params) and op.memory is OWN


def check_order(op, args, params):
    def order(x):
        return "C" if x.flags.c_contiguous else "F" if x.flags.f_contiguous else None

    result = result_of(op, args, params)
    said = op.order([order(a) for a in args if isinstance(a, np.ndarray) and a.ndim > 1], params)
    if said is not None and isinstance(result, np.ndarray) and result.ndim > 1 and min(result.strides) > 0:
        assert result.flags[f"{said}_CONTIGUOUS"], said


@pytest.mark.parametrize("op", [op for op in ordinary() if op.index_at is not None], ids=lambda op: op.name)
def test_an_index_array_makes_a_copy(op):
    value = [9.0] if op.index_at == 2 else []
    assert op.own_memory({"index": ("a",)}) or op.memory is STORED
    assert not np.shares_memory(result_of(op, [M, *value, np.array([1, 0])], {"index": ("a",)}), M)


@pytest.mark.parametrize("op", [op for op in ordinary() if op.exact_of], ids=lambda op: op.name)
def test_of_pythons_numbers_it_makes_what_numpy_makes(op):
    values = {"b": [False, True], "i": [-3, 0, 2 ** 40], "f": [-0.0, 1e308, -1.5, float("inf"), float("nan")]}
    numpys = {"not ": np.logical_not}.get(op.name, op.fn)
    for kind in op.exact_of:
        if kind == "f" and op.symbol in ("&", "|"):
            continue  # which neither of them has
        for args in itertools.product(values[kind], repeat=len(op.partials)):
            with np.errstate(all="ignore"):
                np.testing.assert_array_equal(op.fn(*args), numpys(*map(np.array, args)))


@pytest.mark.parametrize("op", [op for op in ordinary() if isinstance(op, Comparison)], ids=lambda op: op.name)
def test_comparisons_and_their_opposites(op):
    for a, b in itertools.product(range(-3, 4), repeat=2):
        assert op.fn(a, b) is not OPS[op.opposite].fn(a, b)
        if op.fn(a, b):
            assert all(e.constant >= 0 for e in op.holds(Dim.of(a), Dim.of(b)))
        elif op.name != "not_equal":  # of which no polynomial says anything
            assert any(e.constant < 0 for e in op.holds(Dim.of(a), Dim.of(b)))


@pytest.mark.parametrize("op", [op for op in ordinary() if isinstance(op, Reduction)], ids=lambda op: op.name)
def test_reductions_join_and_are_empty(op):
    join = {"+": np.add, "*": np.multiply, "|": np.logical_or, "&": np.logical_and, ">": np.maximum,
            "<": np.minimum}[op.joins]
    x = M > 0.3 if op.joins in ("|", "&") else M
    assert np.allclose(op.fn(x), join.reduce(x.ravel()) / (x.size if op.name == "np.mean" else 1))
    if op.empty is None:
        with pytest.raises(ValueError, match="no identity"):
            op.fn(np.ones(0))
    else:
        with np.errstate(all="ignore"), pytest.warns() if op.name == "np.mean" else np.errstate():
            np.testing.assert_equal(op.fn(np.ones(0)), op.empty)


@pytest.mark.parametrize("op", [op for op in ordinary() if op.divisor is not None], ids=lambda op: op.name)
def test_divisors(op):
    args = {"rt.trip_count": [0, 5, 0], "rt.slice_length": [9, 0]}.get(op.name, [1, 0])
    params = {"given": "001"} if op.name == "rt.slice_length" else {}
    assert args[op.divisor] == 0
    with pytest.raises((ZeroDivisionError, ValueError)):
        op.fn(*args, **params)


def test_compiled_functions_are_there():
    for op in OPS.values():
        if op.compiled:
            module, name = op.compiled.split(".")
            for full in [name + "_f8", name + "_f4"] if module == "vm" else [name]:
                assert any(hasattr(place, full)
                           for place in {"vm": (vectormath, special), "rs": (scalars,), "sp": (cephes,)}[module]), op
    floats = [op for op in OPS.values() if isinstance(op, Elementwise) and op.rounds]
    assert all(op.fn(7) == 7 for op in floats) and floats


def test_what_may_raise_says_so():
    """A dead statement that may raise stays, one that may not goes: for each kind of both."""
    def dead(x, k, i):
        a = x + 1.0
        b = x[i]
        c = 1 / k
        d = 1 << k
        e = np.max(x)
        f = k < 3
        g = np.sum(x)
        return x * 2.0

    text = gs.jit(dead).source(np.ones(3), 2, 1)
    assert all(kept in text for kept in ("x[i]", "1 / k", "1 << k", "np.max(x)"))
    assert not any(gone in text for gone in ("x + 1.0", "k < 3", "np.sum(x)"))


def test_stop_gradient_has_a_form_for_many_examples():
    batched = gs.vmap(lambda x: np.sum(gs.stop_gradient(x) * x))
    assert "for " not in batched.source(M) and np.allclose(batched(M), np.sum(M * M, axis=1))


def collections_of_names():
    """(place, names) of the sets, tuples, lists and dicts of passes that hold two and more names
    of operations and nothing else."""
    names = {*OPS} - {"int", "float", "bool", "complex"}
    for folder in PASSES:
        for path in sorted((SOURCES / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, (ast.Set, ast.Tuple, ast.List, ast.Dict)):
                    found = [e.value for e in (node.keys if isinstance(node, ast.Dict) else node.elts)
                             if isinstance(e, ast.Constant)]
                    if (len(found) > 1 and names.issuperset(x for x in found if isinstance(x, str))
                            and any(isinstance(x, str) for x in found)):
                        yield f"{path.name}:{node.lineno}", found


def test_passes_have_no_tables_of_operations():
    assert not [(place, found) for place, found in collections_of_names() if all(isinstance(x, str) for x in found)]
