# exception: plain AttributeError iteration.py:_advance_zip: _ object has _ attribute _: f(0.25, False): raised AttributeError: 'Num' object has no attribute 'value'
# compiled: False
G0 = 2.0

def helper4():
    y = list(zip(strict=G0))

def f(alpha, beta):
    beta = helper4()
SCRIPT = ['f(0.25, False)']


