"""The compiled form of `linalg.matmul`: calls of the BLAS that numba links, in a function of the module for each kind.

Transposed and strided operands are passed as they are, where one of their axes is contiguous; others are
copied first.  BLAS counts columns first, so that a row-major product C = A B is asked for as C' = B' A'.
"""
from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from llvmlite import ir
from numba.core import cgutils, types
from numba.core.typing.templates import AbstractTemplate, infer_global, signature
from numba.extending import lower_builtin
from numba.np.linalg import ensure_blas

from ..compiler.array_values import const, field, gather_elements
from ..compiler.control_flow import greater
from ..plain import linalg as rl
from .memory import ALIGNMENT, TOO_LARGE, refuse

I8, I32, I64, PTR = ir.IntType(8), ir.IntType(32), ir.IntType(64), ir.IntType(8).as_pointer()
DONE, NO_MEMORY = (ir.Constant(ir.IntType(1), failed) for failed in (0, 1))
KINDS = {types.float64: "d", types.float32: "s", types.complex128: "z", types.complex64: "c"}


def char(value: str) -> ir.Constant:
    return ir.Constant(I8, ord(value))


@dataclass
class Blas:
    """What a product needs while it is written."""

    context: object
    builder: ir.IRBuilder
    dtype: object

    def __post_init__(self):
        self.element = self.context.get_value_type(self.dtype)
        self.item = const(self.context.get_abi_sizeof(self.element))
        self.kind = char(KINDS[self.dtype])
        self.temporaries: list = []

    def number(self, value: float):
        parts = [value, 0.0] if isinstance(self.dtype, types.Complex) else value
        slot = cgutils.alloca_once_value(self.builder, ir.Constant(self.element, parts))
        return self.builder.bitcast(slot, PTR)

    def call(self, name, *args):
        fn = cgutils.get_or_insert_function(self.builder.module, ir.FunctionType(I32, [a.type for a in args]), name)
        self.builder.call(fn, args)

    def at(self, data, offset):
        """The pointer `offset` bytes behind data."""
        return self.builder.gep(data, [offset])

    # operands ----------------------------------------------------------------------------------
    def copied(self, needed, data, shape, strides):
        """data, or where `needed` a row-major copy of it."""
        b = self.builder
        holder = cgutils.alloca_once_value(b, ir.Constant(PTR, None))
        chosen = cgutils.alloca_once_value(b, data)
        with b.if_then(needed, likely=False):
            size = self.item
            for n in shape:
                size = b.mul(size, n)
            memory = self.context.nrt.meminfo_alloc_aligned_unchecked(b, size, ALIGNMENT)
            with b.if_then(cgutils.is_null(b, memory), likely=False):
                self.release()
                b.ret(NO_MEMORY)
            fresh = self.context.nrt.meminfo_data(b, memory)
            b.store(memory, holder)
            b.store(fresh, chosen)
            gather_elements(b, self.element, data, shape, strides, fresh)
        self.temporaries.append(holder)
        return b.load(chosen)

    def release(self):
        for holder in self.temporaries:
            self.context.nrt.decref(self.builder, types.MemInfoPointer(types.voidptr), self.builder.load(holder))

    def vector(self, v: "Factor"):
        """The pointer to a contiguous vector."""
        if v.layout == "C":
            return v.data
        b, (n,), (s,) = self.builder, v.shape, v.strides
        scattered = b.and_(b.icmp_signed("!=", s, self.item), b.icmp_signed(">", n, const(1)))
        return self.copied(scattered, v.data, [n], [s])

    def matrix(self, m: "Factor"):
        """(pointer, leading dimension, is it stored by rows?)"""
        b, (rows, columns) = self.builder, m.shape
        if m.layout == "C":
            return m.data, greater(self.builder, columns, const(1)), ir.Constant(ir.IntType(1), 1)
        if m.layout == "F":
            return m.data, greater(self.builder, rows, const(1)), ir.Constant(ir.IntType(1), 0)
        down, across = m.strides
        by_rows = self.contiguous(rows, columns, down, across)
        usable = b.or_(by_rows, self.contiguous(columns, rows, across, down))
        data = self.copied(b.not_(usable), m.data, [rows, columns], [down, across])
        by_rows = b.or_(by_rows, b.not_(usable))
        inner = b.select(by_rows, columns, rows)
        stride = b.sdiv(b.select(by_rows, down, across), self.item)
        single = b.icmp_signed("<=", b.select(by_rows, rows, columns), const(1))
        stride = b.select(b.or_(single, b.not_(usable)), inner, stride)
        return data, greater(self.builder, stride, const(1)), by_rows

    def contiguous(self, outer, inner, outer_stride, inner_stride):
        """May BLAS take it, with `inner` as the axis whose elements are neighbours?"""
        b = self.builder
        dense = b.or_(b.icmp_signed("==", inner_stride, self.item), b.icmp_signed("<=", inner, const(1)))
        apart = b.icmp_signed(">=", outer_stride, b.mul(inner, self.item))
        whole = b.icmp_signed("==", b.srem(outer_stride, self.item), const(0))
        return b.and_(dense, b.or_(b.and_(apart, whole), b.icmp_signed("<=", outer, const(1))))

    # products ------------------------------------------------------------------------------------
    def zero(self, data, count):
        """Products over nothing are zero, and BLAS leaves them alone."""
        cgutils.memset(self.builder, data, self.builder.mul(count, self.item), 0)

    def gemm(self, x: "Factor", y: "Factor", out):
        b, (m, k), n = self.builder, x.shape, y.shape[1]
        x_data, x_ld, x_rows = self.matrix(x)
        y_data, y_ld, y_rows = self.matrix(y)
        with b.if_else(b.icmp_signed("==", k, const(0)), likely=False) as (nothing, something):
            with nothing:
                self.zero(out, b.mul(m, n))
            with something:
                flags = [b.select(rows, char("n"), char("t")) for rows in (y_rows, x_rows)]
                self.call("numba_xxgemm", self.kind, *flags, n, m, k, self.number(1.0), y_data, y_ld, x_data, x_ld,
                          self.number(0.0), out, greater(self.builder, n, const(1)))

    def gemv(self, a: "Factor", v: "Factor", out, transposed: bool):
        """a @ v, or v @ a."""
        b, (rows, columns) = self.builder, a.shape
        a_data, ld, by_rows = self.matrix(a)
        v_data = self.vector(v)
        length = columns if transposed else rows
        with b.if_else(b.icmp_signed("==", rows if transposed else columns, const(0)),
                       likely=False) as (nothing, something):
            with nothing:
                self.zero(out, length)
            with something:
                flags = ("n", "t") if transposed else ("t", "n")
                flag = b.select(by_rows, *map(char, flags))
                first, second = b.select(by_rows, columns, rows), b.select(by_rows, rows, columns)
                self.call("numba_xxgemv", self.kind, flag, first, second, self.number(1.0), a_data, ld, v_data,
                          self.number(0.0), out)


