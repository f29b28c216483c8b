"""What test_signatures.py gives to the parameters of NumPy's wider library: values worth a try (`MORE_VALUES`), by function where others fit
(`MORE`), and what the other arguments are meanwhile (`MORE_OF`)."""
FLAGS = ("True", "False", "None", "0")
QS = ("0.3", "[0.1, 0.5]", "1", "0", "p", "-0.1", "[0.5, 2.0]", "(0.25,)", "[[0.1, 0.9]]", "x * 0.1 + 0.3", "f4")
MORE_VALUES = {
    "ind": ("0", "[0, 1]", "-1", "long * 0", "9", "[1.5]", "n"), "choices": ("[v, long]", "(p, n, 0)", "[x, v]", "x", "[v]"), "condlist": ("[x > 1, x < 0]", "[mask]", "[x]", "mask", "[]"),
    "choicelist": ("[x, 2 * x]", "[v, long]", "[p, n]", "[x]", "[single, small]"), "default": ("0", "p", "v", "None"), "funclist": ("[lambda t: t ** 2, lambda t: -t, 0.5]", "[1, 2]", "[np.sin, 3.0]", "[1]"),
    "vals": ("[1.0, 2.0]", "v", "p", "empty"), "val": ("1.5", "v", "p", "x"), "wrap": FLAGS, "obj": ("1", "[0, 1]", "-1", "9", "slice(0, 2)", "n", "[]", "(1, 1)", "1.5", "[True, False, True]", "np.array([0, 2])"),
    "new_shape": ("(2, 2)", "5", "(3, n)", "-1", "(0,)", "()", "[2, 4]"), "filt": ("long", "v", "empty", "[0, 1, 0]", "x"), "trim": ("'fb'", "'f'", "'b'", "'no'"), "include_initial": FLAGS, "overwrite_input": ("False",),
    "q": QS, "method": ("'linear'", "'lower'", "'higher'", "'midpoint'", "'nearest'", "'hazen'", "'no'", "None"), "decimals": ("0", "1", "3", "-1", "n", "1.5", "None"), "nan": ("0.0", "1", "p", "np.inf"), "posinf": ("None", "7", "p"),
    "neginf": ("None", "-7", "p"), "rtol": ("1e-5", "0", "p", "v"), "atol": ("1e-8", "1", "p", "v"), "equal_nan": FLAGS, "a1": ("x", "v", "p", "mask", "[1.0, 2.0]", "empty"), "a2": ("x", "v", "p", "x.T", "single", "[1.0, 2.0]"),
    "to_end": ("None", "1", "p", "[1, 2]", "v", "1.5"), "to_begin": ("None", "1", "p", "[1, 2]", "v"), "p": ("x", "v", "p", "single", "long", "[1.0, 9.0]"), "discont": ("None", "4.0", "p", "1"), "period": ("6.0", "p", "3", "2 * np.pi"),
    "kth": ("1", "0", "-1", "9", "[0, 1]", "n", "1.5"), "keys": ("(v, long)", "[v]", "x", "v", "(x, x > 0)", "cube"), "bins": ("up", "[0.0, 1.0]", "v", "-up", "x", "p", "empty"), "right": FLAGS}
MORE = {("np.take_along_axis", "indices"): ("np.argsort(x, 1)", "np.array([[0], [1]])", "[0, 1]", "0", "long", "x", "np.array([[5]])"), ("np.put_along_axis", "indices"): ("np.array([[0], [1]])", "[0, 1]", "0", "x"),
        ("np.place", "mask"): ("x > 0", "mask", "v", "[True, False, True]"), ("np.choose", "a"): ("np.array([0, 1, 0])", "mask", "long", "x", "n", "[1, 0]"), ("np.delete", "values"): ("p",)}
MORE_OF = {"np.take_along_axis": {"arr": "x", "axis": "1"}, "np.put_along_axis": {"arr": "x", "values": "2.0", "axis": "1"}, "np.put": {"a": "x", "v": "2.0"}, "np.place": {"arr": "x"}, "np.fill_diagonal": {"a": "x"}, "np.choose": {"choices": "[v, long]"},
           "np.piecewise": {"x": "x"}, "np.insert": {"values": "2.0"}, "np.cumulative_sum": {"x": "v"}, "np.cumulative_prod": {"x": "v"}, "np.percentile": {"q": "30"}, "np.nanpercentile": {"q": "30"},
           "np.digitize": {"bins": "up"}, "np.ldexp": {"x2": "n"}, "np.resize": {"a": "x"}}
ORDERS = ("np.partition", "np.argpartition")  # any order of the others will do
