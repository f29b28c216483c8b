"""What users look at in a transformed function: its source, and what becomes of it."""
from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any, Literal

from ..errors.tracebacks import short
from ..programs.kept_bytes import KeptBytes, kept_bytes
from ..tools.explain import Explanation, explained
from ..tools.profile import Profile, profile
from ..tools.trace import Trace, traced

if TYPE_CHECKING:
    from ..programs.cache import Cache


class Inspected:
    """The part of a transformed function that shows it."""

    _cache: Cache

    @short
    def source(self, *args: Any, stage: Literal["readable", "core", "compiled"] = "readable", **kwargs: Any) -> str:
        """Return the generated source for arguments like these.

        Parameters
        ----------
        *args : any
            Arguments as of a call.
        stage : {"readable", "core", "compiled"}
            What runs without `jit`, the pure form that all passes work on, or the loops that numba compiles.
        **kwargs : any
            Arguments by keyword.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import gradscribe as gs
        >>> def f(x): return x ** 3
        >>> print(gs.grad(f).source(2.0).strip())
        def grad_f(x):
            # adjoint of line 1: def f(x): return x ** 3
            x_bar = 3 * x ** 2
            return x_bar
        """
        return self._cache.lookup(args, kwargs).text(stage)

    @short
    def tree(self, *args: Any, **kwargs: Any) -> ast.Module:
        """Return the readable source for arguments like these as Python's own syntax tree.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.

        Returns
        -------
        ast.Module
            The tree, whose positions are those of the text.

        Examples
        --------
        >>> import ast, gradscribe as gs
        >>> def f(x): return x ** 3
        >>> tree, scope = gs.grad(f).tree(2.0), {}
        >>> exec(compile(tree, "<the derivative of f>", "exec"), scope)
        >>> scope["grad_f"](2.0)
        12.0
        """
        return self._cache.lookup(args, kwargs).tree()

    @short
    def explain(self, *args: Any, **kwargs: Any) -> str:
        """Return every stage for arguments like these, one after the other.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.

        Returns
        -------
        str
            The text.

        Examples
        --------
        >>> import gradscribe as gs
        >>> def f(x): return 3.0 * x
        >>> "3.0 * x" in gs.grad(f).explain(2.0)
        True
        """
        return self._cache.lookup(args, kwargs).explain()

    @short
    def why(self, name: str, /, *args: Any, **kwargs: Any) -> Explanation:
        """Say where the adjoint of a variable comes from, or in forward mode its tangent.

        Parameters
        ----------
        name : str
            A variable of the function, such as "x", or of one that it calls.
        *args : any
            Arguments as of a call.
        **kwargs : any
            Arguments by keyword.

        Returns
        -------
        Explanation
            Its `contributions` are the statements of the source that store to the adjoint, in their order, each with
            its `line` and `text`, the user's line that it mirrors (`users_line`, `users_text`), and the `rules` of the
            operations there.  It prints as a list; `latex()` has the statements as formulas.

        Raises
        ------
        GradscribeError
            There is no variable of this name.

        Examples
        --------
        >>> import numpy as np, gradscribe as gs
        >>> def f(x):
        ...     y = np.sin(x)
        ...     return y * x
        >>> print(gs.grad(f).why("x", 2.0))
        x in grad(f)
            8  x_bar = float(y)
                   line 3: return y * x
                   rule of a * b, for b: g * a
           10  x_bar += float(np.cos(x) * x)
                   line 2: y = np.sin(x)
                   rule of np.sin(x): g * np.cos(x)
        """
        return explained(self, name, args, kwargs)

    @short
    def memory(self, *args: Any, **kwargs: Any) -> KeptBytes:
        """Return what a gradient keeps of the rounds of loops until it runs them backwards, without running it.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.

        Returns
        -------
        KeptBytes
            It has the `total` in bytes and `lines`, those of the function with what is kept of each; it prints as a
            table.  Of tapes that are made again and again, as under a budget (`memory=` of `gs.grad`), the largest
            counts.  What NumPy holds meanwhile, beside tapes, is not in it.

        Examples
        --------
        >>> import numpy as np, gradscribe as gs
        >>> def f(x):
        ...     y = x
        ...     for i in range(100):
        ...         y = np.sin(y)
        ...     return np.sum(y)
        >>> print(gs.grad(f).memory(np.ones(5)))
        bytes  of
        4,000  y       line 3: for i in range(100):
        4,000  in all
        """
        program, flat = self._cache.find(*self._cache.fixed(args, kwargs), [])
        return kept_bytes(program.optimised, flat)

    @short
    def trace(self, *args: Any, **kwargs: Any) -> Trace:
        """Run the readable source once and return what each of its lines has bound.

        Parameters
        ----------
        *args, **kwargs : any
            Arguments as of a call.  Arrays among them, and those that the function sees outside, are copied first: a
            function that stores into them stores into the copies.

        Returns
        -------
        Trace
            It has the `result` of the call and `lines`, those of the source with how often each has run (`runs`) and
            what it has bound last (`values`); it prints as a table.  A line that stores into a part of an array shows
            that part.  What the function prints is printed; its containers and variables outside are not changed.

        Examples
        --------
        >>> import numpy as np, gradscribe as gs
        >>> def f(x):
        ...     for k in range(3):
        ...         x = x * x
        ...     return x
        >>> trace = gs.jit(f).trace(2.0)
        >>> trace
         line   runs  source                    bound last
            1      1  def f(x):                 x  float  2
            2      3      for k in range(3):    k  int  2
            3      3          x *= x            x  float  256
            4      1      return x              return  float  256
        >>> trace.result, trace.lines[2].values["x"].norm
        (256.0, 256.0)
        """
        return traced(self, args, kwargs)

    @short
    def profile(self, *args: Any, repeat: int = 3, **kwargs: Any) -> Profile:
        """Measure where the time of a call goes, by the line of the function that it is made from.

        The program runs several times, with a clock and without; arguments that it stores into are copied before.  A
        compiled program has the clock between the loops that it consists of: one that computes several lines at once
        stands for them together, with the rest of a line that takes no time by itself.

        Parameters
        ----------
        *args : any
            Arguments as of a call.
        repeat : int
            How many runs there are, with a clock and without; the fastest of each counts.
        **kwargs : any
            Arguments by keyword.

        Returns
        -------
        Profile
            It prints as a table.  Its `lines` have for each line of the source its `time` in seconds, which is
            `forward`, `adjoint` or, in loops that compute both at once, `both`; how often it `runs`; the `bytes` of the
            largest array that it binds, and those `kept` on tapes, as `memory` has them.  `total` is the time of a run
            without a clock, `traced` of the run in the table less what the clock takes, and `elsewhere` what of it
            belongs to no line.

        Raises
        ------
        GradscribeError
            The program is one for a GPU.

        Examples
        --------
        >>> import numpy as np, gradscribe as gs
        >>> def f(x):
        ...     y = 0.5 * x
        ...     for i in range(200):
        ...         y = np.sin(y)
        ...     return np.sum(y)
        >>> profile = gs.grad(f).profile(np.ones(500))
        >>> slowest = max(profile.lines, key=lambda line: line.time)
        >>> slowest.text, slowest.runs
        ('y = np.sin(y)', 200)
        """
        program, flat = self._cache.find(*self._cache.fixed(args, kwargs), [])
        program.refuse_shared(flat, [*args, *kwargs.values()])
        return profile(program, flat, repr(self).replace("gradscribe.", ""), repeat)

    def _repr_html_(self):
        from ..readable.html import page
        return page(self)
