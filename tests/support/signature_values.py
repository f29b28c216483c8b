"""What test_signatures.py gives to the parameters of NumPy's wider library: values worth a try (`MORE_VALUES`), by
function where others fit (`MORE`), and what the other arguments are meanwhile (`MORE_OF`)."""
FLAGS = ("True", "False", "None", "0")
ARRAYS = ("x", "v", "single", "long", "p", "cube", "empty", "[1.0, 4.0, 9.0]")
COUNTS = ("0", "1", "5", "n")
QS = ("0.3", "[0.1, 0.5]", "1", "0", "p", "-0.1", "[0.5, 2.0]", "(0.25,)", "[[0.1, 0.9]]", "x * 0.1 + 0.3", "f4")
MORE_VALUES = {
    "dst": ("x", "v", "long", "p"), "src": ("x", "v", "1.5", "long", "mask"), "mask": ("mask", "x > 1", "long", "True"),
    "casting": ("'same_kind'",), "ind": ("0", "[0, 1]", "-1", "long * 0", "9", "[1.5]", "n"),
    "choices": ("[v, long]", "(p, n, 0)", "[x, v]", "x", "[v]"),
    "condlist": ("[x > 1, x < 0]", "[mask]", "[x]", "mask", "[]"),
    "choicelist": ("[x, 2 * x]", "[v, long]", "[p, n]", "[x]", "[single, small]"), "default": ("0", "p", "v", "None"),
    "funclist": ("[lambda t: t ** 2, lambda t: -t, 0.5]", "[1, 2]", "[np.sin, 3.0]", "[1]"),
    "vals": ("[1.0, 2.0]", "v", "p", "empty"), "val": ("1.5", "v", "p", "x"), "wrap": FLAGS,
    "obj": ("1", "[0, 1]", "-1", "9", "slice(0, 2)", "n", "[]", "(1, 1)", "1.5", "[True, False, True]",
            "np.array([0, 2])"),
    "new_shape": ("(2, 2)", "5", "(3, n)", "-1", "(0,)", "()", "[2, 4]"),
    "filt": ("long", "v", "empty", "[0, 1, 0]", "x"), "trim": ("'fb'", "'f'", "'b'", "'no'"),
    "include_initial": FLAGS, "overwrite_input": ("False",), "q": QS,
    "method": ("'linear'", "'lower'", "'higher'", "'midpoint'", "'nearest'", "'hazen'", "'no'", "None"), "deg": FLAGS,
    "z": ARRAYS, "decimals": ("0", "1", "3", "-1", "n", "1.5", "None"), "nan": ("0.0", "1", "p", "np.inf"),
    "posinf": ("None", "7", "p"), "neginf": ("None", "-7", "p"), "rtol": ("1e-5", "0", "p", "v"),
    "atol": ("1e-8", "1", "p", "v"), "equal_nan": FLAGS, "a1": ("x", "v", "p", "mask", "[1.0, 2.0]", "empty"),
    "a2": ("x", "v", "p", "x.T", "single", "[1.0, 2.0]"), "to_end": ("None", "1", "p", "[1, 2]", "v", "1.5"),
    "to_begin": ("None", "1", "p", "[1, 2]", "v"), "p": ("x", "v", "p", "single", "long", "[1.0, 9.0]"),
    "discont": ("None", "4.0", "p", "1"), "period": ("6.0", "p", "3", "2 * np.pi"),
    "kth": ("1", "0", "-1", "9", "[0, 1]", "n", "1.5"), "keys": ("(v, long)", "[v]", "x", "v", "(x, x > 0)", "cube"),
    "bins": ("up", "[0.0, 1.0]", "v", "-up", "x", "p", "empty"), "right": FLAGS}
