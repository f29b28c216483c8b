"""Kernels that `recording` has found, compiled without a GPU:

    python tests/gpu/compiling.py PART PARTS OUT.json RECORDED.json
"""
import functools
import json
import re
import sys
import types
from pathlib import Path

from gradscribe.runtime.compiler import cache
from gradscribe.runtime.cuda import offline

# libdevice's own, in the branch where it brings a float32 that is far from zero between -pi and pi
REDUCTION = re.compile(r"mul\.f64\s+%fd\d+, %fd\d+, 0d3BF921FB54442D19;")
CONVERSION = re.compile(r"cvt\.rn\.(f64\.s64|f32\.f64)\s")  # of an int: NumPy's way to float32, too, is by float64


def doubles(ptx: str) -> list[str]:
    """The instructions in double precision."""
    found = [line.strip() for line in ptx.splitlines() if ".f64" in line and ".reg" not in line]
    return [line for line in found if not REDUCTION.match(line) and not CONVERSION.match(line)]


def compiled(module, kernel, signature) -> dict:
    try:
        made = offline.compiled(getattr(module, kernel), signature)
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}"}
    return {"registers": made.registers, "stack": made.stack, "spills": made.spills, "doubles": doubles(made.ptx)}


def by_rows() -> list[dict]:
    """Kernels of the CPU that threads run as they stand."""
    from gradscribe.runtime.cuda import library, rows
    from gradscribe.transformer.rules.registry import OPS
    found = []
    for kernel in {op.kernel for op in OPS.values() if getattr(op, "kernel", None)}:
        if isinstance(library.form(kernel), functools.partial):
            count = kernel.__code__.co_argcount - 1
            for dtype in ("float32", "complex128"):
                made = rows.launched(kernel, count)
                module = types.SimpleNamespace(kernel=made)
                found.append({"program": f"rows: {kernel.__name__} of {dtype}", "kernel": made.__name__}
                             | compiled(module, "kernel", [f"{dtype} 2 C"] * (count + 1)))
    return found


def main(part, parts, out, recorded):
    found = json.loads(Path(recorded).read_text())
    modules = {}
    results = []
    for program, module, kernel, signature in found["launches"][int(part)::int(parts)]:
        if module not in modules:
            modules[module] = cache.load("kernels", found["texts"][module])
        made = compiled(modules[module], kernel, signature)
        results.append({"program": program, "kernel": kernel, "types": signature} | made)
    Path(out).write_text(json.dumps(results + (by_rows() if part == "0" else [])))


if __name__ == "__main__":
    main(*sys.argv[1:])
