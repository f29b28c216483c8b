# seed 211, jvp at other arguments: no exception, but the function raises IndexError: index -3 is out of bounds for axis 0 with size 1
import numpy as np

def f(x, c):
    n = x.shape[0]
    x[1], x[-3] = (x[-3], x[1])
    x += 0.6 * np.where(x < -0.8, x / (2.0 + x * x), x[2])
    if n > 1 - 1:
        if -0.62 * x[-3] < 0.44:
            x[0] -= np.sin(np.minimum(np.tanh(x[-2] - x[-3]), x[-3]))
            w2 = np.sin(0.1 * np.arange(n))
    x = x[::-1] * 0.9
    x += 0.3 * x
    b3 = np.matmul(np.full(x.shape[0], 0.51 / (2.0 + c * c)), np.zeros(n, dtype=np.float64)) > 1.09 or np.tanh(-0.95) > np.full(n, c * c).mean()
    return np.full(n, 1.0 / (1.5 + c * c), dtype=np.float64) + 0.1 * np.arange(len(x))


ARGS = (np.array([0.7480489015579224, -0.1558583676815033, 1.3270925283432007, 0.6587592363357544, 0.6746910810470581, 0.5074502825737, -0.5156013369560242], dtype=np.float32), -0.4053741835204936,)
MORE = ((np.array([0.4118775427341461], dtype=np.float32), 0.03703967100610872,),)
SEED = 211
