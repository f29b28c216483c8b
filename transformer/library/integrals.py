"""scipy.integrate.quad: integrals of functions of one number, found by QUADPACK's own bisections.

R. Piessens, E. de Doncker-Kapenga, C. Ueberhuber and D. Kahaner, "QUADPACK", Springer 1983: QAGS, and QAGI for limits
that are infinite.  The part of the largest error is bisected, and from time to time the limit is estimated that the
sums tend to while the parts around a singularity become smaller.

The parts are found as constants, and then bisected further where the integrand is no smooth curve, since its derivative
is less smooth.  The integral moves as the sum of their rules does, or, where it is infinite somewhere, as the limit of
these sums; and as its own limits say, f(b) db - f(a) da: it has parts from where a limit was to where it is.
"""
import sys
import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import integrate

from gradscribe import runtime as rt

from .gauss_kronrod import TINY, Finite, Infinite, at_nodes, estimate
from .limits_of_sums import EPS, HUGE, Sums
from .registry import constant, ensure, known, means, moving_as, refuse

NEVER, LATER = sys.maxsize, sys.maxsize - 1
MORE = 100  # parts that only the derivative needs
MANY, ROUNDING, BAD, NO_LIMIT, DIVERGENT = 1, 2, 3, 4, 5
WARNINGS = {
    MANY: "The maximum number of subdivisions ({limit}) has been achieved.",
    ROUNDING: "The occurrence of roundoff error is detected, which prevents \n  the requested tolerance from being "
              "achieved.  The error may be \n  underestimated.",
    BAD: "Extremely bad integrand behavior occurs at some points of the\n  integration interval.",
    NO_LIMIT: "The algorithm does not converge.  Roundoff error is detected\n  in the extrapolation table.",
    DIVERGENT: "The integral is probably divergent, or slowly convergent."}


