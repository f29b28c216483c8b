"""What a value is called that the user gave no name: after the operation that makes it, and what that is of.

    t = np.max(scores, axis=1)           scores_max = np.max(scores, axis=1)
    t__1 = scores == t                   mask = scores == scores_max
    t__2 = W @ x                         product = W @ x
    t__2_bar = ...                       product_bar = ...

Core calls all of them `t`.  Two values of one word have numbers; the same expression written again, as where the mirror
of a loop computes it anew, has the same name.
"""
from __future__ import annotations

import builtins
import keyword
import re
from collections import Counter

from ..core import UNNAMED, Const, Fun, Let, split_name, walk
from ..rules.kinds import Elementwise
from .code_tree import Assign, Call, CodeTree, names_bound_by, walk_tree
from .hints import hint_of, stem

WORD = re.compile(r"(.+?)((?:_bar|_dot|_tape)*)$")
NO_WORD = ("t", "tmp")
ROLES = (*NO_WORD, *[f"{word}_tape" for word in NO_WORD])
LONGEST = 14  # characters of a name that is put into another

OF_ARITHMETIC = {  # an operator: what its result is called, the first word that the user has not
    "+": ("total", "plus"), "-": ("difference", "gap"), "*": ("product", "scaled"), "/": ("ratio", "quotient"),
    "**": ("power", "raised"), "@": ("product", "applied"), "//": ("whole", "floored"), "%": ("remainder", "rest"),
    **dict.fromkeys(("<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "~"), ("mask", "where"))}
OF_INTEGERS = {**dict.fromkeys("+-*%", ["index", "place"]), "//": ["count", "parts"], "**": ["power", "raised"]}
WITH_OPERAND = {  # an operation: what it is called, with the name of its operand, and without
    "-": ("minus_{}", "negative"), "getitem": ("{}_part", "part"), "np.transpose": ("{}_T", "transposed"),
    "np.sum": ("{}_sum", "total"), "np.max": ("{}_max", "largest"), "np.min": ("{}_min", "smallest"),
    "np.mean": ("{}_mean", "mean"), "np.prod": ("{}_product", "product"), "np.copy": ("{}_copy", "copied"),
    "np.reshape": ("{}_reshaped", "reshaped"), "np.any": ("any_{}", "found"), "np.all": ("all_{}", "holds"),
    "rt.full": ("filled", "filled"), "np.arange": ("indices", "indices"), "np.where": ("chosen", "chosen"),
    "np.stack": ("stacked", "stacked"), "np.concatenate": ("joined", "joined"), "np.eye": ("identity", "identity"),
    "np.maximum": ("larger", "larger"), "np.minimum": ("smaller", "smaller"), "np.clip": ("clipped", "clipped"),
    "np.linalg.inv": ("{}_inverse", "inverse"), "np.linalg.solve": ("solution", "solution"),
    "np.broadcast_to": ("{}_spread", "spread"), "not ": ("ok", "ok"), "np.abs": ("abs_{}", "magnitude"),
    "abs": ("abs_{}", "magnitude"), "np.square": ("{}_squared", "square"), "rt.psum": ("summed", "summed"),
    "rt.pmax": ("largest", "largest"), "rt.pmin": ("smallest", "smallest"), "rt.ppermute": ("received", "received"),
    "rt.all_gather": ("gathered", "gathered")}
# another type of the same value
SAME = {"rt.astype", "float", "int", "complex", "retype", "rt.again", "rt.match", "rt.stop_gradient"}


def name_by_operation(tree: CodeTree, primal: Fun | None) -> Words:
    """Give each temporary of a tree a word.  `primal` is the function before its passes, which knows the operations of
    values that are gone, and of which only the adjoint is left."""
    words = Words(tree, primal)
    words.of = {p: giver.unnamed[name] for p, (giver, name) in tree.handed.items() if name in giver.unnamed}
    words.learn_all(primal)
    for name in tree.types:
        found = UNNAMED.match(name)
        if (word := words.of.get(name)) and words.has_no_name(name):
            tree.unnamed[name] = word
        elif found and found[2] and stem(tree.hint(name)) in ROLES and not words.params & {name, found[1]}:
            word = words.of.get(found[1]) or words.free("inner")
            tree.unnamed[name] = word + re.sub(r"__\d+", "", found[2])
    return words


class Words:
    """The words of unnamed values, in the order in which they are computed."""

    def __init__(self, tree: CodeTree, primal: Fun | None):
        self.tree = tree
        self.users = {tree.hint(n) for n in tree.types if not UNNAMED.match(n)} - {*NO_WORD}
        self.primals = {hint_of(n) for n in (primal.types if primal is not None else ()) if not UNNAMED.match(n)}
        self.users |= self.primals
        self.params = {*(() if tree.inner else tree.params), *(primal.params if primal is not None else ())}
        self.of: dict[str, str] = {}  # name of core -> the word
        self.made: dict[str, dict] = {}  # word -> {what it stands for: the word with its number}
        self.family: dict[str, str] = {}  # a word with its number: without

    def learn(self, name: str, op, args, params: dict, types) -> None:
        called = [self.called(a) for a in args]
        if op.name in SAME or op.name in ("getitem", "pop") and self.is_tape(called[0]):
            word = called[0].removesuffix("_tape")
            if word in NO_WORD and word != called[0]:
                word = self.free("inner")  # as its tape is called in the end
            if args[0] in self.of or word != called[0]:
                self.of[name] = word
                return
        word = self.free(*self.candidates(op, called, params, types.get(name)))
        known = self.made.setdefault(word, {})
        key = (op.name, str(params), *called)
        self.of[name] = numbered = known.setdefault(key, word if not known else f"{word}_{len(known) + 1}")
        self.family[numbered] = word

    def has_no_name(self, name: str) -> bool:
        """Core calls a variable of the user's `_gs_t`, but a parameter `t`."""
        return name not in self.params and self.tree.hints.get(name, split_name(name)[0]) in NO_WORD

    def is_tape(self, word: str) -> bool:
        return word.endswith("_tape") and word not in self.primals

    def learn_all(self, primal: Fun | None) -> None:
        for let in walk(primal.body) if primal is not None else ():
            if type(let) is Let and len(let.names) == 1 and split_name(let.name)[0] == "t":
                self.learn(let.name, let.op, let.args, dict(let.params), primal.types)
        for stmt in walk_tree(self.tree.body):
            if type(stmt) is Assign:
                self.learn_of(stmt)

    def learn_of(self, stmt: Assign) -> None:
        """Words for what a statement binds."""
        names = [n for n in stmt.targets if self.has_no_name(n)]
        value = stmt.values[0]
        for name in names:
            if len(stmt.targets) == 1 and type(value) is Call:
                self.learn(name, value.op, value.args, dict(value.params), self.tree.types)
            elif len(stmt.values) < len(stmt.targets) and type(value) is Call:
                self.one_of_several(name, value.op)
            elif len(stmt.values) == len(stmt.targets):
                self.of.setdefault(name, self.free("chosen"))

    def one_of_several(self, name: str, op) -> None:
        """A result of an operation that has several: a number is all that tells it from the others."""
        word = self.free(by_function(op)[1], "result")
        known = self.made.setdefault(word, {})
        self.of[name] = numbered = known.setdefault(name, f"{word}_{len(known) + 1}")
        self.family[numbered] = word

    def number_anew(self) -> None:
        """Numbers from 1 on for the words of those that have not gone into other expressions."""
        new, tree = {}, self.tree
        count: Counter = Counter()
        for name in [n for stmt in walk_tree(tree.body) for n in names_bound_by(stmt) if n in tree.unnamed]:
            word, role = WORD.match(tree.unnamed[name]).groups()
            if word not in new:
                family = self.family.get(word, word)
                count[family] += 1
                new[word] = family if count[family] == 1 else f"{family}{'_' * family[-1].isdigit()}{count[family]}"
            tree.unnamed[name] = new[word] + role

    def called(self, atom) -> str:
        """An operand as a reader sees it."""
        if type(atom) is not str:
            return str(atom.value) if isinstance(atom, Const) else ""
        found = UNNAMED.match(atom)
        if found and found[1] in self.of:
            return self.of[found[1]] + re.sub(r"__\d+", "", found[2])
        return self.of.get(atom) or self.tree.hint(atom)

    def operand(self, called: list[str]) -> str:
        """What the first operand puts into a name, if it is short enough."""
        first = self.family.get(called[0], called[0]) if called else ""
        return first if fits_in_a_name(first) else ""

    def candidates(self, op, called: list[str], params: dict, type) -> list[str]:
        """Words for the result of an operation on operands that are called so, the best one first."""
        first = self.operand(called)
        if op.name in SAME and type is not None:
            return of_conversion(op.name, first, type)
        if op.name == "getitem":
            return of_item(first, called[1:], params["index"])
        symbol = (op.symbol or "").strip()
        if len(called) > 1 and symbol in OF_ARITHMETIC or symbol == "~":
            return of_arithmetic(symbol, first, called, type)
        if op.name == "np.sqrt" and first.endswith("_squared_sum"):
            return [first.replace("_squared_sum", "_norm"), "norm"]
        if op.name == "np.transpose" and re.search(r"_T(_bar|_dot)?$", first):
            return [re.sub(r"_T(?=(_bar|_dot)?$)", "", first), "transposed"]
        with_name, alone = WITH_OPERAND.get(op.name) or by_function(op)
        return [with_name.format(first), alone] if first else [alone]

    def free(self, *words: str) -> str:
        """The first of some words that is not the user's, nor Python's."""
        for word in [*words, *[f"{word}_value" for word in words]]:
            if word.isidentifier() and word not in self.users and not is_reserved(word):
                return word
        return "tmp"


def of_conversion(name: str, operand: str, type) -> list[str]:
    if name in ("rt.match", "retype"):
        return [f"{operand}_checked", "checked"]
    return [f"{operand}_{type.dtype.name.rstrip('0123456789')}", "number"]


def of_arithmetic(symbol: str, operand: str, called: list[str], type) -> list[str]:
    if type is not None and type.kind == "py" and type.dtype.kind == "i" and symbol in OF_INTEGERS:
        return OF_INTEGERS[symbol]
    if symbol == "**" and called[1] in ("2", "2.0") and operand:
        return [f"{operand}_squared", "square"]
    words = OF_ARITHMETIC[symbol]
    return ["holds", "test"] if words[0] == "mask" and type is not None and type.rank == 0 else [*words]


def of_item(array: str, called: list[str], index) -> list[str]:
    """x[i] is x_i, A[i, j] is A_ij, x[0] is x_0, A[i] of a matrix or A[i, 1:] a row, x[1:] a part."""
    if not array:
        return ["part"]
    short = all([re.fullmatch(r"[a-z]|\d", c) for c in called])
    if set(index) == {"i"} and (short or len(called) == 1 and re.fullmatch(r"[a-z]\w", called[0])):
        return [f"{array}_{''.join(called)}"]
    if len(index) == 2 and "i" in index:
        return [f"{array}_{'row' if index[0] == 'i' else 'column'}", "part"]
    return [f"{array}_part", "part"]


def by_function(op) -> tuple[str, str]:
    """exp_x of np.exp(x), y_cumsum of np.cumsum(y)."""
    word = re.sub(r"\W.*", "", op.name.rpartition(".")[2]) or "value"
    with_operand = f"{word}_{{}}" if isinstance(op, Elementwise) else f"{{}}_{word}"
    return with_operand, "inner" if is_reserved(word) else word


def fits_in_a_name(word: str) -> bool:
    return word.isidentifier() and len(word) <= LONGEST and not word[:1] == "_"


def is_reserved(word: str) -> bool:
    return keyword.iskeyword(word) or hasattr(builtins, word) or word in ("np", "rt", "math", "gs")

