"""Graphics and geometry: a path tracer's little sister, subdivision, registration, a mesh with half edges."""
from __future__ import annotations

import itertools
import math
from collections import defaultdict
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property, singledispatch
from typing import Protocol

import numpy as np
from scipy.interpolate import BSpline
from scipy.spatial import ConvexHull, cKDTree
from scipy.spatial.distance import cdist

# ---- a scene of objects, rays, shadows, reflections ------------------------------------------------------------------

def normalise(v):
    n = np.linalg.norm(v)
    return v / n if n > 0 else v


@dataclass
class Ray:
    origin: np.ndarray
    direction: np.ndarray

    def at(self, t):
        return self.origin + t * self.direction


class Shape(Protocol):
    colour: np.ndarray
    mirror: float

    def hit(self, ray: Ray) -> float | None: ...

    def normal(self, p: np.ndarray) -> np.ndarray: ...


@dataclass
class Sphere:
    centre: np.ndarray
    radius: float
    colour: np.ndarray
    mirror: float = 0.0

    def hit(self, ray):
        oc = ray.origin - self.centre
        b = oc @ ray.direction
        disc = b * b - (oc @ oc - self.radius ** 2)
        if disc < 0:
            return None
        s = math.sqrt(disc)
        for t in (-b - s, -b + s):
            if t > 1e-4:
                return t
        return None

    def normal(self, p):
        return (p - self.centre) / self.radius


@dataclass
class Plane:
    point: np.ndarray
    n: np.ndarray
    colour: np.ndarray
    mirror: float = 0.0

    def hit(self, ray):
        d = self.n @ ray.direction
        if abs(d) < 1e-9:
            return None
        t = self.n @ (self.point - ray.origin) / d
        return t if t > 1e-4 else None

    def normal(self, p):
        return self.n


def nearest(scene, ray):
    best, what = np.inf, None
    for k, obj in enumerate(scene):
        t = obj.hit(ray)
        if t is not None and t < best:
            best, what = t, k
    return best, what


def shade(scene, light, ray, depth=0):
    t, k = nearest(scene, ray)
    if k is None:
        return 0.2 * np.ones(3) + 0.3 * max(ray.direction[1], 0.0)
    obj = scene[k]
    p = ray.at(t)
    n = obj.normal(p)
    to_light = light - p
    distance = np.linalg.norm(to_light)
    shadow, _ = nearest(scene, Ray(p, to_light / distance))
    lit = 0.1
    if shadow > distance:
        lit += max(n @ to_light / distance, 0.0)
    colour = lit * obj.colour
    if obj.mirror > 0 and depth < 2:
        d = ray.direction - 2 * (ray.direction @ n) * n
        colour = (1 - obj.mirror) * colour + obj.mirror * shade(scene, light, Ray(p, d), depth + 1)
    return colour


def render(light, radius, mirror):
    scene = [Sphere(np.array([0.0, 0.0, 3.0]), radius, np.array([1.0, 0.2, 0.2]), mirror),
             Sphere(np.array([1.2, 0.3, 4.0]), 0.7, np.array([0.2, 0.9, 0.3])),
             Plane(np.array([0.0, -1.0, 0.0]), np.array([0.0, 1.0, 0.0]), np.array([0.5, 0.5, 0.5]))]
    width, height = 4, 3
    image = np.zeros((height, width, 3))
    for j, i in itertools.product(range(height), range(width)):
        u = (i + 0.5) / width * 2 - 1
        v = 1 - (j + 0.5) / height * 2
        image[j, i] = shade(scene, light, Ray(np.zeros(3), normalise(np.array([u, v * 0.75, 1.5]))))
    return np.mean(np.clip(image, 0, 1) ** (1 / 2.2))


# ---- Loop subdivision, curvature, volume ----------------------------------------------------------------------------

