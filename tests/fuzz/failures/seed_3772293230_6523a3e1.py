# seed 3772293230, stage optimised: no exception, but the function raises IndexError: index 2 is out of bounds for axis 1 with size 2
import numpy as np

def f(x, c, idx):
    n = x.shape[0]
    for i in range(1, len(x) - 1):
        x[-1 - i] = c / (2.0 + 0.5 * 0.5) / (2.0 + c * c)
        z1 = np.ones((n, 2), dtype=np.float32) ** 2
        z1[-1, 2] += np.sin(np.tanh(x[-2:] @ x[:2]) + z1[-3, i % 2])
    return (x[::-1] / (2.0 + x[::-1] * x[::-1]) + 0.5 * x, x.max() + 0.4 * x.sum(), np.mean(x) + 0.4 * x.sum())


ARGS = (np.array([-1.330818772315979, -0.2745400667190552, 0.6581031680107117, -0.750725269317627, -0.49041372537612915, 0.833904504776001, -1.1155301332473755], dtype=np.float32), 0.9531414864797854, np.array([-4, -7, -7, -3, -5, -2, 1], dtype=np.int64),)
MORE = ((np.array([0.49784383177757263, 0.6924047470092773, -1.4890034198760986, 1.269121527671814, -0.38952839374542236, -0.5292875170707703, -0.8627948760986328, -1.3692927360534668], dtype=np.float32), 0.2054147895153151, np.array([-1, -4, -3, 4, 4, -4, 7, -5], dtype=np.int64),),)
SEED = 3772293230
