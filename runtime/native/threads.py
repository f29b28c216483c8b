"""The iterations of a loop, shared by threads: machine code that `native/parallel.py` calls.

Nothing here needs Python: a loop runs on all cores while other Python code holds the interpreter's lock, and callers in
many threads do not queue for common workers.  A thread is started when a loop has work for it. When that is done it
looks out for more for some 20 us, then sleeps, and after a second it ends. Where other processes are busy a new thread
waits for milliseconds until it runs for the first time; one that sleeps is awake after 5 us, one that looks out has
the work after 0.3.

A loop starts in the thread that called it, in steps that grow, until the clock says that the rest takes longer than
`WORTH`. Then chunks are handed out: to the caller from the first on, to the others from the last on, so that two loops
over the same arrays find in their core's cache what it has stored. At the end the caller waits only for threads that
are at work on a chunk: a thread that the system runs too late finds nothing to do and goes.  After a chunk that raises
no later one begins; those before it are finished, and the exception is that of the first of them: the one that the
loop raises when it runs serially.
"""
from __future__ import annotations

import ctypes
import os
import sys
import time

import llvmlite.binding
from llvmlite import ir
from numba.core import cgutils
from numba.core.callconv import ALLOC_FLAG_IDX, RETCODE_NONE, excinfo_ptr_t
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys

from ..compiler.control_flow import greater, lesser, loop_while
from ..plain import parallel as rp
from . import signals
from .pool import (GIVEN, I1, I32, I64, IDLE, MOST, PTR, SLOT, SYNC, Fields, clock_time, external, llvm_constant,
                   llvm_function, pthread, spin_while, write_give, write_prepare, write_worker)

SURE = 10_000  # ns after which a measurement is believed
WORTH = 200_000  # ns that the rest must take for threads to pay
EACH = 100_000  # ns of work for each thread
GROWTH = 4  # of the steps in which a loop starts
CHUNKS = 8  # for each thread: iterations differ in what they cost
AVAILABLE = os.name == "posix"

# ints that compiled code reads and changes
ALLOWED, BUSY, HELPED = range(3)
counters = (ctypes.c_int64 * 3)(rp.threads(), 0, 0)
ctypes.pythonapi.Py_IncRef(ctypes.py_object(counters))  # threads use it till the process ends


def helped() -> int:
    """How many chunks threads have run that were started for a loop, in this process."""
    return counters[HELPED]


def _in_child() -> None:
    counters[ALLOWED], counters[BUSY] = rp.threads(), 0  # the parent's threads are not here
    prepare_places()


def prepare_places() -> None:
    """No thread has a place, and all places are ready for one."""
    if _prepare is not None:
        ctypes.CFUNCTYPE(None)(_prepare)()


RUN = ir.FunctionType(I32, [I64, I64, PTR, excinfo_ptr_t.as_pointer()])  # (low, high, data, exception) -> numba's code
SHARE = ir.FunctionType(I32, [RUN.as_pointer(), PTR, I64, I64, I1, excinfo_ptr_t.as_pointer()])
JOB = ir.LiteralStructType([I64, SYNC, SYNC, *[I64] * 9, RUN.as_pointer(), PTR, I32, excinfo_ptr_t])
(COUNT,  # of exceptions that handlers of signals have raised, when the job was handed out
 LOCK, QUIET,  # `quiet`: no thread is at work
 BEGIN, END, STEP,  # of the iterations, and how many of them are a chunk
 LEFT, NEXT, LAST,  # chunks that are left, the first of them, and the one behind the last of them
 FAILED,  # the first chunk that has failed, or the end
 WORKING, OWNERS,  # threads at work, the caller apart; threads that know the job
 RUNNER, DATA, CODE, EXCEPTION) = range(16)


def counter(b, which):
    return b.inttoptr(llvm_constant(ctypes.addressof(counters) + 8 * which), I64.as_pointer())