@dataclass(eq=False)
class Search:
    """What is known of an integral.

    left, right, values, errors  of the parts, of which there are `count`; `order` has the worst first
    rank       in this order, of the part that is bisected next
    area, error  the sums over the parts
    large, small  the error of the parts that are longer than `small`: an estimate of the limit waits until it is low
    limit, limit_error  the best estimate, of the sums up to `best`; `wanted` is its tolerance
    blur       of a part where the integrand is no smooth curve: how far it is from its mean
    flaw, unsafe  what was seen that speaks against the result
    seen_left, seen_right, enters, leaves  all parts that there were: the number of the first sum that has such a
               part, and of the first that has its halves instead
    """

    integrand: Any
    epsabs: Any
    epsrel: Any
    most: Any

    def __post_init__(self):
        most, seen = self.most + MORE, 2 * (self.most + MORE) + 2
        self.left, self.right, self.values, self.errors, self.blur = (np.zeros(most) for _ in range(5))
        self.seen_left, self.seen_right = np.zeros(seen), np.zeros(seen)
        self.order, self.number, self.enters, self.leaves = (np.zeros(n, int) for n in (most, most, seen, seen))
        self.count, self.rank, self.seen, self.noted, self.best = 0, 0, 0, 0, 0
        self.area = self.error = self.small = self.large = self.wanted = self.late = np.float64(0.0)
        self.limit, self.limit_error, self.size = np.float64(0.0), np.float64(HUGE), np.float64(0.0)
        self.sums = Sums(0.0, 0.0)
        self.equal, self.equal_late, self.worse, self.vain, self.flaw = 0, 0, 0, 0, 0
        self.unsafe = self.waiting = self.stuck = self.one_sign = False
        self.going = True

    def is_sharp_at(self, t):
        """Was the integrand no smooth curve next to t, however near?"""
        at_t = (self.left == t) | (self.right == t)
        lengths = np.where(at_t & (self.right > self.left), self.right - self.left, np.inf)
        return np.min(lengths) < 1e-6 * (self.integrand.end - self.integrand.start)

    def tolerance(self, value):
        return max(self.epsabs, self.epsrel * abs(value))

    def run(self):
        """Bisect until the integral is known, or given up, and then until the parts are that its derivative needs.
        Each round estimates the halves of a part, the first the whole."""
        found, halves, k = np.zeros((2, 5)), np.zeros(3), 0 if self.going else -1
        halves[:2] = self.integrand.start, self.integrand.end
        while k >= 0:
            for side in range(1 if self.count == 0 else 2):
                found[side] = estimate(self.integrand, halves[side], halves[side + 1])
            if self.count == 0:
                self.begin(found[0])
            elif self.going:
                self.refine(found, halves)
            else:
                self.replace(k, found, halves, LATER)
            k = self.order[self.rank] if self.going else self.most_blurred()
            halves[:] = self.left[k], 0.5 * (self.left[k] + self.right[k]), self.right[k]

    def enter(self, k, left, right, value, error, blur):
        """Part k is this one."""
        self.left[k], self.right[k], self.values[k], self.errors[k] = left, right, value, error
        least = max(1e-14 * (self.integrand.end - self.integrand.start), 1e-10 * max(abs(left), abs(right)))
        self.blur[k] = blur if right - left > least and blur > 1e-20 * self.size else 0.0
        self.seen_left[self.seen], self.seen_right[self.seen] = left, right
        self.leaves[self.seen], self.number[k] = NEVER, self.seen
        self.seen += 1

    def replace(self, k, found, halves, since):
        """The halves of part k stand in its place, the worse one, and at the end."""
        worse = 1 if found[1, 1] > found[0, 1] else 0
        self.leaves[self.number[k]] = self.enters[self.seen] = self.enters[self.seen + 1] = since
        for side in range(2):
            half = worse if side == 0 else 1 - worse
            self.enter(k if side == 0 else self.count, halves[half], halves[half + 1], found[half, 0], found[half, 1],
                       found[half, 4])
        self.count += 1

    def most_blurred(self):
        """The part in which the integrand is the least like a smooth curve, or -1: where a kink is, the derivative has
        a jump, which only a short part may hold."""
        k = np.argmax(self.blur)
        return k if self.blur[k] > 0.0 and self.flaw == 0 and self.count < len(self.left) else -1

    def begin(self, whole):
        value, error, size, spread, blur = whole
        self.size, self.one_sign = size, abs(value) >= (1.0 - 50.0 * EPS) * size
        self.enter(0, self.integrand.start, self.integrand.end, value, error, blur)
        self.count, self.noted, self.area, self.error = 1, 1, value, error
        bound = self.tolerance(value)
        if error <= 100.0 * EPS * size and error > bound:
            self.flaw = ROUNDING
        if self.most == 1:
            self.flaw = MANY
        self.going = self.flaw == 0 and not (error <= bound and error != spread or error == 0.0)
        if not self.going:
            self.finish()

    def refine(self, found, halves):
        """The part that was bisected gives way to its halves."""
        k, n = self.order[self.rank], self.count
        area, error = found[0, 0] + found[1, 0], found[0, 1] + found[1, 1]
        value_before, error_before = self.values[k], self.errors[k]
        self.error = self.error + error - error_before
        self.area = self.area + area - value_before
        if found[0, 3] != found[0, 1] and found[1, 3] != found[1, 1]:
            self.compare(area, error, value_before, error_before)
        bound = self.tolerance(self.area)
        self.replace(k, found, halves, self.noted)
        self.look_for_flaws(halves)
        self.sort_in(k, n)
        if self.error <= bound:
            self.going, self.limit_error = False, np.float64(HUGE)
        elif self.flaw != 0:
            self.going = False
        elif self.count == 2:
            self.small, self.large, self.wanted = 0.375 * (halves[2] - halves[0]), self.error, bound
            self.note(value_before)
        elif not self.stuck:
            self.large = self.large - error_before + (error if halves[1] - halves[0] > self.small else 0.0)
            self.look_at_limit()
        if not self.going:
            self.finish()

    def note(self, first):
        """The area is one more of the sums whose limit is estimated."""
        self.sums = Sums(first, self.area)
        self.noted = 2

    def compare(self, area, error, value_before, error_before):
        """Halves that are not better than the whole are a sign of rounding."""
        if abs(value_before - area) <= 1e-5 * abs(area) and error >= 0.99 * error_before:
            if self.waiting:
                self.equal_late += 1
            else:
                self.equal += 1
        if self.count + 1 > 10 and error > error_before:
            self.worse += 1

    def look_for_flaws(self, halves):
        if self.equal + self.equal_late >= 10 or self.worse >= 20:
            self.flaw = ROUNDING
        if self.equal_late >= 5:
            self.unsafe = True
        if self.count == self.most:
            self.flaw = MANY
        if max(abs(halves[0]), abs(halves[2])) <= (1.0 + 100.0 * EPS) * (abs(halves[1]) + 1000.0 * TINY):
            self.flaw = BAD

    def sort_in(self, k, n):
        """Put the halves, k and n, into the order, from where the whole was; k is the worse. The less bisections are
        left, the fewer parts are in order."""
        order, errors = self.order, self.errors
        while self.rank > 0 and errors[k] > errors[order[self.rank - 1]]:
            order[self.rank] = order[self.rank - 1]
            self.rank -= 1
        last, place = self.ordered() - 1, self.rank + 1
        while place < last and errors[k] < errors[order[place]]:
            order[place - 1] = order[place]
            place += 1
        if place >= last:
            order[last - 1], order[last] = k, n
        else:
            order[place - 1] = k
            end, place = place, last - 1
            while place >= end and errors[n] >= errors[order[place]]:
                order[place + 1] = order[place]
                place -= 1
            order[place + 1] = n

    def ordered(self):
        """How many parts are in order."""
        return self.count if self.count <= 2 + self.most // 2 else self.most + 3 - self.count

    def is_long(self):
        """Is the part that comes next longer than those around a singularity?"""
        k = self.order[self.rank]
        return abs(self.right[k] - self.left[k]) > self.small

    def look_at_limit(self):
        """Once no long part has a large error, estimate what the sums tend to."""
        if not self.waiting:
            if self.is_long():
                return
            self.waiting, self.rank = True, 1
        if not self.unsafe and self.large > self.wanted:
            while self.rank < self.ordered():
                if self.is_long():
                    return
                self.rank += 1
        self.estimate_limit()

    def estimate_limit(self):
        limit, error = self.sums.add(self.area)
        self.noted += 1
        self.vain += 1
        if self.vain > 5 and self.limit_error < 1e-3 * self.error:
            self.flaw = NO_LIMIT
        if error < self.limit_error:
            self.vain, self.limit, self.limit_error, self.best = 0, limit, error, self.noted - 1
            self.late, self.wanted = self.large, self.tolerance(limit)
            self.going = error > self.wanted
        if self.sums.count == 1:
            self.stuck = True
        self.going = self.going and self.flaw == 0
        if self.going:
            self.rank, self.waiting, self.small, self.large = 0, False, 0.5 * self.small, self.error

    def finish(self):
        """Take the sum, or the estimate of the limit; `best` is 0 for the sum."""
        by_sum, sure = self.limit_error == HUGE, False
        if not by_sum and (self.flaw != 0 or self.unsafe):
            if self.unsafe:
                self.limit_error += self.late
            if self.flaw == 0:
                self.flaw = ROUNDING
            by_sum = (self.limit_error * abs(self.area) > self.error * abs(self.limit)
                      if self.limit != 0.0 and self.area != 0.0 else self.limit_error > self.error)
            sure = self.area == 0.0
        if by_sum:
            self.best, self.limit, self.limit_error = 0, np.sum(self.values), self.error
        elif not sure and (self.one_sign or max(abs(self.limit), abs(self.area)) > 0.01 * self.size):
            low, high = 0.01 * abs(self.area), 100.0 * abs(self.area)
            if self.limit * self.area < 0.0 or not low <= abs(self.limit) <= high or self.error > abs(self.area):
                self.flaw = DIVERGENT


