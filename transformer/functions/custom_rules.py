"""Functions that bring derivatives of their own, and checkpoints: what users write, as thin objects."""
from __future__ import annotations

import functools
import inspect
from typing import Any, Callable

from ..errors.messages import SpecialisationError
from ..errors.tracebacks import short
from ..frontend.capture import OPAQUE
from ..frontend.module_names import package_of
from ..frontend.travelling import Travelling
from ..inputs.guards import ABSENT, Path
from ..library.registry import frontend
from ..specialise.domain import values as v
from ..specialise.evaluator.names.lifting import object_value
from ..specialise.staged_calls import own_rules
from .reloaded import Reloadable


class Custom(Travelling, Reloadable):
    """A function with derivatives of its own.  Called outside of transformed code it is the function itself."""

    def __init__(self, fun: Callable[..., Any], nondiff_argnums: int | tuple[int, ...] = ()):
        super().__init__()
        functools.update_wrapper(self, fun, updated=())
        self.fun = fun
        self.nondiff_argnums = (nondiff_argnums,) if isinstance(nondiff_argnums, int) else tuple(nondiff_argnums)

    def __call__(self, *args, **kwargs):
        return self.fun(*args, **kwargs)

    def __get__(self, instance, owner=None):
        return self if instance is None else functools.partial(self, instance)

    def _made_of(self):
        return _remade_rule, type(self), {r: getattr(self, r) for r in ("fun", "nondiff_argnums", *self.RULES)}

    def __copy__(self):
        return self

    def __deepcopy__(self, memo):
        return self

    # inside transformed code: what `owner` is does not matter, as long as it is distinguished from others
    RULES: tuple[str, ...] = ()
    __gradscribe_made_inside__ = True

    @staticmethod
    def apply(s, owner, name, function, rules, args, nondiff):
        raise NotImplementedError

    def __gradscribe_call__(self, s, args, kwargs):
        rules = [getattr(self, r) for r in self.RULES]
        for r, rule in zip(self.RULES, rules):
            s.guard(Path(self.__name__, self, None, "default").attr(r), rule)
        self.complete(s, self.__name__, rules)
        return self.apply(s, self, self.__name__, v.Static(self.fun), list(map(v.Static, rules)),
                          self.positional(s, args, kwargs), self.nondiff_argnums)

    @classmethod
    def complete(cls, s, name, rules) -> None:
        if any(r is None or isinstance(r, v.Static) and r.value is None for r in rules):
            s.fail(f"{name} is a {cls.__name__} without its rules", f"Give it them: {name}.{cls.__mro__[0].SETTER}",
                   error=SpecialisationError)

    @classmethod
    def make_inside(cls, s, fun, nondiff_argnums=v.Static(())):
        """One that is made inside transformed code: its parts are values."""
        return s.box([fun, nondiff_argnums, *[v.Static(None)] * len(cls.RULES)], cls,
                     ("fun", "nondiff_argnums", *cls.RULES), hint="custom")

    @classmethod
    def call_made_inside(cls, s, value, args, kwargs):
        fun, nondiff, *rules = s.items(value)
        name = (getattr(getattr(fun, "node", None), "name", None)
                or getattr(getattr(fun, "value", None), "__name__", "a function"))
        cls.complete(s, name, rules)
        if kwargs:
            s.fail(f"{name} is called with keywords", "Call a function with its own derivative by position.",
                   error=SpecialisationError)
        known = s.static(nondiff, "it is nondiff_argnums")
        return cls.apply(s, value.box, name, fun, rules, args, (known,) if isinstance(known, int) else tuple(known))

    def positional(self, s, args, kwargs) -> list:
        """The arguments by position, defaults too, but those of NumPy's functions: a rule of np.sin takes no out=."""
        signature = inspect.signature(self.fun)
        s.guard(Path(self.__name__, self.fun, None, "default").attr("__defaults__"),
                getattr(self.fun, "__defaults__", ABSENT))
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            s.fail(f"{self.__name__}: {error}", "Call it as it is defined.", error=SpecialisationError)
        if bound.kwargs:
            s.fail(f"keyword-only arguments of {self.__name__}",
                   "Let a function with its own derivative take arguments by position.",
                   error=SpecialisationError)
        given = list(bound.args)
        if package_of(self.fun) == "numpy":
            return given
        rest = list(signature.parameters.values())[len(given):]
        return given + [object_value(s, p.default, p.name) for p in rest
                        if p.default is not p.empty and p.kind is not p.KEYWORD_ONLY]

    def __repr__(self):
        return f"gradscribe.{type(self).__name__}({self.__name__})"


def _remade_rule(cls, kept):
    made = cls(kept["fun"])
    vars(made).update(kept)
    return made


