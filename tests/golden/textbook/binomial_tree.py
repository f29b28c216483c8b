import numpy as np
from gradscribe import runtime as rt


def grad_binomial_tree(s0, strike, up, p, steps):
    difference = 2.0 * np.arange(steps + 1) - steps
    power2 = up ** difference
    prices = s0 * power2
    difference2 = prices - strike
    values = np.maximum(difference2, 0.0)  # at expiry
    length_tape = np.empty(max(steps, 0), dtype=np.int64)
    values_tape = []
    length = steps + 1
    for i in range(steps):
        length_tape[i] = length
        values_tape.append(values)
        length2 = rt.slice_length(length, 1, given='100')
        product = p * values[1:]
        length = rt.slice_length(length, -1, given='010')
        product2 = (1.0 - p) * values[:-1]
        ok = length != 1
        ok2 = length2 != 1
        ok = ok and ok2
        ok2 = length == length2
        ok = ok or ok2
        rt.require(ok, kind='RefusedValue',
            message='a size that only the run time knows is 1 here, where NumPy '
            'would broadcast; reshape the array so that its length along '
            'this axis is known to be 1')
        values = product + product2
        length = length2

    # adjoint of line 6: return values[0]
    values_bar = np.zeros(length)
    values_bar[0] = 1.0
    # adjoint of line 4: for _ in range(steps):
    p_bar = 0.0
    for i in range(steps - 1, -1, -1):
        length = int(length_tape[i])
        values = values_tape.pop()
        # adjoint of line 5: values = p * values[1:] + (1.0 - p) * values[:-1]
        difference3_bar = float(np.sum(values[:-1] * values_bar))
        values_bar2 = np.zeros(length)
        values_bar2[:-1] = (1.0 - p) * values_bar
        p_bar = p_bar - difference3_bar + float(np.sum(values[1:] * values_bar))
        values_bar2[1:] += p * values_bar
        values_bar = values_bar2
    # adjoint of line 3: values = np.maximum(prices - strike, 0.0)
    difference2_bar = np.where(difference2 == 0.0, 0.5 * values_bar, values_bar)
    mask = difference2 >= 0.0
    strike_bar = float(np.sum(np.where(mask, -difference2_bar, 0)))
    # adjoint of line 2: prices = s0 * up ** (2.0 * np.arange(steps + 1) - steps)
    s0_bar = float(np.sum(np.where(mask, power2 * difference2_bar, 0)))
    chosen = np.where(mask, up, 1.0)
    chosen2 = np.where(mask, difference, 1.0)
    product3 = chosen2 * chosen ** (chosen2 - ((chosen2 != 0) | (chosen != 0)))
    up_bar = float(np.sum(np.where(mask, product3 * (s0 * difference2_bar), 0)))
    return s0_bar, strike_bar, up_bar, p_bar
