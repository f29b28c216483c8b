"""Heat transfer: correlations, condensation, boiling, and heat exchangers."""
import ht

from . import Calls

calls = Calls()


@calls(1e5, 1.2)
def turbulent_Dittus_Boelter(Re, Pr):
    return ht.turbulent_Dittus_Boelter(Re=Re, Pr=Pr)


@calls(1e5, 1.2, 0.0185)
def turbulent_Gnielinski(Re, Pr, fd):
    return ht.turbulent_Gnielinski(Re=Re, Pr=Pr, fd=fd)


@calls(0.69, 2.63e9)
def Nu_vertical_plate_Churchill(Pr, Gr):
    return ht.Nu_vertical_plate_Churchill(Pr, Gr)


@calls(6071.0, 0.7)
def Nu_cylinder_Churchill_Bernstein(Re, Pr):
    return ht.Nu_cylinder_Churchill_Bernstein(Re, Pr)


@calls(100.0, 60.0, 30.0, 40.2)
def LMTD(Thi, Tho, Tci, Tco):
    return ht.LMTD(Thi, Tho, Tci, Tco)


@calls(5.0, 0.7)
def effectiveness_from_NTU(NTU, Cr):
    return ht.effectiveness_from_NTU(NTU=NTU, Cr=Cr, subtype="crossflow, mixed Cmin")


@calls(370.0, 350.0, 7.0, 585.0, 0.091, 158.9e-6, 776900.0, 0.1)
def Nusselt_laminar(Tsat, Tw, rhog, rhol, kl, mul, Hvap, L):
    return ht.Nusselt_laminar(Tsat=Tsat, Tw=Tw, rhog=rhog, rhol=rhol, kl=kl, mul=mul, Hvap=Hvap, L=L)


@calls(957.854, 0.595593, 2.79e-4, 0.680, 4217.0, 2.257e6, 0.0589, 4.9)
def Rohsenow(rhol, rhog, mul, kl, Cpl, Hvap, sigma, Te):
    return ht.Rohsenow(rhol=rhol, rhog=rhog, mul=mul, kl=kl, Cpl=Cpl, Hvap=Hvap, sigma=sigma, Te=Te, Csf=0.011, n=1.26)


@calls(0.106, 0.2, 0.0212, 567.0, 18.09, 156e-6, 7.11e-6, 0.086, 2730.0, 2e5, 0.02, 1e5, 3.0)
def Chen_Bennett(m, x, D, rhol, rhog, mul, mug, kl, Cpl, Hvap, sigma, dPsat, Te):
    return ht.Chen_Bennett(m=m, x=x, D=D, rhol=rhol, rhog=rhog, mul=mul, mug=mug, kl=kl, Cpl=Cpl, Hvap=Hvap,
                           sigma=sigma, dPsat=dPsat, Te=Te)


@calls(5.2, 1.45, 1860.0, 1900.0, 15.0, 85.0, 130.0)
def effectiveness_NTU_method(mh, mc, Cph, Cpc, Tci, Tco, Thi):
    found = ht.effectiveness_NTU_method(mh=mh, mc=mc, Cph=Cph, Cpc=Cpc, subtype="crossflow, mixed Cmax",
                                        Tci=Tci, Tco=Tco, Thi=Thi)
    return found["UA"], found["Tho"]