MORE_VALUES |= {
    "ar": ARRAYS, "return_index": FLAGS, "return_inverse": FLAGS, "return_counts": FLAGS, "sorted": ("True",),
    "operands": ("'ij->ji', x", "'ij,ij->', x, x", "'ij,kj->ik', x, single", "'i,i', v, long", "'i->', v",
                 "'ii', square", "'ij,j', x, v", "'i,jk', v, x", "'ij', p", "'...j->...', cube", "x, [0, 1]",
                 "'i,i->j', v, v"),
    "optimize": ("False", "True"),
    "einsum_call": ("False",), "base": ("10.0", "2", "p"), "dimensions": ("(2, 3)", "(n,)", "()", "[2]", "3"),
    "function": ("lambda a, b: a + b",), "mask_func": ("np.triu", "np.tril"),
    "multi_index": ("(np.array([0, 1]), np.array([2, 1]))", "(1, 2)", "(np.array([0]), np.array([9]))", "(1.5, 0)"),
    "dims": ("(2, 3)", "(n, 3)", "6"), "increasing": FLAGS, "iter": ("[1.0, 2.0]", "(p, n)"),
    "count": ("-1", "2", "None"), "pyfunc": ("np.sin", "lambda t: t + 1"), "otypes": ("None", "[float]"),
    "doc": ("None",), "excluded": ("None",), "cache": ("False",), "func1d": ("np.sum", "np.sort", "lambda r: r * 2.0"),
    "func": ("np.sum", "np.max"), "bitorder": ("'big'", "'little'"),
    "B": ("v", "p", "x", "long", "[1.0, 2.0]", "single"), "rowvar": FLAGS, "bias": FLAGS, "fweights": ("None",),
    "aweights": ("None",), "pad_width": ("1", "(1, 2)", "((1, 0), (0, 2))", "0", "-1", "n", "{-1: 1}", "1.5"),
    "xp": ("up", "v", "[0.0, 1.0, 2.0, 3.0]", "x"), "fp": ("up", "np.arange(4)", "v", "x"),
    "left": ("None", "p", "1"), "varargs": ("2.0", "p", "v"), "edge_order": ("1", "2", "3"),
    "u": ("v", "x[0]", "[1.0, 2.0]", "long", "p"), "seq_of_zeros": ("v", "[1.0, 2.0]", "p", "long", "square", "empty"),
    "test_elements": ("v", "[0.5, 2.0]", "x", "p", "long", "empty"),
    "assume_unique": ("False",), "invert": FLAGS, "ar1": ("x", "v", "long", "[1, 2, 2]", "p", "single", "mask"),
    "ar2": ("v", "x", "long", "[1, 2]", "empty", "p"), "return_indices": ("False",), "minlength": ("0", "7", "n", "-1"),
    "range": ("None", "(0.0, 2.0)", "(0, 3)", "(p, 9.0)", "(2.0, 1.0)"), "density": ("None", "True", "False"),
    "type1": ("np.float32", "'f4'", "int"), "type2": ("np.float32", "'i8'", "bool"),
    "from_": ("np.float32", "int", "'f8'"), "to": ("np.float32", "int")}
