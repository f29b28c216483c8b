"""A robot arm: forward kinematics by quaternions, inverse kinematics by damped least squares, and the work it takes.

The arm's axes and links are a chain of rigid bodies; the step is (J^T J + lambda I) dq = J^T e (Wampler 1986, Nakamura and Hanafusa 1986),
with the geometric Jacobian of cross products. The result is the squared joint motion that reaches a target.
Reference: scipy.spatial.transform.Rotation for the arm, with a Jacobian of central differences.
"""
import numpy as np
from scipy.spatial.transform import Rotation


class Quaternion:
    def __init__(self, w, v):
        self.w, self.v = w, v

    @classmethod
    def about(cls, axis, angle):
        return cls(np.cos(angle / 2), np.sin(angle / 2) * axis)

    def __mul__(self, other):
        return Quaternion(self.w * other.w - self.v @ other.v,
                          self.w * other.v + other.w * self.v + np.cross(self.v, other.v))

    def rotate(self, u):
        t = 2.0 * np.cross(self.v, u)
        return u + self.w * t + np.cross(self.v, t)


class Arm:
    def __init__(self, axes, links):
        self.axes = [np.asarray(a) / np.linalg.norm(a) for a in axes]
        self.links = links

    def forward(self, q):
        """Position of each joint and of the hand, and the joint axes in the world."""
        points, axes = [np.zeros(3)], []
        turn = Quaternion(1.0, np.zeros(3))
        for axis, link, angle in zip(self.axes, self.links, q):
            axes.append(turn.rotate(axis))
            turn = turn * Quaternion.about(axis, angle)
            points.append(points[-1] + turn.rotate(link))
        return points, axes

    def jacobian(self, q):
        points, axes = self.forward(q)
        hand = points[-1]
        return np.column_stack([np.cross(a, hand - p) for a, p in zip(axes, points)]), hand

    def reach(self, q, target, damping=0.05, tol=1e-10, most=200):
        q = np.array(q, dtype=float)
        for _ in range(most):
            J, hand = self.jacobian(q)
            error = target - hand
            if np.linalg.norm(error) < tol:
                break
            q += np.linalg.solve(J.T @ J + damping**2 * np.eye(len(q)), J.T @ error)
        return q


AXES = [(0, 0, 1), (0, 1, 0), (0, 1, 0), (1, 0, 0.5)]


def inverse_kinematics(target, lengths, start):
    arm = Arm(AXES, [length * np.array([0.0, 0.0, 1.0]) if k < 1 else np.array([length, 0.0, 0.0])
                     for k, length in enumerate(lengths)])
    q = arm.reach(start, target)
    points, _ = arm.forward(q)
    return np.sum((q - start) ** 2) + np.sum((points[-1] - target) ** 2)


ALSO = ()


def arguments():
    return np.array([0.8, 0.5, 1.1]), np.array([0.5, 0.7, 0.6, 0.2]), np.array([0.1, 0.2, -0.9, 0.3])


def reference():
    target, lengths, start = arguments()
    links = np.array([[0, 0, lengths[0]], *[[n, 0, 0] for n in lengths[1:]]])
    units = np.array([np.array(a) / np.linalg.norm(a) for a in AXES])

    def hand(q):
        turn, p = Rotation.identity(), np.zeros(3)
        for axis, link, angle in zip(units, links, q):
            turn = turn * Rotation.from_rotvec(angle * axis)
            p = p + turn.apply(link)
        return p
    q = start
    for _ in range(200):
        J = np.array([(hand(q + d) - hand(q - d)) / 2e-5 for d in 1e-5 * np.eye(4)]).T
        q = q + np.linalg.solve(J.T @ J + 0.05**2 * np.eye(4), J.T @ (target - hand(q)))
    return {"value": np.sum((q - start) ** 2), "rtol": 1e-7}
