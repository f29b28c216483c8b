"""Robotics and control: an arm that reaches, a regulator, a filter that finds its place, a path around obstacles."""

import heapq
from collections import deque
from dataclasses import dataclass, field

import numpy as np
from scipy.linalg import expm, solve_discrete_are
from scipy.spatial.transform import Rotation

# ------------------------------------------------------------------------------------------------- an arm that reaches


def dh(a, alpha, d, theta):
    ct, st, ca, sa = np.cos(theta), np.sin(theta), np.cos(alpha), np.sin(alpha)
    return np.array([
        [ct, -st * ca, st * sa, a * ct],
        [st, ct * ca, -ct * sa, a * st],
        [0, sa, ca, d],
        [0, 0, 0, 1],
    ])


class Arm:
    def __init__(self, lengths):
        self.table = [(lengths[0], np.pi / 2, 0.1), (lengths[1], 0.0, 0.0), (lengths[2], 0.0, 0.05)]

    def frames(self, q):
        T = np.eye(4)
        chain = [T]
        for (a, alpha, d), theta in zip(self.table, q):
            T = T @ dh(a, alpha, d, theta)
            chain.append(T)
        return chain

    def jacobian(self, q):
        chain = self.frames(q)
        tip = chain[-1][:3, 3]
        return np.column_stack([np.cross(T[:3, 2], tip - T[:3, 3]) for T in chain[:-1]])

    def reach(self, target, q0, damping=0.05, max_iter=15, tol=1e-10):
        q = np.array(q0, dtype=float)
        for _ in range(max_iter):
            error = target - self.frames(q)[-1][:3, 3]
            if np.linalg.norm(error) < tol:
                break
            J = self.jacobian(q)
            try:
                q += J.T @ np.linalg.solve(J @ J.T + damping**2 * np.eye(3), error)
            except np.linalg.LinAlgError:
                q += 0.1 * J.T @ error
        return q


def reach_effort(target, lengths):
    arm = Arm(lengths)
    q = arm.reach(target, q0=[0.3, 0.5, -0.7])
    J = arm.jacobian(q)
    manipulability = np.sqrt(np.linalg.det(J @ J.T))
    return np.sum(q**2) + manipulability


def reach_effort_args():
    return np.array([0.9, 0.4, 0.5]), np.array([0.4, 0.6, 0.5])


# -------------------------------------------------------------------------------------- a pendulum and its regulator


def discretise(A, B, dt):
    n, m = B.shape
    M = np.zeros((n + m, n + m))
    M[:n, :n] = A * dt
    M[:n, n:] = B * dt
    E = expm(M)
    return E[:n, :n], E[:n, n:]


class PID:
    def __init__(self, kp, ki, kd, dt, limit=None):
        self.kp, self.ki, self.kd, self.dt, self.limit = kp, ki, kd, dt, limit
        self.integral, self.last = 0.0, None

    def __call__(self, error):
        self.integral += error * self.dt
        derivative = 0.0 if self.last is None else (error - self.last) / self.dt
        self.last = error
        u = self.kp * error + self.ki * self.integral + self.kd * derivative
        if self.limit is not None:
            u = np.clip(u, -self.limit, self.limit)
        return u


def balance_cost(mass, length, gains, dt=0.02, steps=40):
    g, M = 9.81, 1.0
    A = np.array([[0, 1, 0, 0], [0, 0, -mass * g / M, 0], [0, 0, 0, 1], [0, 0, (M + mass) * g / (M * length), 0]])
    B = np.array([[0], [1 / M], [0], [-1 / (M * length)]])
    Ad, Bd = discretise(A, B, dt)
    Q, R = np.diag([1.0, 0.1, 10.0, 0.1]), np.array([[0.5]])
    P = solve_discrete_are(Ad, Bd, Q, R)
    K = np.linalg.inv(R + Bd.T @ P @ Bd) @ (Bd.T @ P @ Ad)
    pid = PID(*gains, dt=dt, limit=15.0)
    x = np.array([0.0, 0.0, 0.15, 0.0])
    cost = 0.0
    for _ in range(steps):
        u = -(K @ x).item() + 0.1 * pid(-x[0])
        cost += x @ Q @ x + R[0, 0] * u**2
        theta = x[2]
        x = Ad @ x + Bd[:, 0] * u
        x[3] += dt * 0.1 * (np.sin(theta) - theta)
    return cost


def balance_cost_args():
    return 0.2, 0.6, np.array([1.0, 0.2, 0.1])


# --------------------------------------------------------------------------------------- a filter that finds its place


