# seed 62000055, vjp, dot product: <u, J t> = np.float64(-0.12823285821055097), <J' u, t> = np.float64(-0.12570619973266983)
import numpy as np

def f(x, u, y, c, g, k):
    n = x.shape[0]
    m = u.shape[0]
    x[x < 0.13] += 0.6 * np.min(x)
    k1 = 0
    while True:
        k1 += 1
        z2 = np.extract(x[::-1] < y, y)
        if k1 > 4 or np.sin(z2[::-1].sum()) > -0.21:
            break
    d3 = 0.2 * (x[-3] + x[0])
    for i in range(3):
        d3 -= 0.5
    if d3 < c:
        c += np.sin(d3)
    return (np.minimum(x[::-1], x) + 0.7 * c + 0.2 * np.sum(u * u), y[-1] + 0.5 * g + 0.5 * c + 0.4 * y.sum() + 0.4 * u.sum())


ARGS = (np.array([-0.05897932332261813, -0.5306776548029579, -0.5197401078767621, 0.18945665982798987, 1.0557528398269547, -0.7066652350400603, -0.4896380067064765], dtype=np.float64), np.array([], dtype=np.float64), np.array([1.354837783674387, 0.5930206872410997, -1.5063895789498547, -0.1663629461201097, 0.17005773126408785, -1.1915441964511169, -1.1993497826173087], dtype=np.float64), -0.8464946393194716, np.float64(-0.3173915372043059), 2,)
MORE = ((np.array([-1.074404433859081], dtype=np.float64), np.array([], dtype=np.float64), np.array([-1.5138045002118414], dtype=np.float64), -0.25568980231777694, np.float64(0.6119900867094374), 1,),)
SEED = 62000055
