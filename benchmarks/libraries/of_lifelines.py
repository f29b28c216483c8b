"""Survival models: cumulative hazards, which own models define as well; the power of a study; Kaplan-Meier."""
import numpy as np
from lifelines import (ExponentialFitter, GeneralizedGammaFitter, KaplanMeierFitter, LogLogisticFitter, LogNormalFitter,
                       PiecewiseExponentialFitter, SplineFitter, WeibullFitter, statistics)

from . import Calls

calls = Calls()
TIMES = np.array([0.8, 2.5, 4.1, 7.7])


@calls(np.array([3.0, 1.4]), TIMES)
def WeibullFitter_cumulative_hazard(params, times):
    return WeibullFitter()._cumulative_hazard(params, times)


@calls(np.array([3.0]), TIMES)
def ExponentialFitter_cumulative_hazard(params, times):
    return ExponentialFitter()._cumulative_hazard(params, times)


@calls(np.array([1.1, 0.6]), TIMES)
def LogNormalFitter_cumulative_hazard(params, times):
    return LogNormalFitter()._cumulative_hazard(params, times)


@calls(np.array([3.0, 1.4]), TIMES)
def LogLogisticFitter_cumulative_hazard(params, times):
    return LogLogisticFitter()._cumulative_hazard(params, times)


@calls(np.array([1.0, -0.4, 0.7]), TIMES)
def GeneralizedGammaFitter_cumulative_hazard(params, times):
    return GeneralizedGammaFitter()._cumulative_hazard(params, times)


@calls(np.array([2.0, 3.0, 5.0]), TIMES)
def PiecewiseExponentialFitter_cumulative_hazard(params, times):
    return PiecewiseExponentialFitter([2.0, 5.0])._cumulative_hazard(params, times)


@calls(np.array([-1.0, 1.2, 0.1]), TIMES)
def SplineFitter_cumulative_hazard(params, times):
    return SplineFitter([1.0, 3.0, 8.0])._cumulative_hazard(params, times)


@calls(0.75, 0.25, 0.35)
def power_under_cph(p_exp, p_con, postulated_hazard_ratio):
    return statistics.power_under_cph(421, 421, p_exp, p_con, postulated_hazard_ratio)


@calls(0.8, 1.0, 0.25, 0.35, 0.7)
def sample_size_necessary_under_cph(power, ratio_of_participants, p_exp, p_con, postulated_hazard_ratio):
    return statistics.sample_size_necessary_under_cph(power, ratio_of_participants, p_exp, p_con,
                                                      postulated_hazard_ratio)


@calls(np.array([1.0, 2.0, 1.5, 0.5]))
def KaplanMeierFitter_fit(weights):
    kmf = KaplanMeierFitter()
    kmf.fit(np.array([1.0, 2.0, 4.0, 6.0]), event_observed=np.array([1, 1, 0, 1]), weights=weights)
    return kmf.survival_function_["KM_estimate"].to_numpy()