@dataclass
class Factor:
    data: object
    shape: list
    strides: list
    layout: str

    @staticmethod
    def of(context, builder, t, value) -> "Factor":
        data, *sizes = [field(context, builder, t, value, name) for name in ("data", "shape", "strides")]
        return Factor(builder.bitcast(data, PTR), *[cgutils.unpack_tuple(builder, x, t.ndim) for x in sizes], t.layout)

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def rows_merged(self, builder) -> "Factor":
        """A row-major stack of matrices as one tall matrix."""
        rows = const(1)
        for n in self.shape[:-1]:
            rows = builder.mul(rows, n)
        return Factor(self.data, [rows, self.shape[-1]], self.strides[-2:], "C")

    def last(self, count: int) -> "Factor":
        layout = self.layout if count == self.ndim or self.layout == "C" else "A"
        return Factor(self.data, self.shape[-count:], self.strides[-count:], layout)


def lower_product(blas: Blas, x: Factor, y: Factor, out) -> None:
    match x.ndim, y.ndim:
        case 2, 2:
            blas.gemm(x, y, out)
        case 2, 1:
            blas.gemv(x, y, out, transposed=False)
        case 1, 2:
            blas.gemv(y, x, out, transposed=True)


def of_module(context, builder, dtype, operands: list[Factor]) -> ir.Function:
    """A function of the module for the product of such operands, which says whether it lacked memory: a program may
    have many products, and LLVM's time grows faster than the function that they stand in."""
    name = ".".join(["gradscribe.matmul", str(dtype), *[f"{o.layout}{o.ndim}" for o in operands]])
    function = builder.module.globals.get(name)
    if function is None:
        taken = [t for o in operands for t in [PTR, *[I64] * (2 * o.ndim)]]
        function = ir.Function(builder.module, ir.FunctionType(ir.IntType(1), taken), name)
        function.linkage = "internal"
        function.attributes.add("noinline")
        inner, given = ir.IRBuilder(function.append_basic_block()), iter(function.args)
        blas = Blas(context, inner, dtype)
        lower_multiply(blas, *[Factor(next(given), list(islice(given, o.ndim)), list(islice(given, o.ndim)), o.layout)
                               for o in operands])
        blas.release()
        inner.ret(DONE)
    return function


def lower_multiply(blas: Blas, x: Factor, y: Factor, out: Factor) -> None:
    if x.ndim <= 2 and y.ndim <= 2:
        lower_product(blas, x, y, out.data)
    elif y.ndim <= 2 and x.layout == "C":
        lower_product(blas, x.rows_merged(blas.builder), y, out.data)
    else:
        batched(blas, x, y, out)


def batched(blas: Blas, x: Factor, y: Factor, out: Factor) -> None:
    """A product for each index of the leading axes, along which operands of length 1 are stretched."""
    b = blas.builder
    core = min(x.ndim, 2), min(y.ndim, 2)
    rank = max(x.ndim - core[0], y.ndim - core[1])

    def visit(axis, moved):
        if axis == rank:
            parts = [Factor(data, o.last(c).shape, o.last(c).strides, o.last(c).layout)
                     for data, o, c in zip(moved, (x, y), core)]
            each = Blas(blas.context, b, blas.dtype)
            lower_product(each, *parts, moved[2])
            each.release()  # the next round has copies of its own
            return
        with cgutils.for_range(b, out.shape[axis], intp=I64) as loop:
            ahead = []
            for data, o, c in zip(moved, (x, y, out), (*core, out.ndim - rank)):
                own = axis - rank + o.ndim - c
                if own < 0:
                    ahead.append(data)
                    continue
                stride = b.select(b.icmp_signed("==", o.shape[own], const(1)), const(0), o.strides[own])
                ahead.append(blas.at(data, b.mul(loop.index, stride)))
            visit(axis + 1, ahead)

    visit(0, [x.data, y.data, out.data])


@infer_global(rl.matmul)
class _MatmulType(AbstractTemplate):
    def generic(self, args, kws):
        return signature(types.none, *args)


@lower_builtin(rl.matmul, types.Array, types.Array, types.Array)
def _matmul(context, builder, sig, args):
    ensure_blas()
    operands = [Factor.of(context, builder, t, a) for t, a in zip(sig.args, args)]
    given = [value for o in operands for value in [o.data, *o.shape, *o.strides]]
    failed = builder.call(of_module(context, builder, sig.args[0].dtype, operands), given)
    with builder.if_then(failed, likely=False):
        refuse(context, builder, TOO_LARGE, MemoryError)
    return context.get_dummy_value()
