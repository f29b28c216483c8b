"""How a loop of compiled code hears of a signal: `listen`, at the end of its rounds.

Compiled code runs without the interpreter's lock, and Python runs the handlers of signals in its main thread alone,
which is the one that computes. So a loop counts the work that it does, and from time to time asks Python itself. A
round that does little costs an addition.

Threads that share a loop of the main thread's stop where a handler has raised since that one handed out its job: they
look at how many have. What a handler raised is remembered until it is raised, here or, where the code stopped for
something else at the same time, by Python as soon as it runs again.
"""
from __future__ import annotations

import ctypes
import os
import threading
import time

import llvmlite.binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.registry import cpu_target
from numba.core.typing.templates import signature

from ..plain import scalars as rs
from ..plain.printing import raised
from .forms import fail_if, register_form

WORK = 1 << 14  # steps of a loop between two looks at the clock: some 10 us
PERIOD = 20_000_000  # ns between two questions to Python

I32, I64, PTR = ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
# who is the main thread; when to ask next; the exception that a handler has raised, how many have raised, is the last
# one to be raised yet; the key by which a thread knows its job
MAIN, NEXT, RAISED, COUNT, PENDING, KEY = 0, 1, 2, 5, 6, 7
words = (ctypes.c_int64 * 8)()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(words))  # threads use it till the process ends
OF_OTHERS = -1  # the count of a job whose caller is not the main thread


def note_main_thread() -> None:
    words[MAIN] = threading.main_thread().ident


note_main_thread()
if os.name == "posix":
    ctypes.CDLL(None).pthread_key_create(ctypes.byref(words, 8 * KEY), None)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=note_main_thread)


def signal_word(b, k):
    return b.inttoptr(I64(ctypes.addressof(words) + 8 * k), I64.as_pointer())


def outside(b, result, name, *given):
    """A call of a function of Python's, or of the system's."""
    fn = cgutils.get_or_insert_function(b.module, ir.FunctionType(result, [x.type for x in given]), name)
    return b.call(fn, given)


def in_main_thread(b):
    return b.icmp_signed("==", outside(b, I64, "PyThread_get_thread_ident"), b.load(signal_word(b, MAIN)))


def signal_test():
    """The functions that ask, as machine code."""
    assert cpu_target.target_context  # which makes LLVM ready
    module = ir.Module("gradscribe_signals")
    module.triple = llvmlite.binding.get_process_triple()
    write_heard(module)
    write_late(module)
    machine = llvmlite.binding.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    engine = llvmlite.binding.create_mcjit_compiler(llvmlite.binding.parse_assembly(str(module)), machine)
    engine.finalize_object()
    for name in ("heard", "late"):
        llvmlite.binding.add_symbol(f"gradscribe_{name}", engine.get_function_address(name))
    return engine


def write_heard(module) -> None:
    """long heard(): has a handler of a signal raised an exception?"""
    function = ir.Function(module, ir.FunctionType(I64, []), "heard")
    b = ir.IRBuilder(function.append_basic_block())
    with b.if_then(b.not_(in_main_thread(b))):
        b.ret(of_job(b))
    with b.if_then(b.icmp_signed("!=", b.load(signal_word(b, PENDING)), I64(0))):
        b.ret(I64(1))
    spec = b.alloca(ir.ArrayType(I64, 2))
    outside(b, I32, "clock_gettime", I32(time.CLOCK_MONOTONIC), b.bitcast(spec, PTR))
    seconds, rest = (b.load(cgutils.gep_inbounds(b, spec, 0, k)) for k in range(2))
    now = b.add(b.mul(seconds, I64(10**9)), rest)
    with b.if_then(b.icmp_signed("<", now, b.load(signal_word(b, NEXT)))):
        b.ret(I64(0))
    b.store(b.add(now, I64(PERIOD)), signal_word(b, NEXT))
    state = outside(b, I32, "PyGILState_Ensure")
    raised = b.icmp_signed("!=", outside(b, I32, "PyErr_CheckSignals"), I32(0))
    with b.if_then(raised, likely=False):
        outside(b, ir.VoidType(), "PyErr_Fetch", *[signal_word(b, RAISED + k) for k in range(3)])
        b.store_atomic(b.add(b.load(signal_word(b, COUNT)), I64(1)), signal_word(b, COUNT), "monotonic", 8)
    outside(b, ir.VoidType(), "PyGILState_Release", state)
    b.ret(b.zext(raised, I64))


def of_job(b):
    """In a thread that helps the main thread: has a handler raised since that handed out its job?"""
    if os.name != "posix":
        return I64(0)
    job = outside(b, PTR, "pthread_getspecific", b.load(signal_word(b, KEY)))
    with b.if_then(b.icmp_unsigned("==", job, PTR(None))):
        b.ret(I64(0))
    count = b.load(b.bitcast(job, I64.as_pointer()))  # the first field of a job
    now = b.load_atomic(signal_word(b, COUNT), "monotonic", 8)
    return b.zext(b.and_(b.icmp_signed("!=", count, I64(OF_OTHERS)), b.icmp_signed("!=", count, now)), I64)


def write_late(module) -> None:
    """int late(nothing): Python calls it in the main thread, and it raises what nobody else has raised."""
    function = ir.Function(module, ir.FunctionType(I32, [PTR]), "late")
    b = ir.IRBuilder(function.append_basic_block())
    with b.if_then(b.icmp_signed("==", b.load(signal_word(b, PENDING)), I64(0))):
        b.ret(I32(0))
    b.store(I64(0), signal_word(b, PENDING))
    outside(b, ir.VoidType(), "PyErr_Restore", *[b.load(signal_word(b, RAISED + k)) for k in range(3)])
    b.ret(I32(-1))


def raise_heard() -> None:
    """Raise what the handler has raised, or what has ended a text that the program said."""
    if raised:
        raise raised.pop()
    words[PENDING] = 0
    ctypes.pythonapi.PyErr_Restore(*[ctypes.c_void_p(words[RAISED + k]) for k in range(3)])


@register_form(rs.listen, lambda context, work: signature(types.none, types.int64))
def _listen(context, builder, sig, args):
    done = cgutils.alloca_once(builder, I64)  # 0 where the function begins
    steps = builder.add(builder.load(done), args[0])
    builder.store(steps, done)
    with builder.if_then(builder.icmp_signed(">", steps, I64(WORK)), likely=False):
        builder.store(I64(0), done)
        heard = cgutils.get_or_insert_function(builder.module, ir.FunctionType(I64, []), "gradscribe_heard")
        for name in ("cold", "nounwind", "inaccessiblememonly"):
            heard.attributes.add(name)
        fail_if(context, builder, builder.icmp_signed("!=", builder.call(heard, []), I64(0)), I64(rs.HEARD))
    return context.get_dummy_value()


engine = signal_test()
