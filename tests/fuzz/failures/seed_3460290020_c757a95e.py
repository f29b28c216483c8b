# found where a loop is left
import numpy as np

def f(x, A):
    n = A.shape[1]
    s1 = x[1] if np.tanh(A[0, 1]) > A[:, 0].sum() else x[0]
    for i in range(n - 1, -1, -2):
        s1 = s1 - 0.2 * (x @ np.eye(len(A))).dot(np.cos(x))
        for j in range(len(x) - 1, -1, -2):
            B2 = x[:, None] * x
        s3 = abs(x[n - 1 - i])
        for j in range(i + 1):
            s3 += 0.2 * (np.minimum(s3, A[i, -1 - j]) + (-1.13 - A[i, j]))
            s4 = np.log(2.0 + A.T[1, j] * A.T[1, j])
            for k in range(j + 1, len(A)):
                x[:k + 1] = 0.4 * (abs(s1) if s4 < -1.18 else (1.0 + 0.3 * s3 * (0.3 * s3)) ** 0.7)
                A.T[n - 1 - j] = np.zeros((n, A.shape[1]), dtype=np.float32) * A @ A[:, i]
                s4 = s4 - (-0.88 - 0.1 * A.shape[0]) / (2.0 + A[j, -1] * A[j, -1])
            if i < j:
                continue
    return ((1.0 + x * x) ** 0.7 + 0.7 * s1 + 0.5 * x, np.abs(A[::-1, -1]) + 0.2 * np.sum(A * A))


ARGS = (np.array([-0.3897990128879656, 0.647420999908511], dtype=np.float64), np.array([1.1708909273147583, 0.391197144985199, -1.4520604610443115, -1.2950384616851807], dtype=np.float32).reshape(2, 2),)
MORE = ((np.array([0.3108442022138642, -1.4819665949558551, 0.6103493045699544], dtype=np.float64), np.array([-1.3391246795654297, 1.169213056564331, -0.6550456285476685, 0.4969429075717926, 0.44597679376602173, 1.171435832977295, 1.0842915773391724, 1.0577588081359863, 0.26151150465011597], dtype=np.float32).reshape(3, 3),),)
SEED = 3460290020
