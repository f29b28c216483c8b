"""Orbits: elements, anomalies, propagation, Lambert's problem, manoeuvres (hapsira.core, which knows no units)."""
import numpy as np
from hapsira.core import angles, elements, iod, maneuver, perturbations
from hapsira.core.propagation.farnocchia import farnocchia_rv

from . import Calls

calls = Calls()
K = 398600.4418
R, V = np.array([-6045.0, -3490.0, 2500.0]), np.array([-3.457, 6.618, 2.533])
ELEMENTS = 11067.79, 0.83285, 1.5336, 3.9771, 0.9317, 1.6115


@calls(K, R, V)
def rv2coe(k, r, v):
    return elements.rv2coe(k, r, v)


@calls(K, *ELEMENTS)
def coe2rv(k, p, ecc, inc, raan, argp, nu):
    return elements.coe2rv(k, p, ecc, inc, raan, argp, nu)


@calls(*ELEMENTS)
def coe2mee(p, ecc, inc, raan, argp, nu):
    return elements.coe2mee(p, ecc, inc, raan, argp, nu)


@calls(11067.79, 0.2, 0.1, 0.3, 0.4, 2.1)
def mee2coe(p, f, g, h, k, L):
    return elements.mee2coe(p, f, g, h, k, L)


@calls(1.2, 0.3)
def M_to_E(M, ecc):
    return angles.M_to_E(M, ecc)


@calls(1.2, 0.3)
def nu_to_E(nu, ecc):
    return angles.nu_to_E(nu, ecc)


@calls(K, np.array([1131.340, -2282.343, 6672.423]), np.array([-5.64305, 4.30333, 2.42879]), 2400.0)
def farnocchia(k, r0, v0, tof):
    return farnocchia_rv(k, r0, v0, tof)


@calls(K, np.array([15945.34, 0.0, 0.0]), np.array([12214.83899, 10249.46731, 0.0]), 4560.0)
def izzo(k, r1, r2, tof):
    return iod.izzo(k, r1, r2, tof, 0, True, True, 35, 1e-8)


@calls(K, np.array([6700.0, 300.0, 100.0]), np.array([-0.3, 7.6, 0.5]), 42164.0)
def hohmann(k, r, v, r_f):
    return maneuver.hohmann(k, (r, v), r_f)


@calls(np.array([-2384.46, 5729.01, 3050.46, -7.36138, -2.98997, 1.64354]), K, 0.00108263, 6378.1366)
def J2_perturbation(state, k, J2, R):
    return perturbations.J2_perturbation(0.0, state, k, J2, R)
