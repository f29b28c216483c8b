"""Literals and arguments, as text: ordinary ones mostly, and those at which arithmetic goes another way."""

INTS = [0, 1, 1, 2, 2, 3, 3, 4, 5, -1, -1, -2, -3, 7, 10]
ODD_INTS = [100, 127, 128, 255, 256, 300, -128, -129, 2**31, 2**53 + 1, 2**63 - 1, -2**63, 2**64, 10**18]
FLOATS = ["0.5", "1.5", "2.0", "-1.0", "0.25", "3.0", "-2.5", "1.0", "0.75", "4.0", "-0.5", "0.1", "1.25"]
ODD_FLOATS = ["0.0", "-0.0", "0.0", "-0.0", "float('inf')", "-np.inf", "np.nan", "1e300", "-1e300", "1e-300", "1e16",
              "2.0**53", "3.4e38", "70000.0"]
INT_DTYPES = ["int64", "int64", "int32", "int8", "uint8", "int16", "uint16", "uint32", "uint64"]
DTYPES = ["float64"] * 8 + ["float32"] * 3 + INT_DTYPES + ["bool"]
SPAN = {"int8": (-128, 127), "uint8": (0, 255), "int16": (-300, 300), "uint16": (0, 65535), "uint32": (0, 9),
        "uint64": (0, 9)}


def an_int(rng, odd=0.08):
    return str(rng.choice(ODD_INTS if rng.random() < odd else INTS))


def a_float(rng, odd=0.08):
    return rng.choice(ODD_FLOATS if rng.random() < odd else FLOATS)


def a_number(rng, odd=0.08):
    roll = rng.random()
    return a_float(rng, odd) if roll < 0.6 else an_int(rng, odd) if roll < 0.93 else rng.choice(["True", "False"])


def of_dtype(rng, dtype, odd=0.05):
    """A literal that a scalar or array of the dtype can hold."""
    if dtype.startswith("float"):
        return a_float(rng, odd if dtype == "float64" else 0.0)
    if dtype == "bool":
        return rng.choice(["True", "False"])
    low, high = SPAN.get(dtype, (-5, 9))
    return str(rng.choice([low, high]) if rng.random() < odd else rng.randint(max(low, -4), min(high, 7)))


def a_scalar(rng, dtype=None, odd=0.05):
    dtype = dtype or rng.choice(DTYPES)
    return f"np.{'bool_' if dtype == 'bool' else dtype}({of_dtype(rng, dtype, odd)})"


def a_shape(rng, n):
    """Mostly of the program's own length, so that shapes fit."""
    roll = rng.random()
    size = lambda: n if rng.random() < 0.8 else rng.choice([0, 1, 1, 2, 3, 4])
    return (size(),) if roll < 0.62 else (size(), size()) if roll < 0.9 else () if roll < 0.96 else (2, size(), size())


def nested(rng, dtype, shape, odd=0.02):
    if not shape:
        return "0.0" if dtype == "float64" and rng.random() < 0.03 else of_dtype(rng, dtype, odd)
    return "[" + ", ".join(nested(rng, dtype, shape[1:], odd) for _ in range(shape[0])) + "]"


def an_array(rng, dtype, shape):
    if 0 in shape:
        return f"np.zeros({shape!r}, np.{'bool_' if dtype == 'bool' else dtype})"
    text = nested(rng, dtype, shape)
    if dtype == "float64" and "." in text and rng.random() < 0.7:
        return f"np.array({text})"
    return f"np.array({text}, dtype=np.{'bool_' if dtype == 'bool' else dtype})"


