"""P. Wynn's epsilon algorithm: the limit that a sequence of sums tends to, as QUADPACK estimates it and its error.

R. Piessens, E. de Doncker-Kapenga, C. Ueberhuber and D. Kahaner, "QUADPACK", Springer 1983, section 2.2 and QELG.
"""
from dataclasses import dataclass
from typing import Any

import numpy as np

EPS, HUGE = float(np.finfo(float).eps), float(np.finfo(float).max)
MOST = 50  # sums whose differences are kept


def is_small(difference, x, y):
    return abs(difference) <= EPS * max(abs(x), abs(y))


@dataclass(eq=False)
class Sums:
    """The lowest diagonal of the table, every second column of it: limits of ever more of the sums.

    first, second  the first sums
    count     of the numbers in `table` that count
    estimates the last three limits: how much they differ is the error
    asked     how often a sum was added
    """

    first: Any
    second: Any

    def __post_init__(self):
        self.table, self.estimates = np.zeros(MOST + 2), np.zeros(3)
        self.count, self.asked = 2, 0
        self.table[0], self.table[1] = self.first, self.second

    def add(self, x):
        """The limit of the sums until now, of which x is the last, and its error."""
        e, n = self.table, self.count + 1
        e[n - 1] = x
        e[n + 1] = x
        e[n - 1] = HUGE
        self.asked += 1
        limit, error, kept, settled, k, row = x, np.float64(HUGE), n, False, n - 1, 0
        while kept == n and not settled and row < (n - 1) // 2:
            before, middle, after = e[k - 2], e[k - 1], e[k + 2]
            last, first = after - middle, middle - before
            if is_small(last, after, middle) and is_small(first, middle, before):
                limit, error, settled = after, abs(last) + abs(first), True
            else:
                above = e[k]
                e[k] = middle
                flat = is_small(last, after, middle) or is_small(first, middle, before)
                if flat or row > 0 and is_small(middle - above, middle, above):
                    kept = 2 * row + 1
                else:
                    inverse = (1.0 / (middle - above) if row > 0 else 0.0) + 1.0 / last - 1.0 / first
                    if abs(inverse * middle) <= 1e-4:
                        kept = 2 * row + 1
                    else:
                        found = middle + 1.0 / inverse
                        e[k] = found
                        k -= 2
                        off = abs(last) + abs(found - after) + abs(first)
                        if off <= error:
                            limit, error = found, off
                        row += 1
        self.count = n
        if not settled:
            self.move_up(n, min(kept, MOST - 1))
            error = self.compared(limit)
        return limit, max(error, 5 * EPS * abs(limit))

    def move_up(self, n, kept):
        """The new diagonal takes the place of the one before; of it the first `kept` count."""
        e, k = self.table, (n + 1) % 2
        for _ in range((n - 1) // 2 + 1):
            e[k] = e[k + 2]
            k += 2
        if kept != n:
            for k in range(kept):
                e[k] = e[n - kept + k]
        self.count = kept

    def compared(self, limit):
        """The error of a limit, by those before it."""
        last = self.estimates
        if self.asked < 4:
            last[self.asked - 1] = limit
            return np.float64(HUGE)
        error = abs(limit - last[2]) + abs(limit - last[1]) + abs(limit - last[0])
        last[0] = last[1]
        last[1] = last[2]
        last[2] = limit
        return error
