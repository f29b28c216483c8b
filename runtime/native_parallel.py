"""The compiled form of `parallel.share`: iterations spread over threads that live as long as the loop.

No pool stands by: a thread is started when a loop has work for it and joined when the loop ends, 10 to 20 us later than
one that waits.  In exchange nothing outlives a loop, so that a fork finds no thread that it would lose, callers in many
threads wait for nobody but their own, and no thread needs Python: a loop runs on all cores while other Python code holds
the interpreter's lock.

The loop starts serially, in steps that grow, until the clock says that the rest takes longer than `WORTH`.  Then chunks are
handed out in the order of the iterations.  A chunk that raises stops the handing out; those before it are finished, and
the exception is that of the first chunk in order: the one that the loop raises when it runs serially.

GRADSCRIBE_THREADS limits how many threads loops have, over all callers; without it they are as many as the cores that
this process may run on.
"""
from __future__ import annotations

import ctypes
import os
import sys
import time

import llvmlite.binding
from llvmlite import ir
from numba.core import cgutils, types
from numba.core.callconv import RETCODE_NONE, excinfo_ptr_t
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin
from numba.np.arrayobj import make_array

from . import parallel as rp
from .native_flow import greater, lesser, loop_while

SURE = 10_000  # ns after which a measurement is believed
WORTH = 200_000  # ns that the rest must take for threads to pay
EACH = 100_000  # ns of work for each thread
GROWTH = 4  # of the steps in which a loop starts
CHUNKS = 8  # for each thread: examples differ in what they cost
MOST = 256  # threads of a loop


def cores() -> int:
    """How many threads loops may have."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    wanted = os.environ.get("GRADSCRIBE_THREADS", "")
    return max(1, min(count, int(wanted))) if wanted.isdigit() else count


# ints that compiled code reads and changes, by the name `gradscribe_threads`
ALLOWED, BUSY, HELPED = range(3)
counters = (ctypes.c_int64 * 3)(cores(), 0, 0)
llvmlite.binding.add_symbol("gradscribe_threads", ctypes.addressof(counters))


def helped() -> int:
    """How many chunks of loops have run in threads that were started for them, in this process."""
    return counters[HELPED]


def _in_child() -> None:
    counters[ALLOWED], counters[BUSY] = cores(), 0  # the parent's threads are not here


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)

I1, I32, I64, PTR = ir.IntType(1), ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
RUN = ir.FunctionType(I32, [I64, I64, PTR, excinfo_ptr_t.as_pointer()])  # (low, high, data, exception) -> numba's code
JOB = ir.LiteralStructType([I64, I64, I64, I64, RUN.as_pointer(), PTR])
NEXT, END, STEP, FAILED, RUNNER, DATA = range(6)
WORKER = ir.LiteralStructType([JOB.as_pointer(), I64, I64, I64, I32, excinfo_ptr_t])
ITS_JOB, THREAD, DONE, LOW, CODE, EXCEPTION = range(6)


def const(value) -> ir.Constant:
    return ir.Constant(I64, value)


# the loop, in a function that all modules share ----------------------------------------------------
def function(module, name, type):
    """(a function of the module, a builder at its start, or None if it stands already)"""
    fn = cgutils.get_or_insert_function(module, type, f"gradscribe_{name}")
    if fn.blocks:
        return fn, None
    fn.linkage = "linkonce_odr"
    fn.attributes.add("noinline")
    return fn, ir.IRBuilder(fn.append_basic_block("entry"))


def external(builder, result, name, *args):
    fn = cgutils.get_or_insert_function(builder.module, ir.FunctionType(result, [a.type for a in args]), name)
    return builder.call(fn, args)


def counter(builder, which):
    module = builder.module
    table = module.globals.get("gradscribe_threads") or ir.GlobalVariable(module, ir.ArrayType(I64, 3), "gradscribe_threads")
    return cgutils.gep_inbounds(builder, table, 0, which)


def field(builder, record, which):
    return cgutils.gep_inbounds(builder, record, 0, which)


def get(builder, record, which):
    return builder.load(field(builder, record, which))


def put(builder, record, **fields):
    for name, value in fields.items():
        builder.store(value, field(builder, record, globals()[name]))


def failed(builder, code):
    """Is it a code of numba's other than OK and NONE?"""
    return builder.and_(builder.icmp_signed("!=", code, ir.Constant(I32, 0)), builder.icmp_signed("!=", code, RETCODE_NONE))


def now(builder):
    """Nanoseconds on a clock that only goes forwards."""
    spec = cgutils.alloca_once(builder, ir.ArrayType(I64, 2))
    external(builder, I32, "clock_gettime", ir.Constant(I32, time.CLOCK_MONOTONIC), builder.bitcast(spec, PTR))
    seconds, rest = (builder.load(cgutils.gep_inbounds(builder, spec, 0, k)) for k in range(2))
    return builder.add(builder.mul(seconds, const(10**9)), rest)


