"""Robotics and control: a filter over landmarks, MPC by a sweep, an arm with contact, path planning."""
import contextlib
import heapq
import math
from collections import namedtuple
from dataclasses import dataclass, field
from functools import partial
from typing import Iterator

import numpy as np
from scipy.linalg import block_diag, expm, solve_discrete_are

# ---- EKF localisation with known landmarks ---------------------------------------------------------------------------

Observation = namedtuple("Observation", "landmark range bearing")


def wrap(angle):
    return (angle + math.pi) % (2 * math.pi) - math.pi


class EKF:
    def __init__(self, state, cov, motion_noise, sensor_noise, landmarks):
        self.x = np.array(state, dtype=float)
        self.P = np.array(cov, dtype=float)
        self.Q = motion_noise
        self.R = sensor_noise
        self.landmarks = landmarks
        self.rejected = 0
        self.nll = 0.0

    def predict(self, v, w, dt):
        th = self.x[2]
        F = np.array([[1, 0, -v * dt * math.sin(th)], [0, 1, v * dt * math.cos(th)], [0, 0, 1]])
        self.x += np.array([v * dt * math.cos(th), v * dt * math.sin(th), w * dt])
        self.x[2] = wrap(self.x[2])
        self.P = F @ self.P @ F.T + self.Q

    def update(self, obs: Observation, gate=9.21):
        dx, dy = self.landmarks[obs.landmark] - self.x[:2]
        q = dx ** 2 + dy ** 2
        r = math.sqrt(q)
        innovation = np.array([obs.range - r, wrap(obs.bearing - math.atan2(dy, dx) + self.x[2])])
        H = np.array([[-dx / r, -dy / r, 0], [dy / q, -dx / q, -1]])
        S = H @ self.P @ H.T + self.R
        try:
            K = self.P @ H.T @ np.linalg.inv(S)
        except np.linalg.LinAlgError:
            self.rejected += 1
            return False
        d2 = innovation @ np.linalg.solve(S, innovation)
        if d2 > gate:
            self.rejected += 1
            return False
        self.x = self.x + K @ innovation
        self.P = (np.eye(3) - K @ H) @ self.P
        self.nll += 0.5 * (d2 + np.linalg.slogdet(2 * np.pi * S)[1])
        return True


def simulate_drive(n=12, dt=0.5) -> Iterator[tuple]:
    rng = np.random.default_rng(7)
    pose = np.array([0.0, 0.0, 0.3])
    marks = {"A": np.array([5.0, 1.0]), "B": np.array([2.0, 6.0]), "C": np.array([-3.0, 2.0])}
    for k in range(n):
        v, w = 1.0 + 0.1 * math.sin(k), 0.2 * math.cos(k / 3)
        pose = pose + np.array([v * dt * math.cos(pose[2]), v * dt * math.sin(pose[2]), w * dt])
        name = "ABC"[k % 3]
        d = marks[name] - pose[:2]
        noise = rng.normal(size=2) * [0.1, 0.02]
        if k == 5:
            noise[0] += 5.0
        bearing = np.arctan2(d[1], d[0]) - pose[2]
        yield v, w, Observation(name, float(np.hypot(*d) + noise[0]), float(bearing + noise[1]))


LOG = list(simulate_drive())
LANDMARKS = {"A": np.array([5.0, 1.0]), "B": np.array([2.0, 6.0]), "C": np.array([-3.0, 2.0])}


def localisation(log_q, log_r, heading):
    ekf = EKF([0, 0, heading], np.diag([0.1, 0.1, 0.05]), np.diag(np.exp(log_q)), np.diag(np.exp(log_r)), LANDMARKS)
    accepted = 0
    for v, w, obs in LOG:
        ekf.predict(v, w, 0.5)
        if ekf.update(obs):
            accepted += 1
    return ekf.nll / max(accepted, 1) + np.trace(ekf.P)


# ---- iLQR for a cart and pole, with a line search --------------------------------------------------------------------

@dataclass
class CartPole:
    mass_cart: float = 1.0
    mass_pole: float = 0.1
    length: float = 0.5
    g: float = 9.81
    dt: float = 0.05

    def dynamics(self, x, u):
        _, v, th, om = x
        s, c = np.sin(th), np.cos(th)
        total = self.mass_cart + self.mass_pole
        tmp = (u[0] + self.mass_pole * self.length * om ** 2 * s) / total
        alpha = (self.g * s - c * tmp) / (self.length * (4 / 3 - self.mass_pole * c ** 2 / total))
        acc = tmp - self.mass_pole * self.length * alpha * c / total
        return np.array([v, acc, om, alpha])

    def step(self, x, u):
        mid = x + 0.5 * self.dt * self.dynamics(x, u)
        return x + self.dt * self.dynamics(mid, u)


