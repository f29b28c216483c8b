"""The comments of generated source: the user's own, and one before each group of adjoint statements.

    # adjoint of line 7: h = np.tanh(W @ x)
    W_bar = np.outer((1 - h * h) * h_bar, x)
"""
from __future__ import annotations

from .code_tree import CodeTree, For, If, Stmt, Store, While, blocks_of, names_bound_by


class Remarks:
    """What is written beside statements, in their order.  `group`: the line whose adjoint was announced last."""

    def __init__(self, tree: CodeTree, main=None):
        self.tree, self.main = tree, main
        self.own = dict(main.comments) if main is not None else {}  # those that have not been written
        self.group: int | None = None
        self.mirror = False

    def before(self, stmt: Stmt) -> list[str]:
        """The lines before a statement."""
        line = getattr(stmt.origin, "line", None)
        if line is None:
            return []
        remark = [f"# {stmt.origin.remark}"] if stmt.origin.remark else []
        if self.is_adjoint(stmt):
            blank = [] if self.mirror else [""]
            self.mirror = True
            if line == self.group:
                return [*blank, *remark]
            self.group = line
            return [*blank, f"# adjoint of line {line}: {self.text(stmt.origin)}", *remark]
        if self.mirror or stmt.origin.adjoint or not self.of_main(stmt):
            return remark
        return [self.own.pop(n) for n in sorted(self.own) if n < line] + remark

    def behind(self, stmt: Stmt) -> str:
        """The user's comment at the end of a statement's first line."""
        line = getattr(stmt.origin, "line", None)
        return "" if self.mirror or line is None or not self.of_main(stmt) else self.own.pop(line, "")

    def of_main(self, stmt: Stmt) -> bool:
        """Does it stand in the text of the user's function itself, not in that of one it calls?"""
        if self.main is None or stmt.origin.file != self.main.file:
            return False
        return 0 <= stmt.origin.line - self.main.first_line < len(self.main.lines)

    def text(self, origin) -> str:
        """The user's line, without the comment at its end."""
        text = origin.first_text
        code, mark, _ = text.partition("  #")
        return code.rstrip() if mark else text

    def is_adjoint(self, stmt: Stmt) -> bool:
        """Does it change an adjoint?  What the mirror recomputes goes without a remark."""
        if isinstance(stmt, (For, While, If)):
            return any(self.is_adjoint(s) for block in blocks_of(stmt) for s in block)
        names = [*names_bound_by(stmt), *([stmt.target] if isinstance(stmt, Store) else [])]
        return bool(stmt.origin and stmt.origin.adjoint) and any("_bar" in n for n in names)
