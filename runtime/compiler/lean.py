"""Text for LLVM without what nobody reads: numba makes a record of an array for each use of one of its fields.

What is taken out of a record that was made here is what was put into it, sums with 0 are their other operand, and
instructions whose result nothing uses are not written. LLVM would find all of this, after it had read it.
"""
from __future__ import annotations

from collections import Counter

from llvmlite import ir

PURE = (ir.instructions.ExtractValue, ir.instructions.InsertValue, ir.instructions.CastInstr, ir.instructions.ICMPInstr,
        ir.instructions.FCMPInstr, ir.instructions.SelectInstr, ir.instructions.GEPInstr, ir.instructions.PhiInstr,
        ir.instructions.LoadInstr, ir.instructions.AllocaInstr)
ARITHMETIC = {"add", "sub", "mul", "and", "or", "xor", "shl", "lshr", "ashr", "fadd", "fsub", "fmul", "fdiv", "fneg"}


class FoldingBuilder(ir.IRBuilder):
    """llvmlite's, which answers what it knows."""

    def extract_value(self, agg, idx, name=""):
        path = list(idx) if isinstance(idx, (tuple, list)) else [idx]
        while isinstance(agg, ir.instructions.InsertValue):
            there = list(agg.indices)
            if there == path:
                return agg.value
            if path[:len(there)] == there:
                return self.extract_value(agg.value, path[len(there):], name)
            if there[:len(path)] == path:
                break  # a part of it was put in
            agg = agg.aggregate
        return super().extract_value(agg, path, name)

    def add(self, lhs, rhs, name="", flags=()):
        return lhs if is_zero_value(rhs) else rhs if is_zero_value(lhs) else super().add(lhs, rhs, name, flags)

    def sub(self, lhs, rhs, name="", flags=()):
        return lhs if is_zero_value(rhs) else super().sub(lhs, rhs, name, flags)

    def mul(self, lhs, rhs, name="", flags=()):
        return lhs if is_zero_value(lhs) else rhs if is_zero_value(rhs) else super().mul(lhs, rhs, name, flags)


def is_zero_value(value) -> bool:
    return isinstance(value, ir.Constant) and isinstance(value.type, ir.IntType) and value.constant == 0


def without_unread(function) -> None:
    """Take out the instructions that have no effect and whose results nothing reads."""
    instructions = [i for block in function.blocks for i in block.instructions]
    readers = Counter([id(x) for i in instructions for x in operands_of(i)])

    def is_unread(i) -> bool:
        return not readers[id(i)] and is_pure(i)

    dead, todo = set(), [i for i in instructions if is_unread(i)]
    while todo:
        i = todo.pop()
        dead.add(id(i))
        for x in operands_of(i):
            readers[id(x)] -= 1
            if is_unread(x):
                todo.append(x)
    for block in function.blocks if dead else ():
        block.instructions[:] = [i for i in block.instructions if id(i) not in dead]


def operands_of(i) -> list:
    return [x for x, _ in i.incomings] if isinstance(i, ir.instructions.PhiInstr) else i.operands


def is_pure(x) -> bool:
    return isinstance(x, PURE) or isinstance(x, ir.instructions.Instruction) and x.opname in ARITHMETIC
