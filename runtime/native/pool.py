"""Threads that wait for jobs: the machine code that starts them, gives them jobs and lets them go.

A thread is started for a job that none waits for. When that is done it looks out for another for some 20 us, then
sleeps, and after a second it ends.
"""
from __future__ import annotations

import platform
import time

from llvmlite import ir
from numba.core import cgutils

from ..compiler.control_flow import loop_while

MOST = 256  # threads
SPINS = 500  # looks at what it waits for before a thread sleeps; each takes some 40 ns
PATIENCE = 1  # s after which a thread ends that has had no work
PAUSE = {"x86_64": "pause", "aarch64": "yield"}.get(platform.machine(), "")

I1, I32, I64, PTR = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
SYNC = ir.ArrayType(I64, 16)  # more than a mutex or a condition takes
SLOT = ir.LiteralStructType([SYNC, SYNC, I64])  # the place of a thread
(MUTEX, WAKE,  # `wake`: there is a job
 GIVEN) = range(3)  # what the thread is to do: a job, or one of these
NOBODY, IDLE = 0, 1


def llvm_constant(value, type=I64) -> ir.Constant:
    return ir.Constant(type, value)


def external(b, result, name, *args):
    fn = cgutils.get_or_insert_function(b.module, ir.FunctionType(result, [a.type for a in args]), name)
    return b.call(fn, args)


def pthread(b, name, *args):
    """A call of a function of the system's; pointers are all the same to it."""
    args = [b.bitcast(a, PTR) if isinstance(a.type, ir.PointerType) else a for a in args]
    return external(b, I32, f"pthread_{name}", *args)


class Fields:
    """The fields of a job, or of a thread's place, where a function is written."""

    def __init__(self, b: ir.IRBuilder, pointer, type):
        self.b, self.pointer = b, b.bitcast(pointer, type.as_pointer())

    def at(self, field):
        return cgutils.gep_inbounds(self.b, self.pointer, 0, field)

    def __getitem__(self, field):
        return self.b.load(self.at(field))

    def __setitem__(self, field, value):
        self.b.store(value, self.at(field))


def llvm_function(module, name, type):
    fn = ir.Function(module, type, f"gradscribe_{name}")
    return fn, ir.IRBuilder(fn.append_basic_block("entry"))


def thread_place(b, k) -> Fields:
    """The place of this number."""
    every = ir.ArrayType(SLOT, MOST)
    name = "gradscribe_places"
    where = b.module.globals.get(name)
    if where is None:
        where = ir.GlobalVariable(b.module, every, name)
        where.initializer, where.linkage = ir.Constant(every, None), "internal"
    return Fields(b, b.gep(where, [llvm_constant(0), k]), SLOT)


def clock_time(b, clock, spec):
    external(b, I32, "clock_gettime", llvm_constant(clock, I32), b.bitcast(spec, PTR))


def spin_while(b, condition):
    """Look at something again and again, for a while, as long as a condition holds."""
    left = cgutils.alloca_once(b, I64)
    b.store(llvm_constant(SPINS), left)
    with loop_while(b, lambda: b.and_(b.icmp_signed(">", b.load(left), llvm_constant(0)), condition())):
        b.asm(ir.FunctionType(ir.VoidType(), []), PAUSE, "", [], side_effect=True)
        b.store(b.sub(b.load(left), llvm_constant(1)), left)


def write_worker(module, helper):
    """void *worker(slot): a thread, which does what it is given, waits for more, and ends where nothing comes."""
    fn, b = llvm_function(module, "worker", ir.FunctionType(PTR, [PTR]))
    slot = Fields(b, fn.args[0], SLOT)
    there = cgutils.alloca_once_value(b, llvm_constant(1))
    deadline = cgutils.alloca_once(b, ir.ArrayType(I64, 2))

    def given(what):
        return b.icmp_signed("==", b.load_atomic(slot.at(GIVEN), "acquire", 8), llvm_constant(what))

    with loop_while(b, lambda: b.icmp_signed("!=", b.load(there), llvm_constant(0))):
        spin_while(b, lambda: given(IDLE))
        with b.if_then(given(IDLE)):
            clock_time(b, time.CLOCK_REALTIME, deadline)
            seconds = cgutils.gep_inbounds(b, deadline, 0, 0)
            b.store(b.add(b.load(seconds), llvm_constant(PATIENCE)), seconds)
            pthread(b, "mutex_lock", slot.at(MUTEX))
            late = cgutils.alloca_once(b, I32)
            b.store(llvm_constant(0, I32), late)
            with loop_while(b, lambda: b.and_(given(IDLE), b.icmp_signed("==", b.load(late), llvm_constant(0, I32)))):
                b.store(pthread(b, "cond_timedwait", slot.at(WAKE), slot.at(MUTEX), deadline), late)
            pthread(b, "mutex_unlock", slot.at(MUTEX))
        ends = given_now(b, slot, IDLE, llvm_constant(NOBODY))
        with b.if_else(ends) as (nothing, work):
            with nothing:
                b.store(llvm_constant(0), there)
            with work:
                b.call(helper, [b.inttoptr(slot[GIVEN], PTR), fn.args[0]])
    b.ret(llvm_constant(None, PTR))
    return fn


def given_now(b, slot, old, new):
    """Was a place given `old`, and is it given `new` now?"""
    return b.extract_value(b.cmpxchg(slot.at(GIVEN), llvm_constant(old), new, "seq_cst", "acquire"), 1)


def write_give(module, worker):
    """int give(job): a thread that waits gets it, or a new one; 0 where there can be none."""
    fn, b = llvm_function(module, "give", ir.FunctionType(I64, [PTR]))
    job = b.ptrtoint(fn.args[0], I64)

    def each_slot():
        return cgutils.for_range(b, llvm_constant(MOST), intp=I64)

    with each_slot() as loop:
        slot = thread_place(b, loop.index)
        with b.if_then(given_now(b, slot, IDLE, job)):
            pthread(b, "mutex_lock", slot.at(MUTEX))
            pthread(b, "cond_signal", slot.at(WAKE))
            pthread(b, "mutex_unlock", slot.at(MUTEX))
            b.ret(llvm_constant(1))
    with each_slot() as loop:
        slot = thread_place(b, loop.index)
        with b.if_then(given_now(b, slot, NOBODY, job)):
            thread = cgutils.alloca_once(b, I64)
            bad = b.icmp_signed("!=", pthread(b, "create", thread, llvm_constant(None, PTR), worker, slot.pointer),
                                llvm_constant(0, I32))
            with b.if_then(bad, likely=False):
                b.store_atomic(llvm_constant(NOBODY), slot.at(GIVEN), "release", 8)
                b.ret(llvm_constant(0))
            pthread(b, "detach", b.load(thread))
            b.ret(llvm_constant(1))
    b.ret(llvm_constant(0))
    return fn


def write_prepare(module) -> None:
    """void prepare()"""
    fn, b = llvm_function(module, "prepare", ir.FunctionType(ir.VoidType(), []))
    with cgutils.for_range(b, llvm_constant(MOST), intp=I64) as loop:
        slot = thread_place(b, loop.index)
        pthread(b, "mutex_init", slot.at(MUTEX), llvm_constant(None, PTR))
        pthread(b, "cond_init", slot.at(WAKE), llvm_constant(None, PTR))
        slot[GIVEN] = llvm_constant(NOBODY)
    b.ret_void()