MORE = {
    ("np.take_along_axis", "indices"): ("np.argsort(x, 1)", "np.array([[0], [1]])", "[0, 1]", "0", "long", "x",
                                        "np.array([[5]])"),
    ("np.put_along_axis", "indices"): ("np.array([[0], [1]])", "[0, 1]", "0", "x"),
    ("np.place", "mask"): ("x > 0", "mask", "v", "[True, False, True]"),
    ("np.choose", "a"): ("np.array([0, 1, 0])", "mask", "long", "x", "n", "[1, 0]"),
    ("np.indices", "dimensions"): ("(2, 3)", "(n,)", "()", "[2]"),
    ("np.fromfunction", "shape"): ("(2, 3)", "(2, n)", "(4,)"),
    ("np.resize", "new_shape"): ("(2, 2)", "5", "(3, n)", "(0,)", "[2, 4]"),
    **{(f"np.{name}", "n"): ("3", "n", "1")
       for name in ("tril_indices", "triu_indices", "diag_indices", "mask_indices")},
    ("np.diag_indices", "ndim"): ("2", "1", "3"), ("np.mask_indices", "k"): ("0", "1", "-1"),
    ("np.tril_indices", "m"): ("None", "2", "n"), ("np.triu_indices", "m"): ("None", "2", "n"),
    ("np.vander", "N"): ("None", "2", "5", "1"),
    ("np.pad", "mode"): ("'constant'", "'edge'", "'reflect'", "'symmetric'", "'wrap'", "'maximum'", "'mean'", "'no'"),
    ("np.convolve", "mode"): ("'full'", "'same'", "'valid'", "'no'"),
    ("np.correlate", "mode"): ("'full'", "'same'", "'valid'", "'no'"),
    ("np.unravel_index", "indices"): ("4", "np.array([4, 5])", "9", "n", "1.5"),
    ("np.unravel_index", "shape"): ("(2, 3)", "(n, 3)", "6"),
    ("np.bincount", "x"): ("np.array([0, 1, 1])", "small[0]", "mask[0]", "long", "v", "x", "n"),
    ("np.bincount", "weights"): ("None", "v", "long", "x", "[1.0, 2.0, 3.0]"),
    ("np.histogram", "bins"): ("3", "up", "[0.0, 1.0]", "-up", "0", "n", "'auto'"),
    ("np.histogram_bin_edges", "bins"): ("3", "up", "[0.0, 1.0]", "-up", "0", "n", "'auto'"),
    ("np.histogram2d", "bins"): ("3", "[2, 3]", "0"),
    ("np.histogram2d", "range"): ("None", "[[0, 1], [0, 2]]"), ("np.histogram2d", "weights"): ("None", "v"),
    ("np.histogram", "weights"): ("None", "x", "v"), ("np.histogram_bin_edges", "weights"): ("None",),
    ("np.block", "arrays"): ("[x, x]", "[[x], [x]]", "[v, long]", "[p, n]", "x", "[[p, n], [n, p]]", "[]"),
    ("np.polyint", "k"): ("None", "1.0", "p"), ("np.hanning", "M"): COUNTS, ("np.hamming", "M"): COUNTS,
    ("np.blackman", "M"): COUNTS, ("np.bartlett", "M"): COUNTS, ("np.rollaxis", "start"): ("0", "1", "-1", "2", "9"),
    ("np.rot90", "axes"): ("(0, 1)", "(1, 0)", "(0, 0)", "(0, 5)"), ("np.cov", "y"): ("None", "x", "single"),
    ("np.corrcoef", "y"): ("None", "x"), ("np.ix_", "args"): ("[0, 1]", "np.array([0, 2])", "mask[0]", "x"),
    ("np.gradient", "axis"): ("0", "1", "None", "(0, 1)", "5"), ("np.apply_over_axes", "axes"): ("0", "(0, 1)", "[1]"),
    ("np.lib.stride_tricks.sliding_window_view", "writeable"): ("False",),
    ("np.lib.stride_tricks.sliding_window_view", "window_shape"): ("2", "(2, 2)", "(1, n)", "[2, 1]", "9", "-1",
                                                                   "1.5", "()"),
    ("np.lib.stride_tricks.as_strided", "shape"): ("None", "(2, 3)", "(1, n)", "[2, 1]", "(4,)", "(-1, 2)", "3"),
    ("np.lib.stride_tricks.as_strided", "strides"): ("None", "(0, 0)", "(0,)"),
    ("np.lib.stride_tricks.as_strided", "writeable"): FLAGS,
    ("np.diag_indices_from", "arr"): ("square", "x", "v", "np.ones((2, 2, 2))"), ("np.gradient", "f"): ARRAYS,
    ("np.diagflat", "k"): ("0", "1", "-1")}
FFTS = "fft ifft rfft irfft hfft ihfft fft2 ifft2 rfft2 irfft2 fftn ifftn rfftn irfftn".split()
MORE |= {key: value for f in FFTS for key, value in {
    (f"np.fft.{f}", "n"): ("None", "2", "5", "n", "0", "1.5"), (f"np.fft.{f}", "s"): ("None", "(2, 2)", "(3, -1)", "2"),
    (f"np.fft.{f}", "norm"): ("None", "'ortho'", "'forward'", "'backward'", "'no'"),
    (f"np.fft.{f}", "axes"): ("(0, 1)", "(-1, -2)", "(1,)", "(0, 9)")}.items()}
MORE |= {(f"np.fft.{f}", parameter): values for f in ("fftfreq", "rfftfreq")
         for parameter, values in (("n", ("5", "n", "8", "0", "1.5", "v")), ("d", ("1.0", "p", "2", "v")))}
