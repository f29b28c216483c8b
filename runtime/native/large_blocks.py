"""Memory of large arrays that a program makes for itself, such as a tape: what is freed is kept for the next call.

glibc gives an array of more than 32 MB back to the system when it is freed, and the next one is fetched page by page,
each cleared by the system first. Here some blocks are kept, made of large pages where the system has such, and the
system is told that it may take them back when memory is short.
"""
from __future__ import annotations

import ctypes
import os
import sys

import llvmlite.binding
from llvmlite import ir
from numba.core.registry import cpu_target
from numba.core.runtime import _nrt_python, rtsys

from ..compiler.control_flow import loop_while
from .pool import I32, I64, PTR, external, llvm_constant, llvm_function

LARGE = 32 << 20  # bytes, from which on glibc keeps nothing
PAGE = 2 << 20  # a large one
PLACES = 4  # blocks
HEADER = 64  # bytes before the data, of which the first 8 say how long a block is
HUGE, FREE = 14, 8  # what Linux is advised of: large pages, please; take it back if you must
AVAILABLE = sys.platform.startswith("linux")

# ints that machine code reads and changes: is one at work here; bytes that are kept; and may be; the place to be freed
# next; then pointers and bytes of the blocks
LOCK, KEPT, MOST, NEXT, BLOCKS = range(5)
words = (ctypes.c_int64 * (BLOCKS + 2 * PLACES))()
ctypes.pythonapi.Py_IncRef(ctypes.py_object(words))  # arrays are freed till the process ends
if AVAILABLE and os.environ.get("GRADSCRIBE_KEEP_MEMORY", "1") != "0":
    words[MOST] = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") // 8


def table_word(b, k):
    """A pointer to one of the words; `k`: an int, or one of the run time."""
    base = llvm_constant(ctypes.addressof(words))
    place = llvm_constant(8 * k) if isinstance(k, int) else b.mul(k, llvm_constant(8))
    return b.inttoptr(b.add(base, place), I64.as_pointer())


def block_words(b, k):
    """Pointers to the words of block k: its address, and its bytes."""
    first = b.add(llvm_constant(BLOCKS), b.mul(k, llvm_constant(2)))
    return table_word(b, first), table_word(b, b.add(first, llvm_constant(1)))


def locked(b):
    """Nobody else is at work here, and nobody will be until `unlock`: who finds a lock does without."""
    return b.icmp_signed("==", b.atomic_rmw("xchg", table_word(b, LOCK), llvm_constant(1), "acquire"), llvm_constant(0))


def unlock(b) -> None:
    b.store_atomic(llvm_constant(0), table_word(b, LOCK), "release", 8)


def each_place(b):
    """A loop over the places; (its index in memory, the loop)."""
    k = b.alloca(I64)
    b.store(llvm_constant(0), k)
    return k, loop_while(b, lambda: b.icmp_signed("<", b.load(k), llvm_constant(PLACES)))


def write_take(module, give) -> None:
    """meminfo *take(size): a record of memory of so many bytes; null where there is none."""
    fn, b = llvm_function(module, "take", ir.FunctionType(PTR, [I64]))
    size = b.and_(b.add(fn.args[0], llvm_constant(HEADER + PAGE - 1)), llvm_constant(-PAGE))
    found, bytes_ = b.alloca(I64), b.alloca(I64)
    b.store(llvm_constant(0), found)
    b.store(size, bytes_)
    with b.if_then(locked(b)):
        k, loop = each_place(b)
        with loop:
            address, own = block_words(b, b.load(k))
            spare = b.sub(b.load(own), size)
            fits = b.and_(b.icmp_signed(">=", spare, llvm_constant(0)),
                          b.icmp_signed("<=", spare, b.lshr(size, llvm_constant(3))))
            with b.if_then(b.and_(fits, b.and_(b.icmp_signed("!=", b.load(address), llvm_constant(0)),
                                               b.icmp_signed("==", b.load(found), llvm_constant(0))))):
                b.store(b.load(address), found)
                b.store(b.load(own), bytes_)
                b.store(llvm_constant(0), address)
                b.store(b.sub(b.load(table_word(b, KEPT)), b.load(own)), table_word(b, KEPT))
                b.store(b.load(k), table_word(b, NEXT))  # it has room now
            b.store(b.add(b.load(k), llvm_constant(1)), k)
        unlock(b)
    with b.if_then(b.icmp_signed("==", b.load(found), llvm_constant(0))):
        place = b.bitcast(found, PTR)
        with b.if_then(b.icmp_signed("!=", external(b, I32, "posix_memalign", place, llvm_constant(PAGE), size),
                                     llvm_constant(0, I32))):
            b.ret(llvm_constant(None, PTR))
        external(b, I32, "madvise", b.load(found), size, llvm_constant(HUGE, I32))
    b.store(b.load(bytes_), b.inttoptr(b.load(found), I64.as_pointer()))
    manage = b.inttoptr(llvm_constant(manage_memory()), ir.FunctionType(PTR, [PTR, PTR]).as_pointer())
    b.ret(b.call(manage, [b.inttoptr(b.add(b.load(found), llvm_constant(HEADER)), PTR), b.bitcast(give, PTR)]))


