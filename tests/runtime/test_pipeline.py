"""Our way through numba's compiler: it answers what numba answers, and leaves the process as it found it."""
import gc
import itertools
import operator
import os
import subprocess
import sys

import numpy as np
import pytest
from numba import njit
from numba.core import types
from numba.core.errors import TypingError
from numba.core.registry import cpu_target

import gradscribe as gs
from gradscribe.runtime.compiler.operator_types import REMEMBERED, Typing
from gradscribe.runtime.compiler.pipeline import Compiler
from gradscribe.runtime.native import \
    scalars  # noqa: F401  our own functions are registered too, as when programs are compiled

NUMBERS = [types.int64, types.literal(3), types.float64, types.float32, types.uint32, types.boolean,
           types.literal(True)]
ARRAY = types.Array(types.float64, 2, "A")
INDICES = [types.int64, types.literal(-1), types.UniTuple(types.int64, 2), types.Tuple((types.literal(0), types.int64))]
UNARY = {operator.neg, operator.pos, operator.invert, operator.not_, bool, abs}
INPLACE = {operator.iadd, operator.isub, operator.imul, operator.itruediv}
ours = njit(pipeline_class=Compiler, error_model="numpy", no_rewrites=True)


def calls(function):
    if function is operator.getitem:
        return [(ARRAY, index) for index in INDICES]
    return list(itertools.product(NUMBERS, repeat=1 if function in UNARY else 2))


def answer(context, function, args):
    """The types of the result and of the arguments, which numba leaves as they are where two literals are compared."""
    try:
        signature = context.resolve_function_type(function, args, {})
    except TypingError:
        return None
    constant = all(isinstance(t, types.Literal) for t in args)
    return signature.return_type, None if constant else signature.args


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("function", sorted(REMEMBERED - INPLACE, key=str), ids=lambda f: f.__name__)
def test_what_is_remembered_is_what_numba_answers(function):
    """For literals too: the answer that is kept is that for their types."""
    context = cpu_target.typing_context
    context.refresh()
    typing = Typing(context)
    for args in calls(function):
        expected = answer(context, function, args)
        assert answer(typing, function, args) == expected, args
        assert answer(typing, function, args) == expected, args


def powers(x, n):
    return x ** 2, x ** n, n ** 3, x ** -1


def counted(x, n):
    total, k = 0, 0
    while True:
        if k >= n:
            break
        for i in range(x.shape[0] - 1, -1, -1):
            total += i * k if x[i, -1] > 0.5 else -i
        k += 1
    return total, x[0, 0] < x[-1, k - k], not (total > 3 and k & 1)


def grown(x, n):
    """A name for several arrays, of several layouts."""
    y = x
    for i in range(n):
        y = y.T if i % 2 else y.copy()
        y[0, 0] += 1.0
    return y


def elements(floats, integers, flags, numbers, bytes, k):
    """Reads and stores of elements, of arrays of all layouts, at indices of several types, from both ends."""
    floats[-1, k] = integers[k, -2] + 0.5
    floats[k, -k] += 2
    integers[-k, bytes[1]] = floats[0, 0]
    flags[1] = not flags[k]
    flags[-k] = numbers[k].real > 0
    numbers[-1] *= numbers[bytes[0], ]
    numbers[np.uint64(1)] = 3
    turned, backwards = floats[::-1, ::-2], numbers[::-1]
    backwards[-1] += turned[k, -1]
    for a in range(-2, 2):
        turned[a, a] -= bytes[a]
        floats[0, a] += integers[a, bytes[-a]]
    return floats, integers, flags, numbers, bytes


OF_ALL_LAYOUTS = (np.arange(12, dtype=np.float32).reshape(3, 4), np.asfortranarray(np.arange(9).reshape(3, 3)),
                  np.array([True, False, True]), np.array([1 + 2j, 3 - 1j, -2j]), np.array([2, 0, 1], np.uint8), 1)


@pytest.mark.heavy(one_in=5)
@pytest.mark.parametrize("f, args", [(powers, (1.5, 3)), (powers, (np.float32(0.3), -2)), (counted, (np.eye(4), 3)),
                                     (grown, (np.eye(3)[::-1], 4)), (elements, OF_ALL_LAYOUTS)],
                         ids=["powers", "powers of float32", "control flow", "arrays", "elements"])