MORE_OF = {
    "np.take_along_axis": {"arr": "x", "axis": "1"}, "np.put_along_axis": {"arr": "x", "values": "2.0", "axis": "1"},
    "np.put": {"a": "x", "v": "2.0"}, "np.place": {"arr": "x"}, "np.fill_diagonal": {"a": "x"},
    "np.choose": {"choices": "[v, long]"}, "np.piecewise": {"x": "x"}, "np.insert": {"values": "2.0"},
    "np.cumulative_sum": {"x": "v"}, "np.cumulative_prod": {"x": "v"}, "np.percentile": {"q": "30"},
    "np.nanpercentile": {"q": "30"}, "np.digitize": {"bins": "up"}, "np.ldexp": {"x2": "n"}, "np.resize": {"a": "x"},
    "np.logspace": {"start": "0", "stop": "p"},
    "np.geomspace": {"start": "1.0", "stop": "p"}, "np.fromfunction": {"function": "lambda a, b: a + b"},
    "np.vander": {"x": "v"}, "np.apply_along_axis": {"axis": "0", "arr": "x"},
    "np.apply_over_axes": {"a": "x", "axes": "0"}, "np.packbits": {"a": "small"}, "np.unpackbits": {"a": "small"},
    "np.interp": {"x": "x"}, "np.convolve": {"a": "v", "v": "long"}, "np.correlate": {"a": "v", "v": "long"},
    "np.polyval": {"p": "v"}, "np.polydiv": {"u": "x[0]", "v": "[1.0, 2.0]"}, "np.polyadd": {"a1": "v", "a2": "v"},
    "np.polysub": {"a1": "v", "a2": "v"}, "np.polymul": {"a1": "v", "a2": "v"}, "np.polyint": {"p": "v"},
    "np.polyder": {"p": "v"}, "np.bincount": {"x": "np.array([0, 1, 1])"}, "np.histogram2d": {"x": "v", "y": "long"},
    "np.unravel_index": {"shape": "(2, 3)"}, "np.dsplit": {"ary": "cube", "indices_or_sections": "2"},
    "np.hsplit": {"ary": "x", "indices_or_sections": "3"}, "np.vsplit": {"ary": "x", "indices_or_sections": "2"},
    "np.vecdot": {"x1": "x", "x2": "v"}, "np.matvec": {"x1": "x", "x2": "v"}, "np.vecmat": {"x1": "v", "x2": "x.T"},
    "np.diag_indices_from": {"arr": "square"}, "np.tril_indices_from": {"arr": "x"},
    "np.triu_indices_from": {"arr": "x"}, "np.add.reduce": {"array": "x"}, "np.rollaxis": {"a": "cube", "axis": "2"},
    "np.rot90": {"m": "x"},
    "np.poly": {"seq_of_zeros": "v"}, "np.multiply.at": {"a": "v", "indices": "[0, 1]", "b": "p"},
    "np.maximum.at": {"a": "v", "indices": "[0, 1]", "b": "p"},
    "np.minimum.at": {"a": "v", "indices": "[0, 1]", "b": "p"},
    "np.subtract.at": {"a": "v", "indices": "[0, 1]", "b": "p"},
    "np.can_cast": {"from_": "np.float32", "to": "np.float64"}, "np.ravel_multi_index": {"dims": "(2, 3)"},
    "np.gradient": {"f": "x"}, "np.astype": {"x": "x", "dtype": "np.float32"},
    "np.isdtype": {"dtype": "x.dtype", "kind": "'real floating'"}}
IMAGES = ("correlate", "convolve", "correlate1d", "convolve1d")
SIGNALS = ("convolve", "correlate", "fftconvolve", "convolve2d")
MORE_VALUES |= {
    "deg": ("1", "2", "0", "-1", "n", "1.5"), "full": ("False",), "beta": ("p", "0.0", "8", "v", "f4"),
    "sample": ("(v, long)", "x.T", "v", "p", "[v]"), "lu_and_piv": ("(square, [0, 1, 2])", "(x, [0, 1])"),
    "permute_l": ("False", "True"), "p_indices": ("False", "True"), "disp": ("True",), "blocksize": ("64",),
    "in1": ("x", "v", "square", "p", "single", "mask", "cube", "empty"), "in2": ("x", "square", "v", "p", "single"),
    "boundary": ("'fill'", "'wrap'"), "fillvalue": ("0", "1.5"), "zi": ("None", "v[:2]", "p"),
    "input": ("x", "v", "square", "single", "long", "p", "empty"),
    "output": ("None", "np.zeros(3)"), "cval": ("0.0", "p", "2"), "origin": ("0", "1", "-1", "(0, 1)", "5"),
    "bc_type": ("'not-a-knot'", "'natural'", "'clamped'", "((1, 0.5), (2, 0.0))", "'no'", "(1,)"),
    "extrapolate": ("None", "True", "False", "'periodic'"), "duty": ("0.5", "p", "v"), "t1": ("2.0", "p"),
    "t": ("x", "v", "long", "p", "single", "0.5"), "f0": ("1.0", "p"), "f1": ("3.0", "p"), "phi": ("0", "p"),
    "vertex_zero": FLAGS, "overwrite_data": ("False",), "data": ("x * x", "v", "single", "square"), "bp": ("0",),
    "width": ("1", "0.5", "p"), "complex": ("False",), "type": ("'linear'", "'constant'", "'no'")}
