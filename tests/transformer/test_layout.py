"""What shares memory with what: every array is reshaped and stored through, which shows in its base or does not.

NumPy decides, by the memory order of the base, which each function that made it has chosen. The specialiser must say
the same, or refuse.
"""
import linecache

import numpy as np
import pytest

from gradscribe.transformer import api
from gradscribe.transformer.errors.messages import UnsupportedError

A, B = np.arange(12.0).reshape(3, 4) + 1, np.arange(24.0).reshape(2, 3, 4) + 1
ARGUMENTS = {"C": A, "F": np.asfortranarray(A), "S": np.repeat(A, 2, 1)[:, ::2], "R": A[:1].copy(),
             "K": A[:, :1].copy(), "C3": B, "F3": np.asfortranarray(B), "v": np.ones(4), "w": np.arange(6.0)[::2]}
MADE = """
C F S R K C3 F3 v w | C+C F+F C+F F+C S+S F+v v+F F+K K+F F+v[None] F+1.0 -F np.abs(F) F**2 np.maximum(F,0.0)
np.where(F>0.0,F,0.0) C3+F3 F3+F3 C3+C C3+F F3+F | C.T F.T S.T R.T K.T C3.T F3.T C3.transpose(1,0,2)
C3.transpose(0,2,1) F3.transpose(1,0,2) C.T+0.0 F.T+0.0 R.T+0.0 C.T+F.T F.T+C.T C3.T*2.0 C3.transpose(1,0,2)+0.0
C3.transpose(0,2,1)+0.0 np.transpose(np.transpose(C)) |
C.copy() F.copy() C.T.copy() np.copy(C) np.copy(F) np.copy(C.T) np.array(F) np.asarray(F) np.ascontiguousarray(F)
np.ascontiguousarray(C) np.zeros_like(F) np.ones_like(C.T) np.empty_like(F)*0.0 np.full_like(F,2.0)
F.astype(np.float32) C.T.astype(np.float32) |
C@C.T F@F.T F.T@F np.outer(v,v) np.eye(3)+F@F.T C3@C.T F3.transpose(0,2,1)@F |
F3.sum(axis=0) F3.sum(axis=2) C3.sum(axis=1) F.sum(axis=0,keepdims=True) C3.max(axis=0) np.mean(F3,axis=1) |
np.concatenate([C,C]) np.concatenate([F,F]) np.concatenate([C,F]) np.concatenate([F,F],axis=1) np.stack([F,F])
np.stack([C,C],axis=2) np.stack([v,v],axis=1) np.concatenate([C.T,F.T]) |
C[[0,1]] C[:,[0,1]] F[[0,1]] F[:,[0,1]] C3[:,[0,1]] C3[[0,1],[0,1]] C3[:,[0,1],[1,2]] |
C[1] C[:,1] C[1:] C[:,1:] C[:2,:2] C[::-1] C[:,::-1] C[::2] C[None] C[:,None] C[:,:,None] C3[0] C3[:,0] C3[:,:,0]
C3[1:] C3[0,1:] C3[0][1:] C3[0].T F[1] F[:,1] F[1:] F[:,1:] F[None] F3[0] F3[:,:,0] R[0] R[:,1:] K[1:] K[:,0] w[1:]
w[::-1] C[1:]+0.0 F[:,1:]+0.0 F3[0]+0.0 C[::-1]+0.0 |
C.reshape(4,3) F.reshape(4,3) C.T.reshape(3,4) F.T.reshape(6,2) C.reshape(2,6).T F.reshape(3,4,1) v.reshape(2,2)
w.reshape(3,1) v.reshape(2,2).T v.reshape(2,2).T+0.0 v[:,None]*C.T v[None,:]*K v[:,None]*v[None,:]
np.broadcast_to(v,(3,4))+1.0 np.squeeze(R) R.reshape(-1) K.T.reshape(-1)
"""
EXPRESSIONS = MADE.replace("|", " ").split()
SHAPES = ["-1", "(-1, 1)", "(1, -1)", "y.shape", "(-1, 2)", "(1, *y.shape)", "(*y.shape, 1)", "y.T.shape"]


def function(expression, shape):
    text = (f"def f({', '.join(ARGUMENTS)}):\n    y = {expression}\n    z = y.reshape({shape})\n"
            f"    z[(0,) * (z.ndim - 1) + (-1,)] = 100.0\n    z[-1] *= 3.0\n    return y * 1.0, z * 1.0\n")
    name = f"<layout {expression} {shape}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    namespace = {"np": np}
    exec(compile(text, name, "exec"), namespace)
    return namespace["f"]


def outcome(f):
    """What f returns and leaves in its arguments; None where it raises."""
    args = [x.copy(order="K") if k != "S" else np.repeat(A, 2, 1)[:, ::2] for k, x in ARGUMENTS.items()]
    try:
        return [*f(*args), *args]
    except ValueError:
        return None


EASY = {"C", "R", "K", "v", "w", "C3", "C[1]", "C[:,1]", "C[1:]", "C3[0]", "C3[0,1:]", "C+C", "C.copy()", "C@C.T",
        "np.zeros_like(C)"}


@pytest.mark.heavy(one_in=27)
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_a_store_through_reshape_shows_where_numpy_shows_it(expression):
    for shape in SHAPES:
        f = function(expression, shape)
        want = outcome(f)
        if want is None:
            continue  # read-only, or elements that do not fit the shape
        try:
            got = outcome(api.Primal(f))
        except UnsupportedError as error:
            assert "may share memory" in str(error) and expression not in EASY
            continue
        for x, y in zip(want, got, strict=True):
            np.testing.assert_array_equal(x, y, err_msg=f"{expression} reshaped to {shape}")
