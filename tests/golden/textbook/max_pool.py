import numpy as np


def grad_max_pool(image):
    count = len(image) // 2
    count2 = image.shape[1] // 2
    out = np.zeros((count, count2))
    for i in range(count):
        for j in range(count2):
            out[i, j] = np.max(image[2 * i:2 * i + 2, 2 * j:2 * j + 2])  # of a 2 by 2 window

    # adjoint of line 7: return np.sum(out**2)
    out_bar = 2 * out
    # adjoint of line 4: for i in range(n // 2):
    image_bar = np.zeros_like(image)
    for i in range(count - 1, -1, -1):
        # adjoint of line 5: for j in range(m // 2):
        for j in range(count2 - 1, -1, -1):
            image_part = image[2 * i:2 * i + 2, 2 * j:2 * j + 2]
            # adjoint of line 6: out[i, j] = np.max(image[2 * i:2 * i + 2, 2 * j:2 * j + 2])
            mask = image_part == np.max(image_part)
            image_part2_bar = np.where(mask, out_bar[i, j] / np.sum(mask, keepdims=True), 0)
            image_bar[2 * i:2 * i + 2, 2 * j:2 * j + 2] += image_part2_bar
    return (image_bar,)