def affinity(builder):
    """How many cores the calling thread may run on now, where the system says so."""
    if not sys.platform.startswith("linux"):
        return const(MOST)
    words = 16  # of 64 cores each
    mask = cgutils.alloca_once(builder, ir.ArrayType(I64, words), zfill=True)
    bad = external(builder, I32, "sched_getaffinity", ir.Constant(I32, 0), const(8 * words), builder.bitcast(mask, PTR))
    count = const(0)
    for k in range(words):
        count = builder.add(count, builder.ctpop(builder.load(cgutils.gep_inbounds(builder, mask, 0, k))))
    return builder.select(builder.icmp_signed("<", bad, ir.Constant(I32, 0)), const(MOST), count)


def work(module):
    """void *work(WORKER *): runs chunks until there are no more; it notes the first one of its own that failed."""
    fn, b = function(module, "work", ir.FunctionType(PTR, [PTR]))
    if b is None:
        return fn
    worker = b.bitcast(fn.args[0], WORKER.as_pointer())
    job = get(b, worker, ITS_JOB)
    end, step = get(b, job, END), get(b, job, STEP)
    low = cgutils.alloca_once(b, I64)

    def more():
        b.store(b.atomic_rmw("add", field(b, job, NEXT), step, "monotonic"), low)
        allowed = b.load_atomic(field(b, job, FAILED), "monotonic", 8)
        return b.icmp_signed("<", b.load(low), lesser(b, end, allowed))

    with loop_while(b, more):
        here = b.load(low)
        code = b.call(get(b, job, RUNNER), [here, lesser(b, b.add(here, step), end), get(b, job, DATA), field(b, worker, EXCEPTION)])
        put(b, worker, DONE=b.add(get(b, worker, DONE), const(1)))
        with b.if_then(failed(b, code), likely=False):
            put(b, worker, LOW=here, CODE=code)
            b.atomic_rmw("min", field(b, job, FAILED), here, "monotonic")
    b.ret(ir.Constant(PTR, None))
    return fn


def threads_for(b, wanted):
    """As many of the threads that this caller wants as the others leave, itself counted, and at least itself; they are taken."""
    allowed = lesser(b, b.load(counter(b, ALLOWED)), affinity(b))
    wanted = lesser(b, lesser(b, wanted, allowed), const(MOST))
    before = b.atomic_rmw("add", counter(b, BUSY), wanted, "monotonic")
    got = greater(b, lesser(b, wanted, b.sub(allowed, before)), const(1))
    b.atomic_rmw("sub", counter(b, BUSY), b.sub(wanted, got), "monotonic")
    return got


def together(module):
    """int together(run, data, first, end, wanted, exception): the iterations from `first` to `end` in several threads."""
    fn, b = function(module, "together", ir.FunctionType(I32, [RUN.as_pointer(), PTR, I64, I64, I64, excinfo_ptr_t.as_pointer()]))
    if b is None:
        return fn
    run, data, first, end, wanted, exception = fn.args
    count = threads_for(b, wanted)
    job = cgutils.alloca_once(b, JOB)
    step = greater(b, b.udiv(b.sub(end, first), b.mul(count, const(CHUNKS))), const(1))
    put(b, job, NEXT=first, END=end, STEP=step, FAILED=end, RUNNER=run, DATA=data)
    workers = b.alloca(WORKER, count)
    routine = work(module)
    with cgutils.for_range(b, count, intp=I64) as loop:
        worker = b.gep(workers, [loop.index])
        put(b, worker, ITS_JOB=job, THREAD=const(0), DONE=const(0), LOW=end, CODE=ir.Constant(I32, 0), EXCEPTION=ir.Constant(excinfo_ptr_t, None))
        with b.if_then(b.icmp_signed(">", loop.index, const(0))):
            bad = external(b, I32, "pthread_create", b.bitcast(field(b, worker, THREAD), PTR), ir.Constant(PTR, None), routine, b.bitcast(worker, PTR))
            with b.if_then(b.icmp_signed("!=", bad, ir.Constant(I32, 0)), likely=False):
                put(b, worker, THREAD=const(0))  # the others do its work
    b.call(routine, [b.bitcast(workers, PTR)])
    with cgutils.for_range(b, count, intp=I64) as loop:
        worker = b.gep(workers, [loop.index])
        thread = get(b, worker, THREAD)
        with b.if_then(b.icmp_signed("!=", thread, const(0))):
            external(b, I32, "pthread_join", thread, ir.Constant(PTR, None))
            b.atomic_rmw("add", counter(b, HELPED), get(b, worker, DONE), "monotonic")
    b.atomic_rmw("sub", counter(b, BUSY), count, "monotonic")
    code = cgutils.alloca_once_value(b, ir.Constant(I32, 0))
    with cgutils.for_range(b, count, intp=I64) as loop:
        worker = b.gep(workers, [loop.index])
        with b.if_then(failed(b, get(b, worker, CODE)), likely=False):
            with b.if_else(b.icmp_signed("==", get(b, worker, LOW), get(b, job, FAILED))) as (first_of_all, later):
                with first_of_all:
                    b.store(get(b, worker, CODE), code)
                    b.store(get(b, worker, EXCEPTION), exception)
                with later:
                    forget(b, get(b, worker, EXCEPTION))
    b.ret(b.load(code))
    return fn


