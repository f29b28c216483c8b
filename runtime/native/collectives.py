"""The compiled forms of the first functions of `collectives`: words of memory that all threads see, and waiting."""
from __future__ import annotations

from llvmlite import ir
from numba import carray
from numba.core import types
from numba.core.cgutils import get_or_insert_function, raw_memmove
from numba.core.typing.templates import signature
from numba.extending import intrinsic, overload, register_jitable

from ..compiler.kept import kept
from ..plain import collectives
from .forms import ints, register_form
from .threads import now

SPINS = 2000  # looks at a word, of some 2 ns each, before a thread gives its core to another
YIELDS = 2000  # times that it does so before it sleeps
NAP = 50  # us

I64, I32 = ir.IntType(64), ir.IntType(32)


def pointer_at(builder, address):
    return builder.inttoptr(address, I64.as_pointer())


@register_form(collectives.load_word, ints(1))
def _load(context, builder, sig, args):
    return builder.load_atomic(pointer_at(builder, args[0]), "acquire", 8)


@register_form(collectives.store_word, lambda context, *args: signature(types.none, types.int64, types.int64))
def _store(context, builder, sig, args):
    builder.store_atomic(args[1], pointer_at(builder, args[0]), "release", 8)
    return context.get_dummy_value()


@register_form(collectives.add, ints(2))
def _add(context, builder, sig, args):
    return builder.atomic_rmw("add", pointer_at(builder, args[0]), args[1], "seq_cst")


@register_form(collectives.move, lambda context, *args: signature(types.none, types.int64, types.int64, types.int64))
def _move(context, builder, sig, args):
    raw_memmove(builder, pointer_at(builder, args[0]), pointer_at(builder, args[1]), args[2], 1)
    return context.get_dummy_value()


@register_form(collectives.swapped, lambda context, *args: signature(types.boolean, *[types.int64] * 3))
def _swapped(context, builder, sig, args):
    found = builder.cmpxchg(pointer_at(builder, args[0]), args[1], args[2], "seq_cst")
    return builder.extract_value(found, 1)


@register_form(collectives.call_address, ints(1))
def _call(context, builder, sig, args):
    return builder.call(builder.inttoptr(args[0], ir.FunctionType(I64, []).as_pointer()), [])


@register_form(collectives.clock, ints(0))
def _clock(context, builder, sig, args):
    return now(builder)


@register_form(collectives.signalled, ints(1))
def _signalled(context, builder, sig, args):
    """Python's handlers of signals run; what they raise goes to the three words at the address."""
    def python(result, name, *given):
        return builder.call(get_or_insert_function(builder.module, ir.FunctionType(result, [x.type for x in given]),
                                                   name), given)

    state = python(I32, "PyGILState_Ensure")
    bad = builder.icmp_signed("!=", python(I32, "PyErr_CheckSignals"), I32(0))
    with builder.if_then(bad, likely=False):
        python(ir.VoidType(), "PyErr_Fetch", *[pointer_at(builder, builder.add(args[0], I64(8 * k))) for k in range(3)])
    python(ir.VoidType(), "PyGILState_Release", state)
    return builder.zext(bad, I64)


# of the system
yield_core = types.ExternalFunction("sched_yield", types.int32())
sleep = types.ExternalFunction("usleep", types.int32(types.uint32))


@overload(collectives.pause)
def _pause(times):
    def wait(times):
        if times > SPINS + YIELDS:
            sleep(NAP)
        elif times > SPINS:
            yield_core()
    return wait


@intrinsic
def pointer(context, address, like):
    def code(context, builder, sig, args):
        return builder.inttoptr(args[0], context.get_value_type(sig.return_type))

    return types.CPointer(like.dtype)(types.int64, like), code


@overload(collectives.array_at)
def _array_at(address, count, like):
    return lambda address, count, like: carray(pointer(address, like), (count,))


@overload(collectives.take_extreme)
def _take_extreme(total, x, kind):
    if isinstance(total.dtype, types.Complex):  # they have a sum alone
        return lambda total, x, kind: None
    return collectives.take_extreme


@kept
def waited(own, one, other, count, looks):
    """Add one to a word, and see whether two others have come so far together, after so many looks at most.

    Without the interpreter's lock: who waits for the word finds it free.  To wake a thread that sleeps, at the lock or
    elsewhere, takes up to 100 us.
    """
    collectives.add(own, 1)
    for k in range(looks):
        if collectives.load_word(one) + collectives.load_word(other) >= count:
            return True
        if k % 64 == 63:
            yield_core()
    return False


for function in (collectives.is_row_major, collectives.word, collectives.word_address, collectives.meet,
                 collectives.look_for_signals,
                 collectives.passed, collectives.published, collectives.one_calls, collectives.write_elements,
                 collectives.take,
                 collectives.start_of, collectives.copy_published, collectives.spread_results, collectives.with_shape,
                 collectives.folded, collectives.fold, collectives.fits_room):
    register_jitable(function)
