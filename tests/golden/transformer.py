import numpy as np


def block(x, size, heads, t, p):
    d = x - np.mean(x, axis=1, keepdims=True)
    sqrt_total = np.sqrt(np.mean(d * d, axis=1, keepdims=True) + 1e-05)
    ratio = p["before"]["gain"] * d / sqrt_total
    total = ratio + p["before"]["shift"]
    product = total @ p["Q"]
    count = len(p["before"]["gain"]) // heads
    product2 = total @ p["K"]
    product3 = total @ p["V"]
    q = np.transpose(product.reshape(size, heads, count), (1, 0, 2))
    k = np.transpose(product2.reshape(size, heads, count), (1, 2, 0))
    sqrt_count = np.sqrt(count)
    s = q @ k / sqrt_count
    s = np.where(t, s, -1000000000.0)
    s_max = np.max(s, axis=2, keepdims=True)
    e = np.exp(s - s_max)
    e_sum = np.sum(e, axis=2, keepdims=True)
    a = e / e_sum
    v = np.transpose(product3.reshape(size, heads, count), (1, 0, 2))
    product4 = a @ v
    x = x + np.transpose(product4, (1, 0, 2)).reshape(size, len(p["before"]["gain"])) @ p["O"]
    d2 = x - np.mean(x, axis=1, keepdims=True)
    sqrt_total2 = np.sqrt(np.mean(d2 * d2, axis=1, keepdims=True) + 1e-05)
    ratio2 = p["between"]["gain"] * d2 / sqrt_total2
    total2 = ratio2 + p["between"]["shift"]
    h = np.tanh(total2 @ p["W1"] + p["c1"])
    x = x + h @ p["W2"] + p["c2"]
    return x, (d, sqrt_total, ratio, total, product, product2, product3, sqrt_count, s, s_max, e,
        e_sum, a, product4, d2, sqrt_total2, ratio2, total2, h)


def block_adjoint(size, x_bar, t, p, residuals):
    (d, value, value2, value3, value4, value5, value6, value7, s, value8, e, value9, a, value10, d2,
        value11, value12, value13, h) = residuals
    heads = len(value8)
    value_size = value10.shape[2]
    embedding_len1 = x_bar.shape[1]

    # adjoint of line 27: return x + h @ p["W2"] + p["c2"]
    c2_bar = np.sum(x_bar, axis=0)
    h_bar = x_bar @ p["W2"].T
    W2_bar = h.T @ x_bar
    # adjoint of line 26: h = np.tanh(normalised(x, p["between"]) @ p["W1"] + p["c1"])
    total_bar = (1 - h * h) * h_bar
    c1_bar = np.sum(total_bar, axis=0)
    total2_bar = total_bar @ p["W1"].T
    W1_bar = value13.T @ total_bar
    # adjoint of line 9: return p["gain"] * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + ...
    between_shift_bar = np.sum(total2_bar, axis=0)
    product_bar = total2_bar / value11
    total3_bar = 0.5 / value11 * np.sum(-(value12 * product_bar), axis=1, keepdims=True)
    between_gain_bar = np.sum(d2 * product_bar, axis=0)
    d_bar = 2 * (d2 * (total3_bar / embedding_len1)) + p["between"]["gain"] * product_bar
    # adjoint of line 8: d = x - np.mean(x, axis=-1, keepdims=True)
    x_bar = x_bar + d_bar + np.sum(-d_bar, axis=1, keepdims=True) / embedding_len1
    # adjoint of line 21: return (a @ v).transpose(1, 0, 2).reshape(n, d) @ p["O"]
    O_bar = np.transpose(value10, (1, 0, 2)).reshape(size, len(p["before"]["gain"])).T @ x_bar
    reshaped_T = np.transpose((x_bar @ p["O"].T).reshape(size, heads, value_size), (1, 0, 2))
    a_bar = reshaped_T @ np.transpose(value6.reshape(size, heads, value_size), (1, 2, 0))
    v_bar = np.transpose(a, (0, 2, 1)) @ reshaped_T
    v_bar_T_reshaped = np.transpose(v_bar, (1, 0, 2)).reshape(size, p["V"].shape[1])
    # adjoint of line 20: a = e / np.sum(e, axis=-1, keepdims=True)
    e_bar = a_bar / value9
    e_bar += np.sum(-(a * e_bar), axis=2, keepdims=True)
    # adjoint of line 19: e = np.exp(s - np.max(s, axis=-1, keepdims=True))
    difference_bar = e * e_bar
    mask = s == value8
    s_bar = np.sum(-difference_bar, axis=2, keepdims=True) / np.sum(mask, axis=2, keepdims=True)
    s_bar = difference_bar + np.where(mask, s_bar, 0)
    # adjoint of line 18: s = np.where(np.arange(n)[:, None] >= np.arange(n), s, -1e9)
    s_bar = np.where(t, s_bar, 0)
    # adjoint of line 17: s = q @ k / np.sqrt(d // heads)
    product2_bar = s_bar / value7
    q_bar = product2_bar @ np.transpose(value5.reshape(size, heads, value_size), (1, 0, 2))
    k_bar = np.transpose(value4.reshape(size, heads, value_size), (1, 2, 0)) @ product2_bar
    k_bar_T_reshaped = np.transpose(k_bar, (2, 0, 1)).reshape(size, p["K"].shape[1])
    q_bar_T_reshaped = np.transpose(q_bar, (1, 0, 2)).reshape(size, p["Q"].shape[1])
    # adjoint of line 16: v = (x @ p["V"]).reshape(n, heads, d // heads).transpose(1, 0, 2)
    value_T = value3.T
    V_bar = value_T @ v_bar_T_reshaped
    # adjoint of line 15: k = (x @ p["K"]).reshape(n, heads, d // heads).transpose(1, 2, 0)
    K_bar = value_T @ k_bar_T_reshaped
    # adjoint of line 14: q = (x @ p["Q"]).reshape(n, heads, d // heads).transpose(1, 0, 2)
    Q_bar = value_T @ q_bar_T_reshaped
    total4_bar = (v_bar_T_reshaped @ p["V"].T + k_bar_T_reshaped @ p["K"].T + q_bar_T_reshaped
        @ p["Q"].T)
    # adjoint of line 9: return p["gain"] * d / np.sqrt(np.mean(d * d, axis=-1, keepdims=True) + ...
    before_shift_bar = np.sum(total4_bar, axis=0)
    product3_bar = total4_bar / value
    total3_bar = 0.5 / value * np.sum(-(value2 * product3_bar), axis=1, keepdims=True)
    before_gain_bar = np.sum(d * product3_bar, axis=0)
    d_bar = 2 * (d * (total3_bar / embedding_len1)) + p["before"]["gain"] * product3_bar
    # adjoint of line 8: d = x - np.mean(x, axis=-1, keepdims=True)
    x_bar = x_bar + d_bar + np.sum(-d_bar, axis=1, keepdims=True) / embedding_len1
    return x_bar, {"before": {"gain": before_gain_bar, "shift": before_shift_bar},
        "between": {"gain": between_gain_bar, "shift": between_shift_bar}, "Q": Q_bar, "K": K_bar,
        "V": V_bar, "O": O_bar, "W1": W1_bar, "c1": c1_bar, "W2": W2_bar, "c2": c2_bar}


