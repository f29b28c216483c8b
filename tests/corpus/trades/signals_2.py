"""Filters and signals: an equaliser, a modem, a spectral estimate with windows by name, blind separation."""
import abc
import cmath
import functools
import math
from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.fft
import scipy.signal as sig
from scipy.linalg import solve_toeplitz

# ---- a parametric equaliser of biquads, from the audio cookbook ------------------------------------------------------

class Biquad(NamedTuple):
    b: np.ndarray
    a: np.ndarray

    @classmethod
    def design(cls, kind, f0, gain_db, q, fs):
        A = 10 ** (gain_db / 40)
        w0 = 2 * np.pi * f0 / fs
        alpha = np.sin(w0) / (2 * q)
        c = np.cos(w0)
        if kind == "peak":
            b = [1 + alpha * A, -2 * c, 1 - alpha * A]
            a = [1 + alpha / A, -2 * c, 1 - alpha / A]
        elif kind == "lowshelf":
            s = 2 * np.sqrt(A) * alpha
            b = [A * ((A + 1) - (A - 1) * c + s), 2 * A * ((A - 1) - (A + 1) * c), A * ((A + 1) - (A - 1) * c - s)]
            a = [(A + 1) + (A - 1) * c + s, -2 * ((A - 1) + (A + 1) * c), (A + 1) + (A - 1) * c - s]
        elif kind in ("lowpass", "highpass"):
            sign = 1 if kind == "lowpass" else -1
            b = [(1 - sign * c) / 2, sign * (1 - sign * c), (1 - sign * c) / 2]
            a = [1 + alpha, -2 * c, 1 - alpha]
        else:
            raise ValueError(f"unknown filter: {kind}")
        return cls(np.array(b) / a[0], np.array(a) / a[0])

    def response(self, w):
        z = np.exp(-1j * w)
        return np.polyval(self.b[::-1], z) / np.polyval(self.a[::-1], z)

    def process(self, x):
        return sig.lfilter(self.b, self.a, x)


class Chain(list):
    def response(self, w):
        return functools.reduce(lambda h, f: h * f.response(w), self, np.ones_like(w, dtype=complex))

    def process(self, x):
        for f in self:
            x = f.process(x)
        return x


def equaliser(gains, centres, q):
    fs = 8000.0
    bands = Chain(Biquad.design("peak", f, g, q, fs) for f, g in zip(centres, gains))
    bands.append(Biquad.design("lowshelf", 150.0, 3.0, 0.7, fs))
    w = np.geomspace(50, 3500, 40) * 2 * np.pi / fs
    level = 20 * np.log10(np.abs(bands.response(w)))
    target = np.interp(np.log(w), np.log(w[[0, 15, 30, -1]]), [0.0, 3.0, -2.0, 0.0])
    chirp = sig.chirp(np.arange(200) / fs, f0=100, f1=2000, t1=200 / fs)
    out = bands.process(chirp)
    return np.mean((level - target) ** 2) + 0.1 * np.std(out) + 0.01 * np.max(np.abs(out))


# ---- a QPSK receiver: timing, carrier loop, decision -----------------------------------------------------------------

