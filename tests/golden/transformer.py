import numpy as np


def block(x, size, heads, t, p):
    d = x - np.mean(x, axis=1, keepdims=True)
    t2 = np.sqrt(np.mean(d * d, axis=1, keepdims=True) + 1e-05)
    t3 = p["before"]["gain"] * d / t2
    t4 = t3 + p["before"]["shift"]
    t5 = t4 @ p["Q"]
    t6 = len(p["before"]["gain"]) // heads
    t7 = t4 @ p["K"]
    t8 = t4 @ p["V"]
    q = np.transpose(t5.reshape(size, heads, t6), (1, 0, 2))
    k = np.transpose(t7.reshape(size, heads, t6), (1, 2, 0))
    t9 = np.sqrt(t6)
    s = q @ k / t9
    s = np.where(t, s, -1000000000.0)
    t = np.max(s, axis=2, keepdims=True)
    e = np.exp(s - t)
    t10 = np.sum(e, axis=2, keepdims=True)
    a = e / t10
    v = np.transpose(t8.reshape(size, heads, t6), (1, 0, 2))
    t6 = a @ v
    x = x + np.transpose(t6, (1, 0, 2)).reshape(size, len(p["before"]["gain"])) @ p["O"]
    d2 = x - np.mean(x, axis=1, keepdims=True)
    t11 = np.sqrt(np.mean(d2 * d2, axis=1, keepdims=True) + 1e-05)
    t12 = p["between"]["gain"] * d2 / t11
    t13 = t12 + p["between"]["shift"]
    h = np.tanh(t13 @ p["W1"] + p["c1"])
    x = x + h @ p["W2"] + p["c2"]
    return x, (d, t2, t3, t4, t5, t7, t8, t9, s, t, e, t10, a, t6, d2, t11, t12, t13, h)


def block_adjoint(size, x_bar, t, p, residuals):
    d, t2, t3, t4, t5, t6, t7, t8, s, t9, e, t10, a, t11, d2, t12, t13, t14, h = residuals
    heads = len(t9)
    t15 = t11.shape[2]
    embedding_len1 = x_bar.shape[1]

    # adjoint of line 27: return x + h @ p["W2"] + p["c2"]
    c2_bar = np.sum(x_bar, axis=0)
    h_bar = x_bar @ p["W2"].T
    W2_bar = h.T @ x_bar
    # adjoint of line 26: h = np.tanh(normalised(x, p["between"]) @ p["W1"] + p["c1"])
    t_bar = (1 - h * h) * h_bar
    c1_bar = np.sum(t_bar, axis=0)
    t_bar2 = t_bar @ p["W1"].T
    W1_bar = t14.T @ t_bar
    # adjoint of line 9: return p["gain"] * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + ...
    between_shift_bar = np.sum(t_bar2, axis=0)
    t_bar = t_bar2 / t12
    d_bar = 2 * (d2 * (0.5 / t12 * np.sum(-(t13 * t_bar), axis=1, keepdims=True) / embedding_len1))
    between_gain_bar = np.sum(d2 * t_bar, axis=0)
    d_bar = d_bar + p["between"]["gain"] * t_bar
    # adjoint of line 8: d = x - np.mean(x, axis=-1, keepdims=True)
    x_bar = x_bar + d_bar + np.sum(-d_bar, axis=1, keepdims=True) / embedding_len1
    # adjoint of line 21: return (a @ v).transpose(1, 0, 2).reshape(n, d) @ p["O"]
    O_bar = np.transpose(t11, (1, 0, 2)).reshape(size, len(p["before"]["gain"])).T @ x_bar
    t11 = np.transpose((x_bar @ p["O"].T).reshape(size, heads, t15), (1, 0, 2))
    a_bar = t11 @ np.transpose(t7.reshape(size, heads, t15), (1, 2, 0))
    v_bar = np.transpose(a, (0, 2, 1)) @ t11
    t7 = np.transpose(v_bar, (1, 0, 2)).reshape(size, p["V"].shape[1])
    # adjoint of line 20: a = e / np.sum(e, axis=-1, keepdims=True)
    e_bar = a_bar / t10
    e_bar = e_bar + np.sum(-(a * e_bar), axis=2, keepdims=True)
    # adjoint of line 19: e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    t_bar = e * e_bar
    t9 = s == t9
    s_bar = np.sum(-t_bar, axis=2, keepdims=True) / np.sum(t9, axis=2, keepdims=True)
    s_bar = t_bar + np.where(t9, s_bar, 0)
    # adjoint of line 18: s = np.where(np.arange(n)[:, None] >= np.arange(n), s, -1e9)
    s_bar = np.where(t, s_bar, 0)
    # adjoint of line 17: s = q @ k / np.sqrt(d // heads)
    t_bar = s_bar / t8
    q_bar = t_bar @ np.transpose(t6.reshape(size, heads, t15), (1, 0, 2))
    k_bar = np.transpose(t5.reshape(size, heads, t15), (1, 2, 0)) @ t_bar
    t = np.transpose(k_bar, (2, 0, 1)).reshape(size, p["K"].shape[1])
    t5 = np.transpose(q_bar, (1, 0, 2)).reshape(size, p["Q"].shape[1])
    # adjoint of line 16: v = (x @ p["V"]).reshape(n, heads, d // heads).transpose(1, 0, 2)
    t4 = t4.T
    V_bar = t4 @ t7
    # adjoint of line 15: k = (x @ p["K"]).reshape(n, heads, d // heads).transpose(1, 2, 0)
    K_bar = t4 @ t
    # adjoint of line 14: q = (x @ p["Q"]).reshape(n, heads, d // heads).transpose(1, 0, 2)
    Q_bar = t4 @ t5
    t_bar = t7 @ p["V"].T + t @ p["K"].T + t5 @ p["Q"].T
    # adjoint of line 9: return p["gain"] * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + ...
    before_shift_bar = np.sum(t_bar, axis=0)
    t_bar = t_bar / t2
    d_bar = 2 * (d * (0.5 / t2 * np.sum(-(t3 * t_bar), axis=1, keepdims=True) / embedding_len1))
    before_gain_bar = np.sum(d * t_bar, axis=0)
    d_bar = d_bar + p["before"]["gain"] * t_bar
    # adjoint of line 8: d = x - np.mean(x, axis=-1, keepdims=True)
    x_bar = x_bar + d_bar + np.sum(-d_bar, axis=1, keepdims=True) / embedding_len1
    return x_bar, {"before": {"gain": before_gain_bar, "shift": before_shift_bar},
        "between": {"gain": between_gain_bar, "shift": between_shift_bar}, "Q": Q_bar, "K": K_bar,
        "V": V_bar, "O": O_bar, "W1": W1_bar, "c1": c1_bar, "W2": W2_bar, "c2": c2_bar}


