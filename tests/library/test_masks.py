"""Arrays of bools as indices, and functions whose results have a size that only the run knows: against NumPy, with
derivatives, compiled, for many examples."""
import numpy as np
import pytest

import gradscribe as gs

pytestmark = pytest.mark.filterwarnings("ignore::RuntimeWarning")

# ---- values, of every kind of mask

def read(x,m):
    return x[m]

def an_int_stored(x,m):
    y=x.copy()
    y[m]=7
    return y

def values_stored(x,m):
    y=x.copy()
    y[m]=1.0 * np.arange(np.sum(m))
    return y

def added(x,m):
    y=x.copy()
    y[m]+=1.5
    y[~m]-=x[0]
    return y

def floats_into_ints(x,m):
    y=np.arange(len(x))
    y[m]=2.7
    y[m]+=3
    return y

def bools(x,m):
    y=x>0
    y[m]=True
    y[~m]^=True
    return y, np.flatnonzero(y), np.nonzero(x)

def of_a_matrix(x,m):
    A=np.outer(x,x)
    return A[m], A[m,0], A[m,1:], A[:,m], A[m][:,m], A[None,m]

def rows_stored(x,m):
    A=np.outer(x,x)
    A[m]=x
    A[:,m]=-1.0
    return A

def two_masks(x,m):
    A=np.outer(x,x)
    A[m,m]=0.0
    return A

def through_views(x,m):
    y=x[1:].copy()
    y[m[1:]]=x[0]
    z=y[::-1]
    z[z>0]=9.0
    return y

def of_a_transpose(x,m):
    A=np.outer(x,x).T
    M=A>0
    A[M]=1.0 * np.arange(np.sum(M))
    return A, A[M], A[~M]

def a_list_of_bools(x,m):
    return x[[True,False,True,False][:len(x)]] if len(x)==4 else x

def reversed_back(x,m):
    y=x.copy()
    y[m]=x[m][::-1]
    return y

def too_many_values(x,m):
    y=x.copy()
    y[m]=x
    return y

def of_two_axes(x,m):
    y=x.copy()
    y[m]=np.ones((1,1))
    return y

def too_long(x,m):
    return x[np.append(m,True)]

def unique(x,m):
    return (np.unique(np.floor(x)), np.unique(np.floor(x),True,True,True), np.unique(m),
            np.unique(np.array([np.nan,1.0,np.nan])))

def functions(x,m):
    return (np.compress(m,x), np.extract(m,x), x.nonzero(), np.argwhere(m), np.where(m), np.count_nonzero(x),
            np.count_nonzero(np.outer(x,m),axis=0), np.count_nonzero(np.outer(x,m),axis=1,keepdims=True))

def their_number(x,m):
    s=0.0
    for v in x[m]:
        s+=v
    k=0
    for i in range(len(x)):
        if m[i]:
            k+=1
    out=np.zeros(k)
    out[:]=x[m]
    return s,out,len(x[m]),x[m].shape,x[m].size

def where_of_a_matrix(x,m):
    A=np.outer(x,x)
    i,j=np.where(A>0.5)
    A[i,j]=0.0
    return A,i,j

def a_copy(x,m):
    y=x[m]
    y[0]=5.0
    return y,x

def of_a_branch(x,m):
    y=x.copy()
    y[m]=x[0] if x[0]>0 else 1.0
    y[np.isnan(y)|(y<0)]=0
    return y

def reductions(x,m):
    return np.max(x[m]), np.argmax(x[m]), np.mean(x[m]), np.sort(x[m])

def of_both(x,m):
    return x[m & (x>0)] @ x[m & (x>0)], np.dot(x[m],x[m])

def joined(x,m):
    return np.concatenate([x[m],x[~m]])

def summed(x,m):
    return np.sum(x[m])

def one_or_the_other(x,m):
    if np.any(m):
        y=x[m]
    else:
        y=x[~m]
    return y

def in_a_tuple(x,m):
    y=x.copy()
    y[m,]=1.0
    y[...,~m]=2.0
    return y

def of_float32(x,m):
    y=x.astype(np.float32)
    y[m]=x[m]
    y[~m]=np.float64(0.1)
    return y


VALUES = [read, an_int_stored, values_stored, added, floats_into_ints, bools, of_a_matrix, rows_stored, two_masks,
          through_views, of_a_transpose, a_list_of_bools, reversed_back, too_many_values, of_two_axes, too_long,
          unique, functions, their_number, where_of_a_matrix, a_copy, of_a_branch, reductions, of_both, joined, summed,
          one_or_the_other, in_a_tuple, of_float32]
ARRAYS = {"four": np.array([0.5, -0.3, 0.9, 0.7]), "signed zeros": np.array([1.5, 2.0, 0.0, -0.0]),
          "one": np.array([-1.0]), "none": np.zeros(0), "strided": np.array([2.0, 3.0, 1.0, 1.0, -4.0, 7.0])[::2]}
