"""A clock in a program that is measured: how long each part of it takes, how often it runs, how much memory it binds.

The program is given an array of int64 with a row of TIME, RUNS and BYTES for each part; row 0 has when the clock was
read last.
"""
import time

TIME, RUNS, BYTES = range(3)


def lap(ticks, row):
    """A part has ended: what has passed since the clock was read last is its time."""
    now = time.monotonic_ns()
    ticks[row, TIME] += now - ticks[0, TIME]
    ticks[row, RUNS] += 1
    ticks[0, TIME] = now


def note_bytes(ticks, row, x):
    """A part has bound x: of arrays the largest counts."""
    ticks[row, BYTES] = max(ticks[row, BYTES], getattr(x, "nbytes", 0))