@dataclass
class Mesh:
    vertices: np.ndarray
    faces: list

    def edges(self):
        seen = defaultdict(list)
        for f in self.faces:
            for a, b, c in ((f[0], f[1], f[2]), (f[1], f[2], f[0]), (f[2], f[0], f[1])):
                seen[frozenset((a, b))].append(c)
        return seen

    def neighbours(self):
        out = defaultdict(set)
        for a, b, c in self.faces:
            out[a] |= {b, c}
            out[b] |= {a, c}
            out[c] |= {a, b}
        return out

    @property
    def volume(self):
        v = self.vertices
        return sum(np.dot(v[a], np.cross(v[b], v[c])) for a, b, c in self.faces) / 6

    @property
    def area(self):
        tri = self.vertices[np.array(self.faces)]
        return 0.5 * np.linalg.norm(np.cross(tri[:, 1] - tri[:, 0], tri[:, 2] - tri[:, 0]), axis=1).sum()

    def angle_defect(self):
        defect = np.full(len(self.vertices), 2 * np.pi)
        for f in self.faces:
            for k in range(3):
                p, q, r = (self.vertices[f[(k + s) % 3]] for s in range(3))
                u, v = q - p, r - p
                defect[f[k]] -= np.arccos(u @ v / np.sqrt((u @ u) * (v @ v)))
        return defect

    def subdivide(self):
        v = self.vertices
        points, index = [], {}
        for vertex, ring in sorted(self.neighbours().items()):
            n = len(ring)
            beta = 3 / 16 if n == 3 else 3 / (8 * n)
            points.append((1 - n * beta) * v[vertex] + beta * sum(v[k] for k in sorted(ring)))
        for edge, opposite in self.edges().items():
            a, b = sorted(edge)
            index[edge] = len(points)
            points.append(0.375 * (v[a] + v[b]) + 0.125 * sum(v[c] for c in opposite))
        faces = []
        for a, b, c in self.faces:
            ab, bc, ca = (index[frozenset(e)] for e in ((a, b), (b, c), (c, a)))
            faces += [(a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca)]
        return Mesh(np.array(points), faces)


OCTAHEDRON = [(0, 2, 4), (2, 1, 4), (1, 3, 4), (3, 0, 4), (2, 0, 5), (1, 2, 5), (3, 1, 5), (0, 3, 5)]


def sphericity(vertices):
    mesh = Mesh(vertices, OCTAHEDRON)
    for _ in range(2):
        mesh = mesh.subdivide()
    defect = mesh.angle_defect()
    return np.pi ** (1 / 3) * (6 * mesh.volume) ** (2 / 3) / mesh.area + np.std(defect)


# ---- registration: iterative closest points, robust weights ----------------------------------------------------------

class Weighting(str, Enum):
    NONE = "none"
    HUBER = "huber"
    TUKEY = "tukey"


def robust(r, kind, c):
    kind = Weighting(kind)
    if kind == Weighting.NONE:
        return np.ones_like(r)
    if kind == Weighting.HUBER:
        return np.where(r <= c, 1.0, c / np.maximum(r, 1e-12))
    return np.where(r < c, (1 - (r / c) ** 2) ** 2, 0.0)


def kabsch(p, q, w):
    w = w / w.sum()
    cp, cq = w @ p, w @ q
    H = (p - cp).T @ (w[:, None] * (q - cq))
    U, S, Vt = np.linalg.svd(H)
    d = np.sign(np.linalg.det(Vt.T @ U.T))
    R = Vt.T @ np.diag([1.0, 1.0, d]) @ U.T
    return R, cq - R @ cp


def icp(source, target, kind="huber", c=0.2, tol=1e-8, maxiter=20):
    tree = cKDTree(target)
    R_all, t_all = np.eye(3), np.zeros(3)
    moved = source
    previous = np.inf
    for it in range(maxiter):
        _, idx = tree.query(moved)
        r = np.linalg.norm(moved - target[idx], axis=1)
        R, t = kabsch(moved, target[idx], robust(r, kind, c))
        moved = moved @ R.T + t
        R_all, t_all = R @ R_all, R @ t_all + t
        error = np.mean(r ** 2)
        if abs(previous - error) < tol:
            break
        previous = error
    return R_all, t_all, moved


def register(source, scale):
    rng = np.random.default_rng(8)
    target = rng.uniform(-1, 1, size=(15, 3))
    R, t, moved = icp(scale * source, target)
    hull = ConvexHull(target)
    spread = cdist(moved, target).min(axis=1)
    return np.sum(spread ** 2) + 0.1 * np.linalg.norm(t) + np.trace(R) + 0.01 * hull.volume


