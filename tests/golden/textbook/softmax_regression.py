import numpy as np


def grad_softmax_regression(W, b, X, y):
    y_len = len(y)
    scores = X @ W + b
    scores_max = np.max(scores, axis=1, keepdims=True)
    scores2 = scores - scores_max  # so that nothing overflows
    exp_scores = np.exp(scores2)

    # the mean log-likelihood of the classes that were seen
    # adjoint of line 6: return -np.mean(log_p[np.arange(len(y)), y])
    log_p_bar = np.zeros((len(X), W.shape[1]))
    np.add.at(log_p_bar, (np.arange(y_len), y), np.broadcast_to(np.float64(-1.0) / y_len, y_len))
    # adjoint of line 4: log_p = scores - np.log(np.sum(np.exp(scores), axis=1, keepdims=True))
    log_exp_scores_sum_bar = np.sum(-log_p_bar, axis=1, keepdims=True)
    scores_bar = exp_scores * (log_exp_scores_sum_bar / np.sum(exp_scores, axis=1, keepdims=True))
    scores_bar = log_p_bar + scores_bar
    # adjoint of line 3: scores = scores - np.max(scores, axis=1, keepdims=True)
    mask = scores == scores_max
    scores_bar2 = np.sum(-scores_bar, axis=1, keepdims=True) / np.sum(mask, axis=1, keepdims=True)
    scores_bar += np.where(mask, scores_bar2, 0)
    # adjoint of line 2: scores = X @ W + b
    b_bar = np.sum(scores_bar, axis=0)
    X_bar = scores_bar @ W.T
    W_bar = X.T @ scores_bar
    return W_bar, b_bar, X_bar
