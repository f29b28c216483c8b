import numpy as np


def grad_attention(Q, K, V):
    sqrt_Q_len1 = np.sqrt(Q.shape[1])
    scores = Q @ K.T / sqrt_Q_len1
    scores_max = np.max(scores, axis=1, keepdims=True)
    weights = np.exp(scores - scores_max)
    weights_sum = np.sum(weights, axis=1, keepdims=True)
    weights2 = weights / weights_sum  # each row sums to one

    # adjoint of line 5: return np.sum((weights @ V) ** 2)
    product_bar = 2 * (weights2 @ V)
    weights_bar = product_bar @ V.T
    V_bar = weights2.T @ product_bar
    # adjoint of line 4: weights = weights / np.sum(weights, axis=1, keepdims=True)
    weights_bar /= weights_sum
    weights_bar += np.sum(-(weights2 * weights_bar), axis=1, keepdims=True)
    # adjoint of line 3: weights = np.exp(scores - np.max(scores, axis=1, keepdims=True))
    difference_bar = weights * weights_bar
    scores_max_bar = np.sum(-difference_bar, axis=1, keepdims=True)
    mask = scores == scores_max
    scores_bar = np.where(mask, scores_max_bar / np.sum(mask, axis=1, keepdims=True), 0)
    scores_bar = difference_bar + scores_bar
    # adjoint of line 2: scores = Q @ K.T / np.sqrt(Q.shape[1])
    product2_bar = scores_bar / sqrt_Q_len1
    Q_bar = product2_bar @ K
    return Q_bar, (Q.T @ product2_bar).T, V_bar