def cloud():
    target = np.random.default_rng(8).uniform(-1, 1, size=(15, 3))
    a = 0.1
    R = np.array([[np.cos(a), -np.sin(a), 0], [np.sin(a), np.cos(a), 0], [0, 0, 1]])
    return target @ R + 0.02 * np.random.default_rng(9).normal(size=(15, 3)) + [0.05, -0.03, 0.02]


# ---- curves: Bezier by de Casteljau, B-splines, arc length, signed distance of shapes --------------------------------

class Curve:
    def __init__(self, control):
        self.control = np.atleast_2d(control)

    @cached_property
    def degree(self):
        return len(self.control) - 1

    def __call__(self, t):
        pts = self.control
        while len(pts) > 1:
            pts = (1 - t) * pts[:-1] + t * pts[1:]
        return pts[0]

    def derivative(self):
        return Curve(self.degree * np.diff(self.control, axis=0))

    def length(self, n=8):
        nodes, weights = np.polynomial.legendre.leggauss(n)
        d = self.derivative()
        return sum(0.5 * w * np.linalg.norm(d(0.5 * (x + 1))) for x, w in zip(nodes, weights))

    def split(self, t):
        left, right, pts = [], [], self.control
        while True:
            left.append(pts[0])
            right.append(pts[-1])
            if len(pts) == 1:
                break
            pts = (1 - t) * pts[:-1] + t * pts[1:]
        return Curve(np.array(left)), Curve(np.array(right[::-1]))

    def curvature(self, t):
        d1 = self.derivative()
        (x1, y1), (x2, y2) = d1(t), d1.derivative()(t)
        return (x1 * y2 - y1 * x2) / (x1 ** 2 + y1 ** 2) ** 1.5


@dataclass
class Circle:
    centre: np.ndarray
    r: float


@dataclass
class Box:
    centre: np.ndarray
    half: np.ndarray


@dataclass
class Union:
    parts: list = field(default_factory=list)
    k: float = 0.1


@singledispatch
def sdf(shape, p):
    raise TypeError(f"no distance for {type(shape).__name__}")


@sdf.register
def _(shape: Circle, p):
    return np.linalg.norm(p - shape.centre) - shape.r


@sdf.register
def _(shape: Box, p):
    d = np.abs(p - shape.centre) - shape.half
    return np.linalg.norm(np.maximum(d, 0)) + min(max(d[0], d[1]), 0.0)


@sdf.register
def _(shape: Union, p):
    d = [sdf(s, p) for s in shape.parts]
    return -shape.k * np.log(sum(np.exp(-v / shape.k) for v in d))


def glyph(control, radius):
    curve = Curve(control)
    left, right = curve.split(0.4)
    shape = Union([Circle(np.array([0.5, 0.5]), radius), Box(np.array([1.5, 0.2]), np.array([0.3, 0.2]))])
    clearance = [sdf(shape, curve(t)) for t in np.linspace(0, 1, 7)]
    bend = max(abs(c.curvature(0.5)) for c in (left, right))
    knots = np.array([0, 0, 0, 0, 0.5, 1, 1, 1, 1.0])
    spline = BSpline(knots, np.vstack([control, control[-1:] + 0.1]), 3)
    return left.length() + right.length() + np.sum(np.square(clearance)) + 0.1 * bend + spline(0.3) @ [1.0, -1.0]


PROGRAMS = [
    ("render", render, lambda: (np.array([2.0, 4.0, -1.0]), 0.9, 0.3), (0, 1, 2)),
    ("sphericity", sphericity, lambda: (np.array([[1.0, 0, 0], [-1.1, 0, 0], [0, 0.9, 0], [0, -1, 0.1], [0, 0, 1.2],
                                                  [0, 0, -1.0]]),), (0,)),
    ("register", register, lambda: (cloud(), 1.01), (0, 1)),
    ("glyph", glyph, lambda: (np.array([[0.0, 0.0], [0.5, 1.0], [1.2, 0.9], [2.0, 0.1]]), 0.3), (0, 1)),
]