class Maker:
    """How to write an argument of one kind, with other values at each call, and now and then of a neighbouring kind."""

    def __init__(self, rng, n, objects=()):
        kinds = (["float"] * 6 + ["array"] * 7 + ["int"] * 3 + ["scalar"] * 2
                 + ["list", "tuple", "dict", "bool", "str", "none"])
        self.rng, self.kind = rng, rng.choice(kinds + ["object"] * 3 if objects else kinds)
        self.dtype, self.shape = rng.choice(DTYPES), a_shape(rng, n)
        self.length = rng.choice([n, n, 2, 3, 1, 0])
        self.item = rng.choice(["float", "float", "int", "array"])
        self.make_object = rng.choice(objects) if objects else None

    def write(self, other=False):
        rng, kind = self.rng, self.kind
        if other and kind in NEIGHBOURS and rng.random() < 0.5:
            kind = rng.choice(NEIGHBOURS[kind])
        return getattr(self, "a_" + kind)(other)

    def at_zero(self, sample):
        """The sample with zeros for its numbers: where derivatives go wrong first."""
        return {"float": "0.0", "int": "0", "array": f"np.zeros_like({sample})"}.get(self.kind, sample)

    def a_float(self, other):
        return a_float(self.rng, 0.12 if other else 0.0)

    def a_int(self, other):
        return an_int(self.rng, 0.1 if other else 0.0)

    def a_bool(self, other):
        return self.rng.choice(["True", "False"])

    def a_str(self, other):
        return self.rng.choice(["'a'", "'b'", "'key'"])

    def a_none(self, other):
        return a_float(self.rng) if other and self.rng.random() < 0.5 else "None"

    def a_scalar(self, other):
        dtype = self.dtype if self.dtype != "float64" or other else self.rng.choice(DTYPES)
        return a_scalar(self.rng, self.rng.choice(DTYPES) if other and self.rng.random() < 0.4 else dtype)

    def a_array(self, other):
        dtype = self.rng.choice(DTYPES) if other and self.rng.random() < 0.3 else self.dtype
        shape = self.shape
        if other and shape and self.rng.random() < 0.2:
            shape = (self.rng.choice([0, 1, 2, 5]),) + shape[1:]
        if other and shape and self.rng.random() < 0.15:
            return self.a_strange_array(dtype, shape)
        return an_array(self.rng, dtype, shape)

    def a_strange_array(self, dtype, shape):
        """Not contiguous, or read-only."""
        return self.rng.choice([an_array(self.rng, dtype, shape[::-1]) + ".T",
                                an_array(self.rng, dtype, shape) + "[::-1]",
                                f"np.repeat({an_array(self.rng, dtype, shape)}, 2, axis=0)[::2]",
                                f"np.broadcast_to({a_scalar(self.rng, dtype)}, {shape!r})",
                                f"np.asfortranarray({an_array(self.rng, dtype, shape)})"])

    def item_text(self):
        return {"float": lambda: a_float(self.rng, 0.02), "int": lambda: an_int(self.rng, 0.02),
                "array": lambda: an_array(self.rng, "float64", (self.length or 2,))}[self.item]()

    def a_list(self, other):
        length = self.rng.choice([self.length, self.length, 0, 1, 4]) if other else self.length
        return "[" + ", ".join(self.item_text() for _ in range(length)) + "]"

    def a_tuple(self, other):
        return f"tuple({self.a_list(False)})"

    def a_dict(self, other):
        if other and self.rng.random() < 0.15:
            return (f"{{{self.rng.choice(['1', 'True', '1.0', 'None'])}: {self.item_text()}, "
                    f"'a': {self.item_text()}, 'b': {self.item_text()}}}")
        return "{" + ", ".join(f"'{key}': {self.item_text()}" for key in "abc"[:max(1, min(self.length, 3))]) + "}"

    def a_object(self, other):
        return self.make_object(self.rng)


NEIGHBOURS = {"float": ["scalar", "int", "float"], "int": ["bool", "scalar", "float"], "bool": ["int", "bool"],
              "scalar": ["float", "int", "scalar"], "array": ["array", "array", "scalar"], "list": ["list", "tuple"],
              "tuple": ["tuple", "list"]}