def root_raised_cosine(beta, span=6, sps=4):
    t = np.arange(-span * sps // 2, span * sps // 2 + 1) / sps
    h = np.zeros(t.size)
    for k, x in enumerate(t):
        if x == 0:
            h[k] = 1 - beta + 4 * beta / np.pi
        elif abs(abs(4 * beta * x) - 1) < 1e-9:
            h[k] = beta / np.sqrt(2) * ((1 + 2 / np.pi) * np.sin(np.pi / (4 * beta))
                                        + (1 - 2 / np.pi) * np.cos(np.pi / (4 * beta)))
        else:
            h[k] = ((np.sin(np.pi * x * (1 - beta)) + 4 * beta * x * np.cos(np.pi * x * (1 + beta)))
                    / (np.pi * x * (1 - (4 * beta * x) ** 2)))
    return h / np.sqrt(np.sum(h ** 2))


@dataclass
class CostasLoop:
    bandwidth: float
    damping: float = 0.707
    phase: float = 0.0
    freq: float = 0.0

    def gains(self):
        theta = self.bandwidth / (self.damping + 0.25 / self.damping)
        d = 1 + 2 * self.damping * theta + theta ** 2
        return 4 * self.damping * theta / d, 4 * theta ** 2 / d

    def step(self, sample):
        kp, ki = self.gains()
        out = sample * cmath.exp(-1j * self.phase)
        error = np.sign(out.real) * out.imag - np.sign(out.imag) * out.real
        self.freq += ki * error
        self.phase += self.freq + kp * error
        return out, error


def modem(offset, bandwidth, rolloff):
    sps = 4
    rng = np.random.default_rng(17)
    bits = rng.integers(0, 2, size=(40, 2))
    symbols = ((2 * bits[:, 0] - 1) + 1j * (2 * bits[:, 1] - 1)) / np.sqrt(2)
    up = np.zeros(len(symbols) * sps, dtype=complex)
    up[::sps] = symbols
    pulse = root_raised_cosine(rolloff, sps=sps)
    tx = np.convolve(up, pulse)
    n = np.arange(tx.size)
    rx = tx * np.exp(1j * (offset * n + 0.3)) + 0.02 * (rng.normal(size=n.size) + 1j * rng.normal(size=n.size))
    matched = np.convolve(rx, pulse[::-1])
    delay = pulse.size - 1
    samples = matched[delay:delay + len(symbols) * sps:sps]
    loop = CostasLoop(bandwidth)
    constellation, errors = [], []
    for s in samples:
        y, e = loop.step(s)
        constellation.append(y)
        errors.append(e)
    tail = np.array(constellation[20:])
    decided = (np.sign(tail.real) + 1j * np.sign(tail.imag)) / np.sqrt(2)
    evm = np.sqrt(np.mean(np.abs(tail - decided) ** 2))
    return evm + np.var(errors[-10:]) + abs(loop.freq)


# ---- spectra: Welch by hand, Levinson, peaks -------------------------------------------------------------------------

WINDOWS = {"hann": np.hanning, "hamming": np.hamming, "blackman": np.blackman, "boxcar": np.ones}


def frames(x, size, hop):
    start = 0
    while start + size <= len(x):
        yield x[start:start + size]
        start += hop


def welch(x, fs=1.0, nperseg=32, overlap=0.5, window="hann", detrend="constant", scaling="density"):
    win = WINDOWS[window](nperseg) if isinstance(window, str) else np.asarray(window)
    hop = int(nperseg * (1 - overlap))
    acc, count = 0.0, 0
    for frame in frames(x, nperseg, hop):
        if detrend == "constant":
            frame = frame - frame.mean()
        elif detrend == "linear":
            frame = sig.detrend(frame, type="linear")
        elif detrend:
            raise ValueError(detrend)
        acc = acc + np.abs(np.fft.rfft(frame * win)) ** 2
        count += 1
    if not count:
        raise ValueError("the signal is shorter than a segment")
    psd = acc / count
    psd = psd / (fs * np.sum(win ** 2)) if scaling == "density" else psd / win.sum() ** 2
    psd[1:-1] *= 2
    return np.fft.rfftfreq(nperseg, 1 / fs), psd


def levinson(r, order):
    a = np.zeros(order + 1)
    a[0] = 1.0
    e = r[0]
    for k in range(1, order + 1):
        reflection = -np.dot(a[:k], r[k:0:-1]) / e
        a[1:k + 1] = a[1:k + 1] + reflection * a[k - 1::-1][:k]
        e *= 1 - reflection ** 2
        if e <= 0:
            break
    return a, e


def spectrum(x, fs):
    freqs, psd = welch(x, fs, window="hamming", detrend="linear")
    p = psd / psd.sum()
    centroid = (freqs * p).sum()
    flatness = np.exp(np.mean(np.log(psd + 1e-12))) / np.mean(psd)
    entropy = -np.sum(p * np.log2(p + 1e-15))
    r = np.correlate(x - x.mean(), x - x.mean(), mode="full")[len(x) - 1:] / len(x)
    a, e = levinson(r, 4)
    b = solve_toeplitz(r[:4], -r[1:5])
    peaks, props = sig.find_peaks(psd, height=0.0)
    strongest = psd[peaks].max() if len(peaks) else 0.0
    cepstrum = scipy.fft.dct(np.log(psd + 1e-9), norm="ortho")[:5]
    shape = centroid / fs + flatness + 0.1 * entropy + 0.01 * cepstrum @ cepstrum
    return shape + e + np.sum((a[1:] - b) ** 2) + strongest


# ---- adaptive filters behind one interface; separation of sources ----------------------------------------------------

class Adaptive(abc.ABC):
    def __init__(self, taps, **options):
        self.w = np.zeros(taps)
        self.options = options
        self.buffer = deque([0.0] * taps, maxlen=taps)

    @abc.abstractmethod
    def adapt(self, u, e): ...

    def __call__(self, x, d):
        self.buffer.appendleft(x)
        u = np.array(self.buffer)
        e = d - self.w @ u
        self.adapt(u, e)
        return e


class NLMS(Adaptive):
    def adapt(self, u, e):
        self.w = self.w + self.options["mu"] * e * u / (u @ u + self.options.get("eps", 1e-3))


class RLS(Adaptive):
    def __init__(self, taps, lam=0.99, delta=10.0):
        super().__init__(taps, lam=lam)
        self.P = delta * np.eye(taps)

    def adapt(self, u, e):
        lam = self.options["lam"]
        Pu = self.P @ u
        k = Pu / (lam + u @ Pu)
        self.w = self.w + k * e
        self.P = (self.P - np.outer(k, Pu)) / lam


def whiten(x):
    x = x - x.mean(axis=1, keepdims=True)
    d, E = np.linalg.eigh(np.cov(x))
    return E @ np.diag(d ** -0.5) @ E.T @ x


def fast_ica(x, tol=1e-8, maxiter=50):
    z = whiten(x)
    n, m = z.shape
    W = np.eye(n)
    for it in range(maxiter):
        y = W @ z
        g = np.tanh(y)
        new = g @ z.T / m - np.diag((1 - g ** 2).mean(axis=1)) @ W
        u, s, vt = np.linalg.svd(new)
        new = u @ vt
        change = np.max(np.abs(np.abs(np.diag(new @ W.T)) - 1))
        W = new
        if change < tol:
            break
    return W @ z


def cancel(mu, lam, mixing):
    t = np.arange(80)
    far = np.sin(0.3 * t) + 0.3 * np.cos(1.1 * t)
    near = 0.1 * sig.square(2 * np.pi * t / 25)
    echo = sig.lfilter([0.6, 0.3, -0.1], 1.0, far) + near
    report = {}
    for name, f in dict(nlms=NLMS(4, mu=mu), rls=RLS(4, lam=lam)).items():
        residual = [f(x, d) for x, d in zip(far, echo)]
        report[name] = 10 * math.log10(np.mean(np.square(residual[40:])) / np.mean(echo[40:] ** 2))
    sources = np.vstack([np.sin(0.2 * t), sig.sawtooth(0.37 * t)])
    y = fast_ica(mixing @ sources)
    kurtosis = np.mean(y ** 4, axis=1) - 3
    return sum(report.values()) + np.abs(kurtosis).sum()


PROGRAMS = [
    ("equaliser", equaliser, lambda: (np.array([2.0, -1.0, 1.5]), np.array([300.0, 900.0, 2200.0]), 1.2), (0, 1, 2)),
    ("modem", modem, lambda: (0.004, 0.05, 0.35), (0, 1, 2)),
    ("spectrum", spectrum, lambda: (np.sin(0.7 * np.arange(128)) + 0.3 * np.random.default_rng(4).normal(size=128),
                                    8.0), (0, 1)),
    ("cancel", cancel, lambda: (0.5, 0.98, np.array([[1.0, 0.6], [0.4, 1.0]])), (0, 1, 2)),
]
