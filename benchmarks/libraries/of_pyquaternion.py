"""Quaternions as objects."""
import numpy as np
from pyquaternion import Quaternion

from . import Calls

calls = Calls()
A, B = np.array([0.7, 0.1, -0.5, 0.3]), np.array([0.2, -0.6, 0.4, 0.9])
UNIT = A / np.linalg.norm(A), B / np.linalg.norm(B)


@calls(np.array([1.0, 0.4, -0.2]), 0.9, np.array([0.0, 1.0, 2.0]))
def rotate(axis, angle, v):
    return Quaternion(axis=axis, angle=angle).rotate(v)


@calls(A, B)
def multiply(a, b):
    return (Quaternion(a) * Quaternion(b)).elements


@calls(A)
def inverse(a):
    return Quaternion(a).inverse.elements


@calls(0.7, 0.1, -0.5, 0.3)
def rotation_matrix(w, x, y, z):
    return Quaternion(w, x, y, z).rotation_matrix


@calls(0.6)
def from_matrix(angle):
    c, s = np.cos(angle), np.sin(angle)
    return Quaternion(matrix=np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])).elements


@calls(*UNIT, 0.3)
def slerp(a, b, amount):
    return Quaternion.slerp(Quaternion(a), Quaternion(b), amount=amount).elements


@calls(A)
def exp(a):
    return Quaternion.exp(Quaternion(a)).elements


@calls(A)
def log(a):
    return Quaternion.log(Quaternion(a)).elements


@calls(*UNIT)
def distance(a, b):
    return Quaternion.distance(Quaternion(a), Quaternion(b))


@calls(A)
def yaw_pitch_roll(a):
    return Quaternion(a).yaw_pitch_roll
