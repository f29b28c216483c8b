# seed 3772293404, stages, AttributeError: raises AttributeError: 'Unparser' object has no attribute 'is_adjoint'
import numpy as np

def f(x, A, c, g, flag, size):
    m = len(A)
    s1 = 0.0
    k2 = 0
    while True:
        k2 += 1
        s1 = s1 + np.sin((0.2 * (A @ x)).dot(np.exp(-A.T[0] * A.T[0])))
        for i in range(1, m - 1):
            r3 = np.reshape(A, -1)
            if flag:
                break
        if k2 > 2 or c / (2.0 + x[k2 % size] * x[k2 % size]) < x[1]:
            break
    if np.tanh(s1) * A.T[2, 0] < 0.4 * np.sum(x):
        k4 = 0
        while True:
            k4 += 1
            A[0] += np.mean(np.full((size, size), np.sin(c)), axis=-2) / (2.0 + x[::-1] * x[::-1])
            if k4 > 5 or np.tanh(s1) / (2.0 + c * c) >= 0.7:
                break
    return np.minimum(0.6 * s1, np.tanh(A[0, 0])) + 0.5 * s1 + 0.5 * g + 0.4 * A.sum() + 0.4 * x.sum()


ARGS = (np.array([0.3562307825702806, -0.7294026809852941, -0.4533580327517577, 0.06431425191715201, -0.8550023870728449, 0.5368101373422869, 0.3921200586313174], dtype=np.float64), np.array([0.7665523457881336, 0.14435465857504148, -1.4212980183069446, -1.0447528584069126, 0.7532478728224259, -1.2164060009640225, -0.6286407138685903], dtype=np.float64).reshape(1, 7), -1.2989147196753625, np.float64(-0.6532005588047757), False, 7,)
MORE = ((np.array([-0.7764561924874585, 1.1976141875310002, -1.1179365832535504, 0.3399025761183345, -0.6127596100612749, -0.7231551606102745, 1.13738928174037], dtype=np.float64), np.array([-1.0492659310020125, 1.4211480989611043, -1.0344370680486636, 0.6632640687571127, 0.4842799989438835, 0.2309001781493598, -0.8234361652767053], dtype=np.float64).reshape(1, 7), 1.164871986974466, np.float64(0.8420969257165924), True, 7,),)
SEED = 3772293404
