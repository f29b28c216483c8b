"""Sphere tracing of a small scene of signed distance functions, with a while loop per ray, normals, shading and a shadow ray.

Hart, "Sphere tracing" (1996). The gradient of the image with respect to the scene is what differentiable renderers compute.
Reference: the first root of the distance along each ray, between points of a fine grid, by scipy.optimize.brentq.
"""
import numpy as np
from scipy.optimize import brentq

LIGHT = np.array([0.5, 0.8, -0.4]) / np.linalg.norm([0.5, 0.8, -0.4])


def smooth_min(a, b, k=0.2):
    h = max(k - abs(a - b), 0.0) / k
    return min(a, b) - h * h * k / 4.0


def scene(p, centre, radius, box):
    ball = np.sqrt(np.sum((p - centre) ** 2)) - radius
    q = np.abs(p - np.array([-0.6, 0.1, 0.3])) - box
    cuboid = np.linalg.norm(np.maximum(q, 0.0)) if q.max() > 0.0 else q.max()
    ground = p[1] + 0.6
    return min(smooth_min(ball, cuboid), ground)


def trace(origin, direction, sdf, far=8.0, eps=1e-9):
    t = 0.0
    while t < far:
        d = sdf(origin + t * direction)
        if d < eps:
            return t, True
        t += d
    return far, False


def normal(p, sdf, h=1e-4):
    n = np.empty(3)
    for i in range(3):
        e = np.zeros(3)
        e[i] = h
        n[i] = sdf(p + e) - sdf(p - e)
    return n / np.linalg.norm(n)


def render(centre, radius, box, pixels, trace=trace):
    sdf = lambda p: scene(p, centre, radius, box)
    origin = np.array([0.0, 0.1, -2.5])
    image = np.zeros((pixels, pixels))
    for i, y in enumerate(np.linspace(0.5, -0.5, pixels)):
        for j, x in enumerate(np.linspace(-0.5, 0.5, pixels)):
            direction = np.array([x, y, 1.0])
            direction /= np.linalg.norm(direction)
            t, hit = trace(origin, direction, sdf)
            if not hit:
                image[i, j] = 0.2 + 0.3 * direction[1]
                continue
            p = origin + t * direction
            n = normal(p, sdf)
            lit = max(n @ LIGHT, 0.0)
            _, shadow = trace(p + 0.02 * n, LIGHT, sdf, far=3.0)
            image[i, j] = 0.1 + (0.25 if shadow else 0.9) * lit
    return image


def sphere_tracing(centre, radius, box, pixels=6):
    image = render(centre, radius, box, pixels)
    return np.mean(image ** (1 / 2.2))


ALSO = ()


def arguments():
    return np.array([0.3, 0.05, 0.2]), 0.45, np.array([0.2, 0.3, 0.25])


def reference():
    centre, radius, box = arguments()

    def sdf(p):
        return scene(p, centre, radius, box)

    def first_root(origin, direction, far=8.0):
        along = lambda t: sdf(origin + t * direction)  # noqa: E731
        grid = np.arange(0.0, far, 0.01)
        behind = next((k for k, t in enumerate(grid) if along(t) < 0.0), None)
        return (far, False) if behind is None else (brentq(along, grid[behind - 1], grid[behind], xtol=1e-12), True)
    image = render(centre, radius, box, 6, lambda origin, direction, sdf, far=8.0: first_root(origin, direction, far))
    return {"value": np.mean(image ** (1 / 2.2)), "rtol": 1e-7}