def failed(b, code):
    """Is it a code of numba's other than OK and NONE?"""
    return b.and_(b.icmp_signed("!=", code, llvm_constant(0, I32)), b.icmp_signed("!=", code, RETCODE_NONE))


def now(b):
    """Nanoseconds on a clock that only goes forwards."""
    spec = cgutils.alloca_once(b, ir.ArrayType(I64, 2))
    clock_time(b, time.CLOCK_MONOTONIC, spec)
    seconds, rest = (b.load(cgutils.gep_inbounds(b, spec, 0, k)) for k in range(2))
    return b.add(b.mul(seconds, llvm_constant(10**9)), rest)


def affinity(b):
    """How many cores the calling thread may run on now, where the system says so."""
    if not sys.platform.startswith("linux"):
        return llvm_constant(MOST)
    words = 16  # of 64 cores each
    mask = cgutils.alloca_once(b, ir.ArrayType(I64, words), zfill=True)
    bad = external(b, I32, "sched_getaffinity", llvm_constant(0, I32), llvm_constant(8 * words), b.bitcast(mask, PTR))
    count = cgutils.alloca_once_value(b, llvm_constant(0))
    with cgutils.for_range(b, llvm_constant(words), intp=I64) as loop:
        b.store(b.add(b.load(count), b.ctpop(b.load(b.gep(mask, [llvm_constant(0), loop.index])))), count)
    return b.select(b.icmp_signed("<", bad, llvm_constant(0, I32)), llvm_constant(MOST), b.load(count))


def free_exception(b, exception):
    """Free what belongs to an exception of numba's that nobody raises."""
    with b.if_then(b.icmp_unsigned("!=", exception, llvm_constant(None, excinfo_ptr_t))):
        # it has numbers of the run time
        with b.if_then(b.icmp_signed(">", b.load(cgutils.gep_inbounds(b, exception, 0, ALLOC_FLAG_IDX)),
                                     llvm_constant(0, I32))):
            external(b, ir.VoidType(), "NRT_Free", b.bitcast(exception, PTR))


def write_failure(module):
    """void failure(job, low, code, exception): notes it, if it is the first in the order of the iterations."""
    fn, b = llvm_function(module, "failure", ir.FunctionType(ir.VoidType(), [PTR, I64, I32, excinfo_ptr_t]))
    job, (_, low, code, exception) = Fields(b, fn.args[0], JOB), fn.args
    pthread(b, "mutex_lock", job.at(LOCK))
    with b.if_else(b.icmp_signed("<", low, job[FAILED])) as (first, later):
        with first:
            with b.if_then(failed(b, job[CODE])):
                free_exception(b, job[EXCEPTION])
            job[CODE], job[EXCEPTION] = code, exception
            b.store_atomic(low, job.at(FAILED), "monotonic", 8)
        with later:
            free_exception(b, exception)
    pthread(b, "mutex_unlock", job.at(LOCK))
    b.ret_void()
    return fn


def write_chunks(module, failure):
    """long chunks(job, from_last): runs chunks until there are no more; how many it ran."""
    fn, b = llvm_function(module, "chunks", ir.FunctionType(I64, [PTR, I1]))
    job, from_last = Fields(b, fn.args[0], JOB), fn.args[1]
    low, count = (cgutils.alloca_once_value(b, llvm_constant(0)) for _ in range(2))

    def more():
        return b.icmp_signed(">", b.atomic_rmw("sub", job.at(LEFT), llvm_constant(1), "monotonic"), llvm_constant(0))

    with loop_while(b, more):
        with b.if_else(from_last) as (last, first):
            with last:
                k = b.sub(b.atomic_rmw("sub", job.at(LAST), llvm_constant(1), "monotonic"), llvm_constant(1))
                b.store(b.add(job[BEGIN], b.mul(k, job[STEP])), low)
            with first:
                k = b.atomic_rmw("add", job.at(NEXT), llvm_constant(1), "monotonic")
                b.store(b.add(job[BEGIN], b.mul(k, job[STEP])), low)
        with b.if_then(b.icmp_signed("<", b.load(low), b.load_atomic(job.at(FAILED), "monotonic", 8))):
            run_chunk(b, fn.args[0], b.load(low), failure)
            b.store(b.add(b.load(count), llvm_constant(1)), count)
    b.ret(b.load(count))
    return fn


