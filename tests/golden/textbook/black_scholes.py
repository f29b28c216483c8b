import numpy as np
from gradscribe import runtime as rt


def grad_black_scholes(s, strike, rate, sigma, t):
    ratio = s / strike
    if ratio <= 0.0:
        raise ValueError('math domain error')
    total = rate + 0.5 * sigma ** 2
    total2 = float(np.log(ratio)) + total * t
    if t < 0.0:
        raise ValueError('math domain error')
    sqrt_t = np.sqrt(t)
    sqrt_t2 = float(sqrt_t)
    product = sigma * sqrt_t2
    d1 = total2 / product
    d2 = d1 - product
    ratio2 = d1 / 1.4142135623730951
    product2 = 0.5 * (1.0 + float(rt.erf(ratio2)))
    negative_rate = -rate
    product3 = negative_rate * t
    exp_product = np.exp(product3)
    ok = not (abs(exp_product) == np.inf) & (abs(product3) != np.inf)
    if not ok:
        raise OverflowError('math range error')
    exp_product2 = float(exp_product)
    ratio3 = d2 / 1.4142135623730951

    # adjoint of line 8: return s * cdf(d1) - strike * math.exp(-rate * t) * cdf(d2)
    product4_bar = -(0.5 * (1.0 + float(rt.erf(ratio3))))
    x = np.float64(ratio3)
    # adjoint of line 6: return 0.5 * (1.0 + math.erf(d / math.sqrt(2.0)))
    ratio3_bar = 1.1283791670955126 * np.exp(-(ratio3 * x)) * (-0.5 * (strike * exp_product2))
    d2_bar = float(ratio3_bar) / 1.4142135623730951
    # adjoint of line 8: return s * cdf(d1) - strike * math.exp(-rate * t) * cdf(d2)
    strike_bar = exp_product2 * product4_bar
    product3_bar = float(exp_product * (strike * product4_bar))
    rate_bar = -(t * product3_bar)
    x = np.float64(ratio2)
    # adjoint of line 6: return 0.5 * (1.0 + math.erf(d / math.sqrt(2.0)))
    d1_bar = float(1.1283791670955126 * np.exp(-(ratio2 * x)) * (0.5 * s)) / 1.4142135623730951
    # adjoint of line 3: d2 = d1 - sigma * math.sqrt(t)
    d1_bar += d2_bar
    # adjoint of line 2: d1 = (math.log(s / strike) + (rate + 0.5 * sigma**2) * t) / (sigma * ...
    total2_bar = d1_bar / product
    product_bar = -d2_bar - d1 * total2_bar
    t_bar = negative_rate * product3_bar + float(0.5 / sqrt_t * (sigma * product_bar))
    total_bar = t * total2_bar
    t_bar += total * total2_bar
    rate_bar += total_bar
    sigma_bar = sqrt_t2 * product_bar + 2 * sigma * (0.5 * total_bar)
    x = np.float64(ratio)
    s_bar = float(total2_bar / x) / strike
    s_bar2 = product2 + s_bar
    strike_bar -= ratio * s_bar
    return s_bar2, strike_bar, rate_bar, sigma_bar, t_bar
