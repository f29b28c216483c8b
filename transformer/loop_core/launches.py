"""What the host of a program for a GPU starts: as text, and with which arguments."""
from __future__ import annotations

from gradscribe.runtime.cuda.backend import BLOCK, BLOCKS
from gradscribe.runtime.cuda.forms import PYTHON

from .core import ONE, Assign, Assigns, Call, Check, Do, Field, Function, If, Load, Loop, Name, Store, View, While
from .facts import walk_loops
from .kernels import FLAG, THREAD
from .show import show
from .stops import may_stop
from .walking import blocks, names_bound, reads

OF_CUPY = ("rl.matmul", "rm.argsort", "rm.places")
WAIT = ("gpu.read", "gpu.element")


def what_runs(functions: tuple[Function, ...], registers: dict[str, int], of_cupy: set[str]) -> str:
    """What the host does, in its order: kernels, how many threads each has and what they make, CuPy, waiting.

    registers  of each thread of a kernel, where that is known
    of_cupy    functions of a library that are computed by CuPy
    """
    *kernels, host = functions
    made = {k.name: ", ".join(stored_by(k)) for k in kernels}
    widths = {s.name: s.value.args[0] for s in walk_loops(host.body) if isinstance(s, Assign)
              and isinstance(s.value, Call) and s.value.function == "gpu.width"}
    lines = [f"# a kernel of many threads has blocks of {BLOCK}, and no more than {BLOCKS} blocks: a thread takes one "
             "index after another"] if any(many(s) for s in walk_loops(host.body)) else []

    def block(stmts, indent: str) -> None:
        for s in stmts:
            lines.extend(f"{indent}the host waits for {show(e.args[0])}" for e in waits(s))
            match s:
                case Do(Call("gpu.launch", (Name(kernel), threads, _))):
                    how = f"one thread for each of {show(widths.get(threads, threads))}" if many(s) else "one thread"
                    how += f", {registers[kernel]} registers" if kernel in registers else ""
                    lines.append(f"{indent}{kernel}: {how}; makes {made[kernel]}")
                case Do(Call("gpu.launch_groups", (Name(kernel), count, _, _))):
                    how = "one group of threads" + ("" if count == ONE else f" for each of {show(count)}")
                    how += f", {registers[kernel]} registers" if kernel in registers else ""
                    lines.append(f"{indent}{kernel}: {how}; makes {made[kernel]}")
                case Do(call) | Assign(value=Call() as call) if call.function in OF_CUPY:
                    lines.append(f"{indent}{show(call)}: CuPy")
                case Assign(value=Call(function)) if runs_library(s):
                    where = "CuPy" if function in of_cupy else "on the host, with copies there and back"
                    lines.append(f"{indent}{function}: {where}")
                case Loop() | While() | If():
                    inside(s, indent)

    def inside(s, indent: str) -> None:
        titles = ["where it is so", "else"] if isinstance(s, If) else ["in a loop of the host"]
        for title, inner in zip(titles, blocks(s)):
            before = len(lines)
            lines.append(f"{indent}{title}:")
            block(inner, indent + "    ")
            if len(lines) == before + 1:
                lines.pop()

    block(host.body, "# ")
    return "".join(f"{line}\n" for line in lines)


def many(s) -> bool:
    """Does a statement launch a kernel of many threads?"""
    return isinstance(s, Do) and (s.call.function == "gpu.launch" and s.call.args[1] != ONE
                                  or s.call.function == "gpu.launch_groups")


def waits(node) -> list[Call]:
    """What of the device the host reads for a statement."""
    found = [node] if isinstance(node, Call) and node.function in WAIT else []
    return found + [call for e in reads(node) for call in waits(e)]


def stored_by(kernel: Function) -> list[str]:
    """The arrays and scalars that a kernel makes for others."""
    own = names_bound(kernel.body)
    views = {s.name.id: s.value for s in walk_loops(kernel.body) if isinstance(s, Assign) and isinstance(s.value, View)}
    stored = dict.fromkeys(s.array.id for s in walk_loops(kernel.body) if isinstance(s, Store))
    made = [views[name].array.id if name in views else name for name in stored if name in views or name not in own]
    own |= {view.array.id for view in views.values() if view.index[-1] == Name(THREAD)}
    return list(dict.fromkeys(name for name in made if name not in own))


def stops_late(functions: tuple[Function, ...]) -> bool:
    """May a program stop once something of it has begun that stores into arrays?"""
    *kernels, host = functions
    begun = False

    def block(stmts) -> bool:
        nonlocal begun
        for s in stmts:
            if begun and (isinstance(s, Check) or any(map(may_stop, reads(s))) or runs_library(s)):
                return True
            begun = begun or isinstance(s, (Do, Store)) and spelled_call(s) != "rs.check_sizes" or runs_library(s)
            if any(block(b) for b in blocks(s) for _ in range(2)):  # what stands before it is done after it, too
                return True
        return False

    return any(k.params[:1] == (FLAG,) for k in kernels) or block(host.body)


def spelled_call(s) -> str:
    return s.call.function if isinstance(s, Do) else ""


def runs_library(s) -> bool:
    """Does a statement call what a library computes as a whole?  Where that is in doubt it stops."""
    values = s.values if isinstance(s, Assigns) else reads(s)
    return any(isinstance(e, Call) and "." not in e.function and e.function not in PYTHON for e in values)


def types_of(functions: tuple[Function, ...]) -> dict[str, list[str]]:
    """The arguments of kernels, as `runtime.cuda.offline` reads them, where the program's are in C's order.

    A kernel of which an array's axes are not seen has no entry.
    """
    *kernels, host = functions
    steps = {s.name.id for s in walk_loops(host.body) if isinstance(s, Assign) and (
        isinstance(s.value, (View, Field)) or isinstance(s.value, Call) and s.value.function == "rm.transpose")}
    found = {}
    for kernel in kernels:
        ranks = ranks_in(kernel)
        if None not in ranks.values():
            found[kernel.name] = [f"{p.dtype.name} {ranks[p.id]} {'A' if p.id in steps else 'C'}" if p.id in ranks
                                  else p.dtype.name for p in kernel.params if p.id != "flag"]
            if kernel.params and kernel.params[0].id == "flag":
                found[kernel.name].insert(0, "int32 1 C")
    return found


def ranks_in(kernel: Function) -> dict[str, int | None]:
    """The arrays that a kernel touches, and how many axes each has; None where it is not seen."""
    ranks: dict[str, int | None] = {}

    def note(name: str, rank: int | None) -> None:
        ranks[name] = ranks.get(name) if rank is None else rank

    def expression(e) -> None:
        match e:
            case Load():
                note(e.array.id, len(e.index))
            case View():  # all of what is one array for all threads or groups, else perhaps only the first axes
                note(e.array.id, len(e.index) if Name(THREAD) in (e.index[-1], e.index[0]) else None)
            case Call(function, (Name(array), *_)) if function == "dev.gpu_search":
                note(array, 1)
        for part in reads(e):
            expression(part)

    for s in walk_loops(kernel.body):
        if isinstance(s, Store):
            note(s.array.id, len(s.index))
        for e in reads(s):
            expression(e)
    for s in walk_loops(kernel.body):
        if isinstance(s, Assign) and isinstance(s.value, Name) and s.name.id in ranks:
            note(s.value.id, ranks[s.name.id])
    return ranks