def run_chunk(b, pointer, low, failure) -> None:
    job = Fields(b, pointer, JOB)
    exception = cgutils.alloca_once(b, excinfo_ptr_t)
    code = b.call(job[RUNNER], [low, lesser(b, b.add(low, job[STEP]), job[END]), job[DATA], exception])
    with b.if_then(failed(b, code), likely=False):
        b.call(failure, [pointer, low, code, b.load(exception)])


def write_leave(module):
    """void leave(job): the last thread that knows the job frees it."""
    fn, b = llvm_function(module, "leave", ir.FunctionType(ir.VoidType(), [PTR]))
    job = Fields(b, fn.args[0], JOB)
    with b.if_then(b.icmp_signed("==", b.atomic_rmw("sub", job.at(OWNERS), llvm_constant(1), "acq_rel"),
                                 llvm_constant(1))):
        pthread(b, "cond_destroy", job.at(QUIET))
        pthread(b, "mutex_destroy", job.at(LOCK))
        external(b, ir.VoidType(), "free", fn.args[0])
    b.ret_void()
    return fn


def write_helper(module, chunks, leave):
    """void helper(job, slot): what a thread does for a job."""
    fn, b = llvm_function(module, "helper", ir.FunctionType(ir.VoidType(), [PTR, PTR]))
    job = Fields(b, fn.args[0], JOB)

    def working(change):
        pthread(b, "mutex_lock", job.at(LOCK))
        b.store_atomic(b.add(job[WORKING], llvm_constant(change)), job.at(WORKING), "release", 8)
        with b.if_then(b.icmp_signed("==", job[WORKING], llvm_constant(0))):
            pthread(b, "cond_broadcast", job.at(QUIET))
        pthread(b, "mutex_unlock", job.at(LOCK))

    def mine(job):
        external(b, I32, "pthread_setspecific", b.load(signals.signal_word(b, signals.KEY)), job)

    mine(fn.args[0])
    working(+1)  # before it takes a chunk: who has seen the last chunk go then sees all that are at work
    count = b.call(chunks, [fn.args[0], llvm_constant(1, I1)])
    mine(llvm_constant(None, PTR))
    b.atomic_rmw("add", counter(b, HELPED), count, "monotonic")
    b.atomic_rmw("sub", counter(b, BUSY), llvm_constant(1), "monotonic")
    # before its caller goes on: that one's next loop is to find it
    b.store_atomic(llvm_constant(IDLE), Fields(b, fn.args[1], SLOT).at(GIVEN), "seq_cst", 8)
    working(-1)
    b.call(leave, fn.args[:1])
    b.ret_void()
    return fn


