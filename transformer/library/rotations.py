"""scipy.spatial.transform: rotations of space, and Slerp between them."""
from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.spatial import transform

from .quaternions import (SMALL, axes_of, canonical_of, floats, in_degrees, in_radians, nearest_turn, of_length_one,
                          of_turn, one_or_rows, product_of, quaternion_of, within_a_turn)
from .registry import READ_AS, at_least, ensure, known, means, own, refuse

SEQUENCE = "it says which axes are turned about"


@dataclass(eq=False, repr=False)
class Rotation:
    """What SciPy's Rotation is here: `q` is one quaternion, or one in each row, with the real part last."""

    q: Any
    not_returned = ("the function returns a Rotation", "Return its numbers: r.as_quat() or r.as_rotvec().")

    @property
    def single(self):
        return self.q.ndim == 1

    @property
    def shape(self):
        return self.q.shape[:-1]

    def __bool__(self):
        return True

    def __len__(self):
        if self.single:
            raise TypeError("Single rotation has no len().")
        return len(self.q)

    def __getitem__(self, indexer):
        if self.single:
            raise TypeError("Single rotation is not subscriptable.")
        return Rotation(own(self.q[indexer]))

    def __iter__(self):
        if self.single:
            raise TypeError("Single rotation is not iterable.")
        for k in range(len(self.q)):
            yield Rotation(own(self.q[k]))

    def __mul__(self, other):
        if not isinstance(other, Rotation):
            return NotImplemented
        if self.q.ndim == 2 and other.q.ndim == 2 and len(self.q) != len(other.q):
            if len(self.q) != 1 and len(other.q) != 1:
                raise ValueError(f"Cannot broadcast {self.shape} rotations in first to {other.shape} rotations in "
                                 "second object.")
        return Rotation(of_length_one(product_of(self.q, other.q)))

    def __pow__(self, n, modulus=None):
        if modulus is not None:
            raise NotImplementedError("modulus not supported")
        q = quaternion_of(n * self.as_rotvec())
        once = self.q if n == 1 else self.inv().q  # which has one of the two signs that a quaternion may have
        other_sign = (np.abs(n) == 1) & (np.sum(q * once, -1, keepdims=True) < 0)
        return Rotation(np.where(other_sign, -q, q))

    def inv(self):
        return Rotation(self.q * np.array([-1.0, -1.0, -1.0, 1.0]))

    def apply(self, vectors, inverse=False):
        v, turn = floats(vectors), self.as_matrix()
        if v.shape[-1] != 3:
            raise ValueError(f"Expected input of shape (..., 3), got {v.shape}.")
        if v.ndim > 2:
            refuse("Rotation.apply of an array of more than two axes", "Reshape it: v.reshape(-1, 3).")
        if known(inverse, "it says which way the vectors are turned"):
            turn = np.swapaxes(turn, -1, -2)
        if self.q.ndim == 1:
            return v @ turn.T
        return turn @ v if v.ndim == 1 else np.sum(turn * v[:, None, :], -1)

    def magnitude(self):
        return 2.0 * np.arctan2(np.linalg.norm(self.q[..., :3], axis=-1), np.abs(self.q[..., 3]))

    def approx_equal(self, other, atol=None, degrees=False):
        if self.single and other.single:
            refuse("Rotation.approx_equal of two single rotations, of which SciPy's versions make a bool or an array",
                   "Write (other * self.inv()).magnitude() < 1e-8.")
        if atol is None:
            atol = 1e-8
        elif known(degrees, "it says what angles are"):
            atol = np.deg2rad(atol)
        return (other * self.inv()).magnitude() < atol

    def mean(self, weights=None, axis=None):
        if axis is not None:
            refuse("Rotation.mean with axis=", "Leave it away: there is one axis.")
        q = np.atleast_2d(self.q)
        w = np.ones(len(q)) if weights is None else floats(weights)
        if w.ndim != 1 or len(w) != len(q):
            raise ValueError("Expected `weights` to be 1 dimensional, with a value for each rotation.")
        if np.any(w < 0):
            raise ValueError("`weights` must be non-negative.")
        return Rotation(np.linalg.eigh(q.T @ (w[:, None] * q))[1][:, -1])

    # numbers of it --------------------------------------------------------------------------------------
    def as_quat(self, canonical=False, scalar_first=False):
        q = canonical_of(self.q) if known(canonical, "it decides the sign") else own(self.q)
        return np.roll(q, 1, -1) if known(scalar_first, "it says what comes first") else q

    def as_matrix(self):
        x, y, z, w = [self.q[..., k] for k in range(4)]
        rows = [[x * x - y * y - z * z + w * w, 2 * (x * y - z * w), 2 * (x * z + y * w)],
                [2 * (x * y + z * w), -x * x + y * y - z * z + w * w, 2 * (y * z - x * w)],
                [2 * (x * z - y * w), 2 * (y * z + x * w), -x * x - y * y + z * z + w * w]]
        return np.stack([np.stack(row, -1) for row in rows], -2)

    def as_rotvec(self, degrees=False):
        q = canonical_of(self.q)
        v, w = q[..., :3], q[..., 3:]
        square = np.sum(v * v, -1, keepdims=True)
        small = square <= (SMALL / 2) ** 2
        t = square / np.where(small, w * w, 1.0)
        length = np.sqrt(np.where(small, 1.0, square))
        scale = np.where(small, 2.0 * (1.0 - t / 3.0 + t * t / 5.0 - t * t * t / 7.0) / np.where(small, w, 1.0),
                         2.0 * np.arctan2(length, w) / length)
        return in_degrees(scale, degrees) * v

    def as_mrp(self):
        sign = np.where(self.q[..., 3:] < 0, -1.0, 1.0)
        return sign * self.q[..., :3] / (1.0 + sign * self.q[..., 3:])

    def as_euler(self, seq, degrees=False, suppress_warnings=False):
        seq = known(seq, SEQUENCE)
        if len(seq) != 3:
            raise ValueError(f"Expected 3 axes, got {seq}.")
        axes, intrinsic = axes_of(seq)
        i, j, k = axes[::-1] if intrinsic else axes
        symmetric = i == k
        k = 3 - i - j if symmetric else k
        sign = (i - j) * (j - k) * (k - i) // 2
        x, y, z, w = self.q[..., i], self.q[..., j], sign * self.q[..., k], self.q[..., 3]
        a, b, c, d = (w, x, y, z) if symmetric else (w - y, x + z, y + w, z - x)
        middle = 2 * np.arctan2(np.hypot(c, d), np.hypot(a, b))
        at_0, at_pi = np.abs(middle) <= 1e-7, np.abs(middle - np.pi) <= 1e-7
        regular = ~(at_0 | at_pi)
        if not known(suppress_warnings, "it says what is shown") and not np.all(regular):
            warnings.warn("Gimbal lock detected. Setting third angle to zero since it is not possible to uniquely "
                          "determine all angles.", stacklevel=2)
        half_sum, half_difference = np.arctan2(b, a), np.arctan2(d, c)
        locked = np.where(at_0, 2 * half_sum, (2 if intrinsic else -2) * half_difference)
        first = np.where(regular, half_sum - half_difference, 0.0 if intrinsic else locked)
        third = np.where(regular, half_sum + half_difference, locked if intrinsic else 0.0)
        if not symmetric:
            third, middle = sign * third, middle - np.pi / 2
        angles = np.stack([third, middle, first] if intrinsic else [first, middle, third], -1)
        return in_degrees(within_a_turn(angles), degrees)

    # what is not there -----------------------------------------------------------------------------------
    def __setitem__(self, indexer, value):
        refuse("a store into a Rotation", "Store into the quaternions: q = r.as_quat(), then Rotation.from_quat(q).")

    def __repr__(self):
        return refuse("the text of a Rotation", "Show its numbers: r.as_quat().")

    def as_davenport(self, axes, order, degrees=False, suppress_warnings=False):
        refuse("Rotation.as_davenport", "Take r.as_euler where the axes are those of space, else r.as_matrix().")

    def reduce(self, left=None, right=None, return_indices=False):
        refuse("Rotation.reduce", "Loop over the symmetries, and keep the one of the smallest magnitude().")


