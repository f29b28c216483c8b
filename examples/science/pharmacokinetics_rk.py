"""A drug in the blood after an oral dose: two compartments, by an adaptive Runge-Kutta method with step control.

dG/dt = -ka G, dC/dt = ka G / V - ke C: dose in mg, volume in l, rates in 1/h. Bogacki and Shampine's pair of orders 3 and 2, first same as
last, a PI-free controller with the usual safety factor.

Reference: closed form, the Bateman function, with its gradient.
"""
import numpy as np


class TooManySteps(Exception):
    pass


def bogacki_shampine(f, t, y, h, k1):
    k2 = f(t + h / 2, y + h * k1 / 2)
    k3 = f(t + 3 * h / 4, y + 3 * h * k2 / 4)
    new = y + h * (2 * k1 + 3 * k2 + 4 * k3) / 9
    k4 = f(t + h, new)
    error = h * (-5 * k1 / 72 + k2 / 12 + k3 / 9 - k4 / 8)
    return new, error, k4


def integrate(f, t, t_end, y, rtol=1e-8, atol=1e-10, max_steps=5000):
    h = 1e-3 * (t_end - t)
    k1 = f(t, y)
    accepted = rejected = 0
    while t < t_end:
        if accepted + rejected >= max_steps:
            raise TooManySteps(f"{accepted} accepted, {rejected} rejected, t = {t}")
        h = min(h, t_end - t)
        new, error, k4 = bogacki_shampine(f, t, y, h, k1)
        norm = np.sqrt(np.mean((error / (atol + rtol * np.maximum(np.abs(y), np.abs(new)))) ** 2))
        if norm > 1.0:
            rejected += 1
            h *= max(0.2, 0.9 * norm ** (-1 / 3))
            continue
        accepted += 1
        t, y, k1 = t + h, new, k4
        h *= 5.0 if norm == 0.0 else min(5.0, 0.9 * norm ** (-1 / 3))
    return y, accepted, rejected


def pharmacokinetics_rk(dose, ka, ke, volume, hours):
    def rates(t, y):
        gut, blood = y
        return np.array([-ka * gut, ka * gut / volume - ke * blood])

    y, accepted, rejected = integrate(rates, 0.0, hours, np.array([dose, 0.0]))
    return y[1]


ALSO = ("vmap",)
RTOL = 1e-5     # it is a little discontinuous, by what it is allowed to be wrong, where a step more or less is taken


def arguments():
    return 320.0, 1.2, 0.09, 33.0, 6.0


def bateman(dose, ka, ke, volume, t):
    return dose * ka / (volume * (ka - ke)) * (np.exp(-ke * t) - np.exp(-ka * t))


def reference():
    given = arguments()
    gradient = [np.imag(bateman(*given[:k], given[k] + 1e-30j, *given[k + 1:])) / 1e-30 for k in range(5)]    # a complex step is exact
    return {"value": bateman(*given), "rtol": 1e-7, "gradient": gradient}
