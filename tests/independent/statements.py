"""Statements and blocks. Each is run by Python as soon as it is written; what raises is mostly written anew."""
import ast
import copy
import types

import numpy as np

from .attempts import Attempts
from .calls import Calls
from .expressions import limited
from .guarded import Guards
from .nested import Nested, indented
from .ordinary import MODULES, TOP_NAMES, Ordinary
from .templates import is_iterator, is_object

ARITH = ["+=", "+=", "-=", "*=", "*=", "/=", "//=", "%=", "**=", "@=", "|=", "&=", "<<=", ">>="]


class Block(Calls, Guards, Nested, Attempts, Ordinary):
    """The body of a function, as it grows."""

    def __init__(self, rng, env, n=3, names=(), parameters=(), generators=()):
        super().__init__(rng, env, n)
        self.names = [*names, *parameters]       # of the module first: those are not assigned to
        self.globals, self.generators = set(names), generators
        self.fixed = set()                       # counters
        self.loops = 0
        self.dead = False                        # does the sample run end in an exception here?

    # ---- running

    def snapshot(self):
        memo = {}
        kept = {}
        for name, value in self.env.items():
            if name == "__builtins__" or isinstance(value, (types.FunctionType, types.ModuleType, type)):
                kept[name] = value
            else:
                try:
                    kept[name] = copy.deepcopy(value, memo)
                except (TypeError, RuntimeError):  # a dict iterator whose dict has changed
                    kept[name] = value
        return kept, list(self.names)

    def restore(self, snapshot):
        kept, names = snapshot
        self.env.clear()
        self.env.update(kept)
        self.names = list(names)

    def run(self, lines):
        """Execute these lines in the sample run; the exception, if there is one."""
        try:
            with limited(0.3):
                # a function's variables are globals here
                exec(without_returns("\n".join(lines).replace("nonlocal ", "global ")), self.env)
        except Exception as error:
            return error
        return next((MemoryError(k) for k in self.names if _large(self.env.get(k))), None)

    def grow(self, count, depth=0):
        """That many statements, as lines."""
        out = []
        for _ in range(count):
            out += [] if self.dead else self.statement(depth)
        return out or ["pass"]

    def statement(self, depth, kind=None):
        for _ in range(8):
            before = self.snapshot()
            drawn = kind or self.rng.choices(*self.choices(depth))[0]
            self.reckless = self.rng.random() < 0.01
            try:
                lines = getattr(self, drawn)(depth)
            except Exception:
                if not self.reckless:
                    raise
                lines = None
            keep, self.reckless = 0.8 if self.reckless else 0.01, False
            self.restore(before)                 # trying its parts may have had effects
            if not lines:
                continue
            before = self.snapshot()
            error = self.run(lines)
            if error is None:
                self.names += [n for n in self.bound(lines) if n not in self.names]
                return lines
            self.restore(before)
            if (self.rng.random() < keep
                    and not isinstance(error, (SyntaxError, NameError, RecursionError, MemoryError, TimeoutError))):
                self.dead = True                 # a program that raises
                return lines
        return []

    def bound(self, lines):
        """Names of the data that is there now."""
        return [n for n in self.env if n[0] != "_" and n not in SKIPPED
                and not isinstance(self.env[n], types.ModuleType) and n not in self.globals]

    def choices(self, depth):
        table = {"assign": 14, "augment": 5, "unpack": 3, "store": 4, "list_method": 3, "slice_store": 0.4,
                 "dict_store": 1.2, "attribute_store": 1.5, "delete": 0.4, "iterator_variable": 0.6, "advance": 1.5,
                 "lambda_variable": 1, "alias": 2, "raise_if": 0.8, "ordinary": 2, "assertion": 0.5, "walrus": 0.6,
                 "expression": 0.5}
        if "_zeta" in self.env:
            table |= {"guard": 12}
        if self.generators:
            table |= {"of_generator": 5}
        if depth < 2:
            table |= {"try_": 1.2, "filled": 0.4}
            table |= {"if_": 3.5, "for_": 5, "while_": 2, "nested": 1.2 if depth == 0 else 0}
        if self.loops:
            table |= {"leave": 1.5, "accumulate": 8}
        return list(table), list(table.values())

    # ---- names

    def target(self, new=0.6):
        """A name to assign to."""
        old = [n for n in self.names
               if n not in self.globals and n not in self.fixed and not isinstance(self.env.get(n),
                                                                                   types.FunctionType)]
        if old and self.rng.random() > new:
            return self.rng.choice(old)
        unused = [n for n in "xyzstuvwabcd" if n not in self.env]
        return self.rng.choice(unused[:3]) if unused else f"x{len(self.env)}"

    def names_where(self, test, own=True):
        return [n for n in self.names if n in self.env and test(self.env[n]) and not (own and n in self.globals)]

    def choose(self, test, own=True):
        found = self.names_where(test, own)
        return self.rng.choice(found) if found else None

    # ---- statements

    def assign(self, depth):
        if self.rng.random() < 0.3:
            node = self.fill(self.rng.choice(["{call}", "{call}", "{method}", "{method}", "{construct}", "{attribute}",
                                              "{item}"]))
            if node is not None:
                return [f"{self.target(0.75)} = {node.text}"]
        group = self.rng.choices(["num", "array", "list", "tuple", "dict", "flag", "object", "str", "range", "any"],
                                 [9, 9, 3, 2, 1, 2, 3, 0.6, 0.5, 1])[0]
        node = self(group, self.rng.choice([1, 2, 2, 3]))
        if node is None:
            return None
        if self.rng.random() < 0.05:
            return [f"{self.target()} = {self.target()} = {node.text}"]
        return [f"{self.target(0.75 if not self.loops else 0.5)} = {node.text}"]

    def augment(self, depth):
        name = self.choose(lambda x: isinstance(x, (int, float, np.generic, np.ndarray, list, tuple)) or is_object(x))
        if name is None or name in self.fixed:
            return None
        value = self.env[name]
        if isinstance(value, (list, tuple)):
            return [f"{name} {self.rng.choice(['+=', '+=', '*='])} "
                    f"{self(self.rng.choice(['list', 'tuple', 'iterable']), 1).text}" if self.rng.random() < 0.7
                    else f"{name} *= 2"]
        operator = self.rng.choice(ARITH[:9 if self.rng.random() < 0.95 else None])
        if operator in ("**=", "<<="):
            return [f"{name} {operator} {self.rng.choice(['2', '0.5', '1'])}"]
        return [f"{name} {operator} {self(self.rng.choice(['num', 'num', 'some']), 2).text}"]

    def accumulate(self, depth):
        """What loops are for."""
        name = self.choose(lambda x: isinstance(x, (int, float, np.generic, np.ndarray)))
        if name is None or name in self.fixed:
            return None
        template = self.rng.choice(["{0} + {1}", "{0} + {1}", "{0} * {1}", "{0} - {1}", "max({0}, {1})", "{1} - {0}",
                                    "{0} + {1} * {2}", "0.5 * ({0} + {1})"])
        return [f"{name} = " + template.format(name, *[f"({self('num', 1).text})" for _ in range(2)])]

    def unpack(self, depth):
        source = self(self.rng.choice(["tuple", "list", "tuple", "seq", "array", "iterator", "object", "dict"]), 2)
        if source is None:
            return None
        if self.rng.random() < 0.2:
            a, b = self.target(0.2), self.target(0.2)
            return [f"{a}, {b} = {b}, {a}"] if a != b else None
        try:
            items = list(copy.copy(source.value))
        except Exception:
            return None
        names = [self.target() for _ in range(min(len(items), 4))]
        if len(items) > 3 or self.rng.random() < 0.3:
            k = self.rng.randrange(len(names) + 1)
            names.insert(k, "*" + self.target())
            names = names if self.rng.random() < 0.5 or len(names) < 3 else names[:k] + [names[k]]
        elif items and isinstance(items[0], (tuple, list)) and len(items[0]) == 2 and self.rng.random() < 0.6:
            names[0] = f"({self.target()}, {self.target()})"
        if not names:
            return None
        text = ", ".join(names) + ("," if len(names) == 1 else "")
        return [f"{text if self.rng.random() < 0.8 else '[' + text + ']'} = {source.text}"]

    def store(self, depth):
        name = self.choose(lambda x: isinstance(x, np.ndarray), own=self.rng.random() < 0.8)
        if name is None:
            return None
        array = self.env[name]
        index = self.an_index(array) if self.rng.random() < 0.5 and array.ndim else self.a_array_index(0)
        operator = "=" if self.rng.random() < 0.6 else self.rng.choice(ARITH[:6])
        return [f"{name}[{index}] {operator} {self(self.rng.choice(['num', 'num', 'some']), 2).text}"]

    def list_method(self, depth):
        name = self.choose(lambda x: type(x) is list)
        if name is None:
            return None
        item = self(self.rng.choice(["num", "num", "any"]), 1).text
        position = self.a_position(len(self.env[name]))
        other = self("iterable", 1).text
        call = self.rng.choice([f"append({item})"] * 4
                               + [f"extend({other})", f"insert({position}, {item})", "pop()", f"pop({position})",
                                  "reverse()", "sort()", "sort(reverse=True)", "sort(key=lambda u: -u)", "clear()",
                                  f"remove({name}[{position}])", f"extend({name})"])
        return [f"{name}.{call}"]

    def slice_store(self, depth):
        name = self.choose(lambda x: type(x) is list)
        return name and [f"{name}[{self.a_slice(0)}] = {self(self.rng.choice(['list', 'tuple', 'iterable']), 1).text}"]

    def dict_store(self, depth):
        name = self.choose(lambda x: isinstance(x, dict))
        if name is None:
            return None
        key, item = self.a_key_of(name), self("any" if self.rng.random() < 0.3 else "num", 1).text
        return [self.rng.choice(
            [f"{name}[{key}] = {item}", f"{name}[{key}] = {item}", f"{name}['n'] = {item}", f"{name}[{key}] += {item}",
             f"{name}.update(c={item})", f"{name}.update({self('dict', 1).text})", f"{name}.setdefault({key}, {item})",
             f"{self.target()} = {name}.pop({key})", f"{self.target()} = {name}.pop('q', {item})",
             f"{self.target()} = {name}.popitem()", f"{name} |= {self('dict', 1).text}",
             f"{name}.update([('a', {item})], b={item})", f"{name}.setdefault('l', []).append({item})"])]

    def a_key_of(self, name):
        keys = list(self.env[name])
        return repr(self.rng.choice(keys)) if keys else "'a'"

    def attribute_store(self, depth):
        name = self.choose(is_object)
        if name is None or not hasattr(self.env[name], "__dict__"):
            return None
        self.reckless |= self.rng.random() < 0.1     # a store that a frozen object refuses is kept
        fields = [k for k in vars(self.env[name])]
        field = self.rng.choice(fields) if fields and self.rng.random() < 0.9 else "extra"
        operator = self.rng.choice(["=", "=", "=", "+=", "*="])
        return [f"{name}.{field} {operator} {self('num', 2).text}"]

    def delete(self, depth):
        name = self.choose(lambda x: isinstance(x, (list, dict)) and len(x) > 0)
        if name is None:
            return None
        if isinstance(self.env[name], dict):
            return [f"del {name}[{self.a_key_of(name)}]"]
        return [self.rng.choice([f"del {name}[{self.a_position(len(self.env[name]))}]",
                                 f"del {name}[{self.a_slice(0)}]"])]

    def iterator_variable(self, depth):
        node = self.grown("iterator", 1)
        return node and [f"it{len(self.names)} = {node.text}"]

    def advance(self, depth):
        name = self.choose(is_iterator)
        if name is None:
            return None
        return [self.rng.choice([f"{self.target()} = next({name})", f"{self.target()} = next({name}, None)",
                                 f"{self.target()} = list({name})", f"{self.target()}, *{self.target()} = {name}",
                                 f"{self.target()} = next({name}, {self('num', 0).text})",
                                 f"{self.target()} = sum([1 for v in {name}])"])]

    def lambda_variable(self, depth):
        with self.binding({"u": 1.5}):
            body = self("num", 2)
        default = self.rng.choice(["", "", ", w=2.0", ", w=" + self("num", 0).text])
        return ([f"g{len(self.names)} = lambda u{default}: {body.text}{' + w' if default else ''}"]
                if body and ":=" not in body.text else None)

    def alias(self, depth):
        """A second name, or a view, of what is stored into elsewhere."""
        name = self.choose(lambda x: isinstance(x, (np.ndarray, list, dict)) or is_object(x))
        if name is None:
            return None
        if isinstance(self.env[name], np.ndarray):
            views = ["", "[1:]", "[::-1]", ".T", "[:]", "[0]", ".reshape(-1)", "[::2]", "[...]", "[None]", ".ravel()"]
            return [f"{self.target()} = {name}{self.rng.choice(views)}"]
        return [f"{self.target()} = {name}"] if self.rng.random() < 0.6 else [f"{self.target()} = [{name}, {name}]"]

    def raise_if(self, depth):
        test, value = self("flag", 1), self(self.rng.choice(["num", "num", "any"]), 0)
        name = self.rng.choice(["ValueError", "TypeError", "KeyError", "IndexError", "RuntimeError",
                                "ArithmeticError"])
        message = self.rng.choice([f"f'user: {{{value.text}}}'", "'user: no'", f"'user: ' + str({value.text})",
                                   f"f'user: {{{value.text}!r:>8}}'"])
        wanted = test.text if not test.value else f"not ({test.text})"
        return [f"if {wanted}:", f"    raise {name}({message})"] if "'" not in value.text else None

    def assertion(self, depth):
        test = self("flag", 1)
        return [f"assert {test.text if test.value else f'not ({test.text})'}"
                + self.rng.choice(["", ", 'user: assertion'"])]

    def walrus(self, depth):
        name, node = self.target(1.0), self("num", 2)
        body = self.statement_under(depth)
        return body and [f"if ({name} := {node.text}) {self.rng.choice(['>', '<', '!='])} {self('num', 0).text}:",
                         *indented(body), "else:", f"    {name} = {self('num', 1).text}"]

    def of_generator(self, depth):
        """What takes all that a generator function gives, or a loop over it."""
        call = (f"{self.rng.choice(self.generators)}({self(self.rng.choice(['num', 'num', 'array']), 1).text}"
                f"{self.rng.choice(['', '', ', 2', ', 0'])})")
        if depth < 2 and self.rng.random() < 0.6:
            target, over = self.rng.choice([("v", call), ("v", call), ("i, v", f"enumerate({call})")])
            first = self.node(f"list({call})")
            if first is None or not first.value:
                return None
            body = self.body({"v": first.value[0], **({"i": 0} if "," in target else {})}, depth)
            return body and [f"for {target} in {over}:", *indented(body)]
        whole = self.rng.choice(["list({0})", "sum({0})", "tuple({0})", "max({0})", "[v for v in {0}]",
                                 "sum(v for v in {0})", "any({0})", "np.array(list({0}))", "[*{0}]", "sorted({0})",
                                 "list(map(str, {0}))"])
        return [f"{self.target()} = {whole.format(call)}"]

    def expression(self, depth):
        return [self("any", 2).text]

    def leave(self, depth):
        word = self.rng.choice(["break", "continue", "continue"])
        return [f"if {self('flag', 1).text}:", f"    {word}"] if self.env.get("__in_body") else None


SKIPPED = {"dataclasses", "copy", "math", "np", "functools", "itertools", "operator", "NamedTuple",
           "dataclass", "field", *MODULES, *TOP_NAMES}


def _large(x):
    return (isinstance(x, int) and abs(x) > 2**90 or isinstance(x, (list, tuple, dict)) and len(x) > 40
            or isinstance(x, np.ndarray) and x.size > 400)


class WithoutReturns(ast.NodeTransformer):
    """Statements of a function, to be run at the top of a module: there a `return` ends nothing, and is not come to."""

    def visit_Return(self, node):
        return ast.copy_location(ast.Expr(node.value), node)

    def visit_FunctionDef(self, node):
        return node


def without_returns(text):
    return text if "return " not in text else ast.unparse(WithoutReturns().visit(ast.parse(text)))