@dataclass
class Localiser:
    landmarks: dict
    mean: np.ndarray = field(default_factory=lambda: np.zeros(3))
    cov: np.ndarray = field(default_factory=lambda: 0.1 * np.eye(3))
    rejected: int = 0

    def predict(self, v, w, dt, noise):
        x, y, th = self.mean
        if abs(w) > 1e-6:
            r = v / w
            moved = np.array([r * (np.sin(th + w * dt) - np.sin(th)), r * (np.cos(th) - np.cos(th + w * dt)), w * dt])
        else:
            moved = np.array([v * dt * np.cos(th), v * dt * np.sin(th), 0.0])
        F = np.eye(3)
        F[0, 2], F[1, 2] = -moved[1], moved[0]
        self.mean = self.mean + moved
        self.cov = F @ self.cov @ F.T + noise * np.diag([dt, dt, 0.1 * dt])

    def update(self, key, distance, bearing, R, gate=50.0):
        lx, ly = self.landmarks[key]
        dx, dy = lx - self.mean[0], ly - self.mean[1]
        q = dx * dx + dy * dy
        expected = np.array([np.sqrt(q), np.arctan2(dy, dx) - self.mean[2]])
        H = np.array([[-dx / np.sqrt(q), -dy / np.sqrt(q), 0], [dy / q, -dx / q, -1]])
        innovation = np.array([distance, bearing]) - expected
        innovation[1] = (innovation[1] + np.pi) % (2 * np.pi) - np.pi
        S = H @ self.cov @ H.T + R
        if innovation @ np.linalg.inv(S) @ innovation > gate:
            self.rejected += 1
            return 0.0
        K = self.cov @ H.T @ np.linalg.inv(S)
        self.mean = self.mean + K @ innovation
        self.cov = (np.eye(3) - K @ H) @ self.cov
        sign, logdet = np.linalg.slogdet(2 * np.pi * S)
        return -0.5 * (innovation @ np.linalg.solve(S, innovation) + logdet)


def localisation_likelihood(noise, sigma, offset):
    robot = Localiser({"a": (3.0, 1.0), "b": (-1.0, 4.0), "c": (2.0, -2.0)})
    R = np.diag([sigma**2, 0.02])
    total = 0.0
    for step in range(9):
        robot.predict(v=1.0, w=0.2 * (step % 3), dt=0.2, noise=noise)
        key = "abc"[step % 3]
        lx, ly = robot.landmarks[key]
        seen = np.hypot(lx - 0.2 * step, ly) + offset
        total += robot.update(key, seen, np.arctan2(ly, lx - 0.2 * step), R)
    return total + 0.1 * np.trace(robot.cov)


def localisation_likelihood_args():
    return 0.1, 0.3, 0.05


# ------------------------------------------------------------------------------------------- a path around obstacles


def a_star(grid, start, goal):
    frontier = [(0.0, start)]
    came, cost = {start: None}, {start: 0.0}
    while frontier:
        _, here = heapq.heappop(frontier)
        if here == goal:
            break
        for di, dj in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            there = (here[0] + di, here[1] + dj)
            if not (0 <= there[0] < len(grid) and 0 <= there[1] < len(grid[0])) or grid[there[0]][there[1]] == "#":
                continue
            new = cost[here] + 1.0
            if there not in cost or new < cost[there]:
                cost[there] = new
                heapq.heappush(frontier, (new + abs(goal[0] - there[0]) + abs(goal[1] - there[1]), there))
                came[there] = here
    path = deque()
    while here is not None:
        path.appendleft(here)
        here = came[here]
    return list(path)


MAP = ["....", ".##.", "..#.", "#..."]


def flight_cost(obstacle, stiffness, attitude, rounds=12, rate=0.05):
    """The way of A* smoothed by springs, an obstacle pushing; a camera's aim along it."""
    path = np.array(a_star(MAP, (0, 0), (3, 3)), dtype=float)
    for _ in range(rounds):
        pull = stiffness * (path[:-2] - 2 * path[1:-1] + path[2:])
        away = path[1:-1] - obstacle
        dist = np.linalg.norm(away, axis=1, keepdims=True)
        path[1:-1] += rate * (pull + away / dist * np.exp(-dist))
    length = np.sum(np.linalg.norm(np.diff(path, axis=0), axis=1))
    camera = Rotation.from_rotvec(attitude)
    aim = camera.apply(np.array([0.0, 0.0, 1.0]))
    steps = np.hstack([np.diff(path, axis=0), np.zeros((len(path) - 1, 1))])
    return length + np.mean((steps @ aim) ** 2)


def flight_cost_args():
    return np.array([1.4, 1.3]), 0.8, np.array([0.1, -0.4, 0.2])


PROGRAMS = [
    ("arm_reach", reach_effort, reach_effort_args, (0, 1)),
    ("pendulum_regulator", balance_cost, balance_cost_args, (0, 1, 2)),
    ("localisation", localisation_likelihood, localisation_likelihood_args, (0, 1, 2)),
    ("path_smoothing", flight_cost, flight_cost_args, (0, 1, 2)),
]
