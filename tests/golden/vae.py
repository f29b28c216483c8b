import numpy as np
import gradscribe as gs


def value_and_grad_vae(p, key, X):
    hidden_W, hidden_b = p["hidden"]["W"], p["hidden"]["b"]
    mean_W, mean_b = p["mean"]["W"], p["mean"]["b"]
    log_var_W, log_var_b = p["log_var"]["W"], p["log_var"]["b"]
    back_W, back_b = p["back"]["W"], p["back"]["b"]
    pixels_W, pixels_b = p["pixels"]["W"], p["pixels"]["b"]
    h = np.tanh(X @ hidden_W + hidden_b)
    mean = h @ mean_W + mean_b
    log_var = h @ log_var_W + log_var_b
    exp_product = np.exp(0.5 * log_var)
    key_normal = gs.random.normal(key, (mean_W.shape[1],), dtype=np.float64)
    z = mean + exp_product * key_normal
    tanh_total = np.tanh(z @ back_W + back_b)
    logits = tanh_total @ pixels_W + pixels_b
    mask = logits >= 0
    decayed = np.exp(np.where(mask, -logits, logits))
    reconstruction = np.sum(np.where(mask, logits, 0) + np.log1p(decayed) - X * logits)
    exp_log_var = np.exp(log_var)
    divergence = 0.5 * np.sum(exp_log_var + mean * mean - 1.0 - log_var)
    value = reconstruction + divergence

    # adjoint of line 70: divergence = 0.5 * np.sum(np.exp(log_var) + mean * mean - 1.0 - log_var)
    log_var_bar = -0.5 + exp_log_var * 0.5
    # adjoint of line 69: reconstruction = np.sum(gs.nn.softplus(logits) - X * logits)
    logits_bar = -X
    decayed_bar = 1.0 / (1 + decayed)
    chosen_bar = decayed * decayed_bar
    logits_bar = logits_bar + np.where(mask, np.float64(1.0), 0) + np.where(mask, 0, chosen_bar)
    logits_bar -= np.where(mask, chosen_bar, 0)
    # adjoint of line 52: return x @ p["W"] + p["b"]
    pixels_W_bar = np.outer(tanh_total, logits_bar)
    # adjoint of line 61: return dense(p["pixels"], np.tanh(dense(p["back"], z)))
    back_b_bar = (1 - tanh_total * tanh_total) * (pixels_W @ logits_bar)
    # adjoint of line 52: return x @ p["W"] + p["b"]
    z_bar = back_W @ back_b_bar
    back_W_bar = np.outer(z, back_b_bar)
    # adjoint of line 67: z = mean + np.exp(0.5 * log_var) * gs.random.normal(key, mean.shape, d ...
    mean_bar = mean + z_bar
    log_var_bar += 0.5 * (exp_product * (key_normal * z_bar))
    # adjoint of line 52: return x @ p["W"] + p["b"]
    log_var_W_bar = np.outer(h, log_var_bar)
    mean_W_bar = np.outer(h, mean_bar)
    h_bar = log_var_W @ log_var_bar + mean_W @ mean_bar
    # adjoint of line 56: h = np.tanh(dense(p["hidden"], x))
    hidden_b_bar = (1 - h * h) * h_bar
    # adjoint of line 52: return x @ p["W"] + p["b"]
    hidden_W_bar = np.outer(X, hidden_b_bar)
    return value, {"hidden": {"W": hidden_W_bar, "b": hidden_b_bar},
        "mean": {"W": mean_W_bar, "b": mean_bar}, "log_var": {"W": log_var_W_bar, "b": log_var_bar},
        "back": {"W": back_W_bar, "b": back_b_bar}, "pixels": {"W": pixels_W_bar, "b": logits_bar}}