@means(transform.Rotation, unasked=True)
def rotation(quat, normalize=True, copy=True, scalar_first=False):
    if not known(normalize, "it says what is divided by"):
        refuse("scipy.spatial.transform.Rotation with normalize=False", "Leave it away.")
    return from_quat(quat, scalar_first)


@means(transform.Rotation.from_quat, unasked=True)
def from_quat(quat, scalar_first=False):
    q = one_or_rows(quat, 4, "quat", "(..., 4)")
    return Rotation(of_length_one(np.roll(q, -1, -1) if known(scalar_first, "it says what comes first") else q))


@means(transform.Rotation.from_rotvec, unasked=True)
def from_rotvec(rotvec, degrees=False):
    return Rotation(quaternion_of(in_radians(one_or_rows(rotvec, 3, "rot_vec", "(3,) or (N, 3)"), degrees)))


@means(transform.Rotation.from_mrp, unasked=True)
def from_mrp(mrp):
    v = one_or_rows(mrp, 3, "mrp", "(3,) or (N, 3)")
    square = np.sum(v * v, -1, keepdims=True)
    return Rotation(np.concatenate([2.0 * v, 1.0 - square], -1) / (1.0 + square))


@means(transform.Rotation.from_euler, unasked=True)
def from_euler(seq, angles, degrees=False):
    axes, intrinsic = axes_of(known(seq, SEQUENCE))
    angles = in_radians(floats(angles), degrees)
    if len(axes) == 1 and angles.ndim == 1:
        refuse("Rotation.from_euler of a vector of angles about one axis, which SciPy's versions read in two ways",
               "Give it a number, or a column: angles[:, None].")
    angles = np.atleast_1d(angles)
    if angles.shape[-1] != len(axes):
        raise ValueError("Expected last dimension of `angles` to match number of sequence axes specified, got "
                         f"{angles.shape[-1]}.")
    if angles.ndim > 2:
        refuse("rotations along more than one axis", "Reshape the angles to rows: angles.reshape(-1, 3).")
    q = None
    for k, axis in enumerate(axes):
        half, none = angles[..., k] / 2, np.zeros_like(angles[..., k])
        turn = np.stack([np.sin(half) if n == axis else none for n in range(3)] + [np.cos(half)], -1)
        q = turn if q is None else product_of(q, turn) if intrinsic else product_of(turn, q)
    return Rotation(q)