def write_together(module, chunks, give, leave):
    """int together(run, data, first, end, grain, wanted, exception):
    iterations from `first` on, in up to `wanted` threads."""
    fn, b = llvm_function(module, "together", ir.FunctionType(I32,
        [RUN.as_pointer(), PTR, I64, I64, I64, I64, excinfo_ptr_t.as_pointer()]))
    run, data, first, end, grain, wanted, exception = fn.args
    count = threads_taken(b, wanted)
    pointer = external(b, PTR, "malloc",
                       b.ptrtoint(b.gep(llvm_constant(None, JOB.as_pointer()), [llvm_constant(1, I32)]), I64))
    none = b.icmp_unsigned("==", pointer, llvm_constant(None, PTR))
    alone = b.or_(b.icmp_signed("<=", count, llvm_constant(1)), none)
    with b.if_then(alone, likely=False):
        external(b, ir.VoidType(), "free", pointer)
        b.atomic_rmw("sub", counter(b, BUSY), count, "monotonic")
        b.ret(b.call(run, [first, end, data, exception]))
    job = Fields(b, pointer, JOB)
    pthread(b, "mutex_init", job.at(LOCK), llvm_constant(None, PTR))
    pthread(b, "cond_init", job.at(QUIET), llvm_constant(None, PTR))
    in_main = signals.in_main_thread(b)
    job[COUNT] = b.select(in_main, b.load(signals.signal_word(b, signals.COUNT)), llvm_constant(signals.OF_OTHERS))
    job[BEGIN], job[END], job[FAILED], job[WORKING], job[OWNERS] = first, end, end, llvm_constant(0), count
    grains = b.udiv(b.sub(end, first), b.mul(b.mul(count, llvm_constant(CHUNKS)), grain))
    step = b.mul(greater(b, grains, llvm_constant(1)), grain)
    number = b.sdiv(b.add(b.sub(end, first), b.sub(step, llvm_constant(1))), step)
    job[STEP], job[LEFT], job[NEXT], job[LAST] = step, number, llvm_constant(0), number
    job[RUNNER], job[DATA], job[CODE] = run, data, llvm_constant(0, I32)
    with cgutils.for_range(b, b.sub(count, llvm_constant(1)), intp=I64):
        with b.if_then(b.icmp_signed("==", b.call(give, [pointer]), llvm_constant(0)), likely=False):
            # the others do its work
            b.atomic_rmw("sub", job.at(OWNERS), llvm_constant(1), "acq_rel")
            b.atomic_rmw("sub", counter(b, BUSY), llvm_constant(1), "monotonic")
    b.call(chunks, [pointer, llvm_constant(0, I1)])
    spin_while(b, lambda: b.icmp_signed("!=", b.load_atomic(job.at(WORKING), "acquire", 8), llvm_constant(0)))
    wait_until_quiet(b, job)
    with b.if_then(b.and_(in_main, b.icmp_signed("!=", job[COUNT], b.load(signals.signal_word(b, signals.COUNT)))),
                   likely=False):  # an exception of an earlier iteration may be what the loop raises
        b.store(llvm_constant(1), signals.signal_word(b, signals.PENDING))
        late = cgutils.get_or_insert_function(module, ir.FunctionType(I32, [PTR]), "gradscribe_late")
        external(b, I32, "Py_AddPendingCall", b.bitcast(late, PTR), llvm_constant(None, PTR))
    b.atomic_rmw("sub", counter(b, BUSY), llvm_constant(1), "monotonic")
    code = job[CODE]
    with b.if_then(failed(b, code), likely=False):
        b.store(job[EXCEPTION], exception)
    b.call(leave, [pointer])
    b.ret(code)
    return fn


def wait_until_quiet(b, job) -> None:
    """Wait until no other thread is at work, and run the handlers of signals meanwhile."""
    deadline = cgutils.alloca_once(b, ir.ArrayType(I64, 2))
    seconds, rest = (cgutils.gep_inbounds(b, deadline, 0, k) for k in range(2))
    pthread(b, "mutex_lock", job.at(LOCK))
    with loop_while(b, lambda: b.icmp_signed("!=", job[WORKING], llvm_constant(0))):
        clock_time(b, time.CLOCK_REALTIME, deadline)
        late = b.icmp_signed(">=", b.load(rest), llvm_constant(10**9 - signals.PERIOD))
        change = b.select(late, llvm_constant(signals.PERIOD - 10**9), llvm_constant(signals.PERIOD))
        b.store(b.add(b.load(rest), change), rest)
        b.store(b.add(b.load(seconds), b.zext(late, I64)), seconds)
        pthread(b, "cond_timedwait", job.at(QUIET), job.at(LOCK), deadline)
        pthread(b, "mutex_unlock", job.at(LOCK))
        external(b, I64, "gradscribe_heard")
        pthread(b, "mutex_lock", job.at(LOCK))
    pthread(b, "mutex_unlock", job.at(LOCK))