MASKS = [lambda x: x > 0.4, lambda x: x < 0.0, lambda x: x == x, lambda x: x != x]


def outcome(f, *args):
    try:
        return f(*[a.copy() for a in args])
    except Exception as error:  # whatever it is: two of them are compared
        return error


def assert_same(a, b):
    """The same to the bit, but for sums, which compiled code may order otherwise."""
    assert type(a) is type(b), (a, b)
    if isinstance(a, Exception):
        assert str(a) == str(b)
    elif isinstance(a, tuple):
        assert len(a) == len(b)
        for x, y in zip(a, b):
            assert_same(x, y)
    else:
        assert np.asarray(a).dtype == np.asarray(b).dtype and np.shape(a) == np.shape(b), (a, b)
        np.testing.assert_allclose(b, a, rtol=1e-14)


@pytest.mark.heavy(one_in=21)
@pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
@pytest.mark.parametrize("f", VALUES, ids=lambda f: f.__name__)
def test_as_numpy(f, compiled):
    g = gs.jit(f) if compiled else gs.test_util.primal(f)
    for x in ARRAYS.values():
        for mask in MASKS:
            assert_same(outcome(f, x, mask(x)), outcome(g, x, mask(x)))


# ---- derivatives

def squares(x):
    return np.sum(x[x>0.4]**2)

def zeroed(x):
    y = x*2.0
    y[y<1.1] = 0.0
    return np.sum(y*x)

def both_sides(x):
    y = x.copy()
    m = x>0.4
    y[m] = np.sin(x[m])*3
    y[~m] += x[0]
    return np.sum(y*y)

def matrices(x):
    A = np.outer(x,x)
    A[A>0.3] *= 2.0
    return np.sum(A*A[0]) + np.mean(A[A>0.2])

def by_places(x):
    i = np.flatnonzero(x>0.4)
    j, = np.where(x<0.8)
    return np.sum(x[i])*len(i) + np.sum(x[j])

def rows_and_columns(x):
    A = np.outer(x, np.arange(1.,4.))
    rows = A[x>0.4]
    cols = A[:, np.array([True,False,True])]
    return np.sum(rows@rows.T) + np.sum(cols**2)

def pairs_in_a_loop(x):
    A = np.outer(x,x)
    i,j = np.nonzero(A>0.3)
    s = 0.0
    for a,b in zip(i,j):
        s += A[a,b]*x[a]
    return s + np.sum(np.argwhere(A>0.3)*1.0)

def counted_values(x):
    v,c = np.unique(np.floor(x*4), return_counts=True)
    return np.sum(v*c)*x[0]

def perhaps_empty(x):
    z = x[x>5.0]
    return np.sum(z) + (np.max(z) if len(z) else 1.0)*x[1]

def ever_shorter(x):
    w = np.ones_like(x)
    k=0
    while k<3:
        w = w[w>0.1*k]
        w = w*x[:len(w)]
        k += 1
    return np.sum(w)

def picked(x):
    return np.sum(np.compress(x>0.4, x)) + np.sum(np.extract(x>0.4,x)**2) + np.count_nonzero(x>0.4)*x[0]

def rows_and_columns_stored(x):
    A = np.outer(x,x)
    A[x>0.4] = 0.0
    A[:, x<0.8] = x[x<0.8]
    return np.sum(A)

def triangles_and_diagonals(x):
    A = np.outer(x,x)
    A[np.triu(np.ones((4,4),bool),1)] = 0.0
    A[np.eye(4,dtype=bool)] = 1.0
    return np.sum(np.linalg.inv(A+2*np.eye(4)))

def numbers_stored(x):
    y=x.copy()
    y[x>.4] = x[0]
    y[x<.4] += 1.0
    y[np.isnan(y)] = 0.0
    return np.sum(y**3)

def two_parts(x):
    lo = x[x < np.mean(x)]
    hi = x[x >= np.mean(x)]
    return np.mean(lo)*np.std(hi) + np.sum(np.concatenate([lo,hi])*np.arange(4.0))


GRADIENTS = [squares, zeroed, both_sides, matrices, by_places, rows_and_columns, pairs_in_a_loop,
             counted_values, perhaps_empty, ever_shorter, picked, rows_and_columns_stored, triangles_and_diagonals,
             numbers_stored, two_parts]
X = np.array([0.52, 0.31, 0.93, 0.74])


def differences(f, x, h=1e-6):
    return np.array([(f(x + h * e) - f(x - h * e)) / (2 * h) for e in np.eye(len(x))])


