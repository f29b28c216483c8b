# exception: plain AttributeError arrays.py:require: _ object has _ attribute _: f(1.5, None): raised AttributeError: 'numpy.bool' object has no attribute 'bit_length'
# compiled: False
G1 = True

def f(alpha, beta):
    z = G1.bit_length()
SCRIPT = ['f(1.5, None)']


