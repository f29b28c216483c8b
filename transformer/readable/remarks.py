"""The comments of generated source: the user's own, and one before each group of adjoint statements.

    # adjoint of line 7: h = np.tanh(W @ x)
    W_bar = np.outer((1 - h * h) * h_bar, x)
"""
from __future__ import annotations

from itertools import takewhile

from .code_tree import CodeTree, For, If, Stmt, Store, While, blocks_of, names_bound_by, walk_tree


class Remarks:
    """What is written beside statements, in their order.  `group`: the line whose adjoint was announced last."""

    def __init__(self, tree: CodeTree, main=None):
        self.tree, self.main = tree, main
        self.own = dict(main.comments) if main is not None else {}  # those that have not been written
        self.carriers = self.statements_of_lines() if self.own else {}
        self.waiting = self.for_adjoints() if self.own else {}
        self.group: int | None = None
        self.mirror = False

    def statements_of_lines(self) -> dict[int, Stmt]:
        """{a line of the user's: the statement that stands for it}: what is computed ahead of it is no place for its
        comment."""
        found: dict[int, Stmt] = {}
        for stmt in walk_tree([*takewhile(lambda s: not self.is_adjoint(s), self.tree.body)]):
            line = getattr(stmt.origin, "line", None)
            if line not in self.own or stmt.origin.adjoint or not self.of_main(stmt):
                continue
            kept = found.get(line)
            if kept is None or self.stands_for(stmt) >= self.stands_for(kept):
                found[line] = stmt
        return found

    def for_adjoints(self) -> dict[int, int]:
        """{the line of a comment: the line of code that it belongs to}, where only adjoints are left of that line."""
        stmts = [s for s in walk_tree(self.tree.body) if self.of_main(s)]
        mirrored = {s.origin.line for s in stmts if self.is_adjoint(s)}
        gone = mirrored - {s.origin.line for s in stmts if not s.origin.adjoint}
        code = [self.main.first_line + k for k, text in enumerate(self.main.lines)
                if text.strip() and not text.lstrip().startswith("#")]
        belongs = {n: next((m for m in code if m >= n), n) for n in self.own}
        return {n: line for n, line in belongs.items() if line in gone}

    def stands_for(self, stmt: Stmt) -> int:
        """How well it stands for its line: a loop or a branch, what binds a name of the user's, anything else."""
        if isinstance(stmt, (For, While, If)):
            return 2
        names = [*names_bound_by(stmt), *([stmt.target] if isinstance(stmt, Store) else [])]
        return int(any([not self.tree.is_temporary(n) and not self.tree.hint(n).endswith("_tape") for n in names]))

    def before(self, stmt: Stmt) -> list[str]:
        """The lines before a statement."""
        if stmt is self.tree.body[-1]:
            return [self.own.pop(n) for n in sorted(self.own)]
        line = getattr(stmt.origin, "line", None)
        if line is None:
            return []
        remark = [f"# {stmt.origin.remark}"] if stmt.origin.remark else []
        if self.is_adjoint(stmt):
            blank = [] if self.mirror else [*self.left_over(), ""]
            self.mirror = True
            if line == self.group:
                return [*blank, *remark]
            self.group = line
            return [*blank, *self.announced(stmt, line), *remark]
        if self.mirror or stmt.origin.adjoint or not self.of_main(stmt):
            return remark
        return [*self.passed(line), *remark]

    def passed(self, line: int) -> list[str]:
        """The comments of lines before this one, of which nothing is to come."""
        passed = [n for n in sorted(self.own) if n < line and n not in self.carriers and n not in self.waiting]
        return [self.own.pop(n) for n in passed]

    def announced(self, stmt: Stmt, line: int) -> list[str]:
        """The line before a group of adjoints, with the user's comments that wait for them."""
        mine = [n for n in sorted(self.own) if self.waiting.get(n) == line] if self.of_main(stmt) else []
        above = [self.own.pop(n) for n in mine if n != line]
        behind = f"  {self.own.pop(line)}" if line in mine else ""
        return [*above, f"# adjoint of line {line}: {self.text(stmt.origin)}{behind}"]

    def left_over(self) -> list[str]:
        """The comments of lines of which nothing is left but for what their adjoints keep."""
        return [self.own.pop(n) for n in sorted(self.own) if n not in self.waiting]

    def behind(self, stmt: Stmt) -> str:
        """The user's comment at the end of a statement's first line."""
        line = getattr(stmt.origin, "line", None)
        return self.own.pop(line, "") if self.carriers.get(line) is stmt else ""

    def of_main(self, stmt: Stmt) -> bool:
        """Does it stand in the text of the user's function itself, not in that of one it calls?"""
        if self.main is None or getattr(stmt.origin, "file", None) != self.main.file:
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
