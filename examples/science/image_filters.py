"""Edges of a denoised picture: bilateral filter, separable Gaussian, Sobel's gradient, a soft threshold.

Tomasi and Manduchi, "Bilateral filtering for gray and color images" (1998).
Reference: scipy.ndimage.gaussian_filter1d, correlate1d and generic_filter for the same steps.
"""
import numpy as np
from scipy import ndimage


def gaussian_kernel(sigma, radius):
    k = np.exp(-0.5 * (np.arange(-radius, radius + 1) / sigma) ** 2)
    return k / k.sum()


def blur(image, sigma, radius=2):
    kernel = gaussian_kernel(sigma, radius)
    padded = np.pad(image, radius, mode="edge")
    rows = np.apply_along_axis(np.convolve, 1, padded, kernel, mode="valid")
    return np.apply_along_axis(lambda c: np.convolve(c, kernel, mode="valid"), 0, rows)


def bilateral(image, sigma_space, sigma_value, radius=1):
    h, w = image.shape
    padded = np.pad(image, radius, mode="reflect")
    total, weights = np.zeros((h, w)), np.zeros((h, w))
    for dy in range(-radius, radius + 1):
        for dx in range(-radius, radius + 1):
            shifted = padded[radius + dy:radius + dy + h, radius + dx:radius + dx + w]
            weight = np.exp(-(dx**2 + dy**2) / (2 * sigma_space**2)
                            - (shifted - image) ** 2 / (2 * sigma_value**2))
            total += weight * shifted
            weights += weight
    return total / weights


def sobel(image):
    p = np.pad(image, 1, "symmetric")
    gx = (p[:-2, 2:] + 2 * p[1:-1, 2:] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[1:-1, :-2] + p[2:, :-2])
    gy = (p[2:, :-2] + 2 * p[2:, 1:-1] + p[2:, 2:]) - (p[:-2, :-2] + 2 * p[:-2, 1:-1] + p[:-2, 2:])
    return np.hypot(gx, gy), np.arctan2(gy, gx)


def image_filters(image, sigma_space, sigma_value, sigma_blur, threshold):
    smooth = blur(bilateral(image, sigma_space, sigma_value), sigma_blur)
    magnitude, angle = sobel(smooth)
    upright = np.abs(np.cos(angle)) > np.sqrt(0.5)
    edges = np.zeros_like(magnitude)
    strong = magnitude > threshold
    edges[strong] = (magnitude[strong] - threshold) ** 2
    edges[upright] *= 0.5
    return edges.mean()


ALSO = ("vmap",)


def arguments():
    y, x = np.mgrid[0:7, 0:8]
    image = (x > 3) * 1.0 + 0.3 * np.sin(1.3 * y) + 0.05 * np.cos(3.0 * x * y)
    return image, 1.0, 0.5, 0.8, 0.9


def reference():
    image, sigma_space, sigma_value, sigma_blur, threshold = arguments()
    space = np.exp(-(np.arange(-1, 2) ** 2) / (2 * sigma_space**2))

    def kernel(v):
        w = np.outer(space, space).ravel() * np.exp(-((v - v[4]) ** 2) / (2 * sigma_value**2))
        return np.sum(w * v) / np.sum(w)
    smooth = ndimage.generic_filter(image, kernel, size=3, mode="mirror")
    for axis in (0, 1):
        smooth = ndimage.gaussian_filter1d(smooth, sigma_blur, axis=axis, mode="nearest", radius=2)
    gx, gy = ndimage.sobel(smooth, axis=1, mode="reflect"), ndimage.sobel(smooth, axis=0, mode="reflect")
    edges = np.maximum(np.hypot(gx, gy) - threshold, 0.0) ** 2
    return {"value": np.mean(np.where(np.abs(gx) > np.abs(gy), 0.5, 1.0) * edges), "rtol": 1e-12}