def forget(b, exception):
    """Free what belongs to an exception of numba's that nobody raises."""
    with b.if_then(b.icmp_signed(">", get(b, exception, 4), ir.Constant(I32, 0))):  # it has values of the run time
        for memory in (get(b, exception, 2), b.bitcast(exception, PTR)):
            external(b, ir.VoidType(), "NRT_Free", memory)


def share(module):
    """int share(run, data, count, at_once, exception): all iterations, in this thread first; numba's code for how it went."""
    fn, b = function(module, "share", ir.FunctionType(I32, [RUN.as_pointer(), PTR, I64, I1, excinfo_ptr_t.as_pointer()]))
    if b is None:
        return fn
    run, data, count, at_once, exception = fn.args
    with b.if_then(b.icmp_signed("<=", count, const(0)), likely=False):
        b.ret(ir.Constant(I32, 0))
    with b.if_then(b.or_(b.icmp_signed("==", count, const(1)), b.icmp_signed("<=", b.load(counter(b, ALLOWED)), const(1)))):
        b.ret(b.call(run, [const(0), count, data, exception]))
    with b.if_then(at_once):
        b.ret(b.call(together(module), [run, data, const(0), count, count, exception]))
    done, step = (cgutils.alloca_once_value(b, const(n)) for n in (0, 1))
    start = now(b)
    with loop_while(b, lambda: b.icmp_signed("<", b.load(done), count)):
        end = lesser(b, b.add(b.load(done), b.load(step)), count)
        code = b.call(run, [b.load(done), end, data, exception])
        with b.if_then(failed(b, code), likely=False):
            b.ret(code)
        b.store(end, done)
        b.store(b.mul(b.load(step), const(GROWTH)), step)
        spent = b.sub(now(b), start)
        real = ir.DoubleType()
        rest = b.fptosi(b.fdiv(b.fmul(b.sitofp(spent, real), b.sitofp(b.sub(count, end), real)), b.sitofp(end, real)), I64)
        with b.if_then(b.and_(b.icmp_signed(">", spent, const(SURE)), b.icmp_signed(">", rest, const(WORTH))), likely=False):
            wanted = lesser(b, b.add(b.udiv(rest, const(EACH)), const(1)), b.sub(count, end))
            b.ret(b.call(together(module), [run, data, end, count, wanted, exception]))
    b.ret(ir.Constant(I32, 0))
    return fn


# the call ----------------------------------------------------------------------------------------------
@infer_global(rp.share)
class Share(AbstractTemplate):
    def generic(self, args, kws):
        part, _, values, _ = args
        values = types.BaseTuple.from_types([types.unliteral(t) for t in values])
        part.get_call_type(self.context, (types.int64, types.int64, *values), {})
        return signature(types.none, part, types.int64, values, types.boolean)


@lower_builtin(rp.share, types.VarArg(types.Any))
def _share(context, builder, sig, args):
    part, _, values, _ = sig.args
    _, count, value, at_once = args
    compiled = part.dispatcher.get_compile_result(signature(types.none, types.int64, types.int64, *values))
    context.active_code_library.add_linking_library(compiled.library)
    run = runner(context, builder.module, compiled.fndesc, values)
    data = cgutils.alloca_once_value(builder, value)
    exception = cgutils.alloca_once_value(builder, ir.Constant(excinfo_ptr_t, None))
    if os.name == "posix":
        arguments = [run, builder.bitcast(data, PTR), count, cgutils.is_true(builder, at_once), exception]
        code = builder.call(share(builder.module), arguments)
    else:
        code = builder.call(run, [const(0), count, builder.bitcast(data, PTR), exception])
    with builder.if_then(failed(builder, code), likely=False):
        status = context.call_conv._get_return_status(builder, code, builder.load(exception))
        context.call_conv.return_status_propagate(builder, status)
    return context.get_dummy_value()


def runner(context, module, fndesc, values):
    """int run(low, high, data, exception): calls the compiled part with the values that data points to."""
    fn = ir.Function(module, RUN, module.get_unique_name("run"))
    fn.linkage = "internal"
    b = ir.IRBuilder(fn.append_basic_block("entry"))
    low, high, data, exception = fn.args
    given = b.load(b.bitcast(data, context.get_value_type(values).as_pointer()))
    given = [unowned(context, b, t, x) for t, x in zip(values, cgutils.unpack_tuple(b, given, len(values)))]
    callee = context.declare_function(module, fndesc)
    status, _ = context.call_conv.call_function(b, callee, types.none, (types.int64, types.int64, *values), [low, high, *given])
    with b.if_then(status.is_error, likely=False):
        b.store(status.excinfoptr, exception)
    b.ret(status.code)
    return fn


def unowned(context, builder, t, value):
    """An array whose memory somebody else keeps: threads that all count references to it would wait for each other."""
    if not isinstance(t, types.Array):
        return value
    array = make_array(t)(context, builder, value)
    array.meminfo = ir.Constant(array.meminfo.type, None)
    array.parent = ir.Constant(array.parent.type, None)
    return array._getvalue()
