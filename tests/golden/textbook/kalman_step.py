import numpy as np


def grad_kalman_step(x, P, z, F, H, Q, R):
    F_len = len(F)
    # predict
    x2 = F @ x
    product = F @ P
    F_T = F.T
    P2 = product @ F_T + Q
    # update
    y = z - H @ x2  # the innovation
    product2 = H @ P2
    H_T = H.T
    S = product2 @ H_T + R
    product3 = P2 @ H_T
    S_inverse = np.linalg.inv(S)
    K = product3 @ S_inverse
    x3 = x2 + K @ y
    indices = np.arange(F_len)

    # adjoint of line 11: return np.sum(x**2) + np.trace(P)
    P_bar = np.zeros_like(P2)
    np.add.at(P_bar, (indices, indices), np.broadcast_to(1.0, F_len))
    x_bar = 2 * x3
    # adjoint of line 10: P = (np.eye(len(x)) - K @ H) @ P
    P_T = P2.T
    P_bar2 = (np.eye(F_len) - K @ H).T @ P_bar
    product4_bar = -(P_bar @ P_T)
    K_bar = product4_bar @ H_T
    K_T = K.T
    H_bar = K_T @ product4_bar
    # adjoint of line 9: x = x + K @ y
    y_bar = K_T @ x_bar
    K_bar += np.outer(x_bar, y)
    # adjoint of line 8: K = P @ H.T @ np.linalg.inv(S)
    S_inverse_T = S_inverse.T
    product3_bar = K_bar @ S_inverse_T
    S_bar = -(S_inverse_T @ (product3.T @ K_bar) @ S_inverse_T)
    P_bar = P_bar2 + product3_bar @ H
    # adjoint of line 7: S = H @ P @ H.T + R
    product2_bar = S_bar @ H
    H_bar = H_bar + (P_T @ product3_bar + product2.T @ S_bar).T + product2_bar @ P2.T
    P_bar += H_T @ product2_bar
    # adjoint of line 6: y = z - H @ x
    product5_bar = -y_bar
    H_bar += np.outer(product5_bar, x2)
    x_bar += H_T @ product5_bar
    # adjoint of line 4: P = F @ P @ F.T + Q
    product_bar = P_bar @ F
    P_bar2 = F_T @ product_bar
    F_bar = (product.T @ P_bar).T + product_bar @ P.T
    # adjoint of line 3: x = F @ x
    x_bar2 = F_T @ x_bar
    F_bar += np.outer(x_bar, x)
    return x_bar2, P_bar2, y_bar, F_bar, H_bar, P_bar, S_bar
