"""Graphics and geometry: a ray tracer, curves and their length, a mesh that is smoothed, points brought together."""

import math
from collections import defaultdict, namedtuple
from dataclasses import dataclass
from functools import cached_property

import numpy as np

# --------------------------------------------------------------------------------------------------- a ray tracer


def normalize(v):
    return v / np.linalg.norm(v)


@dataclass
class Ray:
    origin: np.ndarray
    direction: np.ndarray

    def at(self, t):
        return self.origin + t * self.direction


class Surface:
    color = np.array([1.0, 1.0, 1.0])
    mirror = 0.0

    def hit(self, ray):
        raise NotImplementedError


class Sphere(Surface):
    def __init__(self, center, radius, color, mirror=0.3):
        self.center, self.radius, self.color, self.mirror = center, radius, color, mirror

    def hit(self, ray):
        oc = ray.origin - self.center
        b = np.dot(oc, ray.direction)
        c = np.dot(oc, oc) - self.radius**2
        disc = b * b - c
        if disc < 0:
            return None
        for t in (-b - math.sqrt(disc), -b + math.sqrt(disc)):
            if t > 1e-4:
                return t, normalize(ray.at(t) - self.center)
        return None


class Plane(Surface):
    def __init__(self, point, normal):
        self.point, self.normal = point, normalize(normal)

    def hit(self, ray):
        denominator = self.normal @ ray.direction
        if abs(denominator) < 1e-6:
            return None
        t = (self.point - ray.origin) @ self.normal / denominator
        return (t, self.normal) if t > 1e-4 else None


def closest(scene, ray):
    best, found = math.inf, None
    for thing in scene:
        result = thing.hit(ray)
        if result is not None and result[0] < best:
            best, found = result[0], (thing, result[1])
    return best, found


def trace(scene, ray, light, depth=2):
    t, found = closest(scene, ray)
    if found is None:
        return np.array([0.2, 0.3, 0.5]) * (0.5 + 0.5 * ray.direction[1])
    thing, normal = found
    point = ray.at(t)
    to_light = normalize(light - point)
    lit = 1.0 if closest(scene, Ray(point + 1e-3 * normal, to_light))[1] is None else 0.2
    color = thing.color * (0.1 + lit * max(0.0, float(normal @ to_light)))
    if depth > 0 and thing.mirror > 0:
        bounced = ray.direction - 2 * (ray.direction @ normal) * normal
        color = color * (1 - thing.mirror) + thing.mirror * trace(scene, Ray(point, bounced), light, depth - 1)
    return color


def render(center, radius, light, size=3):
    scene = [Sphere(center, radius, np.array([0.9, 0.3, 0.2])), Plane(np.array([0.0, -1.0, 0.0]), np.array([0, 1, 0]))]
    image = np.zeros((size, size, 3))
    for i, y in enumerate(np.linspace(0.4, -0.6, size)):
        for j, x in enumerate(np.linspace(-0.55, 0.5, size)):
            image[i, j] = trace(scene, Ray(np.zeros(3), normalize(np.array([x, y, -1.0]))), light)
    return np.mean(image**2)


def render_args():
    return np.array([0.1, 0.05, -3.0]), 0.8, np.array([2.0, 3.0, 1.0])


# ------------------------------------------------------------------------------------------ curves and their length


Vec = namedtuple("Vec", "x y")


def lerp(a, b, t):
    return Vec(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t)


def casteljau(points, t):
    if len(points) == 1:
        return points[0]
    return casteljau([lerp(a, b, t) for a, b in zip(points, points[1:])], t)


def split(points, t=0.5):
    left, right = [], []
    while points:
        left.append(points[0])
        right.insert(0, points[-1])
        points = [lerp(a, b, t) for a, b in zip(points[:-1], points[1:])]
    return left, right


def arc_length(points, depth=3):
    chord = math.hypot(points[-1].x - points[0].x, points[-1].y - points[0].y)
    net = sum(math.hypot(b.x - a.x, b.y - a.y) for a, b in zip(points, points[1:]))
    if depth == 0:
        return (2 * chord + net) / 3
    left, right = split(points)
    return arc_length(left, depth - 1) + arc_length(right, depth - 1)


def signed_area(polygon):
    area = 0.0
    for k in range(len(polygon)):
        a, b = polygon[k - 1], polygon[k]
        area += a.x * b.y - b.x * a.y
    return area / 2


