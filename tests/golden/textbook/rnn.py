import numpy as np


def grad_rnn(Wx, Wh, b, xs, h):
    xs_len = len(xs)
    states = np.zeros((xs_len, len(Wx)))
    h_tape = np.empty((xs_len, Wh.shape[1]))
    length = len(h)
    for i in range(xs_len):  # one step in time
        x = xs[i]
        h_tape[i] = h
        h = np.tanh(Wx @ x + Wh @ h + b)
        states[i] = h
        length = len(Wx)
    # the energy of all hidden states

    # adjoint of line 7: return sum(np.sum(s**2) for s in states)
    states_bar = np.zeros_like(states)
    for i in range(xs_len - 1, -1, -1):
        s = states[i]
        s_bar = 2 * s
        states_bar[i] += s_bar
    # adjoint of line 3: for x in xs:
    h_bar = np.zeros(length)
    Wh_bar = np.zeros_like(Wh)
    Wx_bar = np.zeros_like(Wx)
    b_bar = np.zeros_like(b)
    xs_bar = np.zeros_like(xs)
    # adjoint of line 4: h = np.tanh(Wx @ x + Wh @ h + b)
    Wh_T = Wh.T
    Wx_T = Wx.T
    # adjoint of line 3: for x in xs:
    for i in range(xs_len - 1, -1, -1):
        x = xs[i]
        h = h_tape[i]
        h2 = states[i]
        # adjoint of line 5: states.append(h)
        h_bar = h_bar + states_bar[i]
        # adjoint of line 4: h = np.tanh(Wx @ x + Wh @ h + b)
        b_bar2 = (1 - h2 * h2) * h_bar
        b_bar += b_bar2
        h_bar = Wh_T @ b_bar2
        Wh_bar += np.outer(b_bar2, h)
        x_bar = Wx_T @ b_bar2
        Wx_bar += np.outer(b_bar2, x)
        xs_bar[i] += x_bar
    return Wx_bar, Wh_bar, b_bar, xs_bar, h_bar
