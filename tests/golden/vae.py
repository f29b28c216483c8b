import numpy as np
from gradscribe import runtime as rt


def value_and_grad_vae(p, key, X):
    hidden_W, hidden_b = p["hidden"]["W"], p["hidden"]["b"]
    mean_W, mean_b = p["mean"]["W"], p["mean"]["b"]
    log_var_W, log_var_b = p["log_var"]["W"], p["log_var"]["b"]
    back_W, back_b = p["back"]["W"], p["back"]["b"]
    pixels_W, pixels_b = p["pixels"]["W"], p["pixels"]["b"]
    h = np.tanh(X @ hidden_W + hidden_b)
    t = h @ mean_W + mean_b
    log_var = h @ log_var_W + log_var_b
    t2 = np.exp(0.5 * log_var)
    rt.require(not len(key) != 2, kind='ValueError', message='a key has two words')
    count = np.arange(mean_W.shape[1], dtype=np.uint32)
    result = rt.threefry(key[0], key[1], np.uint32(0), count)
    result = (result >> 12).astype(np.float64) * 2.220446049250313e-16
    u = result * 2.0 + -0.9999999999999999
    t3 = 1.4142135623730951 * rt.erfinv(u)
    z = t + t2 * t3
    t4 = np.tanh(z @ back_W + back_b)
    logits = t4 @ pixels_W + pixels_b
    t5 = logits >= 0
    t6 = np.exp(np.where(t5, -logits, logits))
    reconstruction = np.sum(np.where(t5, logits, 0) + np.log1p(t6) - X * logits)
    t7 = np.exp(log_var)
    divergence = 0.5 * np.sum(t7 + t * t - 1.0 - log_var)
    value = reconstruction + divergence

    # adjoint of line 68: divergence = 0.5 * np.sum(np.exp(log_var) + mean * mean - 1.0 - log_var)
    log_var_bar = -0.5 + t7 * 0.5
    # adjoint of line 67: reconstruction = np.sum(gs.nn.softplus(logits) - X * logits)
    logits_bar = X * np.broadcast_to(-1.0, pixels_W.shape[1])
    t_bar = t6 * (1.0 / (1 + t6))
    logits_bar = logits_bar + np.where(t5, np.float64(1.0), 0) + np.where(t5, 0, t_bar)
    logits_bar = logits_bar - np.where(t5, t_bar, 0)
    # adjoint of line 50: return x @ p["W"] + p["b"]
    pixels_W_bar = np.outer(t4, logits_bar)
    # adjoint of line 59: return dense(p["pixels"], np.tanh(dense(p["back"], z)))
    back_b_bar = (1 - t4 * t4) * (pixels_W @ logits_bar)
    # adjoint of line 50: return x @ p["W"] + p["b"]
    z_bar = back_W @ back_b_bar
    back_W_bar = np.outer(z, back_b_bar)
    # adjoint of line 65: z = mean + np.exp(0.5 * log_var) * gs.random.normal(key, mean.shape, d ...
    mean_b_bar = 2 * (t * np.broadcast_to(0.5, log_var_W.shape[1])) + z_bar
    log_var_bar = log_var_bar + 0.5 * (t2 * (t3 * z_bar))
    # adjoint of line 50: return x @ p["W"] + p["b"]
    log_var_W_bar = np.outer(h, log_var_bar)
    mean_W_bar = np.outer(h, mean_b_bar)
    h_bar = log_var_W @ log_var_bar + mean_W @ mean_b_bar
    # adjoint of line 54: h = np.tanh(dense(p["hidden"], x))
    hidden_b_bar = (1 - h * h) * h_bar
    # adjoint of line 50: return x @ p["W"] + p["b"]
    hidden_W_bar = np.outer(X, hidden_b_bar)
    return value, {"hidden": {"W": hidden_W_bar, "b": hidden_b_bar},
        "mean": {"W": mean_W_bar, "b": mean_b_bar},
        "log_var": {"W": log_var_W_bar, "b": log_var_bar},
        "back": {"W": back_W_bar, "b": back_b_bar}, "pixels": {"W": pixels_W_bar, "b": logits_bar}}
