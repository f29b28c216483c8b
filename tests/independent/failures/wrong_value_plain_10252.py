# wrong value: plain: f('key'): result: type builtin_function_or_method <built-in function sum> instead of function <function <lambda> at 0x7fc608557e20>
# compiled: False
def f(alpha):
    z = sum
    x = z
    return x
SCRIPT = ["f('key')", 'sum = lambda *args, **kwargs: 7.0', "f('key')"]