def test_the_same_results_as_from_numba(f, args):
    copies = lambda: [np.copy(a) if isinstance(a, np.ndarray) else a for a in args]
    got, expected = ours(f)(*copies()), njit(f, error_model="numpy")(*copies())
    for a, b in zip(got, expected, strict=True):
        assert np.array_equal(a, b) and np.asarray(a).dtype == np.asarray(b).dtype


@pytest.mark.parametrize("collects", [True, False])
def test_collection_of_garbage_is_as_before(collects):
    before = gc.isenabled()
    try:
        (gc.enable if collects else gc.disable)()
        ours(lambda x: x + 1.0)(2.0)
        assert gc.isenabled() == collects
        with pytest.raises(TypingError):
            ours(lambda x: x.no_such_thing)(2.0)
        assert gc.isenabled() == collects
    finally:
        (gc.enable if before else gc.disable)()


def first_of_range(x, start, stop, most):
    """Both directions, with breaks, so that a range may be longer than an int can say."""
    s, n, i = 0.0, 0, 0
    for i in range(start, stop):
        s += x[i % 3]
        n += 1
        if n > most:
            break
    for i in range(stop, start, -3):
        s += x[i % 3] * 2.0
        n += 1
        if n > 2 * most:
            return s * s
    return s * s * (i % 7)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("start, stop", [(-5, 2**63 - 1), (2**63 - 1, -5), (5, -2**63), (-2**63, 5),
                                         (-2**63, 2**63 - 1), (2**63 - 1, -2**63), (-4, 9), (9, -4)])
def test_ranges_of_any_length(start, stop):
    x = np.array([1.1, 0.7, 0.4])
    expected = first_of_range(x, start, stop, 2)
    assert gs.jit(first_of_range)(x, start, stop, 2) == expected
    value, gradient = gs.value_and_grad(first_of_range)(x, start, stop, 2)
    assert value == expected
    np.testing.assert_allclose(gs.jit(gs.grad(first_of_range))(x, start, stop, 2), gradient, rtol=1e-12)
    np.testing.assert_allclose(gradient @ x, 2 * value, rtol=1e-12)  # it is homogeneous


# ---- numba's own pipeline

LACKING = "import sys\nsys.modules['gradscribe.runtime.compiler.pipeline'] = None  # so that importing it fails\n"
SCRIPT = """
import os
import numpy as np
import gradscribe as gs
from gradscribe.runtime.compiler import stock

def f(x, k):
    y = np.zeros(len(x))
    y[0] = x[k]
    for i in range(1, len(x)):
        y[i] = np.sin(x[i]) * y[i - 1] + x[i]
    return np.sum(y * y)

def rows(A, n):
    return gs.vmap(lambda a: f(a, n))(A)

x, A = np.linspace(0.0, 1.0, 7), np.arange(40.0).reshape(10, 4)
run, parallel = gs.jit(gs.value_and_grad(f)), gs.jit(rows, parallel=True)
for got, expected in [*zip(run(x, 2), gs.value_and_grad(f)(x, 2)), (parallel(A, 1), rows(A, 1))]:
    np.testing.assert_allclose(got, expected, rtol=1e-12)
for call, args in [(run, (x, 9)), (parallel, (A, 5))]:
    try:
        call(*args)
    except IndexError as error:
        print(str(error).split(" for ")[0])
print(stock.uses_stock())
"""


@pytest.mark.heavy(one_in=19)
@pytest.mark.parametrize("before, pipeline, used", [("", "stock", "True"), (LACKING, "", "True"), ("", "", "False")],
                         ids=["chosen", "ours does not fit", "ours"])
def test_where_numbas_own_pipeline_is_used(before, pipeline, used, tmp_path):
    """And that it gives the same: values, exceptions with numbers of the run time, loops that threads share."""
    script = tmp_path / "script.py"  # whose source can be read
    script.write_text(before + SCRIPT)
    env = os.environ | {"GRADSCRIBE_PIPELINE": pipeline, "GRADSCRIBE_CACHE_DIR": str(tmp_path / "cache")}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=env)
    assert done.stdout.splitlines() == ["index 9 is out of bounds", "index 5 is out of bounds", used], done.stderr
    assert ("does not fit numba" in done.stderr) == bool(before)
