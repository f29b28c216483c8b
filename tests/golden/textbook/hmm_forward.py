import numpy as np


def grad_hmm_forward(start, A, B, observed):
    A_len1 = A.shape[1]
    observed_0 = observed[0]
    B_column = B[:, observed_0]
    belief = start * B_column
    A_T = A.T
    observed_part = observed[1:]
    trips = max(len(observed) - 1, 0)
    scale_tape = np.empty(trips)
    ratio_tape = []
    product_tape = np.empty((trips, A_len1))
    length = len(start)
    for i in range(len(observed) - 1):
        o = observed_part[i]
        scale = np.sum(belief)
        scale_tape[i] = scale
        ratio = belief / scale
        ratio_tape.append(ratio)
        product = A_T @ ratio
        product_tape[i] = product
        belief = product * B[:, o]
        length = A_len1

    # adjoint of line 8: return log_likelihood + np.log(np.sum(belief))
    belief_bar = np.broadcast_to(1.0 / np.sum(belief), length)
    # adjoint of line 4: for o in observed[1:]:
    B_bar = np.zeros_like(B)
    A_T_bar = np.zeros((A_len1, len(A)))
    for i in range(len(observed) - 2, -1, -1):
        o = observed_part[i]
        scale = scale_tape[i]
        ratio = ratio_tape.pop()
        # adjoint of line 7: belief = (A.T @ (belief / scale)) * B[:, o]
        product_bar = B[:, o] * belief_bar
        B_bar[:, o] += product_tape[i] * belief_bar
        A_T_bar = A_T_bar + np.outer(product_bar, ratio)
        belief_bar = A @ product_bar / scale
        scale_bar = np.sum(-(ratio * belief_bar))
        # adjoint of line 6: log_likelihood += np.log(scale)
        scale_bar += 1.0 / scale
        # adjoint of line 5: scale = np.sum(belief)
        belief_bar = belief_bar + scale_bar
    A_bar = A_T_bar.T
    # adjoint of line 2: belief = start * B[:, observed[0]]
    start_bar = B_column * belief_bar
    B_bar[:, observed_0] += start * belief_bar
    return start_bar, A_bar, B_bar