@means(transform.Rotation.from_matrix, unasked=True)
def from_matrix(matrix, assume_valid=False):
    m = floats(matrix)
    if m.ndim < 2 or m.shape[-2:] != (3, 3):
        raise ValueError(f"Expected `matrix` to have shape (3, 3) or (N, 3, 3), got {m.shape}")
    if m.ndim > 3:
        refuse("rotations along more than one axis", "Reshape them: m.reshape(-1, 3, 3).")
    if not known(assume_valid, "it says what is tested"):
        if np.any(np.linalg.det(m) <= 0):
            raise ValueError("Non-positive determinant (left-handed or null coordinate frame) in rotation matrix.")
        m = nearest_turn(m)
    return Rotation(of_turn(m))


@means(transform.Rotation.identity, unasked=True)
def no_turn(num=None, shape=None):
    if shape is not None:
        refuse("Rotation.identity with shape=", "Write how many: Rotation.identity(n).")
    one = np.array([0.0, 0.0, 0.0, 1.0])
    return Rotation(one if num is None else np.tile(one, (num, 1)))


@means(transform.Rotation.concatenate, unasked=True)
def one_after_the_other(rotations):
    if isinstance(rotations, Rotation):
        return Rotation(own(rotations.q))
    return Rotation(np.concatenate([np.atleast_2d(r.q) for r in rotations]))