def curve_energy(control, t):
    points = [Vec(*row) for row in control]
    if len(points) < 2:
        raise ValueError("a curve needs two points")
    middle = casteljau(points, t)
    outline = [casteljau(points, s / 8) for s in range(9)]
    return arc_length(points) + signed_area(outline) ** 2 + 0.2 * (middle.x**2 + middle.y**2)


def curve_energy_args():
    return np.array([[0.0, 0.0], [0.4, 1.1], [1.3, 0.9], [1.7, -0.2]]), 0.37


# ------------------------------------------------------------------------------------------ a mesh that is smoothed


class Mesh:
    def __init__(self, vertices, faces):
        self.vertices = vertices
        self.faces = faces

    @cached_property
    def neighbours(self):
        table = defaultdict(set)
        for a, b, c in self.faces:
            table[a] |= {b, c}
            table[b] |= {a, c}
            table[c] |= {a, b}
        return {k: sorted(v) for k, v in table.items()}

    @property
    def boundary(self):
        count = {}
        for face in self.faces:
            for k in range(3):
                edge = tuple(sorted((face[k], face[(k + 1) % 3])))
                count[edge] = count.get(edge, 0) + 1
        return {v for edge, n in count.items() if n == 1 for v in edge}

    def areas(self):
        a, b, c = (self.vertices[[f[k] for f in self.faces]] for k in range(3))
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)

    def smooth(self, lam=0.3, mu=-0.33, rounds=3):
        fixed = self.boundary
        for _ in range(rounds):
            for factor in (lam, mu):
                new = self.vertices.copy()
                for v, around in self.neighbours.items():
                    if v in fixed:
                        continue
                    new[v] += factor * (np.mean(self.vertices[around], axis=0) - self.vertices[v])
                self.vertices = new
        return self


def sheet(n):
    index = np.arange(n * n).reshape(n, n)
    faces = []
    for i in range(n - 1):
        for j in range(n - 1):
            a, b, c, d = index[i, j], index[i, j + 1], index[i + 1, j + 1], index[i + 1, j]
            faces += [(int(a), int(b), int(c)), (int(a), int(c), int(d))]
    return faces


def bending(heights, lam):
    n = heights.shape[0]
    X, Y = np.meshgrid(np.arange(n), np.arange(n), indexing="ij")
    vertices = np.stack([X.ravel().astype(float), Y.ravel().astype(float), heights.ravel()], axis=1)
    mesh = Mesh(vertices, sheet(n)).smooth(lam=lam)
    return mesh.areas().sum() + np.var(mesh.vertices[:, 2])


def bending_args():
    i, j = np.indices((4, 4))
    return 0.4 * np.sin(1.3 * i + 0.7 * j), 0.31


# ------------------------------------------------------------------------------------------ points brought together


def kabsch(P, Q, weights=None):
    w = np.ones(len(P)) if weights is None else np.asarray(weights)
    w = w / w.sum()
    p0, q0 = w @ P, w @ Q
    U, S, Vt = np.linalg.svd((P - p0).T @ (w[:, None] * (Q - q0)))
    d = np.sign(np.linalg.det(Vt.T @ U.T))
    R = Vt.T @ np.diag([1.0, 1.0, d]) @ U.T
    return R, q0 - R @ p0


def icp(source, target, rounds=4):
    moved = source.copy()
    residuals = []
    for _ in range(rounds):
        distance = np.sqrt(((moved[:, None, :] - target[None, :, :]) ** 2).sum(axis=-1))
        match = distance.argmin(axis=1)
        R, t = kabsch(moved, target[match])
        moved = moved @ R.T + t
        residuals.append(np.mean((moved - target[match]) ** 2))
        if len(residuals) > 1 and residuals[-2] - residuals[-1] < 1e-12:
            break
    return moved, residuals


def registration_error(source, scale):
    rng = np.random.default_rng(5)
    target = rng.normal(size=(8, 3))
    moved, residuals = icp(source * scale, target)
    return residuals[-1] + 0.1 * np.abs(moved).sum()


def registration_error_args():
    rng = np.random.default_rng(5)
    target = rng.normal(size=(8, 3))
    c, s = math.cos(0.2), math.sin(0.2)
    return target @ np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]) + 0.02 * rng.normal(size=(8, 3)), 1.05


PROGRAMS = [
    ("ray_tracer", render, render_args, (0, 1, 2)),
    ("bezier", curve_energy, curve_energy_args, (0, 1)),
    ("mesh_smoothing", bending, bending_args, (0, 1)),
    ("icp", registration_error, registration_error_args, (0, 1)),
]