class custom_jvp(Custom):
    """A function whose derivative you write: a rule for tangents, which serves forward and reverse mode.

    Parameters
    ----------
    fun : callable
        The function; called with positional arguments, keywords are put in their places.
    nondiff_argnums : int or tuple of int
        Positions of arguments that the rule takes first, as they are, and that have no derivative.

    Notes
    -----
    `defjvp(rule)` sets the rule, also as a decorator: rule(*nondiff, primals, tangents) returns (value, tangent), where
    primals and tangents are tuples of the other arguments.  The tangent must be linear in the tangents.
    `defjvps(*rules)` takes one rule per argument instead, rule(tangent, value, *primals) -> tangent of the value, or
    None for zero.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> @gs.custom_jvp
    ... def log1pexp(x): return np.log(1.0 + np.exp(x))
    >>> @log1pexp.defjvp
    ... def _(primals, tangents):
    ...     (x,), (x_dot,) = primals, tangents
    ...     return log1pexp(x), (1.0 - 1.0 / (1.0 + np.exp(x))) * x_dot
    >>> float(gs.grad(log1pexp)(0.0))
    0.5
    """

    rule: Callable[..., Any] | None = None
    RULES, SETTER = ("rule",), "defjvp(rule)"

    @staticmethod
    def apply(s, owner, name, function, rules, args, nondiff):
        return own_rules.stage_custom_jvp(s, owner, function, *rules, args, nondiff, name)

    def defjvp(self, rule: Callable[..., Any], symbolic_zeros: bool = False) -> Callable[..., Any]:
        """Set the rule for tangents.

        Parameters
        ----------
        rule : callable
            (*nondiff, primals, tangents) -> (value, tangent).
        symbolic_zeros : bool
            JAX's; it must be False.

        Returns
        -------
        callable
            The rule.

        Raises
        ------
        ValueError
            Where symbolic_zeros is True.
        """
        if symbolic_zeros:
            raise ValueError("symbolic_zeros=True is not supported: a zero tangent is an array of zeros")
        self.rule = rule
        return rule

    def defjvps(self, *rules: Callable[..., Any] | None) -> None:
        """Set one rule per argument.

        Parameters
        ----------
        *rules : callable or None
            (tangent, value, *primals) -> tangent of the value; None where the derivative is zero.

        Raises
        ------
        ValueError
            Where the function has nondiff_argnums; at the call of the derivative, where there is not one rule per
            argument.
        """
        if self.nondiff_argnums:
            raise ValueError("defjvps is for functions without nondiff_argnums; write one rule for all arguments: "
                             "defjvp(rule)")

        def rule(primals, tangents):
            if len(rules) != len(primals):
                raise ValueError(f"defjvps was given {len(rules)} rules for {len(primals)} arguments; give one each, "
                                 f"or None for zero")
            value, total = self(*primals), None
            for r, t in zip(rules, tangents):
                if r is not None:
                    total = r(t, value, *primals) if total is None else total + r(t, value, *primals)
            return value, total

        self.rule = rule


class custom_vjp(Custom):
    """A function whose pull-back you write: reverse mode only.

    Parameters
    ----------
    fun : callable
        The function; called with positional arguments, keywords are put in their places.
    nondiff_argnums : int or tuple of int
        Positions of arguments that have no derivative; `fwd` takes them in their places, `bwd` first.

    Notes
    -----
    `defvjp(fwd, bwd)` sets the rules: fwd takes the function's arguments and returns (value, residuals); bwd(*nondiff,
    residuals, cotangent) returns a tuple with one cotangent per other argument (None for zero).

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> @gs.custom_vjp
    ... def clipped(x): return x
    >>> clipped.defvjp(lambda x: (x, None), lambda _, g: (np.clip(g, -1.0, 1.0),))
    >>> gs.grad(lambda x: 5.0 * clipped(x))(2.0)
    1.0
    """

    fwd: Callable[..., Any] | None = None
    bwd: Callable[..., Any] | None = None
    RULES, SETTER = ("fwd", "bwd"), "defvjp(fwd, bwd)"

    @staticmethod
    def apply(s, owner, name, function, rules, args, nondiff):
        return own_rules.stage_custom_vjp(s, owner, function, *rules, args, nondiff, name)

    def defvjp(self, fwd: Callable[..., Any], bwd: Callable[..., Any]) -> None:
        """Set the forward and the backward rule.

        Parameters
        ----------
        fwd : callable
            The function's arguments -> (value, residuals).
        bwd : callable
            (*nondiff, residuals, cotangent) -> a tuple with one cotangent per other argument (None for zero).
        """
        self.fwd = fwd
        self.bwd = bwd


class checkpoint(Custom):
    """The same function, of which reverse mode saves only the arguments: the way back computes it again.

    Less memory for more time.  Its results and derivatives are the same.

    Parameters
    ----------
    fun : callable
        Any function; it is called as before.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> @gs.checkpoint
    ... def layer(x): return np.tanh(np.sin(x))
    >>> float(gs.grad(lambda x: layer(layer(x)))(0.0))
    1.0
    """

    def __init__(self, fun: Callable[..., Any]):
        super().__init__(fun)

    def __gradscribe_call__(self, s, args, kwargs):
        return own_rules.checkpointed(s, v.Static(self.fun), args, kwargs)

    @classmethod
    def call_made_inside(cls, s, value, args, kwargs):
        return own_rules.checkpointed(s, s.items(value)[0], args, kwargs)


for _class in (custom_jvp, custom_vjp, checkpoint):
    frontend(_class)(_class.make_inside)


@short
def opaque(wrapper: Callable[..., Any]) -> Callable[..., Any]:
    """Mark a wrapper that is not to be read: the function that it wraps is read instead.

    For wrappers that do something around a call, such as measure its time, and change nothing of the result. Outside of
    transformed code the wrapper is called as it is.

    Parameters
    ----------
    wrapper : callable
        A function with a `__wrapped__`, as `functools.wraps` gives it.

    Returns
    -------
    callable
        The same function, marked.

    Examples
    --------
    >>> import functools
    >>> import gradscribe as gs
    >>> def announced(f):
    ...     @functools.wraps(f)
    ...     def call(*args):
    ...         print("called")
    ...         return f(*args)
    ...     return gs.opaque(call)
    >>> square = announced(lambda x: x * x)
    >>> gs.grad(square)(3.0)
    6.0
    """
    inner = getattr(wrapper, "__wrapped__", None)
    if inner is None:
        raise SpecialisationError(None, "gs.opaque is of a wrapper, and this function has no __wrapped__",
                                  instead="Put @functools.wraps(f) on it, where f is the function that it calls.")
    setattr(wrapper, OPAQUE, True)
    return wrapper


__all__ = ["checkpoint", "custom_jvp", "custom_vjp", "opaque"]
