"""A soliton of the Korteweg-de Vries equation, pseudo-spectral: where its centre of mass is, after it ran through a part of the box.

u_t + 6 u u_x + u_xxx = 0, periodic in a box of length L; the linear part is exact (integrating factor), the rest by Runge-Kutta of order 4
(Trefethen, Spectral Methods in MATLAB, program 27). No units.

Reference: closed form. The soliton c/2 sech^2(sqrt(c)/2 (x - x0)) moves with the speed c, and its mass is 2 sqrt(c).
"""
import numpy as np


def kdv_spectral(c, x0, length, n, dt, steps):
    x = length / n * np.arange(n) - length / 2.0
    k = 2.0 * np.pi / length * np.concatenate([np.arange(0, n // 2), [0], np.arange(-n // 2 + 1, 0)])
    u = 0.5 * c / np.cosh(0.5 * np.sqrt(c) * (x - x0)) ** 2
    v = np.fft.fft(u)
    half = np.exp(1j * k**3 * dt / 2.0)
    whole = half**2
    g = -3j * dt * k

    def nonlinear(v):
        return g * np.fft.fft(np.real(np.fft.ifft(v)) ** 2)

    for _ in range(steps):
        a = nonlinear(v)
        b = nonlinear(half * (v + a / 2.0))
        d = nonlinear(half * v + b / 2.0)
        e = nonlinear(whole * v + half * d)
        v = whole * v + (whole * a + 2.0 * half * (b + d) + e) / 6.0
    u = np.fft.ifft(v).real
    return np.sum(x * u**2) / np.sum(u**2)


ALSO = ("vmap", "hvp")


def arguments():
    return 4.0, -2.0, 20.0, 64, 2e-3, 300


def reference():
    c, x0, length, n, dt, steps = arguments()
    return {"value": x0 + c * dt * steps, "rtol": 1e-5, "gradient": (dt * steps, 1.0, None, c * steps)}
