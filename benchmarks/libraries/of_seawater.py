"""Oceanography: the equation of state of sea water, sound, oxygen, stability."""
import numpy as np
import seawater as sw

from . import Calls

calls = Calls()
SALINITY, TEMPERATURE = np.array([34.2, 35.1, 36.3]), np.array([4.5, 12.2, 21.7])
PRESSURE = np.array([100.0, 1200.0, 3500.0])
DEPTHS = np.array([[10.0], [250.0], [1100.0]])
COLUMN = (np.array([[34.0, 34.2], [34.5, 34.6], [35.0, 35.1]]), np.array([[18.0, 17.0], [11.0, 10.5], [4.0, 3.8]]),
          DEPTHS)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def dens(s, t, p):
    return sw.dens(s, t, p)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def pden(s, t, p):
    return sw.pden(s, t, p)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def svel(s, t, p):
    return sw.svel(s, t, p)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def ptmp(s, t, p):
    return sw.ptmp(s, t, p)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def temp(s, pt, p):
    return sw.temp(s, pt, p)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def cp(s, t, p):
    return sw.cp(s, t, p)


@calls(SALINITY, TEMPERATURE, PRESSURE)
def alpha(s, t, p):
    return sw.alpha(s, t, p)


@calls(np.array([1.0, 1.2, 0.65]), np.array([15.0, 20.0, 5.0]), np.array([0.0, 2000.0, 1500.0]))
def salt(r, t, p):
    return sw.salt(r, t, p)


@calls(SALINITY, TEMPERATURE)
def satO2(s, t):
    return sw.satO2(s, t)


@calls(*COLUMN)
def bfrq(s, t, p):
    n2, vorticity, middle = sw.bfrq(s, t, p, 45.0)
    return n2, vorticity, middle
