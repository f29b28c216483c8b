"""How compiled code is made, kept and called: allocations, compilations, threads."""
import os
import subprocess
import sys
import textwrap
import threading

import numpy as np
import pytest

from gradscribe.runtime.loading.trampoline import SizeAssumption, compile_module, plain_module
from gradscribe.transformer.lower import lower
from tests.runtime.lowering import emit, function


def child(text, **environment):
    """Run a program in a process of its own; what it prints."""
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(text)], capture_output=True,
                          text=True, cwd=os.path.dirname(os.path.dirname(os.path.dirname(__file__))),
                          env={**os.environ, "PYTHONPATH": ".", **environment})
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


LOOP = '''
from tests.transformer.coretext import core
from gradscribe.transformer.lower import lower
from gradscribe.runtime.loading.trampoline import compile_module
import numpy as np
run = compile_module(lower(core("""
    def f(x: "f8[n]"):
        n = x.shape[0]
        y = np.zeros((n,), dtype=np.float64)
        y__1 = y
        for i in range(0, n, 1):
            y__2 = rt.update(y__1, x[i] * 2.0, np.s_[i])
            y__1 = y__2
        z = np.tanh(y__1)
        return (z,)
""")))
'''


@pytest.mark.heavy(one_in=4)
def test_stores_in_a_loop_allocate_nothing():
    """However many elements are stored: the same few allocations."""
    counts = child(LOOP + '''
from numba.core.runtime import rtsys
run(np.ones(5))
for n in (10, 1000, 100000):
    before = rtsys.get_allocation_stats().alloc
    run(np.ones(n))
    print(rtsys.get_allocation_stats().alloc - before)
''', NUMBA_NRT_STATS="1")
    assert len(set(counts)) == 1 and int(counts[0]) <= 3


@pytest.mark.heavy(one_in=4)
def test_a_new_shape_compiles_nothing():
    events = child(LOOP + '''
from numba.core import event
run(np.ones(5))
with event.install_recorder("numba:compile") as recorder:
    for n in range(0, 40):
        run(np.ones(n))
print(len(recorder.buffer))
''')
    assert events == ["0"]


@pytest.mark.heavy(one_in=6)
def test_the_second_process_loads_what_the_first_compiled(tmp_path):
    text = LOOP + '''
run(np.ones(5))
print(sum(run.entry.stats.cache_hits.values()), sum(run.entry.stats.cache_misses.values()))
'''
    assert child(text, GRADSCRIBE_CACHE_DIR=str(tmp_path)) == ["0", "1"]
    assert child(text, GRADSCRIBE_CACHE_DIR=str(tmp_path)) == ["1", "0"]
    assert os.stat(tmp_path).st_mode & 0o77 == 0 or os.stat(tmp_path).st_mode & 0o22 == 0


@pytest.mark.heavy(one_in=4)
def test_plain_modules_need_no_numba():
    assert child('''
import sys
from gradscribe.runtime.loading.trampoline import plain_module
print("numba" in sys.modules)
''') == ["False"]


# calls ------------------------------------------------------------------------------------------------
def test_threads_may_call_first_at_once():
    run = compile_module(lower(function(["f8[n]", "f4[n]"], lambda b, x, y: emit(
        b, "np.sum", emit(b, "multiply", x, y), axis=(0,), keepdims=False))))
    results = []

    def call():
        for _ in range(20):
            results.append(run(np.ones(50), np.ones(50, np.float32))[0])

    threads = [threading.Thread(target=call) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert results == [50.0] * 80


def test_sizes_that_the_types_exclude_are_refused():
    lowered = lower(function(["f8[n]", "f8[n]", "f8[3]"], lambda b, x, y, z: emit(b, "add", x, y)))
    for run in (compile_module(lowered), plain_module(lowered)):
        with pytest.raises(SizeAssumption):
            run(np.ones(3), np.ones(4), np.ones(3))
        with pytest.raises(SizeAssumption):
            run(np.ones(3), np.ones(3), np.ones(4))
        with pytest.raises(ValueError, match="without jit"):
            run(np.broadcast_to(1.0, (2**40,)), np.broadcast_to(1.0, (2**40,)), np.ones(3))


def test_scalars_and_arrays_mix_in_results():
    run = compile_module(lower(function(["f8[n]", "int"],
                                        lambda b, x, k: (k, emit(b, "np.max", x, axis=(0,), keepdims=False), x))))
    k, largest, x = run(np.array([1.0, 5.0]), 3)
    assert (type(k), type(largest), type(x)) == (int, np.float64, np.ndarray)


def test_a_call_is_one_of_python():
    run = compile_module(lower(function(["f8[n]"], lambda b, x: emit(b, "multiply", x, 2.0))))
    x, calls = np.ones(3), []
    run(x)
    sys.setprofile(lambda frame, event, _: calls.append(frame.f_code.co_name) if event == "call" else None)
    try:
        run(x)
    finally:
        sys.setprofile(None)
    # the second is the compiled code itself, as numba reports it up to Python 3.12
    assert calls in (["run", "f"], ["run"])
