"""What LLVM hears of a loop, so that it does not make more of it than it gains."""
from __future__ import annotations

from llvmlite import ir

# LLVM's vectoriser takes "unroll.disable" for a wish that it does not interleave, either; "peeled.count" says that as
# many rounds stand apart as it ever takes
INNERMOST = {"llvm.loop.unroll.runtime.disable": None, "llvm.loop.peeled.count": 7}
AROUND = {"llvm.loop.unroll.disable": None}
INT = ir.IntType(32)


class Hinted(ir.values.MDValue):
    """The node by which LLVM knows a loop, with hints. It comes first in itself, which llvmlite does not write."""

    def __init__(self, module, hints: dict):
        def node(name, value):
            return module.add_metadata([ir.MetaDataString(module, name), *([] if value is None else [INT(value)])])

        super().__init__(module, [node(*hint) for hint in hints.items()], name=str(len(module.metadata)))

    def descr(self, buf):
        listed = ", ".join([self.get_reference(), *[hint.get_reference() for hint in self.operands]])
        buf += (f"distinct !{{ {listed} }}", "\n")
