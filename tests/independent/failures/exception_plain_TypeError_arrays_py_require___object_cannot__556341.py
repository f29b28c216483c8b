# exception: plain TypeError arrays.py:require: _ object cannot _ interpreted _ _ integer: f(None): raised TypeError: 'slice' object cannot be interpreted as an integer
# compiled: False
def f(alpha):
    for j in range(3, 1, -1):
        y = range(j)[2:1]
SCRIPT = ['f(None)']
