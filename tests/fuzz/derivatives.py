"""The derivatives of a program: tangents against differences, pullbacks against tangents."""
import numpy as np

from . import conditioning, numeric, poles
from .numeric import differs, finite, flat, floating, leaves, run
from .pieces import TINY, Wrong, cotangents, dots, float_leaves, float_parts, fresh, tiny, zero


class Derivatives:
    """What an examination of a program asks of jvp, vjp, grad and the jvp of grad."""

    def forward(self, label, args, expected, direction, scale):
        """jvp: its value is the function's, its tangent what differences find."""
        check = f"jvp{label}"
        got = self.call(check, lambda *primals: self.gs.jvp(self.function, primals, dots(args, direction)),
                        args, expected)
        if got is None:
            return
        self.kept(check, args, expected, got)
        out, out_dot = got.out
        self.agree(f"{check}, value", args, expected.out, out, scale)
        self.typed_like(f"{check}, tangent", float_leaves(expected.out), float_leaves(out_dot))
        self.unshared(f"{check}, memory", got.args, float_leaves(out_dot))
        self.outcome.counts["derivatives"] += 1
        if finite(expected.out):
            self.slope(f"{check}, tangent", args, direction, flat(out_dot), scale)

    def slope(self, check, args, direction, found, scale):
        rtol = 4e-3 if self.rough(args) else 1e-6
        allowed = lambda slope: 5 * slope.error + rtol * (scale + np.abs(slope.value))
        value = lambda function, *args: flat(run(function, args).out)
        slope = self.differences(check, (self.wide, args, self.still(args, direction)), found, allowed, self.case.name,
                                 value, self.tangent)
        self.outcome.counts["unsure"] += slope is None or not slope.sure.all()

    def differences(self, check, of, found, allowed, name, value, tangent):
        """Compare a tangent with differences `of` (function, args, direction); None if that comes out in another shape.
        `value` and `tangent` compute anew, from the program's function of this name, what is differentiated and what
        was found."""
        for noise in (0.0, None):
            if noise is None:  # what rounding does to the values themselves
                noise = conditioning.spread(self.wide_source, name, numeric.widened(of[1]), value, numeric.EPS)
            slope = numeric.slope(*of, noise=noise)
            if slope.value.shape != found.shape:
                return None
            wrong = slope.sure & ~(np.abs(slope.value - found) <= allowed(slope))
            if not wrong.any():
                return slope
        if (not self.by_long_doubles(of, found, wrong)
                and not self.rounding(np.where(wrong, slope.value - found, 0.0), allowed(slope), tangent,
                                      of[1:], name)):
            at = int(np.argmax(wrong))
            raise Wrong(check,
                        f"differences say {slope.value[at]!r}, got {found[at]!r} (output element {at} of {found.size})")
        return slope

    def by_long_doubles(self, of, found, wrong) -> bool:
        """Do differences of smaller steps agree, where those of doubles do not?"""
        slope = None if self.rough(of[1]) else numeric.long_slope(*of)
        if slope is None or slope.value.shape != found.shape:
            return False
        agree = np.abs(slope.value - found) <= 5 * slope.error + 1e-6 * (1 + np.abs(slope.value))
        known = bool(np.all(agree[wrong] & (slope.error[wrong] <= 1e-5 * (1 + np.abs(slope.value[wrong])))))
        self.outcome.counts["by long doubles"] += known
        return known

    def tangent(self, function, args, direction):
        return flat(self.gs.jvp(function, args, dots(args, direction))[1])

    def still(self, args, direction):
        """The direction of differences."""
        return poles.held(args, direction) if self.poles else direction

    def rough(self, args):
        return numeric.single(args) or "float32" in self.case.source

    def reverse(self, label, args, expected, direction, scale):
        """vjp: <pullback(u), t> = <u, jvp(t)>, twice the same, shaped like the arguments, sharing no memory."""
        check = f"vjp{label}"
        got = self.call(check, lambda *primals: self.gs.vjp(self.function, *primals), args, expected)
        self.kept(check, args, expected, got)
        out, pullback = got.out
        self.agree(f"{check}, value", args, expected.out, out, scale)
        seeds = cotangents(expected.out, np.random.default_rng(self.case.seed + 1))
        first = self.attempt(f"{check}, pullback", lambda: pullback(seeds))
        self.typed_like(f"{check}, cotangent", [a for a in args if floating(a)], float_parts(args, first))
        self.unshared(f"{check}, memory", got.args, float_parts(args, first))
        bars = flat(float_parts(args, first)).copy()
        second = self.attempt(f"{check}, second pullback", lambda: pullback(seeds))
        if not np.array_equal(bars, flat(float_parts(args, second)), equal_nan=True):
            raise Wrong(f"{check}, second pullback", "another answer than the first time")
        if not (np.isfinite(bars).all() if self.compiled else self.dot_product(check, args, direction, seeds, bars)):
            self.outcome.counts["overflows"] += 1
        elif self.loss is not None:
            self.gradient(label, args, seeds, bars, scale)

    def dot_product(self, check, args, direction, seeds, bars):
        """Says whether both sides are finite. Both are linear, so what overflows is compared for tiny u and t,
        where it does not."""
        out_dot = self.attempt(f"{check}, its jvp", lambda: self.tangent(self.function, fresh(args), direction))
        left, right = flat(seeds) * out_dot, bars * flat(direction)
        held = np.isfinite(left).all() and np.isfinite(right).all() or self.rough(args)
        unscaled = seeds, tuple(direction)
        for size in () if held else TINY:
            seeds, direction = tiny(unscaled[0], size), tiny(unscaled[1], size)
            left = flat(seeds) * self.tangent(self.function, fresh(args), direction)
            right = flat(float_parts(args, self.gs.vjp(self.function, *args)[1](seeds))) * flat(direction)
            if np.isfinite(left).all() and np.isfinite(right).all():
                break
        if not held and not np.isfinite(left).all() and not np.isfinite(right).all():
            return held  # both overflow on the way, whatever their size
        allowed = (2e-3 if self.rough(args) else 1e-9) * (float(held) + np.abs(left).sum() + np.abs(right).sum())
        off = left.sum() - right.sum()
        product = lambda function, args, direction, seeds: flat(seeds) @ self.tangent(function, args, direction)
        if not abs(off) <= allowed and not self.rounding(off, allowed, product, (args, direction, seeds)):
            raise Wrong(f"{check}, dot product", f"<u, J t> = {left.sum()!r}, <J' u, t> = {right.sum()!r}")
        return held

    def gradient(self, label, args, seeds, bars, scale):
        """value_and_grad of a weighted sum of all outputs (compiled: of its jit) is the pullback of the weights."""
        check = f"{'jit of ' if self.compiled else ''}value_and_grad{label}"
        floats = tuple(i for i, a in enumerate(args) if floating(a))
        weights = tuple(float_leaves(seeds))
        plain = lambda: self.gs.value_and_grad(self.loss, argnums=floats)
        made = self.once(check, (lambda: self.gs.jit(plain())) if self.compiled else plain)
        expected = run(self.loss, (*args, *weights))
        got = self.call(check, made, (*args, *weights), expected)
        if got is None:  # the loss raises: its sums are of what does not fit together
            return
        value, gradients = got.out
        self.unshared(f"{check}, memory", got.args, leaves(gradients))
        rtol = 4e-3 if self.rough(args) else 1e-8
        off, total = (float(expected.out) - float(value),
                      lambda function, args, seeds: flat(seeds) @ flat(run(function, args).out))
        allowed = rtol * (scale * (1 + len(weights)) + abs(float(expected.out)))
        if not abs(off) <= allowed and not self.rounding(off, allowed, total, (args, seeds)):
            raise Wrong(f"{check}, value", f"expected {expected.out!r}, got {value!r}")
        self.typed_like(f"{check}, gradient", [args[i] for i in floats], leaves(gradients))
        found, size = flat(gradients), 1.0 + float(np.abs(bars).max(initial=0.0))
        pullback = lambda function, args, seeds: flat(float_parts(args, self.gs.vjp(function, *args)[1](seeds)))
        if (not np.allclose(found, bars, rtol=rtol, atol=rtol * size, equal_nan=True) and not self.rounding(
                numeric.apart(bars, found), rtol * (size + np.abs(bars)), pullback, (args, seeds))):
            raise Wrong(f"{check}, gradient", f"expected {numeric.brief(bars)}, got {numeric.brief(found)}")

        if self.batches and not label.endswith("again"):
            self.batched_gradients(label, (*args, *weights), floats, found)
            if not differs(args, expected.args[:len(args)], 0.0):
                self.beside_the_value(label, (*args, *weights), floats, found)
        if self.order > 1 and not self.rough(args):
            self.second(label, (*args, *weights), floats)

    def beside_the_value(self, label, args, floats, found):
        """Where one function asks for both, what the gradient runs forwards joins what the value runs."""
        check = f"{'jit of ' if self.compiled else ''}the value, and grad{label}"
        gs, loss = self.gs, self.loss

        def both(*args):
            return loss(*args), gs.grad(loss, argnums=floats)(*args)

        made = self.once(check, lambda: gs.jit(both) if self.compiled else gs.test_util.primal(both))
        bars = flat(self.attempt(check, lambda: made(*fresh(args)))[1])
        size, rtol = 1.0 + float(np.abs(found).max(initial=0.0)), 4e-3 if self.rough(args) else 1e-8
        gradient = lambda loss, *args: flat(gs.grad(loss, argnums=floats)(*args))
        if (not np.allclose(bars, found, rtol=rtol, atol=rtol * size, equal_nan=True) and not self.rounding(
                numeric.apart(found, bars), rtol * (size + np.abs(found)), gradient, args, "loss")):
            raise Wrong(check, f"expected {numeric.brief(found)}, got {numeric.brief(bars)}")

    def second(self, label, args, floats):
        """Forward over reverse: jvp of grad against differences of grad."""
        check = f"jvp of grad{label}"
        grad = self.once(check, lambda: self.gs.grad(self.loss, argnums=floats))
        direction = numeric.tangents(args, np.random.default_rng(self.case.seed + 2))
        tangent = lambda grad: lambda args, direction: flat(self.gs.jvp(grad, fresh(args), dots(args, direction))[1])
        found = flat(self.attempt(check, lambda: tangent(grad)(args, direction)))
        self.outcome.counts["second derivatives"] += 1
        allowed = lambda slope: 5 * slope.error + 1e-5 * (1.0 + np.abs(slope.value[slope.sure]).max(initial=0.0))
        again = lambda loss: self.gs.grad(loss, argnums=floats)
        slope = self.differences(check, (grad, args, self.still(args, direction)),
                                 found, allowed, "loss", lambda loss, *args: flat(again(loss)(*args)),
                                 lambda loss, *of: tangent(again(loss))(*of))
        if slope is None:
            raise Wrong(check, f"got {found.size} numbers")

    # -- what holds for every derivative

    def typed_like(self, check, wanted, found):
        """A tangent or cotangent has the type, dtype and shape of what it belongs to."""
        if len(wanted) != len(found):
            raise Wrong(check, f"expected {len(wanted)} of them, got {len(found)}")
        for i, (a, b) in enumerate(zip(wanted, found)):
            why = differs(zero(a), zero(numeric.without_axes(a, b) if self.compiled == "device" else b), 1.0)
            if why:
                raise Wrong(check, f"[{i}] {why}")

    def kept(self, check, args, expected, got):
        """A derivative leaves the arguments alone, or changes them just as the function does; nothing in between."""
        if differs(args, got.args, 0.0) and differs(expected.args, got.args, 1e-3 if self.rough(args) else 1e-8):
            raise Wrong(f"{check}, arguments", "neither as they were nor as the function leaves them")

    def unshared(self, check, args, found):
        """No tangent or cotangent shares memory with an argument of the call or with another one."""
        arrays = [a for a in found if isinstance(a, np.ndarray)]
        for i, a in enumerate(arrays):
            others = [x for x in args if isinstance(x, np.ndarray)] + arrays[:i]
            if any(np.shares_memory(a, b) for b in others):
                raise Wrong(check, f"array {i} shares memory with an argument or with another one")
