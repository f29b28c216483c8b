from gradscribe import runtime as rt


def pmap_gathered_product(A, x, axis_i):
    t = rt.all_gather(axis_i, x)
    return A @ t.reshape(3 * len(x))
