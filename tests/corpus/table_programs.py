"""Rows of the table of Python that are statements, and classes: (row, body, kinds of x and y, what stands before it).

Each line of a row is one cell; the kinds are those of test_python_table.py.
"""
ORDERED = ("@dataclass\nclass Base:\n    a: float\n    b: float = 2.0\n    def scaled(self, k):\n        return self.a "
           "* k\n    def __add__(self, other):\n        return Base(self.a + other.a, self.b)\n\n\n")
DERIVED = (ORDERED + "class Derived(Base):\n    def scaled(self, k):\n        return super().scaled(k) + 1.0\n"
           "    def __init__(self, a):\n        super().__init__(a, 3.0)\n\n\n")
FROZEN = "@dataclass(frozen=True)\nclass Frozen:\n    a: float\n    b: object = 2.0\n\n\n"
NEW = ("class Counted:\n    def __new__(cls, *args):\n        made = super().__new__(cls)\n"
       "        made.count = len(args)\n        return made\n    def __init__(self, a):\n        self.a = a\n\n\n")
EMPTY = "@dataclass\nclass Empty:\n    pass\n\n\n"
POST = "@dataclass\nclass Post:\n    a: float\n    def __post_init__(self):\n        self.a = self.a * 2.0\n\n\n"
SETTINGS = ("class Settings:\n    scale = None\n    weights = np.array([1.0, 2.0])\n    table = [0.5, 0.25]\n"
            "    @staticmethod\n    def twice(x):\n        return 2.0 * x\n\n\n")
CACHED = "import functools\n\n\n@functools.lru_cache(maxsize=None)\ndef cached(x, k=2):\n    return x ** k + 1.0\n\n\n"

