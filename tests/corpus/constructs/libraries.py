"""What public libraries have in their functions, around the mathematics."""
import math
import sys

import numba
import numpy as np
import scipy.linalg
import scipy.special
import scipy.stats

from tests.corpus.registry import normal, positive_definite, program, uniform

EXPONENTIALS = np.vectorize(scipy.linalg.expm, signature="(m,m)->(m,m)")
FACTORS = np.vectorize(np.linalg.qr, signature="(m, n)->(m, k),(k, n)")


@program(construct="np.vectorize with a signature, outside", args=lambda: (normal(901, 3, 2, 2), uniform(902, 4, 3)),
         argnums=(0, 1))
def stacked_matrices(a, b):
    """A stack, and one matrix alone; one result, and two."""
    q, r = FACTORS(b)
    return np.sum(EXPONENTIALS(a) ** 2) + np.sum(EXPONENTIALS(a[0])) + np.sum(q[:2] * 2.0) + np.sum(r * r)


@program(construct="np.vectorize with a signature, inside", args=lambda: (normal(903, 2, 3), normal(904, 3)),
         argnums=(0, 1))
def rows_against_one(a, b):
    """The row of the second goes with each of the first; a number comes for each."""
    def distance(u, v):
        u = u * 2.0
        return np.sqrt(np.sum((u - v) ** 2)), u[:2]

    far, near = np.vectorize(distance, signature="(n),(n)->(),(k)")(a, b)
    return np.sum(far * np.array([1.0, 3.0])) + np.sum(near**2)


@numba.njit
def elements_of_orbit(r, v, flat):
    """An angle is 0 where there is none."""
    if flat > 0.5:
        node = 0
        turn = math.atan2(r, v)
    else:
        node = r * flat
        turn = math.atan2(v, r)
    return (node, turn), node + 1


@program(construct="a number that numba makes a float: 0 on one path", args=lambda: (uniform(905, 3),))
def orbits(x):
    """As the code of orbits has it: `raan = 0`."""
    total = 0.0
    for flat in x - 0.5:
        found, more = elements_of_orbit(x[0], x[1], flat)
        total = total + np.sum(np.array(found) * np.asarray(more) / 2)
    return total


@program(construct="x.view, x.view(np.ndarray)", args=lambda: (normal(906, 4),), mutates=True)
def viewed(x):
    """A view: what is stored into it stands in the array."""
    y, z = x.view(), x[1:].view(np.ndarray)
    y[0] *= 3.0
    z[0] = y[3] ** 2
    return np.sum(x**3) + np.sum(z.view(np.float64) * 2.0)


class Filter:
    """Measurements are None until there is one."""

    def __init__(self, x, dim_z):
        self.x, self.z = x, np.array([[None] * dim_z]).T
        self.likelihood = sys.float_info.min

    def update(self, z):
        known = self.z.shape == (2, 1) and isinstance(self.z, np.ndarray) and self.z.dtype == object
        self.z = np.asarray(z)
        self.x = self.x + (0.5 if known else 0.25) * (self.z - self.x)
        self.likelihood = max(math.exp(-np.sum((self.z - self.x) ** 2)), sys.float_info.min)
        try:
            self.x.name = "state"
        except AttributeError:
            self.x = self.x * 1.5
        return self


@program(construct="an array of None, sys.float_info, an attribute that an array cannot have",
         args=lambda: (normal(907, 2), normal(908, 2)), argnums=(0, 1))
def filtered(x, z):
    f = Filter(x, 2).update(z).update(z * 2.0)
    return np.sum(f.x**2) + math.log(f.likelihood + sys.float_info[3])


@program(construct="% of what the run knows, in a message", args=lambda: (uniform(909, 3),))
def told(x):
    """The text of an exception that is caught, and of one that is not raised."""
    total = 0.0
    for k, v in enumerate(x):
        if v > 5.0:
            raise ValueError("%s is %.3f, above %d (%5.1f%%): %r" % (k, v, 5, 100 * v / 5, v))
        try:
            if v < 0.9:
                raise ValueError("element %d is %s" % (k, v))
            total += v * v
        except ValueError as error:
            total += 3.0 * v if "{0} of {0}".format(len(x)) in "3 of 3" and error.args else 1.0
    return total


@program(construct="lambertw of both real branches", argnums=(0, 1),
         args=lambda: (uniform(910, 3), np.array([-0.3, -0.2, -0.15, -0.1])))
def inverted(x, y):
    low, high = scipy.special.lambertw(y, -1), scipy.special.lambertw(np.append(x * 20.0, y))
    return np.sum(low.real**2) + np.sum(high.real) + float(scipy.special.lambertw(x[0]).real)


@program(construct="the normal density with allow_singular", args=lambda: (normal(911, 3), positive_definite(912, 3)),
         argnums=(0, 1))
def density(x, a):
    return scipy.stats.multivariate_normal.logpdf(x, np.zeros(3), a @ a.T, allow_singular=True)
