"""Parameters of predators and prey: Runge-Kutta between the times of observation, log-normal errors, a prior.

The hares and lynxes of the Hudson Bay Company (first years), with the model of Carpenter's Stan case study.
Reference: scipy.integrate.solve_ivp at tolerances of 1e-12 for the trajectory, which Runge-Kutta with steps of 0.05 follows to 1e-6.
"""
from dataclasses import dataclass

import numpy as np
from scipy.integrate import solve_ivp
from scipy.stats import norm


@dataclass(frozen=True)
class Rates:
    birth: float
    predation: float
    death: float
    growth: float

    def __call__(self, t, state):
        prey, predator = state
        return np.array([(self.birth - self.predation * predator) * prey,
                         (-self.death + self.growth * prey) * predator])


def rk4_step(f, t, y, h):
    k1 = f(t, y)
    k2 = f(t + h / 2, y + h / 2 * k1)
    k3 = f(t + h / 2, y + h / 2 * k2)
    k4 = f(t + h, y + h * k3)
    return y + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def integrate(f, y0, times, h_max=0.05):
    y, t = np.asarray(y0, dtype=float), float(times[0])
    out = [y]
    for t_next in times[1:]:
        while t < t_next - 1e-12:
            h = min(h_max, t_next - t)
            y = rk4_step(f, t, y, h)
            t += h
        out.append(y)
    return np.vstack(out)


def lotka_volterra(theta, times, counts):
    rates = Rates(*np.exp(theta[:4]))
    start, sigma = np.exp(theta[4:6]), np.exp(theta[6:])
    z = integrate(rates, start, times)
    loglik = norm.logpdf(np.log(counts), loc=np.log(z), scale=sigma).sum()
    prior = norm.logpdf(theta[:4], [0.0, -3.0, 0.0, -3.0], 0.5).sum()
    return -(loglik + prior)


ALSO = ("vmap", "hvp")
STEP = 1e-5        # numbers of animals are small beside their change by 1e-4 of the largest


def arguments():
    counts = np.array([[30.0, 4.0], [47.2, 6.1], [70.2, 9.8], [77.4, 35.2], [36.3, 59.4]])
    return np.log([0.55, 0.028, 0.8, 0.024, 33.0, 6.0, 0.25, 0.25]), np.arange(1900, 1905), counts


def reference():
    theta, times, counts = arguments()
    rates = Rates(*np.exp(theta[:4]))
    solved = solve_ivp(rates, (1900, 1904), np.exp(theta[4:6]), t_eval=times, rtol=1e-12, atol=1e-12, method="DOP853")
    z = (np.log(counts) - np.log(solved.y.T)) / np.exp(theta[6:])
    prior = (theta[:4] - [0.0, -3.0, 0.0, -3.0]) / 0.5
    loglik = -0.5 * np.sum(z**2) - 5 * np.sum(theta[6:]) - 5 * np.log(2 * np.pi)
    return {"value": -(loglik - 0.5 * np.sum(prior**2) - 4 * np.log(0.5) - 2 * np.log(2 * np.pi)), "rtol": 1e-6}
