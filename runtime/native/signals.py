"""How a loop of compiled code hears of a signal: `listen`, at the end of its rounds.

Compiled code runs without the interpreter's lock, and Python runs the handlers of signals in its main thread alone,
which is the one that computes. So a loop counts the work that it does, and from time to time asks Python itself. A
round that does little costs an addition.
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
MAIN, NEXT, RAISED = 0, 1, 2
words = (ctypes.c_int64 * 5)()  # who is the main thread; when to ask next; the exception that a handler has raised


def note_main_thread() -> None:
    words[MAIN] = threading.main_thread().ident


note_main_thread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=note_main_thread)


def signal_test():
    """The function that asks, as machine code: has a handler of a signal raised an exception?"""
    assert cpu_target.target_context  # which makes LLVM ready
    module = ir.Module("gradscribe_signals")
    module.triple = llvmlite.binding.get_process_triple()
    function = ir.Function(module, ir.FunctionType(I64, []), "heard")
    b = ir.IRBuilder(function.append_basic_block())

    def outside(result, name, *given):
        return b.call(cgutils.get_or_insert_function(module, ir.FunctionType(result, [x.type for x in given]), name),
                      given)

    def word(k):
        return b.inttoptr(I64(ctypes.addressof(words) + 8 * k), I64.as_pointer())

    with b.if_then(b.icmp_signed("!=", outside(I64, "PyThread_get_thread_ident"), b.load(word(MAIN)))):
        b.ret(I64(0))
    spec = b.alloca(ir.ArrayType(I64, 2))
    outside(I32, "clock_gettime", I32(time.CLOCK_MONOTONIC), b.bitcast(spec, PTR))
    seconds, rest = (b.load(cgutils.gep_inbounds(b, spec, 0, k)) for k in range(2))
    now = b.add(b.mul(seconds, I64(10**9)), rest)
    with b.if_then(b.icmp_signed("<", now, b.load(word(NEXT)))):
        b.ret(I64(0))
    b.store(b.add(now, I64(PERIOD)), word(NEXT))
    state = outside(I32, "PyGILState_Ensure")
    raised = b.icmp_signed("!=", outside(I32, "PyErr_CheckSignals"), I32(0))
    with b.if_then(raised, likely=False):
        outside(ir.VoidType(), "PyErr_Fetch", *[word(RAISED + k) for k in range(3)])
    outside(ir.VoidType(), "PyGILState_Release", state)
    b.ret(b.zext(raised, I64))

    machine = llvmlite.binding.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    engine = llvmlite.binding.create_mcjit_compiler(llvmlite.binding.parse_assembly(str(module)), machine)
    engine.finalize_object()
    llvmlite.binding.add_symbol("gradscribe_heard", engine.get_function_address("heard"))
    return engine


def raise_heard() -> None:
    """Raise what the handler has raised, or what has ended a text that the program said."""
    if raised:
        raise raised.pop()
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