def value_and_grad_transformer(params, tokens, heads):
    embedding = params["embedding"]
    t = tokens[:-1]
    x = embedding[t]
    t2 = np.arange(len(tokens) - 1)
    t3 = t2[:, None] >= t2
    x, residuals = block(x, len(tokens) - 1, heads, t3, params["blocks"][0])
    x, residuals2 = block(x, len(tokens) - 1, heads, t3, params["blocks"][1])
    z = x @ embedding.T
    t4 = np.max(z, axis=1, keepdims=True)
    z2 = z - t4
    t5 = np.exp(z2)
    t6 = np.sum(t5, axis=1, keepdims=True)
    log_p = z2 - np.log(t6)
    t7 = tokens[1:]
    value = -np.mean(log_p[t2, t7])

    # adjoint of line 38: return -np.mean(log_p[np.arange(len(z)), tokens[1:]])
    log_p_bar = np.zeros((len(tokens) - 1, len(embedding)))
    np.add.at(log_p_bar, (t2, t7),
        np.broadcast_to(np.float64(-1.0) / (len(tokens) - 1), len(tokens) - 1))
    # adjoint of line 37: log_p = z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))
    z_bar = log_p_bar + t5 * (np.sum(-log_p_bar, axis=1, keepdims=True) / t6)
    # adjoint of line 36: z = z - np.max(z, axis=-1, keepdims=True)
    t2 = z == t4
    z_bar2 = np.sum(-z_bar, axis=1, keepdims=True) / np.sum(t2, axis=1, keepdims=True)
    z_bar = z_bar + np.where(t2, z_bar2, 0)
    # adjoint of line 35: z = x @ params["embedding"].T
    x_bar = z_bar @ embedding
    embedding_bar = (x.T @ z_bar).T
    # adjoint of line 27: return x + h @ p["W2"] + p["c2"]
    x_bar, p_bar = block_adjoint(len(tokens) - 1, x_bar, t3, params["blocks"][1], residuals2)
    x_bar, p_bar2 = block_adjoint(len(tokens) - 1, x_bar, t3, params["blocks"][0], residuals)
    # adjoint of line 32: x = params["embedding"][tokens[:-1]]
    np.add.at(embedding_bar, t, x_bar)
    return value, {"embedding": embedding_bar, "blocks": [p_bar2, p_bar]}
