# exception: plain TypeError arrays.py:require: cannot unpack non-iterable _ object: f(tuple([5, 2])): raised TypeError: cannot unpack non-iterable C1 object
# compiled: False
import numpy as np

class C1:

    def __init__(self, a, b, c):
        pass

    def __getitem__(self, k):
        return ()[k]
OBJECT_C1 = C1(np.array, [], 0.5)

def f(alpha):
    () = OBJECT_C1
SCRIPT = ['f(tuple([5, 2]))']


