import numpy as np
from gradscribe import runtime as rt


def grad_cosine_similarity(a, b):
    a_norm = np.sqrt(np.sum(a ** 2))
    b_norm = np.sqrt(np.sum(b ** 2))
    product = a_norm * b_norm

    # adjoint of line 2: return a @ b / (np.linalg.norm(a) * np.linalg.norm(b))
    product2_bar = 1.0 / product
    product_bar = -(a @ b / product * product2_bar)
    b_bar = rt.times(2 * b, rt.norm_slope(0.5 * (a_norm * product_bar), b_norm))
    a_bar = rt.times(2 * a, rt.norm_slope(0.5 * (b_norm * product_bar), a_norm))
    a_bar += product2_bar * b
    b_bar += product2_bar * a
    return a_bar, b_bar