def finite_jacobian(f, x, eps=1e-5):
    cols = []
    for e in np.eye(len(x)):
        cols.append((f(x + eps * e) - f(x - eps * e)) / (2 * eps))
    return np.column_stack(cols)


def rollout(model, x0, us, ks=None, Ks=None, xs_ref=None, alpha=1.0):
    xs, out = [x0], []
    for t, u in enumerate(us):
        if ks is not None:
            u = u + alpha * ks[t] + Ks[t] @ (xs[-1] - xs_ref[t])
        out.append(u)
        xs.append(model.step(xs[-1], u))
    return xs, out


def ilqr(model, x0, horizon=10, iters=3):
    Q, R, Qf = np.diag([0.1, 0.01, 1.0, 0.1]), 0.01 * np.eye(1), 20 * np.eye(4)

    def cost(xs, us):
        return sum(x @ Q @ x + u @ R @ u for x, u in zip(xs, us)) + xs[-1] @ Qf @ xs[-1]

    us = [np.zeros(1)] * horizon
    xs, us = rollout(model, x0, us)
    best = cost(xs, us)
    for it in range(iters):
        P, p = 2 * Qf, 2 * Qf @ xs[-1]
        ks, Ks = [None] * horizon, [None] * horizon
        for t in reversed(range(horizon)):
            A = finite_jacobian(lambda z: model.step(z, us[t]), xs[t])
            B = finite_jacobian(partial(model.step, xs[t]), us[t])
            Quu = 2 * R + B.T @ P @ B
            Qux = B.T @ P @ A
            qu = 2 * R @ us[t] + B.T @ p
            ks[t] = -np.linalg.solve(Quu, qu)
            Ks[t] = -np.linalg.solve(Quu, Qux)
            p = 2 * Q @ xs[t] + A.T @ p + Ks[t].T @ (Quu @ ks[t] + qu) + Qux.T @ ks[t]
            P = 2 * Q + A.T @ P @ A + Qux.T @ Ks[t]
            P = 0.5 * (P + P.T)
        for alpha in (1.0, 0.5, 0.25):
            trial = rollout(model, x0, us, ks, Ks, xs, alpha)
            value = cost(*trial)
            if value < best:
                (xs, us), best = trial, value
                break
        else:
            break
    return best


def swing(mass_pole, length, angle):
    x0 = np.array([0.0, 0.0, angle, 0.0])
    return ilqr(CartPole(mass_pole=mass_pole, length=length), x0)


# ---- product of exponentials, damped inverse kinematics, torque limits -----------------------------------------------

def hat(w):
    return np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])


def twist_matrix(xi):
    out = np.zeros((4, 4))
    out[:3, :3] = hat(xi[3:])
    out[:3, 3] = xi[:3]
    return out


@dataclass
class Joint:
    axis: tuple
    point: tuple
    limits: tuple = (-math.pi, math.pi)

    @property
    def screw(self):
        w = np.asarray(self.axis, float)
        return np.r_[-np.cross(w, self.point), w]


@dataclass
class Arm:
    joints: list = field(default_factory=list)
    home: np.ndarray = field(default_factory=lambda: np.eye(4))

    def add(self, *args, **kwargs):
        self.joints.append(Joint(*args, **kwargs))
        return self

    def forward(self, q):
        T = np.eye(4)
        for joint, angle in zip(self.joints, q):
            T = T @ expm(twist_matrix(joint.screw) * angle)
        return T @ self.home

    def clamp(self, q):
        lo, hi = np.transpose([j.limits for j in self.joints])
        return np.clip(q, lo, hi)

    def position_jacobian(self, q, h=1e-6):
        J = np.zeros((3, len(q)))
        for k in range(len(q)):
            dq = np.zeros(len(q))
            dq[k] = h
            J[:, k] = (self.forward(q + dq)[:3, 3] - self.forward(q - dq)[:3, 3]) / (2 * h)
        return J