ROWS = {
    "joins": [("return (0.1 if x > 1.0 else x) * np.float64(1)", ("f4",)),
              ("return 300 if x > 3 else x", ("u1",)), ("return (-1 if x > 3 else x) + np.int64(0)", ("u8",)),
              ("return max(10.1, x)", ("f4",)), ("return max(-1, x)", ("u8",)), ("return min(300, x)", ("u1",)),
              ("return (10.1 if x > 1.0 else x) * 2", ("f4",)), ("return (1 if x > 1.0 else 2.5) + x", ("f",)),
              ("z = 1.0\nif x > 1.0:\n    z = x\nreturn z * 2", ("f",))],
    "raises in a branch":
        [("return 1 / 0 if x > 9.0 else x", ("f",)), ("return math.sqrt(-1.0) * x if y else x", ("f", "b")),
         ("return [x][3] if y else x", ("f", "b")), ("if y:\n    z = int('a')\nelse:\n    z = 1\nreturn z", ("f", "b")),
         ("return {}['a'] if y else x", ("f", "b"))],
    "powers": [("return 1e300 ** 3 * x", ("f",)), ("return 10.0 ** 400 * x", ("f",)),
               ("return x ** 3", ("f",)), ("return 10.0 ** x", ("i",)), ("return x * (-1.0) ** y", ("f", "i")),
               ("z = pow(x, 0.5)\nreturn x", ("i",)), ("return x ** 2", ("f",))],
    "truths": [("return bool([x])", ("f",)), ("return bool(range(x))", ("i",)), ("return bool({}.items())", ()),
               ("return 1 if {'a': x}.items() else 2", ("f",)), ("return bool(range(0)), bool(range(2)), bool(())", ()),
               ("return 1 if Empty() else 2", (), EMPTY), ("return [x, 0.0] and 3", ("f",))],
    "iterators run out":
        [("a = [x, 2]\nz = map(abs, a)\na.append(-3.0)\nreturn list(z)", ("f",)),
         ("z = map(lambda v: 1 / v, [x, 0])\nreturn next(z)", ("i",)),
         ("z = zip([x, 2], 'ab')\nreturn list(z), list(z)", ("f",)),
         ("z = map(abs, [x, -2])\nreturn list(z), list(z)", ("f",)),
         ("z = iter([x, 2, 3])\nfor v in z:\n    break\nreturn list(z)", ("f",)),
         ("z = enumerate([x, 2, 3])\nfor k, v in z:\n    if k == 1:\n        break\nreturn list(z)", ("f",)),
         ("z = iter(range(x))\nt = 0\nfor v in z:\n    t += v\nfor v in z:\n    t += 100\nreturn t", ("i",)),
         ("z = iter(range(x))\nt = 0\nfor v in z:\n    if v == y:\n        break\n    t += v\nfor v in z:\n"
          "    t += 100 * v\nreturn t", ("i", "i"))],
    "unpacking": [("a, *b = [x]\nreturn a, b", ("f",)), ("a, b, *c = [x]\nreturn a", ("f",)),
                  ("a, *b = x\nreturn a, b", ("v",)), ("(a, b), c = x, 2\nreturn a, b, c", ("t",)),
                  ("*a, b = x\nreturn a, b", ("l",)), ("a, b = [x]\nreturn a", ("f",))],
    "comprehensions": [("v = 5.0\nreturn [(lambda: v)() for v in [x, 2]], v", ("f",)),
                       ("v = 5.0\nfs = [lambda: v for v in [x, 2]]\nreturn fs[0](), fs[1](), v", ("f",)),
                       ("return [v for v in range(3) if v != 1], {k: v for k, v in zip('ab', [x, 2])}", ("f",))],
    "identities": [("return x[:] is x, x is x", ("v",)), ("return x[:] is x", ("l",)),
                   ("y = x[:]\ny[0] = 9.0\nreturn x, y", ("v",))],
    "text": [("return isinstance(f'{x}', str), type(f'{x}') is str", ("f",)),
             ("return isinstance(range(3), range), isinstance(range(x), (list, range))", ("i",))],
    "shared lists": [("a = [x]\nb = a\na *= 2\nreturn a, b", ("f",)),
                     ("a = [x]\nb = [a, a]\nb[0] += [2.0]\nreturn a, b", ("f",)),
                     ("a = (x,)\nb = a\na += (2,)\nreturn a, b", ("f",))],
    "lists": [("a = [x, 2.0, 3]\na[1:] = [x]\nreturn a", ("f",)), ("a = [x, 2.0, 3]\ndel a[1]\nreturn a", ("f",)),
              ("a = [x, 2.0, 3]\ndel a[:2]\nreturn a", ("f",)), ("return [x, 1] == [x, 1.0], [x] < [x, 2]", ("f",)),
              ("a = [3.0, x]\na.sort()\nreturn a, a.index(x)", ("f",)), ("return {'a': x} | {'b': 2.0}", ("f",)),
              ("d = {'a': x}\nreturn d.pop('a'), d", ("f",))],
    "ranges": [("return x in range(y)", ("i", "i")), ("return x in range(int(y))", ("i", "f")),
               ("return range(x)[-1]", ("i",)), ("return range(x)[1:]", ("i",))],
    "functions":
        [("if y:\n    def g(z):\n        return z * x\nelse:\n    def g(z):\n        return z - x\nreturn g(2.0)",
          ("f", "b")),
         ("if x > 1.0:\n    def g(z):\n        return z * x\nelse:\n    def g(z):\n        return z - x\nreturn g(2.0)",
          ("f",)),
         ("def g(a, b):\n    return a\nreturn g(x)", ("f",)), ("return cached(x) + cached(x, 3)", ("f",), CACHED),
         ("x = 2.0 + (lambda a, *b: len(b))(1, 2, 3)\nreturn x", ()),
         ("def g(a, *, b):\n    return a\nreturn g(x, c=1)", ("f",))],
    "dataclasses": [("return dataclasses.replace(Base(x), b=1.5)", ("f",), ORDERED),
                    ("return dataclasses.asdict(Base(x))", ("f",), ORDERED),
                    ("return copy.copy(Base(x))", ("f",), ORDERED), ("return (Base(x) + Base(2.0)).a", ("f",), ORDERED),
                    ("return Base(x, 1.0, 2.0)", ("f",), ORDERED), ("return Base()", (), ORDERED),
                    ("return Base(x, c=1.0)", ("f",), ORDERED), ("p = Frozen(x)\np.a = 2.0\nreturn p", ("f",), FROZEN),
                    ("p = Frozen(x)\np.a += 2.0\nreturn p", ("f",), FROZEN),
                    ("p = Frozen(x)\ndel p.a\nreturn p", ("f",), FROZEN), ("return Post(x)", ("f",), POST)],
    "classes": [("return Derived(x).scaled(2.0)", ("f",), DERIVED),
                ("return Counted(x).count", ("f",), NEW), ("return Counted(x)", ("f",), NEW),
                ("return x if Settings.scale is None else x * Settings.scale", ("f",), SETTINGS),
                ("return Settings.weights * x", ("f",), SETTINGS),
                ("return Settings.twice(x) + Settings().twice(1.0) + Settings.table[1]", ("f",), SETTINGS)],
    "slices of one place":
        [("t = 0.0\nfor k in range(len(x)):\n    t = t + np.sum(x[k:k + 1] * x)\nreturn t", ("v",)),
         ("m = np.outer(x, x)\nt = 0.0\nfor k in range(len(x)):\n    t = t + np.sum(m[:, k:k + 1] * m)\nreturn t",
          ("v",)), ("t = 0.0\nfor k in range(3):\n    t = t + np.sum(x[k:k + 1] * x[:1])\nreturn t", ("v",)),
         ("t = 0.0\nfor k in range(y):\n    t = t + np.sum(x[None, :][:, k:k + 1] * np.ones((2, 1)))\nreturn t",
          ("v", "n"))],
    "no axes": [("return np.sum(x, axis=0), np.max(x, axis=0), np.sum(x)", ("z",)),
                ("return x.sum(axis=-1), x.mean(0)", ("z",)), ("return np.sum(x, axis=1)", ("z",))],
    "outside": [("for k in range(y):\n    x = x + C[0] * x - C[1]\nreturn x", ("f", "i"), "C = [0.5, 0.25]\n\n\n"),
                ("for k in range(y):\n    x = x + 0.1 * T[1][0] * x\nreturn x", ("f", "i"),
                 "T = [[0.0, 0.0], [0.5, 0.0]]\n\n\n"), ("return [G for G in [x, 2.0]], G", ("f",), "G = 7.0\n\n\n")],
}
