import numpy as np


def grad_clipped_loss(ratio, advantage, eps):
    # PPO's objective
    product = ratio * advantage
    difference = 1.0 - eps
    total = 1.0 + eps
    clipped = np.clip(ratio, difference, total)
    product2 = clipped * advantage

    # adjoint of line 3: return np.mean(np.minimum(ratio * advantage, np.clip(ratio, 1.0 - eps ...
    smaller_bar = np.float64(1.0) / len(ratio)
    product_bar = np.where(product == product2, 0.5 * smaller_bar, smaller_bar)
    product_bar2 = np.where(product <= product2, product_bar, 0)
    product2_bar = np.where(product >= product2, product_bar, 0)
    clipped_bar = advantage * product2_bar
    holds = difference < total
    mask = ratio == difference
    mask2 = ratio == total
    ratio_bar = 0.5 * clipped_bar
    ratio_bar2 = np.where(mask | mask2, ratio_bar, clipped_bar)
    ratio_bar2 = np.where(holds & (difference <= ratio) & (ratio <= total), ratio_bar2, 0)
    difference_bar = np.where(mask, ratio_bar, clipped_bar)
    difference_bar = float(np.sum(np.where(holds & (ratio <= difference), difference_bar, 0)))
    total_bar = np.where(holds & mask2, ratio_bar, clipped_bar)
    total_bar = float(np.sum(np.where((difference >= total) | (ratio >= total), total_bar, 0)))
    eps_bar = total_bar - difference_bar
    ratio_bar = ratio_bar2 + advantage * product_bar2
    advantage_bar = clipped * product2_bar + ratio * product_bar2
    return ratio_bar, advantage_bar, eps_bar