def reach(target, damping, link):
    home = np.eye(4)
    home[:3, 3] = [2 * link + 0.3, 0.0, 0.4]
    arm = (Arm(home=home).add((0, 0, 1), (0, 0, 0)).add((0, 1, 0), (0, 0, 0.4), limits=(-2.0, 2.0))
           .add((0, 1, 0), (1.0, 0, 0.4), limits=(-2.5, 2.5)))
    q = np.array([0.1, -0.3, 0.6])
    error, it = np.inf, 0
    while error > 1e-4 and it < 6:
        e = target - arm.forward(q)[:3, 3]
        error = np.linalg.norm(e)
        J = arm.position_jacobian(q)
        q = arm.clamp(q + J.T @ np.linalg.solve(J @ J.T + damping ** 2 * np.eye(3), e))
        it += 1
    return error + 0.1 * q @ q


# ---- a planner over a grid whose costs are learned -------------------------------------------------------------------

GRID = ["..........", ".####.....", "....#..##.", "..#.#.....", "..#...#...", "..........", ]


def neighbours(cell):
    r, c = cell
    for dr in (-1, 0, 1):
        for dc in (-1, 0, 1):
            if (dr or dc) and 0 <= r + dr < len(GRID) and 0 <= c + dc < len(GRID[0]):
                if GRID[r + dr][c + dc] != "#":
                    yield (r + dr, c + dc), math.hypot(dr, dc)


def astar(start, goal):
    frontier = [(0.0, start)]
    came, cost = {start: None}, {start: 0.0}
    while frontier:
        _, cell = heapq.heappop(frontier)
        if cell == goal:
            break
        for nxt, w in neighbours(cell):
            new = cost[cell] + w
            if nxt not in cost or new < cost[nxt]:
                cost[nxt] = new
                heapq.heappush(frontier, (new + math.dist(nxt, goal), nxt))
                came[nxt] = cell
    path = []
    while cell is not None:
        path.append(cell)
        cell = came[cell]
    return path[::-1]


@contextlib.contextmanager
def numpy_errors(**kwargs):
    old = np.seterr(**kwargs)
    try:
        yield
    finally:
        np.seterr(**old)


def smooth_path(weight_smooth, weight_data, obstacle_gain):
    path = np.array(astar((0, 0), (5, 9)), dtype=float)
    smooth = path.copy()
    walls = np.array([(r, c) for r, row in enumerate(GRID) for c, ch in enumerate(row) if ch == "#"], dtype=float)
    with numpy_errors(divide="ignore"):
        for _ in range(15):
            before = smooth.copy()
            for i in range(1, len(path) - 1):
                smooth[i] += weight_data * (path[i] - smooth[i])
                smooth[i] += weight_smooth * (smooth[i - 1] + smooth[i + 1] - 2 * smooth[i])
                d = smooth[i] - walls
                r2 = np.sum(d * d, axis=1) + 0.25
                smooth[i] += obstacle_gain * np.sum(d / r2[:, None] ** 2, axis=0)
            if np.abs(smooth - before).sum() < 1e-4:
                break
    legs = np.diff(smooth, axis=0)
    length = np.sum(np.hypot(legs[:, 0], legs[:, 1]))
    heading = np.unwrap(np.arctan2(legs[:, 0], legs[:, 1]))
    return length + np.sum(np.diff(heading) ** 2)


def regulator(mass, damping):
    """Discrete LQR of a chain of two carts, by the Riccati equation."""
    A = block_diag(*[np.array([[0.0, 1.0], [-1.0, -damping]]) for _ in range(2)])
    A[1, 2] = A[3, 0] = 0.5
    B = np.zeros((4, 1))
    B[3, 0] = 1 / mass
    M = expm(np.block([[A, B], [np.zeros((1, 5))]]) * 0.1)
    Ad, Bd = M[:4, :4], M[:4, 4:]
    P = solve_discrete_are(Ad, Bd, np.eye(4), np.eye(1))
    K = np.linalg.solve(np.eye(1) + Bd.T @ P @ Bd, Bd.T @ P @ Ad)
    x = np.array([1.0, 0.0, -1.0, 0.5])
    J = 0.0
    for _ in range(30):
        u = -K @ x
        J += x @ x + u @ u
        x = Ad @ x + Bd @ u
    return J


PROGRAMS = [
    ("localisation", localisation, lambda: (np.array([-4.0, -4.0, -6.0]), np.array([-3.5, -6.0]), 0.25), (0, 1, 2)),
    ("swing", swing, lambda: (0.1, 0.5, 0.3), (0, 1, 2)),
    ("reach", reach, lambda: (np.array([1.2, 0.8, 0.7]), 0.1, 1.0), (0, 1, 2)),
    ("smooth_path", smooth_path, lambda: (0.2, 0.3, 0.02), (0, 1, 2)),
    ("regulator", regulator, lambda: (1.5, 0.2), (0, 1)),
]
