"""Programs on what shares memory with what."""
import numpy as np

from tests.transformer.specialised.table import BOTH, program, r

# ---- what shares memory with what ------------------------------------------------------------------------------------

@program(*BOTH)
def views_of_views(x):
    x[1:][::2] += 1
    x[::-1][0] = 9
    x[2:5][::-1][0] = 8
    x[1:-1][1:-1][0] *= 5
    return x


@program((r(4, 5),))
def views_of_a_matrix(A):
    A[1][2:][0] = 5
    A[:, 1][::2] *= 2
    A.T[1][0] = 6
    A[None][0, 1] = 2
    A[:, ::2][1:, 1] = 13
    A[1:, 1:].T[0, 0] = 14
    B = A.reshape(10, 2)
    B.reshape(2, 10)[1, 5] = 77
    return A


@program((r(5), np.array([0, 0, 2])))
def index_arrays_copy(x, i):
    x[i][0] = 50.0
    y = x[i]
    y[0] = 9.0
    x[[1, 3]] = x[[3, 1]]
    return x, y


@program(*BOTH)
def views_of_another_kind_on_each_path(x):
    y = x[1:] if x[0] > 0 else x[:-1]
    return y * 2


@program(*BOTH)
def windows_of_one_array(x):
    v = x[0:2]
    for i in range(3):
        v[0] += v[1]
        v = x[i + 1:i + 3]
    return x, v * 1.0


@program(*[(r(9), k) for k in (3, 0, 1)], grads=False)
def view_of_a_view_each_time(x, k):
    for _ in range(k):
        x = x[1:]
    return x * 2


@program(*BOTH)
def alias_that_a_new_value_ends(x):
    y = x
    if x[0] > 0:
        y = y * 2
    y = y + x
    x[0] = 3.0
    return y, x


@program(*[(r(4), r(4, seed=3), n) for n in (3, 0, 1)], refused=True)
def aliases_after_an_iteration(x, w, n):
    y, z = x.copy(), w.copy()
    for i in range(n):
        z[0] += 1
        z = y if x[i] > 0 else w.copy()
    return y, z


@program(*[(r(4), r(4, seed=3), n) for n in (3, 0, 1)], refused=True)
def lists_exchanged(x, w, n):
    a, b = [x.copy(), 1.0], [w.copy(), 2.0]
    for _ in range(n):
        a[0][0] += b[1]
        a, b = b, a
    return a, b


@program((r(4), r(4, seed=3)))
def buffers_in_a_list(a, b):
    bufs = [a.copy(), b.copy()]
    for k in range(4):
        bufs[0][k % 3] += bufs[1][0]
        bufs = bufs[::-1]
    return bufs[0] - bufs[1]


@program((r(4, 3),))
def rows_carried(A):
    prev = None
    for row in A:
        if prev is not None:
            row -= 0.5 * prev
        prev = row
    return A


@program(*BOTH)
def store_after_a_call_in_the_value(x):
    def f():
        x[0] = 100.0
        return 1.0
    x[0] += f()
    x[1:3] += f()
    x[[0, 1]] += f()
    return x


@program(*BOTH)
def augmented_after_a_call_that_rebinds(x):
    def f():
        nonlocal x
        x = x * 2
        return 1.0
    y = x
    x += f()
    return x, y


@program((np.array([[3.0]]),), (np.array([3.0]),))
def squeezed_to_no_axes(x):
    y = x.squeeze()
    y += 1.0
    return x, y * 1