def manage_memory() -> int:
    """The address of numba's function that makes a record of memory which is given back by a function of ours."""
    functions = ctypes.CFUNCTYPE(ctypes.POINTER(ctypes.c_void_p))(_nrt_python.c_helpers["get_api"])()
    return functions[2]  # allocate, allocate_external, manage_memory


def write_give_back(module) -> ir.Function:
    """void give(data): called when no array has the block any more."""
    fn, b = llvm_function(module, "give", ir.FunctionType(ir.VoidType(), [PTR]))
    left, old = b.alloca(I64), b.alloca(I64)
    b.store(b.sub(b.ptrtoint(fn.args[0], I64), llvm_constant(HEADER)), left)
    size = b.load(b.inttoptr(b.load(left), I64.as_pointer()))
    b.store(llvm_constant(0), old)
    with b.if_then(b.icmp_signed("<=", size, b.load(table_word(b, MOST)))):
        # before another thread may have it
        external(b, I32, "madvise", b.load(left), size, llvm_constant(FREE, I32))
        with b.if_then(locked(b)):
            put_away(b, left, size, old)
            unlock(b)
    with b.if_then(b.icmp_signed("!=", b.load(left), llvm_constant(0))):
        external(b, ir.VoidType(), "free", b.inttoptr(b.load(left), PTR))
    with b.if_then(b.icmp_signed("!=", b.load(old), llvm_constant(0))):
        external(b, ir.VoidType(), "free", b.inttoptr(b.load(old), PTR))
    b.ret_void()
    return fn


def put_away(b, left, size, old) -> None:
    """Put the block at `left` in a place, in turn; what was there goes to `old`."""
    k = b.load(table_word(b, NEXT))
    address, own = block_words(b, k)
    there = b.select(b.icmp_signed("!=", b.load(address), llvm_constant(0)), b.load(own), llvm_constant(0))
    kept = b.add(b.sub(b.load(table_word(b, KEPT)), there), size)
    with b.if_then(b.icmp_signed("<=", kept, b.load(table_word(b, MOST)))):
        b.store(b.urem(b.add(k, llvm_constant(1)), llvm_constant(PLACES)), table_word(b, NEXT))
        b.store(b.load(address), old)
        b.store(b.load(left), address)
        b.store(size, own)
        b.store(kept, table_word(b, KEPT))
        b.store(llvm_constant(0), left)


def machine_code():
    module = ir.Module("gradscribe_large_blocks")
    module.triple = llvmlite.binding.get_process_triple()
    write_take(module, write_give_back(module))
    rtsys.initialize(cpu_target.target_context)
    machine = llvmlite.binding.Target.from_default_triple().create_target_machine(opt=0, jit=True)
    engine = llvmlite.binding.create_mcjit_compiler(llvmlite.binding.parse_assembly(str(module)), machine)
    engine.finalize_object()
    llvmlite.binding.add_symbol("gradscribe_take", engine.get_function_address("gradscribe_take"))
    engine.detach()  # nobody is to free it
    return engine


engine = machine_code() if AVAILABLE else None