MORE |= {**{(f"scipy.signal.{f}", "mode"): ("'full'", "'same'", "'valid'", "'no'") for f in SIGNALS},
         **{(f"scipy.signal.{f}", "method"): ("'auto'", "'direct'", "'no'") for f in SIGNALS},
         **{(f"scipy.signal.{f}", "axes"): ("None",) for f in SIGNALS},
         **{(f"scipy.ndimage.{f}", "mode"): ("'reflect'", "'constant'", "'nearest'", "'mirror'", "'wrap'", "'no'")
            for f in IMAGES},
         **{(f"scipy.ndimage.{f}", "weights"): ("x", "v", "square", "[1.0, 2.0]", "p", "empty") for f in IMAGES},
         **{(f"scipy.ndimage.{f}", "axes"): ("None",) for f in IMAGES},
         **{(f"scipy.ndimage.{f}", name): values for f in ("gaussian_filter", "gaussian_filter1d") for name, values in {
             "mode": ("'reflect'", "'constant'", "'nearest'", "'no'", "('wrap', 'nearest')"),
             "sigma": ("0.7", "p", "2", "(p, 0.5)", "[1.0]", "v"), "order": ("0", "1", "(0, 0)"),
             "truncate": ("4.0", "1.5", "p"), "radius": ("None", "0", "2", "-1", "1.5", "(1, 2)"),
             "axes": ("None", "0", "(1,)", "(0, 1)", "(0, 5)")}.items()},
         ("np.roots", "p"): ("v + 1j", "x + 0j", "v * 0j", "v", "[1.0 + 0j, 2.0]"),
         ("np.polyfit", "y"): ("v", "square", "x", "p"), ("np.polyfit", "x"): ("v", "long", "x", "p"),
         ("np.polyfit", "w"): ("None", "long + 2.0", "p"), ("np.polyfit", "rcond"): ("None", "1e-3"),
         ("np.polyfit", "cov"): ("False",), ("np.histogramdd", "bins"): ("3", "(2, 3)", "0", "[up, up]"),
         ("np.histogramdd", "range"): ("None", "[(0, 1), (0, 2)]"), ("np.histogramdd", "weights"): ("None", "v"),
         ("scipy.linalg.sqrtm", "A"): ("square", "square.T", "x", "-square", "square * 0", "v", "np.eye(3)"),
         ("scipy.linalg.solve_sylvester", "q"): ("square", "x", "v"),
         ("scipy.linalg.lu_solve", "trans"): ("0", "1", "2", "3"),
         ("scipy.linalg.solve_toeplitz", "c_or_cr"): (
             "v", "(v, long[:3])", "[4.0, 1.0, 0.5]", "[4, 1, 2]", "0 * v", "p"),
         ("scipy.signal.lfilter", "b"): ("v", "[1.0]", "p", "x", "empty"),
         ("scipy.signal.lfilter", "a"): ("[2.0, 0.5]", "[1.0]", "p", "x"),
         ("scipy.interpolate.CubicSpline", "x"): ("[0.0, 1.0, 3.0]", "v", "up", "x", "p"),
         ("scipy.interpolate.CubicSpline", "y"): ("v", "square", "x", "single[0]", "[1, 2, 3]", "p")}
