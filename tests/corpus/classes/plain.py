"""Plain classes: methods, super, attributes, slots, abstract and generic classes."""
import abc
import functools
from typing import Generic, TypeVar

import numpy as np

from tests.corpus.classes.table import raises, right


# plain classes -------------------------------------------------------------------------------
class Bare:
    pass


class Account:
    rate = 2.0
    owner = None
    table = np.array([1.0, 2.0])

    def __init__(self, balance=1.0, *, bonus=0.5):
        self.balance, self.bonus = balance, bonus
        self.on_change = self.grown

    @classmethod
    def rich(cls, balance):
        return cls(balance, bonus=100.0)

    @staticmethod
    def square(x):
        return x * x

    @property
    def total(self):
        return self.balance + self.bonus

    @total.setter
    def total(self, value):
        self.balance = value - self.bonus

    @total.deleter
    def total(self):
        del self.balance

    @functools.cached_property
    def expensive(self):
        return self.balance * 100.0

    def grown(self, x):
        return x * self.rate + self.balance

    def like_me(self):
        return type(self)(self.balance)

    def kind(self):
        return self.__class__.__name__


class Savings(Account):
    rate = 3.0

    def __init__(self, balance, factor=2.0):
        super().__init__(balance)
        self.factor = factor

    def grown(self, x):
        return super().grown(x) * self.factor

    @classmethod
    def rich(cls, balance):
        made = cls(balance)
        made.bonus = 9.0
        return made

    @property
    def total(self):
        return super().total * 2.0


@right
def methods_and_properties(x):
    a, s = Account(x), Savings(x)
    return (a.grown(x) + s.grown(x) + a.total + s.total + Account.rich(x).total + Savings.rich(x).total + a.square(x)
            + Account.square(x))


@right
def super_with_arguments(x):
    return super(Savings, Savings(x)).grown(x) + Account.grown(Savings(x), x)


@right
def stored_bound_methods_and_copies_of_the_class(x):
    return Savings(x).on_change(x) + Savings(x, 5.0).like_me().factor * x + Account(x).expensive


@right
def attributes_set_and_deleted(x):
    b = Bare()
    b.y = x
    b.z = b.y * 2.0
    b.y += 1.0
    setattr(b, "w", b.y)
    del b.z
    delattr(b, "w")
    return b.y + getattr(b, "q", 3.0) + hasattr(b, "y") + 10 * hasattr(b, "z") + 100 * hasattr(b, "w")


@right
def the_dict_of_an_object(x):
    b = Bare()
    b.y = x
    vars(b)["z"] = x * x
    b.__dict__.update(w=1.0)
    return b.z + b.w + sum([v for v in vars(b).values()]) + len(vars(b))


@right
def property_set(x):
    a = Account(x)
    a.total = 10.0 * x
    return a.balance


@right
def classes_of_objects(x):
    s = Savings(x)
    return (s.kind(), isinstance(s, Account), issubclass(Savings, Account), type(s) is Savings,
            isinstance(Account(x), Savings), s.owner is None)


@right
def functions_on_instances_are_not_bound(x):
    a = Account(x)
    a.grown = lambda t: t * 7.0
    a.__len__ = lambda: 3
    return a.grown(x)


@right
def objects_are_returned(x):
    a = Bare()
    a.x, a.inner = x, Bare()
    return a, [a.inner]


@right
def arrays_and_numbers_of_the_class(x):
    return np.sum(Account(x).table * x) * Account.rate


@raises
def no_such_attribute(x):
    return Bare().y


@raises
def deleted_attribute(x):
    b = Bare()
    b.y = x
    del b.y
    return b.y


@raises
def no_setter(x):
    s = Savings(x)
    s.total = x


@raises
def special_methods_of_the_instance_do_not_count(x):
    b = Bare()
    b.__len__ = lambda: 3
    return len(b)


@raises
def arguments_of_no_init(x):
    return Bare(x)


@raises
def too_many_arguments(x):
    return Account(x, 1.0)


@raises
def repeated_argument(x):
    return Account(x, balance=1.0)


@raises
def unknown_argument(x):
    return Account(x, colour=1.0)


@raises
def missing_argument(x):
    return Account(x).grown()


@raises
def missing_argument_of_the_constructor(x):
    return Savings()


class InitReturns:
    def __init__(self):
        return 3.0


@raises
def init_that_returns(x):
    return InitReturns()


class Twice:
    def __new__(cls, x):
        made = super().__new__(cls)
        made.z = x * 2.0
        return made

    def __init__(self, x):
        self.w = self.z + x


class NoObject:
    def __new__(cls, x):
        return x * 5.0


@right
def new_before_init(x):
    return Twice(x).w + NoObject(x)


class First:
    def __init__(self, x):
        self.log = []
        self.setup(x)

    def setup(self, x):
        self.log.append(x)


class Second(First):
    def setup(self, x):
        super().setup(x)
        self.log.append(2.0 * x)


class Third(First):
    def setup(self, x):
        super().setup(x)
        self.log.append(3.0 * x)


class Diamond(Second, Third):
    pass


@right
def order_of_look_up(x):
    return sum([k * v for k, v in enumerate(Diamond(x).log)])


T = TypeVar("T")


class Box(Generic[T]):
    def __init__(self, value):
        self.value = value


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self): ...

    def double(self):
        return self.area() * 2.0


class Circle(Shape):
    def __init__(self, r):
        self.r = r

    def area(self):
        return self.r ** 2


@right
def generic_and_abstract(x):
    return Box[float](x).value + Circle(x).double() + (1.0 if isinstance(Circle(x), Shape) else 0.0)


@raises
def abstract_object(x):
    return Shape()


class Slotted:
    __slots__ = ("a", "b")

    def __init__(self, a):
        self.a = a


@right
def slots(x):
    s = Slotted(x)
    return s.a + hasattr(s, "b") + (2 if hasattr(s, "a") else 0)


@raises
def empty_slot(x):
    return Slotted(x).b


@raises
def no_slot(x):
    s = Slotted(x)
    s.c = x
