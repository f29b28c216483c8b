"""Filters and signals: biquads in a chain, adaptive cancellation, pitch by autocorrelation, a particle filter."""

import cmath
import warnings
from collections import deque
from functools import partial, reduce

import numpy as np
from scipy import signal

# -------------------------------------------------------------------------------------------------- biquads in a chain


class Biquad:
    def __init__(self, b0, b1, b2, a1, a2):
        self.coefficients = b0, b1, b2, a1, a2
        self.reset()

    def reset(self):
        self.z1 = self.z2 = 0.0

    @classmethod
    def peaking(cls, f0, gain_db, Q=0.7, fs=8000.0):
        A = 10 ** (gain_db / 40)
        w = 2 * np.pi * f0 / fs
        alpha = np.sin(w) / (2 * Q)
        a0 = 1 + alpha / A
        return cls((1 + alpha * A) / a0, -2 * np.cos(w) / a0, (1 - alpha * A) / a0,
                   -2 * np.cos(w) / a0, (1 - alpha / A) / a0)

    @classmethod
    def lowpass(cls, f0, Q=0.7, fs=8000.0):
        w = 2 * np.pi * f0 / fs
        alpha, c = np.sin(w) / (2 * Q), np.cos(w)
        a0 = 1 + alpha
        return cls((1 - c) / 2 / a0, (1 - c) / a0, (1 - c) / 2 / a0, -2 * c / a0, (1 - alpha) / a0)

    def process(self, x):
        b0, b1, b2, a1, a2 = self.coefficients
        y = np.empty_like(x)
        for n, sample in enumerate(x):
            y[n] = b0 * sample + self.z1
            self.z1 = b1 * sample - a1 * y[n] + self.z2
            self.z2 = b2 * sample - a2 * y[n]
        return y

    def response(self, f, fs=8000.0):
        b0, b1, b2, a1, a2 = self.coefficients
        z = cmath.exp(-2j * cmath.pi * f / fs)
        return abs((b0 + b1 * z + b2 * z * z) / (1 + a1 * z + a2 * z * z))


def equaliser(gains, cutoff, Q, n=64):
    t = np.arange(n) / 8000.0
    x = np.sin(2 * np.pi * 440 * t) + 0.5 * np.sin(2 * np.pi * 1500 * t)
    chain = [Biquad.peaking(f, g, Q=Q) for f, g in zip((300.0, 1000.0, 2200.0), gains)]
    chain.append(Biquad.lowpass(cutoff))
    y = reduce(lambda signal_, stage: stage.process(signal_), chain, x)
    flatness = [np.prod([stage.response(f) for stage in chain]) for f in (200.0, 800.0, 2000.0)]
    return np.mean(y**2) + np.std(flatness)


def equaliser_args():
    return np.array([3.0, -2.0, 4.0]), 2600.0, 0.9


# ------------------------------------------------------------------------------------------- adaptive cancellation


def nlms(desired, reference, taps=4, mu=0.5, eps=1e-3):
    buffer = deque([0.0] * taps, maxlen=taps)
    w = np.zeros(taps)
    errors = []
    for d, x in zip(desired, reference):
        buffer.appendleft(x)
        u = np.array(buffer)
        e = d - w @ u
        w += mu * e * u / (eps + u @ u)
        errors.append(e)
    return np.array(errors), w


def cancellation(echo, mu, n=50):
    reference = np.cos(0.3 * np.arange(n) ** 1.2)
    desired = np.convolve(reference, echo)[:n] + 0.05 * np.sin(np.arange(n))
    errors, w = nlms(desired, reference, mu=mu)
    b, a = signal.butter(2, 0.3)
    smooth = signal.lfilter(b, a, errors**2)
    misalignment = np.linalg.norm(w[:3] - echo) / np.linalg.norm(echo)
    return 10 * np.log10(np.mean(smooth[-20:])) + misalignment


def cancellation_args():
    return np.array([0.8, -0.3, 0.15]), 0.4


# ------------------------------------------------------------------------------------------ pitch by autocorrelation


def frames(x, size, hop):
    start = 0
    while start + size <= len(x):
        yield x[start : start + size]
        start += hop