def threads_taken(b, wanted):
    """As many of the threads that this caller wants as the others leave, itself counted, and at least itself."""
    allowed = lesser(b, b.load(counter(b, ALLOWED)), affinity(b))
    wanted = lesser(b, lesser(b, wanted, allowed), llvm_constant(MOST))
    before = b.atomic_rmw("add", counter(b, BUSY), wanted, "monotonic")
    got = greater(b, lesser(b, wanted, b.sub(allowed, before)), llvm_constant(1))
    b.atomic_rmw("sub", counter(b, BUSY), b.sub(wanted, got), "monotonic")
    return got


def write_share(module, together):
    """int share(run, data, count, grain, at_once, exception): all iterations; numba's code for how it went."""
    fn, b = llvm_function(module, "share", SHARE)
    run, data, count, grain, at_once, exception = fn.args
    with b.if_then(b.icmp_signed("<=", count, llvm_constant(0)), likely=False):
        b.ret(llvm_constant(0, I32))
    with b.if_then(b.or_(b.icmp_signed("<=", count, grain),
                         b.icmp_signed("<=", b.load(counter(b, ALLOWED)), llvm_constant(1)))):
        b.ret(b.call(run, [llvm_constant(0), count, data, exception]))
    with b.if_then(at_once):
        b.ret(b.call(together, [run, data, llvm_constant(0), count, grain, b.udiv(count, grain), exception]))
    done, step = (cgutils.alloca_once_value(b, n) for n in (llvm_constant(0), grain))
    start, real = now(b), ir.DoubleType()
    with loop_while(b, lambda: b.icmp_signed("<", b.load(done), count)):
        end = lesser(b, b.add(b.load(done), b.load(step)), count)
        code = b.call(run, [b.load(done), end, data, exception])
        with b.if_then(failed(b, code), likely=False):
            b.ret(code)
        b.store(end, done)
        b.store(b.mul(b.load(step), llvm_constant(GROWTH)), step)
        spent, left = b.sub(now(b), start), b.sub(count, end)
        rest = b.fptosi(b.fdiv(b.fmul(b.sitofp(spent, real), b.sitofp(left, real)), b.sitofp(end, real)), I64)
        with b.if_then(b.and_(b.icmp_signed(">", spent, llvm_constant(SURE)),
                              b.icmp_signed(">", rest, llvm_constant(WORTH))),
                       likely=False):
            wanted = lesser(b, b.add(b.udiv(rest, llvm_constant(EACH)), llvm_constant(1)), left)
            b.ret(b.call(together, [run, data, end, count, grain, wanted, exception]))
    b.ret(llvm_constant(0, I32))


def built():
    """The functions above as machine code, which stays as long as the process: a thread may be late."""
    module = ir.Module("gradscribe_parallel")
    module.triple = llvmlite.binding.get_process_triple()
    leave = write_leave(module)
    chunks = write_chunks(module, write_failure(module))
    give = write_give(module, write_worker(module, write_helper(module, chunks, leave)))
    write_share(module, write_together(module, chunks, give, leave))
    write_prepare(module)
    llvmlite.binding.initialize_native_asmparser()  # for PAUSE
    rtsys.initialize(cpu_target.target_context)  # registers NRT_Free
    # in a third of the time
    machine = llvmlite.binding.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    engine = llvmlite.binding.create_mcjit_compiler(llvmlite.binding.parse_assembly(str(module)), machine)
    engine.finalize_object()
    address, _prepare = map(engine.get_function_address, ("gradscribe_share", "gradscribe_prepare"))
    llvmlite.binding.add_symbol("gradscribe_share", address)
    engine.detach()  # nobody is to free it
    return _prepare


_prepare = built() if AVAILABLE else None
prepare_places()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)
