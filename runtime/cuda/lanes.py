"""What the lanes of a group call: threads that do one iteration together, as `loops.lanes` has written it.

A block of threads has several groups, each of `lanes` threads; neighbouring lanes are `apart` threads from each other:
1 where elements lie side by side within an iteration, the number of groups where they do so from one to the next.
"""
from __future__ import annotations

from . import device

cuda = None  # the compiler's module: `backend.compiler` puts it here
FAR = 2**62  # beyond the end of any loop


def group(lanes, apart):
    """The number of a thread's group in the launch."""
    t = cuda.threadIdx.x
    return cuda.blockIdx.x * (cuda.blockDim.x // lanes) + t // (apart * lanes) * apart + t % apart


def first(lanes):
    """The first iteration of a block's groups."""
    return cuda.blockIdx.x * (cuda.blockDim.x // lanes)


def stride(lanes):
    """How many iterations all groups have at once."""
    return cuda.gridDim.x * (cuda.blockDim.x // lanes)


def place(start, n, lanes, apart):
    """The iteration of a thread's group, its lane, and where that begins; beyond the end the last one, and FAR."""
    t = cuda.threadIdx.x
    at, lane = start + t // (apart * lanes) * apart + t % apart, t // apart % lanes
    return (at, lane, lane) if at < n else (n - 1, lane, FAR)


def of_lanes(take):
    """What takes the values of all lanes together, for each of them, in one order."""
    def together(x, shared, lanes, apart):
        t = cuda.threadIdx.x
        lane = t // apart % lanes
        shared[t] = x
        cuda.syncthreads()
        half = lanes // 2
        while half > 0:
            if lane < half:
                shared[t] = take(shared[t], shared[t + half * apart])
            cuda.syncthreads()
            half = half // 2
        x = shared[t - lane * apart]
        cuda.syncthreads()
        return x

    return together


def exactly_of_lanes(sum_of_lanes):
    """What takes sums together and, by `sum_of_lanes`, what they have lost by rounding."""
    def together(total, error, shared, lanes, apart):
        t = cuda.threadIdx.x
        lane = t // apart % lanes
        shared[t] = total
        cuda.syncthreads()
        half = lanes // 2
        while half > 0:
            if lane < half:
                total, error = device.gpu_add_exactly(shared[t], error, shared[t + half * apart])
                shared[t] = total
            cuda.syncthreads()
            half = half // 2
        total = shared[t - lane * apart]
        cuda.syncthreads()
        return total, sum_of_lanes(error, shared, lanes, apart)

    return together


def either(a, b):
    return a | b


def both(a, b):
    return a & b


def lower(a, b):
    return b if b < a else a


def higher(a, b):
    return b if b > a else a


def lane_functions(compile, math) -> dict:
    """The functions by their names, `compile`d for the device; `math` has the arithmetic that is compiled already."""
    own = {f.__name__: compile(f) for f in (group, first, stride, place)}
    ways = {"radd": math["radd"], "rmul": math["rmul"], "most": math["most"], "least": math["least"],
            **{f.__name__: compile(f) for f in (either, both, lower, higher)}}
    own |= {f"{name}_of_lanes": compile(of_lanes(take)) for name, take in ways.items()}
    return own | {"exactly_of_lanes": compile(exactly_of_lanes(own["radd_of_lanes"]))}
