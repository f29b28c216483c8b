"""An outer product as the product of a column and a row, which kernels compute where they need it.

    y = np.outer(a, b)                a_column = a[:, None]
                                      y = a_column * b
"""
from __future__ import annotations

from dataclasses import replace

from ..core import Fun, Let, walk
from ..rules import OPS
from .rewriter import Rewriter


def outer_products(fun: Fun) -> Fun:
    is_there = any([isinstance(stmt, Let) and stmt.op.name == "np.outer" for stmt in walk(fun.body)])
    return Outer(fun).run() if is_there else fun


class Outer(Rewriter):
    def let(self, let: Let) -> None:
        if let.op.name == "np.outer":
            a, b = let.args
            with self.b.at(let.origin):
                column = self.b.emit(OPS["getitem"], a, hint="column", index=(":", "n"))
            let = replace(let, op=OPS["multiply"], args=(column, b), params=())
        self.emit(let)