def moved(integrand, search, ends):
    """The integral as its parts, and the limit of their sums, say.

    ends  (left, right, sharp) of more parts: from where a limit of the integral was to where it is, which have no
          length; where the integrand may have no value, `sharp`, there is no slope in this limit
    """
    seen, rule, sums, at_ends = search.seen, integrand.rule, np.zeros(search.most + 2), np.float64(0.0)
    close = abs(np.sum(search.values) - search.limit) <= 1e-13 * search.size
    best = 0 if close else search.best
    left, right = search.seen_left.copy(), search.seen_right.copy()
    enter, leave = search.enters.copy(), search.leaves.copy()
    for k, (x, y, sharp) in enumerate(ends):
        left[seen + k], right[seen + k] = x, y
        enter[seen + k], leave[seen + k] = (LATER, LATER) if sharp else (0, NEVER)
        if sharp:
            at_ends += np.nan * (y - x)
    for i in range(seen + len(ends)):
        is_end, enters, leaves = i >= seen, enter[i], leave[i]
        if leaves == NEVER if best == 0 else enters <= best:
            values = at_nodes(lambda t: at_limit(integrand.at(t, np.float64, is_end), is_end) if ends else
                              integrand.at(t, float, False), rule.nodes, left[i], right[i])
            area = 0.5 * (right[i] - left[i]) * np.sum(np.array([rule.middle[0], *rule.weights]) * values)
            if is_end:
                at_ends += area
            else:
                sums[0 if best == 0 else enters] += area
                if leaves <= best:
                    sums[leaves] -= area
    sums[0] += moving_as(np.float64(0.0), at_ends)
    return limit_of(np.cumsum(sums), best)