@means(transform.Rotation.align_vectors, unasked=True)
def align_vectors(a, b, weights=None, return_sensitivity=False):
    if known(return_sensitivity, "it says what is returned"):
        refuse("Rotation.align_vectors with return_sensitivity=True", "Leave it away.")
    a, b = one_or_rows(a, 3, "a", "(3,) or (N, 3)"), one_or_rows(b, 3, "b", "(3,) or (N, 3)")
    if a.ndim != b.ndim or len(a) != len(b):
        raise ValueError(f"Expected inputs `a` and `b` to have same shapes, got {a.shape} and {b.shape} respectively.")
    if a.ndim == 1 or not at_least(len(a), 2):
        refuse("Rotation.align_vectors of one pair of vectors", "Turn about np.cross(b, a), by the angle between them.")
    w = np.ones(len(a)) if weights is None else floats(weights)
    if w.ndim != 1 or len(w) != len(a):
        raise ValueError("Expected `weights` to have number of values equal to number of input vectors, got "
                         f"{w.shape} and {len(a)} vectors.")
    if np.any(w < 0):
        raise ValueError("`weights` may not contain negative values")
    ensure(np.all(w < np.inf), "Rotation.align_vectors with an infinite weight: give it a large one")
    u, s, vh = np.linalg.svd((w[:, None] * a).T @ b)
    mirror = np.array([1.0, 1.0, -1.0]) if np.linalg.det(u @ vh) < 0 else np.ones(3)
    s = s * mirror
    if s[1] + s[2] < 1e-16 * s[0]:
        warnings.warn("Optimal rotation is not uniquely or poorly defined for the given sets of vectors.", stacklevel=2)
    rest = np.sum(w * np.sum(b * b + a * a, 1)) - 2 * np.sum(s)
    return Rotation(of_turn((u * mirror) @ vh)), np.sqrt(np.maximum(rest, 0.0))


@dataclass(eq=False)
class Between:
    """What SciPy's Slerp is here."""

    times: Any
    rotations: Any
    rotvecs: Any

    def __call__(self, times):
        t = floats(times)
        if t.ndim > 1:
            raise ValueError("`times` must be at most 1-dimensional.")
        if np.any((t < self.times[0]) | (t > self.times[-1])):
            raise ValueError(f"Interpolation times must be within the range [{self.times[0]}, {self.times[-1]}], both "
                             "inclusive.")
        k = np.maximum(np.searchsorted(self.times, t) - 1, 0)
        part = (t - self.times[k]) / (self.times[k + 1] - self.times[k])
        turn = quaternion_of(self.rotvecs[k] * part[..., None])
        return Rotation(of_length_one(product_of(self.rotations.q[k], turn)))


@means(transform.Slerp, unasked=True)
def slerp(times, rotations):
    if not isinstance(rotations, Rotation):
        raise TypeError("`rotations` must be a `Rotation` instance.")
    if rotations.single or not at_least(len(rotations), 2):
        raise ValueError("`rotations` must be a sequence of at least 2 rotations.")
    times = floats(times)
    if times.ndim != 1:
        raise ValueError("Expected times to be specified in a 1 dimensional array, got "
                         f"{times.ndim} dimensions.")
    if len(times) != len(rotations):
        raise ValueError("Expected number of rotations to be equal to number of timestamps given, got "
                         f"{len(rotations)} rotations and {len(times)} timestamps.")
    if np.any(times[1:] <= times[:-1]):
        raise ValueError("Times must be in strictly increasing order.")
    before, after = Rotation(rotations.q[:-1]), Rotation(rotations.q[1:])
    return Between(times, before, (before.inv() * after).as_rotvec())


def read_as_quaternions(obj):
    """A Rotation of SciPy's from outside: it keeps rows, of which a single one has one."""
    return Rotation, {"q": (("attr", "_quat"), ("item", 0)) if obj.single else (("attr", "_quat"),)}


if hasattr(transform.Rotation.identity(), "_quat"):  # in older versions nobody sees it
    READ_AS[transform.Rotation] = read_as_quaternions