@pytest.mark.heavy(one_in=14)
@pytest.mark.parametrize("f", GRADIENTS, ids=lambda f: f.__name__)
def test_derivatives(f):
    value, slope = gs.value_and_grad(f)(X)
    np.testing.assert_allclose(value, f(X), rtol=1e-13)
    np.testing.assert_allclose(slope, differences(f, X), rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(gs.jit(gs.grad(f))(X), slope, rtol=1e-12)
    np.testing.assert_allclose(gs.jvp(f, (X,), (X,))[1], slope @ X, rtol=1e-10)
    np.testing.assert_allclose(gs.hessian(f)(X), np.array([differences(lambda x: gs.grad(f)(x)[k], X)
                                                           for k in range(4)]), rtol=1e-4, atol=1e-6)
    rows = np.stack([X, X[::-1] + 0.05, 0.0 * X + 0.61])
    np.testing.assert_allclose(gs.vmap(f)(rows), [f(row) for row in rows], rtol=1e-12)
    np.testing.assert_allclose(gs.jit(gs.vmap(gs.grad(f)))(rows), [gs.grad(f)(row) for row in rows], rtol=1e-10)


def test_another_number_of_elements_makes_no_program():
    g = gs.jit(gs.grad(squares))
    for x in (X, -X, X[:3], np.linspace(0.0, 1.0, 50)):
        np.testing.assert_allclose(g(x), np.where(x > 0.4, 2 * x, 0.0))
    assert sum(map(len, g._cache.programs.values())) <= 2


def test_what_people_read():
    """No place is named twice: adjoints are added at places as they are, and stores are no copies."""
    text = gs.grad(both_sides).source(X)
    assert "places = np.flatnonzero(m)\n" in text and "    x_bar[places] += " in text
    assert "np.add.at" not in text and "last_writer" not in text
    assert "np.where(mask, 0.0, y)" in gs.value_and_grad(zeroed).source(X)


def test_a_number_at_a_mask_is_for_all_examples_at_once():
    assert "for " not in gs.vmap(zeroed).source(np.stack([X, X]))


def test_a_mask_of_another_length_is_refused_as_by_numpy():
    for g in (gs.jit(of_a_mask), gs.test_util.primal(of_a_mask)):
        with pytest.raises(IndexError, match="size of axis is 4 but size of corresponding boolean axis is 3"):
            g(X, X[1:] > 0.5)


def of_a_mask(x, mask):
    return x[mask]


def squeezed(x):
    return np.squeeze(x[x > 0.5])


def squeezed_along(x):
    return x[x > 0.5].squeeze(axis=0) * x


def stored_at_another_mask(x):
    y = x.copy()
    y[x < 0.6] = x[x > 0.5]
    return y


def stored_with_more_axes(x):
    y = np.zeros(2)
    y[:] = np.ones((2, 2))[x[:2] > 0.5]
    return y


@pytest.mark.parametrize("f", [squeezed, squeezed_along, stored_at_another_mask, stored_with_more_axes],
                         ids=lambda f: f.__name__)
def test_one_element_is_none_that_broadcasts(f):
    """Where NumPy does with one element what it does with no other number of them, it is refused;
    an axis to squeeze that it gives has to be one."""
    g = gs.test_util.primal(f)
    for x in (np.array([0.3, 0.7, 0.1]), np.array([0.8, 0.7, 0.1]), np.array([0.3, 0.2, 0.1])):
        want, got = outcome(f, x), outcome(g, x)
        assert isinstance(got, gs.GradscribeError) == (np.sum(x > 0.5) == 1 and f is not squeezed_along), (x, got)
        if not isinstance(got, gs.GradscribeError):
            assert_same(want, got)


# ---- a few products of the true elements are computed of all elements, without places

def kept_after_stores(x):
    y = x.copy()
    v = y[y < 0.3]
    y[:] = y * y
    return np.sum(v * v) + np.sum(y)


@pytest.mark.parametrize("f, by_places", [
    (lambda x: np.sum(x[x < 0.5] ** 2), False), (lambda x: np.sum(3.0 * x[x < 0.5]), False),
    (kept_after_stores, True), (lambda x: np.sum(np.exp(x[x < 0.5])), True),
    (lambda x: np.sum(x[x < 0.5] * np.arange(float(np.sum(x < 0.5)))), True)])
def test_light_work_on_true_elements(f, by_places):
    gradient = gs.jit(gs.grad(f))
    for x in (np.array([0.1, np.inf, np.nan, -0.2]), np.linspace(0, 1, 5, dtype="f4"), np.zeros(0)):
        got, want = gradient(x), gs.grad(f)(x)
        assert got.dtype == x.dtype
        np.testing.assert_allclose(got, want, rtol=1e-6)
    x = np.linspace(-1.0, 1.1, 9)
    steps = [(f(x + h) - f(x - h)) / 2e-6 for h in 1e-6 * np.eye(9)]
    np.testing.assert_allclose(gradient(x), steps, atol=1e-7)
    assert ("places" in gradient.source(x, stage="compiled")) == by_places