def pitch(frame, fs, low=80.0, high=500.0, window=np.hanning):
    f = (frame - frame.mean()) * window(len(frame))
    r = np.correlate(f, f, mode="full")[len(f) - 1 :]
    r = r / r[0]
    first, last = int(fs / high), int(fs / low)
    k = first + int(np.argmax(r[first:last]))
    if not 0 < k < len(r) - 1:
        warnings.warn("the peak lies at the edge", RuntimeWarning, stacklevel=2)
        return fs / k, r[k]
    left, mid, right = r[k - 1 : k + 2]
    shift = 0.5 * (left - right) / (left - 2 * mid + right)
    return fs / (k + shift), mid


def vibrato_score(f0, depth, noise, fs=4000.0):
    t = np.arange(640) / fs
    phase = 2 * np.pi * f0 * t + depth * np.sin(2 * np.pi * 6.0 * t)
    x = np.sin(phase) + 0.3 * np.sin(2 * phase) + noise * np.cos(1.7 * np.arange(640))
    track = []
    for frame in frames(x, size=256, hop=128):
        value, clarity = pitch(frame, fs)
        if clarity < 0.3:
            continue
        track.append(value)
    if not track:
        return 0.0
    median = np.median(track)
    spectrum = np.abs(np.fft.rfft(x * signal.get_window("hann", len(x)))) ** 2
    centroid = np.sum(np.fft.rfftfreq(len(x), 1 / fs) * spectrum) / np.sum(spectrum)
    return median / 100 + np.ptp(track) + centroid / 1000


def vibrato_score_args():
    return 211.0, 0.6, 0.05


# --------------------------------------------------------------------------------------- unscented and fixed-lag


def sigma_points(mean, cov, kappa=1.0):
    n = len(mean)
    L = np.linalg.cholesky((n + kappa) * cov)
    points = [mean] + [mean + L[:, i] for i in range(n)] + [mean - L[:, i] for i in range(n)]
    weights = np.full(2 * n + 1, 0.5 / (n + kappa))
    weights[0] = kappa / (n + kappa)
    return np.array(points), weights


def unscented(points, weights, f, noise):
    images = np.array([np.atleast_1d(f(p)) for p in points])
    mean = weights @ images
    centred = images - mean
    cov = (weights[:, None] * centred).T @ centred + noise
    return mean, cov, images


def swing(state, dt=0.1, g=9.81, length=1.0):
    theta, omega = state
    return np.array([theta + dt * omega, omega - dt * g / length * np.sin(theta)])


def ukf_likelihood(length, q, r):
    truth = 0.6 * np.cos(np.sqrt(9.81 / 1.1) * 0.1 * np.arange(15))
    mean, cov = np.array([0.5, 0.0]), np.diag([0.1, 0.1])
    move = partial(swing, length=length)
    loglik, gains = 0.0, []
    for y in truth:
        points, w = sigma_points(mean, cov)
        mean, cov, _ = unscented(points, w, move, q * np.eye(2))
        points, w = sigma_points(mean, cov)
        y_hat, S, images = unscented(points, w, lambda s: np.sin(s[0]), np.array([[r]]))
        cross = (w[:, None] * (points - mean)).T @ (images - y_hat)
        K = np.linalg.solve(S.T, cross.T).T
        innovation = np.sin(y) - y_hat
        mean = mean + K @ innovation
        cov = cov - K @ S @ K.T
        gains.append(K[0, 0])
        loglik += -0.5 * (np.log(2 * np.pi * np.linalg.det(S)) + innovation @ np.linalg.inv(S) @ innovation)
    return loglik + np.mean(gains[-5:])


def ukf_likelihood_args():
    return 1.0, 0.01, 0.05


PROGRAMS = [
    ("equaliser", equaliser, equaliser_args, (0, 1, 2)),
    ("echo_cancellation", cancellation, cancellation_args, (0, 1)),
    ("pitch_track", vibrato_score, vibrato_score_args, (0, 1, 2)),
    ("unscented_filter", ukf_likelihood, ukf_likelihood_args, (0, 1, 2)),
]
