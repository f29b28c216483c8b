import numpy as np


def grad_huber(w, X, y, delta):
    y_len = len(y)
    difference_tape = np.empty(y_len)
    for i in range(y_len):
        difference_tape[i] = y[i] - X[i] @ w

    # adjoint of line 11: return total / len(y)
    total_bar = np.float64(1.0) / y_len
    # adjoint of line 3: for i in range(len(y)):
    X_bar = np.zeros_like(X)
    w_bar = np.zeros_like(w)
    y_bar = np.zeros_like(y)
    delta_bar = 0.0
    for i in range(y_len - 1, -1, -1):
        X_row = X[i]
        difference = difference_tape[i]
        r = abs(difference)
        # adjoint of line 5: if r <= delta:
        if r <= delta:
            # adjoint of line 6: total += 0.5 * r**2  # like least squares
            difference_bar = 2 * difference * (0.5 * total_bar)
        else:
            # adjoint of line 7: elif r <= 10.0 * delta:
            if r <= 10.0 * delta:
                # adjoint of line 8: total += delta * (r - 0.5 * delta)  # like least deviations
                r_bar = delta * total_bar
                delta_bar = delta_bar + float((r - 0.5 * delta) * total_bar) + 0.5 * float(-r_bar)
            else:
                # adjoint of line 10: total += 9.5 * delta**2  # an outlier counts no more
                delta_bar += 2 * delta * (9.5 * float(total_bar))
                r_bar = 0.0
            # adjoint of line 4: r = abs(y[i] - X[i] @ w)
            difference_bar = np.sign(difference) * r_bar
        # adjoint of line 4: r = abs(y[i] - X[i] @ w)
        product_bar = -difference_bar
        w_bar += product_bar * X_row
        X_bar[i] += product_bar * w
        y_bar[i] += difference_bar
    return w_bar, X_bar, y_bar, delta_bar
