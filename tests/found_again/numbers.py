"""Numbers: Python's, NumPy's, and what compiled code made of them."""
from .patching import finding, put, swap

S, L, C = "transformer/specialise/", "transformer/lower/scalar.py", "transformer/lower/casts.py"
COMPARED = "transformer/lower/comparisons.py"
AT_ONCE = ("    if dtype != I8:\n"
           "        return Cast(dtype, rs.to_int64(operand.x) if operand.dtype.kind == \"f\" else operand.x)\n")
LOWERED = "    x = lower_integer(operand.w, operand, stored=dtype) if operand.dtype.kind == \"f\" else operand.x\n"
TO_INT = "        return Call(f\"rs.to_{dtype.name}\", (operand.x,))\n"
CLAMPED = ("        low, high = (expr(int(n)) for n in (np.iinfo(dtype).min, np.iinfo(dtype).max))\n"
           "        return Cast(dtype, Call('min', (Call('max', (operand.x, low)), high)))\n")

FINDINGS = [
    finding("compiled `float(x)` of a float32 stayed single", "dtypes one float(x) ** 2 compiled ~ float32",
            swap(L, "if x.dtype == BOOL and x.value is None else cast_operand(x, F8)",
                 "if x.dtype == BOOL and x.value is None "
                 "else Call(\"np.float32\", (x.x,), F8) if x.dtype == np.float32 else cast_operand(x, F8)")),
    finding("a Python number that joins a NumPy scalar of less width was narrowed: "
            "`(0.1 if c else f32) * np.float64(1)`", "table program: joins; independent ~ if|else|max|min",
            put(S + "domain/number_join.py", "def exact(s, atom, t):\n    pass")),
    finding("... in `max(10.1, np.float32(9))` and `max(-1, np.uint64(9))`", "table program: joins",
            put(S + "domain/number_join.py", "def exact(s, atom, t):\n    pass")),
    finding("`300 if c else u8` raised in the branch not taken",
            "table program: joins; independent ~ 300|256|255|128|-1",
            put(S + "domain/number_join.py", "_exact = exact\n\n\ndef exact(s, atom, t):\n"
                                             "    if t.dtype.kind not in \"iu\":\n        _exact(s, atom, t)")),
    finding("compiled `np.power(-1.0, x)`", "dtypes one np.power(-1.0, x) compiled",
            swap(L, "        return base ** exponent\n\n    def zero_power",
                 "        return -(number(-base.value, base.dtype) ** exponent) if getattr(base, 'value', 0) < 0 "
                 "else base ** exponent\n\n    def zero_power")),
    finding("compiled `(-np.inf) ** x`", "dtypes one (-np.inf) ** x compiled",
            swap(L, "        base, exponent = cast_operand(x, out.dtype), cast_operand(y, out.dtype)\n"
                    "        if out.kind == \"py\":",
                 "        base, exponent = cast_operand(x, out.dtype), cast_operand(y, out.dtype)\n"
                 "        if x.value == -np.inf:\n"
                 "            return -(expr(np.inf) ** exponent)\n        if out.kind == \"py\":")),
    finding("compiled comparisons of small ints with Python ints out of their range",
            r"dtypes two x > y compiled ~ int8\[\]-int$",
            swap(COMPARED,
                 "any(w and not fits_dtype(o.value, dtype) for o, w in zip((a, b), weak))):\n        dtype = I8\n",
                 "any(w and not fits_dtype(o.value, dtype) for o, w in zip((a, b), weak))):\n"
                 "        a, b = (ScalarOperand(Cast(dtype, o.x), type(o.type)(\"np\", dtype)) if w else o "
                 "for o, w in zip((a, b), weak))\n")),
    finding("`math.exp(np.int8(3))` in float16, `math.sin(np.float32(x))` in float32", "table math.exp; table math.sin",
            swap(S + "builtins/math_api.py",
                 "    if not isinstance(atom, Const) and s.b.types_of(atom) != {PY_FLOAT}:\n",
                 "    if not isinstance(atom, Const) and s.b.type(atom).kind == \"py\" "
                 "and s.b.type(atom) != PY_FLOAT:\n")),
    finding("compiled `u8 += n` with n = 300 wrapped", r"dtypes stores z += y compiled ~ uint8\[\]-int$",
            swap(C, LOWERED, AT_ONCE + "    x = operand.x\n")),
    finding("compiled `u8[1] = n` with n = 300 wrapped", r"dtypes stores z[0] = y compiled ~ uint8\[\]-int$",
            swap(S + "evaluator/syntax/storing.py",
                 "    return atom if is_stored_as_it_is else truncated(s, atom, part, by_number)\n",
                 "    if part.dtype.kind in \"iu\" and t.kind == \"py\" and t.dtype.kind == \"i\":\n"
                 "        return s.emit(\"rt.astype\", s.emit(\"rt.astype\", atom, dtype=np.dtype(np.int64)), "
                 "dtype=part.dtype)\n"
                 "    return atom if is_stored_as_it_is else truncated(s, atom, part, by_number)\n")),
    finding("compiled `np.full(2, n, np.uint8)` with n = 300 wrapped",
            "dtypes one np.full(2, x, np.uint8) compiled; signatures np.full compiled",
            swap(S + "builtins/numpy_creation.py",
                 "    elif t.kind == \"py\":\n        value = number_of_dtype(s, value, chosen)\n"
                 "    return s.wrap(s.emit(\"rt.full\"",
                 "    elif t.kind == \"py\":\n"
                 "        value = s.wrap(s.emit(\"rt.astype\", s.emit(\"rt.astype\", s.atom(value), "
                 "dtype=np.dtype(np.int64)), dtype=chosen))\n    return s.wrap(s.emit(\"rt.full\"")),
    finding("NaN stored into an int array raised nothing", r"dtypes stores z[0] = y compiled ~ int8\[\]-float$",
            swap(C, LOWERED, "    x = rs.to_int64(operand.x) if operand.dtype.kind == \"f\" else operand.x\n"),
            swap(S + "evaluator/syntax/storing.py",
                 "        atom = s.emit(\"int\", atom)\n    return s.emit(\"rt.astype\", atom, dtype=part.dtype)\n",
                 "    return s.emit(\"rt.astype\", atom, dtype=part.dtype)\n")),
    finding("compiled `2**53 + 1 == 2.0**53`", "dtypes two x == y compiled ~ ^int-float$",
            swap(COMPARED, "    if all(weak) and kinds == \"if\" and not small:\n",
                 "    if False:\n")),
    finding("compiled int64 min `// -1`", "dtypes two x // y compiled ~ ^int64..-int64..$",
            swap(L, "        if symbol == \"//\" and out.dtype == I8 and out.kind != \"py\" "
                    "and operands[1].value in (None, -1):\n",
                 "        if symbol == \"//\" and out.dtype == I8 and out.kind != \"py\" "
                 "and operands[1].value == 0:\n"),
            swap(L, "            if symbol == \"//\" and out.dtype == I8 and operands[1].value in (None, -1) "
                    "and not self.fits(let):", "            if False:")),
    finding("compiled `clip`, `np.amax` lost the sign of -0.0",
            "dtypes one np.clip(x, -0.0, 1.0) compiled; dtypes one np.clip(x, 0, 5) compiled",
            swap(L, "        less, more = ((\"<\", \">\") if all(d.is_one for bound in let.args[1:] "
                    "for d in self.w.type(bound).dims)\n                      else (\"<=\", \">=\"))\n",
                 "        less, more = (\"<=\", \">=\")\n")),
    finding("`np.sum(x, dtype=np.uint8)` was summed in 64 bits", "signatures np.sum; signatures sum",
            swap(S + "builtins/numpy_api.py",
                 "    return in_dtype(s, result, dtype)\n\n\ndef of_one",
                 "    return result\n\n\ndef of_one"),
            put(S + "evaluator/arrays/signatures.py", "def agrees(s, result, answer):\n    return True")),
    finding("compiled `>>` by counts that are negative or too large",
            r"dtypes two x >> y compiled ~ int(8|64)\[\]-int(8|64)\[\]",
            swap(L, "        return narrow(a >> rs.select((b >= 0) & (b < 63), b, number(63, out.dtype)), out.dtype)",
                 "        return narrow(a >> b, out.dtype)")),
    finding("compiled `<<` by counts that are negative or too large",
            r"dtypes two x << y compiled ~ int(8|64)\[\]-int(8|64)\[\]",
            swap(L, "        return narrow(Choose((b >= 0) & (b < bits), a << b, number(0, out.dtype)), out.dtype)",
                 "        return narrow(a << b, out.dtype)")),
    finding("compiled `np.add.at` of inf and too large floats to small ints",
            r"dtypes stores np.add.at(z, [0, 0], y) compiled ~ int8\[\]-np.float",
            swap(S + "builtins/numpy_api.py",
                 "    tried_now(s, np.add.at, np.ones(1, s.type(a).dtype), 0, sample(Type(t.kind, t.dtype, ())))"
                 "  # whatever it names\n", ""),
            swap(S + "evaluator/syntax/storing.py",
                 "    if part.dtype.kind in \"biu\" and np.result_type(part.dtype, sample(t))",
                 "    if False and np.result_type(part.dtype, sample(t))"), swap(C, TO_INT, CLAMPED)),
    finding("compiled stores of inf or too large floats into small ints",
            "dtypes one x.astype(np.int8) compiled ~ float", swap(C, TO_INT, CLAMPED)),
    finding("compiled `//`, `divmod` and `%` of small ints with floats", r"dtypes two x // y compiled ~ int8\[\]-float",
            swap(L, "            return rs.fdiv(a, b)", "            return rs.floor(a / b)")),
    finding("compiled `10.0**400` and `1e300**3` were inf", r"table program: powers compiled ~ \*\*",
            swap(L, "return rs.powered(power, base, self.large_power()) if out.kind == \"py\" and n not in (1.0, 0.5) "
                    "else power", "return power")),
    finding("compiled `int(inf)` was a number", "dtypes one int(x) compiled ~ ^(np.)?float",
            swap(L, "        if x.type.is_float:\n            return lower_integer(self.w, x)\n",
                 "        if x.type.is_float:\n            return rs.to_int64(x.x)\n")),
    finding("`np.sqrt(not 1)`, compiled, raised a NotImplementedError", "dtypes one np.sqrt(not x) compiled",
            put("transformer/programs/program.py", "def refuse_half(fun):\n    pass")),
    finding("`pow(n, 0.5)` of a negative n raised a ValueError where its result is not used", "table program: powers",
            swap(S + "machine/operations.py",
                 "\"RefusedValue\",\n                     \"a negative number to a fractional power",
                 "\"ValueError\",\n                     \"a negative number to a fractional power")),
]