def value_and_grad_transformer(params, tokens, heads):
    embedding = params["embedding"]
    tokens_part = tokens[:-1]
    x = embedding[tokens_part]
    indices = np.arange(len(tokens) - 1)
    mask = indices[:, None] >= indices
    x, residuals = block(x, len(tokens) - 1, heads, mask, params["blocks"][0])
    x, residuals2 = block(x, len(tokens) - 1, heads, mask, params["blocks"][1])
    z = x @ embedding.T
    z_max = np.max(z, axis=1, keepdims=True)
    z2 = z - z_max
    exp_z = np.exp(z2)
    exp_z_sum = np.sum(exp_z, axis=1, keepdims=True)
    log_p = z2 - np.log(exp_z_sum)
    tokens_part2 = tokens[1:]
    value = -np.mean(log_p[indices, tokens_part2])

    # adjoint of line 38: return -np.mean(log_p[np.arange(len(z)), tokens[1:]])
    log_p_part_bar = np.broadcast_to(np.float64(-1.0) / (len(tokens) - 1), len(tokens) - 1)
    log_p_bar = np.zeros((len(tokens) - 1, len(embedding)))
    np.add.at(log_p_bar, (indices, tokens_part2), log_p_part_bar)
    # adjoint of line 37: log_p = z - np.log(np.sum(np.exp(z), axis=-1, keepdims=True))
    z_bar = log_p_bar + exp_z * (np.sum(-log_p_bar, axis=1, keepdims=True) / exp_z_sum)
    # adjoint of line 36: z = z - np.max(z, axis=-1, keepdims=True)
    mask2 = z == z_max
    z_bar2 = np.sum(-z_bar, axis=1, keepdims=True) / np.sum(mask2, axis=1, keepdims=True)
    z_bar += np.where(mask2, z_bar2, 0)
    # adjoint of line 35: z = x @ params["embedding"].T
    x_bar = z_bar @ embedding
    embedding_bar = (x.T @ z_bar).T
    # adjoint of line 27: return x + h @ p["W2"] + p["c2"]
    x_bar, p_bar = block_adjoint(len(tokens) - 1, x_bar, mask, params["blocks"][1], residuals2)
    x_bar, p_bar2 = block_adjoint(len(tokens) - 1, x_bar, mask, params["blocks"][0], residuals)
    # adjoint of line 32: x = params["embedding"][tokens[:-1]]
    np.add.at(embedding_bar, tokens_part, x_bar)
    return value, {"embedding": embedding_bar, "blocks": [p_bar2, p_bar]}