def at_limit(y, is_end):
    """What the integrand is at a limit of the integral: where it is no number, only the slope in this limit is none."""
    return rt.stop_gradient(y) if is_end and not np.isfinite(y) else y


def limit_of(sums, best):
    """The limit that was estimated of the sums up to this one."""
    limit, known_sums = sums[0], Sums(sums[0], sums[1])
    for k in range(2, best + 1):
        limit = known_sums.add(sums[k])[0]
    return limit


def as_constant(x):
    return x if constant(x) else rt.stop_gradient(x)


def is_infinite(x):
    """Is it written as infinite?"""
    return constant(x) and np.isinf(x)


def ends_of(search, a, a_was, b, b_was, sign):
    """The parts from where the limits were to where they are, as one goes from a to b, or back."""
    integrand, ends = search.integrand, []
    for x, y, was in ((a, a_was, a_was), (b_was, b, b_was)):
        if not (constant(x) and constant(y)):
            sharp = search.is_sharp_at(was if isinstance(integrand, Finite) else integrand.end)
            ends.append((x, y, sharp) if sign > 0 else (y, x, sharp))
    return ends


@means(integrate.quad, unasked=True)
def quad(func, a, b, args=(), full_output=0, epsabs=1.49e-8, epsrel=1.49e-8, limit=50, points=None, weight=None):
    refuse_other(full_output, points, weight)
    args, most = args if isinstance(args, tuple) else (args,), known(limit, "it says how many parts there may be")
    a, b, (epsabs, epsrel) = float(a), float(b), [as_constant(float(x)) for x in (epsabs, epsrel)]
    a_was, b_was = as_constant(a), as_constant(b)
    if a_was != b_was:
        look_at(epsabs, epsrel, most)
    sign, integrand = as_integrand(func, args, a_was, b_was)
    search = Search(integrand, epsabs, epsrel, most)
    search.going = a_was != b_was
    search.run()
    warn_of(search.flaw, most)
    value = rt.stop_gradient(float(sign * search.limit))
    ends = ends_of(search, a, a_was, b, b_was, sign)
    return (moving_as(value, sign * moved(integrand, search, ends)),
            rt.stop_gradient(float(search.limit_error if a_was != b_was else 0.0)))


def look_at(epsabs, epsrel, most):
    if epsabs <= 0 and epsrel < max(50 * EPS, 5e-29):
        raise ValueError("If 'epsabs'<=0, 'epsrel' must be greater than both 5e-29 and 50*(machine epsilon).")
    if most < 1:
        raise ValueError("Invalid 'limit' argument. There must be at least one subinterval")


def as_integrand(func, args, a, b):
    """(1.0 or -1.0, the integrand), as the limits are."""
    ensure((is_infinite(a) or np.isfinite(a)) and (is_infinite(b) or np.isfinite(b)), "scipy.integrate.quad with "
           "limits that the run computes and that are infinite. Write np.inf itself as the limit.")
    if is_infinite(a) and is_infinite(b):
        return 1.0 if a < b else -1.0, Infinite(func, args, 0.0, 1.0, 2)
    if is_infinite(b):
        sign = 1.0 if b > 0 else -1.0
        return sign, Infinite(func, args, a, sign, 1)
    if is_infinite(a):
        sign = -1.0 if a > 0 else 1.0
        return sign, Infinite(func, args, b, -sign, 1)
    return -1.0 if b < a else 1.0, Finite(func, args, min(a, b), max(a, b))


def warn_of(flaw, most):
    for kind, message in WARNINGS.items():
        if flaw == kind:
            warnings.warn(message.format(limit=most), integrate.IntegrationWarning)


def refuse_other(full_output, points, weight):
    if known(full_output, "it says what is given"):
        refuse("scipy.integrate.quad with full_output=", "Leave it away: value, error = quad(f, a, b).")
    if points is not None:
        refuse("scipy.integrate.quad with points=", "Add the integrals of the pieces: quad(f, a, c)[0] + quad(f, c, "
               "b)[0].")
    if weight is not None:
        refuse("scipy.integrate.quad with weight=", "Write the weight into the function: quad(lambda t: f(t) * "
               "np.cos(w * t), a, b).")