MORE_OF |= {"np.copyto": {"dst": "x", "src": "v"}, "np.putmask": {"a": "x", "mask": "mask", "values": "v"},
            "np.roots": {"p": "v + 1j"}, "np.polyfit": {"x": "v", "y": "v", "deg": "1"},
            "np.kaiser": {"M": "5"}, "np.histogramdd": {"sample": "(v, long)"}, "scipy.linalg.lu": {"a": "square"},
            "scipy.linalg.lu_factor": {"a": "square"}, "scipy.linalg.lu_solve": {"b": "v"},
            "scipy.linalg.sqrtm": {"A": "square"}, "scipy.linalg.solve_toeplitz": {"c_or_cr": "v", "b": "v"},
            "scipy.ndimage.gaussian_filter": {"sigma": "0.6"},
            "scipy.ndimage.gaussian_filter1d": {"sigma": "0.6"},
            "scipy.linalg.solve_sylvester": {"a": "square", "b": "square", "q": "square"},
            **{f"scipy.ndimage.{f}": {"weights": "v" if f.endswith("1d") else "x"} for f in IMAGES}}
APART = ("scipy.interpolate.CubicSpline",  # which gives an object: tests/library/test_public.py
         "np.vectorize",  # which gives a function: tests/library/test_numpy_chapters.py
         # what is said around a block, and a class: tests/language/test_language.py,
         # tests/language/test_from_outside.py
         "np.errstate", "np.seterr", "np.ndarray",
         "np.ndindex", "np.ndenumerate",  # which give iterators: tests/corpus/from_outside/indices.py
         # which take knots, bands or an object: tests/library/test_public.py, tests/corpus/constructs/names.py
         "scipy.interpolate.CubicHermiteSpline", "scipy.interpolate.splev", "scipy.interpolate.bisplev",
         "scipy.interpolate.interp1d", "scipy.interpolate.PchipInterpolator", "scipy.linalg.solve_banded",
         "scipy.interpolate.BSpline",
         # which take functions, or matrices that fit one another: tests/library/test_solvers.py
         *(f"scipy.optimize.{f}" for f in ("brentq", "brenth", "bisect", "ridder", "newton", "root_scalar", "fminbound",
                                           "minimize_scalar")),
         "scipy.integrate.quad",  # tests/library/test_integrals.py
         "scipy.integrate.solve_ivp", "scipy.linalg.solve_continuous_are", "scipy.linalg.solve_discrete_are",
         "scipy.linalg.solve_continuous_lyapunov", "scipy.linalg.solve_discrete_lyapunov",
         "scipy.spatial.KDTree", "scipy.spatial.cKDTree",  # which give an object: tests/library/test_neighbours.py
         "np.loadtxt", "np.genfromtxt",  # which take texts: tests/library/test_text_files.py
         # which take records, or make them: tests/language/test_records.py
         "np.lib.recfunctions.structured_to_unstructured", "np.rec.fromarrays",
         # whose results have other types than NumPy's: tests/library/test_peaks.py
         *(f"scipy.fft._basic.{f}" for f in ("fft", "ifft", "rfft", "irfft")), "scipy.signal.find_peaks",
         *(f"scipy.fft._realtransforms.{f}" for f in ("dct", "idct")),
         # which give an object: tests/library/test_rotations.py
         "scipy.spatial.transform.Rotation", "scipy.spatial.transform.Slerp",
         *(f"scipy.spatial.transform.Rotation.{f}" for f in (
             "from_quat", "from_rotvec", "from_mrp", "from_euler", "from_matrix", "identity", "concatenate",
             "align_vectors")),
         # which give a generator: tests/corpus/constructs/solvers.py
         "scipy.special.lambertw",  # of its branches: tests/library/test_public.py
         "np.random.default_rng", "np.random.RandomState", "np.random.mtrand.RandomState", "random.Random",
         # which give nothing but what they raise: tests/language/test_telling.py
         *(f"np.testing._private.utils.{f}" for f in (
             "assert_", "assert_allclose", "assert_almost_equal", "assert_array_almost_equal", "assert_array_equal",
             "assert_array_less")))
# whose sign is NumPy's own choice
ZEROS = ("np.fmax.at", "np.fmin.at", "np.fmax.outer", "np.fmin.outer", "np.union1d", "np.intersect1d", "np.setdiff1d",
         "np.setxor1d", "np.einsum", *(f"np.fft.{f}" for f in FFTS))
ORDERS = ("np.partition", "np.argpartition")  # any order of the others will do
