"""Riemannian optimisation: exponentials, logarithms, distances and retractions of manifolds."""
import numpy as np
from pymanopt.manifolds import Grassmann, PoincareBall, Sphere, Stiefel, SymmetricPositiveDefinite

from . import Calls

calls = Calls()
rng = np.random.default_rng(3)
SPHERE = Sphere(4)
U, W = (v / np.linalg.norm(v) for v in rng.standard_normal((2, 4)))
TANGENT = SPHERE.projection(U, rng.standard_normal(4))
STIEFEL, GRASSMANN = Stiefel(5, 2), Grassmann(5, 2)
FRAME, OTHER = (np.linalg.qr(a)[0] for a in rng.standard_normal((2, 5, 2)))
FRAMES_TANGENT = STIEFEL.projection(FRAME, rng.standard_normal((5, 2)))
POSITIVE = SymmetricPositiveDefinite(3)
S, T = (a @ a.T + np.eye(3) for a in rng.standard_normal((2, 3, 3)))
SYMMETRIC = (lambda a: a + a.T)(rng.standard_normal((3, 3)))
BALL = PoincareBall(3)


@calls(U, TANGENT)
def Sphere_exp(point, tangent_vector):
    return SPHERE.exp(point, tangent_vector)


@calls(U, W)
def Sphere_log(point_a, point_b):
    return SPHERE.log(point_a, point_b)


@calls(U, W)
def Sphere_dist(point_a, point_b):
    return SPHERE.dist(point_a, point_b)


@calls(U, TANGENT)
def Sphere_retraction(point, tangent_vector):
    return SPHERE.retraction(point, tangent_vector)


@calls(FRAME, FRAMES_TANGENT)
def Stiefel_retraction(point, tangent_vector):
    return STIEFEL.retraction(point, tangent_vector)


@calls(FRAME, FRAMES_TANGENT)
def Stiefel_exp(point, tangent_vector):
    return STIEFEL.exp(point, tangent_vector)


@calls(FRAME, OTHER)
def Grassmann_dist(point_a, point_b):
    return GRASSMANN.dist(point_a, point_b)


@calls(S, T)
def SymmetricPositiveDefinite_dist(point_a, point_b):
    return POSITIVE.dist(point_a, point_b)


@calls(S, SYMMETRIC)
def SymmetricPositiveDefinite_exp(point, tangent_vector):
    return POSITIVE.exp(point, tangent_vector)


@calls(np.array([0.1, 0.5, -0.2]), np.array([-0.3, 0.2, 0.4]))
def PoincareBall_dist(point_a, point_b):
    return BALL.dist(point_a, point_b)
