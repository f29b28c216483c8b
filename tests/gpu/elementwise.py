"""Functions of one element that threads compute: (function, arguments) by name, for the simulator and for PTX.

The arguments have what is infinite, no number, too large or too small, and zeros of both signs."""

import numpy as np
from scipy import special

import gradscribe as gs
from gradscribe.runtime.cuda.special import SINGLE

REAL = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 2.0, -3.0, 1e-3, 0.3, 0.6, 7.7, 20.0, -30.0, 85.0, -85.0, 1e30, -1e30,
                 np.inf, -np.inf, np.nan])
LARGE = np.array([710.0, -710.0, 1e-310, 1e300, -1e300, 1.5e308])
WHOLE = np.array([0, 1, -1, 12, 18, -30, 100])
FUNCTIONS = {}


def function(name, f, *args):
    FUNCTIONS[name] = f, args


def pairs(x):
    return np.repeat(x, len(x)), np.tile(x, len(x))


def of(f, count):
    if count == 1:
        return lambda x: f(x)
    return (lambda x, y: f(x, y)) if count == 2 else lambda x, y, z: f(x, y, z)


for _name in ("exp exp2 expm1 log log1p log2 log10 sqrt sin cos tan sinh cosh tanh arcsin arccos arctan arcsinh "
              "arccosh arctanh".split()):
    for _real, _dtype in ((REAL, np.complex64), (np.concatenate([REAL[:9], REAL[-3:], LARGE]), np.complex128)):
        _x, _y = pairs(_real)
        with np.errstate(all="ignore"):
            _z = np.empty(len(_x), _dtype)
            _z.real, _z.imag = _x, _y
        function(f"{_name} of {_z.dtype}", of(getattr(np, _name), 1), _z)
for _dtype in (np.complex64, np.complex128):
    _z = (np.linspace(-2.0, 2.0, 32) + 0.7j).astype(_dtype)
    function(f"power of {_z.dtype}", lambda x, y: x ** y, _z, _z[::-1].copy())
    function(f"whole powers of {_z.dtype}", lambda x, y: x ** y, _z, np.arange(-16.0, 16.0).astype(_dtype))
    function(f"quotients by reals of {_z.dtype}", lambda x, y: x / y, _z, _z.imag.copy())
    function(f"square roots by powers of {_z.dtype}", lambda x: x ** 0.5, _z)
for _dtype in (np.float32, np.float64):
    _x = REAL.astype(_dtype)
    _dtype = _x.dtype
    for _name in "fabs positive conjugate deg2rad rad2deg radians degrees spacing signbit".split():
        function(f"{_name} of {_dtype}", of(getattr(np, _name), 1), _x)
    for _name in "fmax fmin logaddexp logaddexp2 heaviside".split():
        function(f"{_name} of {_dtype}", of(getattr(np, _name), 2), *pairs(_x))
    function(f"float_power of {_dtype}", lambda x, y: np.float_power(x, y),
             *pairs(np.array([0.5, 2.0, -3.0, 7.7, 1e-3, 3.0, np.nan], _dtype)))
    function(f"ldexp of {_dtype}", lambda x, n: np.ldexp(x, n), np.repeat(_x, 7),
             np.tile(np.array([0, 1, -1, 60, -140, 2000, -3000]), len(_x)))
for _dtype in (np.int64, np.int32, np.int8):
    for _name in "gcd lcm fmax fmin".split():
        function(f"{_name} of {np.dtype(_dtype)}", of(getattr(np, _name), 2), *pairs(WHOLE.astype(_dtype)))
for _dtype in "int8 int16 int32 int64 uint8 uint16 uint32 uint64".split():
    _edge = np.array([3.7, -3.7, 127.5, 128.0, 255.9, 32768.0, 65536.0, 2147483520.0, 2147483648.0, 4294967040.0,
                      9.2e18, 9223372036854775808.0])
    _edge = _edge[_edge < np.iinfo(_dtype).max]
    _edge = np.concatenate([_edge, -_edge if _dtype[0] == "i" else _edge, np.arange(32.0)])
    for _from in (np.float32, np.float64):
        function(f"{_dtype} of {np.dtype(_from)}", (lambda dtype: lambda x: x.astype(dtype))(_dtype),
                 _edge.astype(_from))
SPECIAL = {1: "erf erfc erfcx erfinv erfcinv gamma gammaln psi log1p expm1 exp2 exp10 cbrt ndtr ndtri j0 j1 y0 y1 "
              "expit log_expit logit entr exprel",
           2: "xlogy xlog1py rel_entr kl_div huber pseudo_huber boxcox boxcox1p inv_boxcox inv_boxcox1p"}
for _count, _names in SPECIAL.items():
    for _name in _names.split():
        function(f"scipy.special.{_name}", of(getattr(special, _name), _count),
                 *([REAL] if _count == 1 else pairs(REAL)))
        if _name in SINGLE:
            function(f"scipy.special.{_name} of float32", of(getattr(special, _name), _count),
                     *([REAL.astype(np.float32)] if _count == 1 else pairs(REAL.astype(np.float32))))
function("scipy.special.zeta", lambda s, q: special.zeta(s, q),
         *pairs(np.array([1.0, 1.5, 2.0, 7.0, 30.0, 0.5, -0.5, -1.0, np.nan])))
function("digamma", lambda x: gs.lax.digamma(x), np.concatenate([REAL[2:16], np.linspace(-3.2, 9.0, 20)]))


def values(name: str) -> None:
    """Threads compute what NumPy does, with its dtype; where neither is a number their parts may differ in sign."""
    from .corpus import fetched
    f, args = FUNCTIONS[name]
    with np.errstate(all="ignore"):
        made, want = gs.jit(f, target="cuda"), np.asarray(f(*args))
        text = made.source(*args, stage="compiled")
        got = np.asarray(fetched(made(*args)))
    assert "gpu.element(" not in text and "@gpu.kernel" in text, text
    assert got.dtype == want.dtype and got.shape == want.shape
    single = want.dtype in (np.float32, np.complex64) or args[0].dtype == np.float32 and want.dtype == np.float64
    for a, b in ((got.real, want.real), (got.imag, want.imag)) if want.dtype.kind == "c" else ((got, want),):
        size = np.abs(want) if want.dtype.kind == "c" else np.zeros(want.shape)
        with np.errstate(all="ignore"):
            atol = np.where(np.isfinite(size), size, 0) * (4e-6 if single else 1e-13)
            a, b = (x.astype(float) if x.dtype == bool else x for x in (a, b))
            near = ((a == b) | np.isnan(a) & np.isnan(b)
                    | (np.abs(a - b) <= atol + (4e-6 if single else 1e-12) * np.abs(b)) & np.isfinite(b))
        assert near.all(), [(*(x[~near] for x in args), a[~near], b[~near])]


def all_values(part: int, parts: int) -> None:
    for name in list(FUNCTIONS)[part::parts]:
        try:
            values(name)
        except Exception as error:
            raise AssertionError(name) from error
