"""Solar position, and what reaches a panel."""
import numpy as np
import pandas as pd
import pvlib

from . import Calls

calls = Calls()
TIMES = pd.date_range("2024-06-01 06:00", periods=4, freq="3h", tz="Etc/GMT+7")
DAYS = np.array([12.0, 101.0, 203.0, 311.0])


@calls(32.2, -110.9)
def get_solarposition(latitude, longitude):
    found = pvlib.solarposition.get_solarposition(TIMES, latitude, longitude)
    return found["apparent_zenith"].to_numpy()


@calls(DAYS)
def declination_spencer71(dayofyear):
    return pvlib.solarposition.declination_spencer71(dayofyear)


@calls(DAYS)
def equation_of_time_spencer71(dayofyear):
    return pvlib.solarposition.equation_of_time_spencer71(dayofyear)


@calls(0.56, np.array([-0.9, -0.2, 0.4]), 0.31)
def solar_zenith_analytical(latitude, hourangle, declination):
    return pvlib.solarposition.solar_zenith_analytical(latitude, hourangle, declination)


@calls(0.56, np.array([-0.9, -0.2, 0.4]), 0.31, np.array([0.86, 0.3, 0.43]))
def solar_azimuth_analytical(latitude, hourangle, declination, zenith):
    return pvlib.solarposition.solar_azimuth_analytical(latitude, hourangle, declination, zenith)


@calls(-110.9, 2.1)
def hour_angle(longitude, equation_of_time):
    return pvlib.solarposition.hour_angle(TIMES, longitude, equation_of_time)


@calls(np.array([10.0, 45.0, 80.0]))
def get_relative_airmass(zenith):
    return pvlib.atmosphere.get_relative_airmass(zenith)


@calls(DAYS)
def get_extra_radiation(dayofyear):
    return pvlib.irradiance.get_extra_radiation(dayofyear)


@calls(30.0, 180.0, np.array([40.0, 60.0]), np.array([120.0, 230.0]))
def aoi(surface_tilt, surface_azimuth, solar_zenith, solar_azimuth):
    return pvlib.irradiance.aoi(surface_tilt, surface_azimuth, solar_zenith, solar_azimuth)


@calls(np.array([20.0, 50.0, 70.0]), np.array([1.06, 1.55, 2.9]), 3.0)
def ineichen(apparent_zenith, airmass_absolute, linke_turbidity):
    found = pvlib.clearsky.ineichen(apparent_zenith, airmass_absolute, linke_turbidity, altitude=300.0)
    return found["ghi"], found["dni"], found["dhi"]
