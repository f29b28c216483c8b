"""Python's syntax tree as text: astor's generator, with the comments and empty lines that hang on statements."""
from __future__ import annotations

import ast
import re
import warnings

with warnings.catch_warnings():  # it asks `ast` for a class that goes in Python 3.14
    warnings.filterwarnings("ignore", r"ast\.Num is deprecated", DeprecationWarning)
    from astor.code_gen import SourceGenerator, set_precedence, to_source
    from astor.op_util import Precedence, symbol_data  # noqa: F401

from ..core import quoted
from .lines import ROOM, broken

WIDTH = 100


def printed(node: ast.AST) -> str:
    return to_source(node, source_generator_class=Printer, pretty_source=pretty)


def one_line(node: ast.expr) -> str:
    """An expression on one line."""
    printer = Printer("")
    set_precedence(Precedence.Comma, node)
    printer.visit(node)
    return "".join(printer.result)


class Printer(SourceGenerator):
    behind = ""  # a comment that belongs at the end of the line

    # statements ----------------------------------------------------------------------------------
    def newline(self, node=None, extra=0):
        if self.behind:
            self.end_line()
        for line in getattr(node, "before", ()):
            self.new_lines = max(self.new_lines, 1 if line else 2)
            if line:
                self.write(shortened_comment(line, WIDTH - 4 * self.indentation))
        self.new_lines = max(self.new_lines, 1 + extra)
        self.behind = getattr(node, "behind", "")

    def end_line(self):
        """Write the comment behind a line, or before it if the line gets too long."""
        start = next(k for k in range(len(self.result), 0, -1) if self.result[k - 1][:1] == "\n")
        if sum(map(len, self.result[start:])) + 2 + len(self.behind) <= WIDTH:
            self.result.append(f"  {self.behind}")
        else:
            indent = self.result[start]
            self.result[start:start] = [indent, shortened_comment(self.behind, WIDTH - len(indent)), "\n"]

    # expressions ---------------------------------------------------------------------------------
    def visit_Constant(self, node):
        key = type(node.value) is str and self.get__pp(node) == Precedence.Subscript
        self.write(quoted(node.value) if key else in_parts(node.value) if type(node.value) is str else repr(node.value))

    def visit_Dict(self, node):
        # written as where they are looked up
        set_precedence(Precedence.Subscript, [k for k in node.keys if isinstance(k, ast.Constant)])
        super().visit_Dict(node)

    def visit_BinOp(self, node):
        if isinstance(node.op, (ast.Add, ast.Sub)):
            first = node.right
            while isinstance(first, ast.BinOp) and not isinstance(first.op, (ast.Add, ast.Sub)):
                first = first.left
                first.is_inside = True
        super().visit_BinOp(node)

    def visit_UnaryOp(self, node):
        if isinstance(node.op, ast.USub) and hasattr(node, "is_inside") and not isinstance(node.operand, ast.Constant):
            set_precedence(Precedence.highest, node)  # x - (-A) @ y
        super().visit_UnaryOp(node)

    def visit_Tuple(self, node):
        with self.delimit(node) as delimiters:
            delimiters.discard = delimiters.discard and len(node.elts) > 1
            self.comma_list(node.elts, len(node.elts) == 1)

    def visit_IfExp(self, node):
        set_precedence(Precedence.highest, node)  # in parentheses always
        super().visit_IfExp(node)


def in_parts(text: str) -> str:
    """A text that a line has no room for as Python joins its parts: 'one and ' 'another'."""
    parts = re.findall(rf".{{1,{WIDTH - ROOM}}}(?:\s|$)|\S+", text, re.DOTALL) if len(text) > WIDTH - ROOM else []
    return " ".join(map(repr, parts if "".join(parts) == text and parts else [text]))


def pretty(source: list[str]) -> str:
    return broken("".join(source), WIDTH)


def shortened_comment(comment: str, width: int) -> str:
    width = max(width, ROOM)
    return comment if len(comment) <= width else comment[:width - 4].rstrip() + " ..."
