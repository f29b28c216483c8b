"""What a GPU can do at most, measured in the same process as the rows, and what it is."""
import platform
from statistics import median

from benchmarks.harness import Clock

PACKAGES = ("gradscribe", "numpy", "numba-cuda", "cupy-cuda13x", "jax", "torch")


def figures(cupy, wait, elements, side, budget=0.4):
    """{"copy": bytes a second, each read and written; "matmul": operations a second of a product of matrices, float64}"""
    a, b = cupy.zeros(elements), cupy.zeros(elements)
    x = cupy.ones((side, side))
    copied = fastest(lambda: cupy.copyto(b, a), wait, budget)
    multiplied = fastest(lambda: x @ x, wait, budget)
    return {"copy": 2 * a.nbytes / copied, "matmul": 2 * side ** 3 / multiplied}


def fastest(call, wait, budget):
    """Seconds of a call, by the median block."""
    clock = Clock(call, (), wait)
    wait(call())
    clock.calibrate(budget)
    clock.seconds = [clock.block() for _ in range(clock.rounds)]
    return median(clock.seconds)


def described(quick):
    """The figures, and on what they were measured."""
    import cupy
    runtime = cupy.cuda.runtime
    name = runtime.getDeviceProperties(0)["name"]
    found = figures(cupy, lambda _: cupy.cuda.get_current_stream().synchronize(), *((1 << 24, 2048) if quick else (1 << 28, 8192)))
    cupy.get_default_memory_pool().free_all_blocks()
    return found | {"gpu": name.decode() if isinstance(name, bytes) else name, "driver": cuda(runtime.driverGetVersion()),
                    "python": platform.python_version(), "packages": versions()}


def cuda(number):
    return f"CUDA {number // 1000}.{number % 1000 // 10}"


def versions():
    from importlib.metadata import PackageNotFoundError, version
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
