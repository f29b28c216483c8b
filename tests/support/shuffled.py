"""Importing this has the transformer go through sets in another order each time: what it writes may not depend on that.

Python's own order of a set of names is another in each process, and often the same for a small one. It is chance what a
run under a few values of PYTHONHASHSEED meets; here each loop over a set, and each list that is made of one, shows
whether its order matters.
"""
import ast
import importlib.machinery
import os
import random
import sys

ORDERED = {"list", "tuple", "dict", "enumerate", "zip", "map", "filter", "min", "max", "sorted", "next", "iter",
           "chain", "reduce", "fromkeys", "join", "extend", "product", "Counter"}
RANDOM = random.Random(int(os.environ["PYTHONHASHSEED"]))


def shuffled(x):
    return RANDOM.sample(list(x), len(x)) if type(x) in (set, frozenset) else x


class Shuffling(ast.NodeTransformer):
    """Each expression that is gone through, by way of `shuffled`."""

    def wrapped(self, e):
        return ast.copy_location(ast.Call(ast.Name("_shuffled", ast.Load()), [e], []), e)

    def generic_visit(self, node):
        super().generic_visit(node)
        match node:
            case ast.For() | ast.comprehension():
                node.iter = self.wrapped(node.iter)
            case ast.Starred(ctx=ast.Load()) | ast.YieldFrom():
                node.value = self.wrapped(node.value)
            case ast.Assign(targets=[ast.Tuple() | ast.List()]):
                node.value = self.wrapped(node.value)
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) if name in ORDERED:
                node.args = [a if isinstance(a, ast.Starred) else self.wrapped(a) for a in node.args]
        return node


class Loader(importlib.machinery.SourceFileLoader):
    def get_code(self, fullname):
        path = self.get_filename(fullname)
        tree = Shuffling().visit(ast.parse(self.get_data(path)))
        return compile(ast.fix_missing_locations(tree), path, "exec")

    def exec_module(self, module):
        module._shuffled = shuffled
        super().exec_module(module)


class Finder:
    """The transformer's modules, without those whose functions it reads itself."""

    @classmethod
    def find_spec(cls, name, path=None, target=None):
        if not name.startswith("gradscribe.transformer.") or name.startswith("gradscribe.transformer.library."):
            return None
        found = (finder.find_spec(name, path, target) for finder in sys.meta_path if finder is not cls)
        spec = next(filter(None, found), None)
        if spec is not None and type(spec.loader) is importlib.machinery.SourceFileLoader:
            spec.loader = Loader(spec.loader.name, spec.loader.path)
        return spec


sys.meta_path.insert(0, Finder)
