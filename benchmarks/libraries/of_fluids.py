"""Hydraulics: friction, fittings, control valves, two phases, gases in pipes, the atmosphere."""
import fluids

from . import Calls

calls = Calls()


@calls(1e5, 1e-4)
def friction_factor(Re, eD):
    return fluids.friction_factor(Re=Re, eD=eD)


@calls(1e5, 1e-4)
def Colebrook(Re, eD):
    return fluids.friction.Colebrook(Re, eD)


@calls(10.0, 1000.0, 1e-5, 0.1, 1.0)
def one_phase_dP(m, rho, mu, D, L):
    return fluids.one_phase_dP(m, rho, mu, D, L=L)


@calls(965.4, 70.1e3, 22120e3, 3.1472e-4, 680e3, 220e3, 0.1, 0.15, 0.15, 0.15, 0.9, 0.46)
def size_control_valve_l(rho, Psat, Pc, mu, P1, P2, Q, D1, D2, d, FL, Fd):
    return fluids.control_valve.size_control_valve_l(rho=rho, Psat=Psat, Pc=Pc, mu=mu, P1=P1, P2=P2, Q=Q, D1=D1, D2=D2,
                                                     d=d, FL=FL, Fd=Fd)


@calls(0.6, 0.1, 915.0, 2.67, 180e-6, 14e-6, 0.0487, 0.05, 1.0)
def two_phase_dP(m, x, rhol, rhog, mul, mug, sigma, D, L):
    return fluids.two_phase_dP(m=m, x=x, rhol=rhol, rhog=rhog, mul=mul, mug=mug, sigma=sigma, D=D, L=L)


@calls(11.3, 0.00185, 1e6, 9e5, 1000.0, 0.5)
def isothermal_gas(rho, fd, P1, P2, L, D):
    return fluids.isothermal_gas(rho=rho, fd=fd, P1=P1, P2=P2, L=L, D=D)


@calls(1.0, 0.4)
def contraction_sharp(Di1, Di2):
    return fluids.contraction_sharp(Di1=Di1, Di2=Di2)


@calls(4.020, 20.0, 30.0, 1e5)
def bend_rounded(Di, rc, angle, Re):
    return fluids.bend_rounded(Di=Di, rc=rc, angle=angle, Re=Re)


@calls(70e-6, 2600.0, 1000.0, 1e-3)
def v_terminal(D, rhop, rho, mu):
    return fluids.v_terminal(D=D, rhop=rhop, rho=rho, mu=mu)


@calls(5000.0)
def ATMOSPHERE_1976(Z):
    five_km = fluids.ATMOSPHERE_1976(Z)
    return five_km.P, five_km.rho, five_km.mu
