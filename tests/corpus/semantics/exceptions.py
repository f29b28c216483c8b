"""Exceptions that are raised, chained and caught."""
import numpy as np

from tests.corpus.semantics.table import program

# ---- exceptions

class Plain(Exception):
    pass


class Made(ValueError):
    def __init__(self, x, y=2):
        super().__init__(f"made of {x} and {y}")


class Shown(Plain):
    def __str__(self):
        return f"shown {self.args}"


@program((2.5,),(-1.0,))
def r1(x):
    if x > 0:
        raise ValueError(f'bad {x}')
    return x


@program((2.5,),(-1.0,))
def r2(x):
    if x > 0:
        raise ValueError(f'bad {x:.3f} {x!r} {x * 2:>10}')
    return x


@program((2.5,),(-1.0,))
def r3(x):
    if x > 0:
        raise ValueError('bad', x, 3)
    return x


@program((2.5,),(-1.0,))
def r4(x):
    if x > 0:
        raise ValueError
    return x


@program((2.5,),(-1.0,))
def r5(x):
    if x > 0:
        raise ValueError(x)
    return x


@program((2.5,),(-1.0,))
def r6(x):
    if x > 0:
        raise Made(x)
    return x


@program((2.5,),(-1.0,))
def r7(x):
    if x > 0:
        raise Made(x, y=x * 2)
    return x


@program((2.5,),(-1.0,))
def r8(x):
    if x > 0:
        raise Shown('a', x)
    return x


@program((2.5,),(-1.0,))
def r9(x):
    assert x < 0, f'x is {x}'
    return x


@program((2.5,),(-1.0,))
def r10(x):
    assert x < 0
    return x


@program((2.5,),(-1.0,))
def r11(x):
    assert x < 0, x
    return x


@program((2.5,),(-1.0,))
def r12(x):
    if x > 0:
        raise ValueError('a') from KeyError('b')
    return x


@program((2.5,),(-1.0,))
def r13(x):
    if x > 0:
        raise ValueError('a') from None
    return x


@program((2.5,),(-1.0,))
def r14(x):
    if x > 0:
        raise
    return x


@program((2.5,),(-1.0,))
def r15(x):
    if x > 0:
        raise 3
    return x


@program((2.5,),(-1.0,))
def r16(x):
    if x > 0:
        raise 'abc'
    return x


@program((2.5,),(-1.0,))
def r17(x):
    if x > 0:
        raise x
    return x


@program((np.array([1.,2.]),),(np.array([-1.,2.]),))
def r18(x):
    if x[0] > 0:
        raise ValueError(f'bad {x} {x[0]} {x.shape} {len(x)}')
    return x


@program((np.array([1.,2.]),))
def r19(x):
    for i in range(len(x)):
        if x[i] > 1:
            raise ValueError(f'bad {i} {x[i]} {x[i]:.2f} {x[i]!r}')
    return x


@program((np.array([1,2],np.float32),))
def r20(x):
    for v in x:
        if v > 1:
            raise ValueError(f'bad {v} {v!r}')
    return x


@program((np.array([1,2],np.uint64),),(np.array([1,2**64-1],np.uint64),))
def r21(x):
    for v in x:
        if v > 1:
            raise ValueError(f'bad {v} {v!r}')
    return x


@program((True,),(False,))
def r22(x):
    y = not x
    if x:
        raise ValueError(f'bad {x} {y!r}')
    return y


@program((2.5,))
def r23(x):
    e = ValueError('a')
    if x > 0:
        raise e
    return x


@program((2.5,))
def r24(x):
    e = ValueError(f'a{x}')
    raise e


@program((2.5,))
def r25(x):
    if x > 0:
        raise KeyError('a')
    return x


@program((2.5,))
def r26(x):
    if x > 0:
        raise StopIteration(x)
    return x


@program((2.5,))
def r27(x):
    if x > 0:
        raise OSError(2, 'nope')
    return x


@program((2.5,))
def r28(x):
    if x > 0:
        raise UnicodeDecodeError('a', b'x', 1, 2, 'r')
    return x


@program((2.5,))
def r29(x):
    if x > 0:
        raise ValueError(x=3)
    return x


@program((2.5,))
def r30(x):
    if x > 0:
        raise Made()
    return x


@program((np.array([1.,2.]),))
def r32(x):
    x[0] += 5.0
    if x[0] > 2:
        raise ValueError(f'bad {x[0]}')
    return x


@program((2.5,))
def r34(x):
    m = 'x is {:.2f}'.format(x)
    if x > 2:
        raise ValueError(m)
    return x


@program((2.5,))
def r36(x):
    if x > 2:
        raise ValueError('x is ' + str(x) + repr(x))
    return x


@program((2.5,{"a":1.0}))
def r37(x, d):
    if x > 2:
        raise ValueError(f"{d} {(x, d['a'])} {[x]}")
    return x


@program((2.5,),(-2.5,))
def r38(x):
    if x > 2:
        raise ValueError(f'{x}{{y}}{{}}')
    return x


@program((2.5,4))
def r39(x, n):
    if x > 2:
        raise ValueError(f'{x:.{n}f} {n:>{n}}')
    return x


@program((2.5,4))
def r40(x, n):
    if x > 2:
        raise ValueError(f'x={x!r} n={n:5}')
    return x


class Told(ValueError):
    code = 7

    def __init__(self, x, factor=2.0, *, unit="m"):
        super().__init__(f"told {x}", x * factor)
        self.x, self.factor, self.unit = x, factor, unit

    @property
    def product(self):
        return self.x * self.factor


class ToldMore(Told):
    def __init__(self, parts):
        super().__init__(1.5, unit="km")
        self.parts, self.x = parts, parts[0]


@program((2.5,), (-1.0,))
def attributes_of_an_exception(x):
    try:
        if x > 0:
            raise Told(x * 3, unit="s")
        return x
    except Told as told:
        return told.x * told.factor + told.product + told.code + len(told.unit)


@program((2.5,), (-1.0,))
def arguments_that_its_class_has_changed(x):
    try:
        if x > 0:
            raise Told(x)
        return x
    except ValueError as told:
        return told.args[1] * len(told.args)


@program((np.array([2.5, 1.0]),), (np.array([-1.0, 1.0]),))
def an_array_in_an_exception(x):
    try:
        if x[0] > 0:
            raise ToldMore(x * 2.0)
        return np.sum(x)
    except Told as told:
        return np.sum(told.parts * x) + told.x * told.parts[1]


@program((2.5,), (-1.0,))
def the_text_that_its_class_has_made(x):
    try:
        if x > 0:
            raise Made(x)
        return x
    except Made as made:
        raise RuntimeError(f"so {made}") from made
