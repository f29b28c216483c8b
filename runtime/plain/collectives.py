"""What devices tell each other: programs of one device each that run at once, on threads or in the processes of a job.

A program gets its axis as an array of ints: the number of its device, and the address of words that the devices of
this process share.  A collective publishes where its operand lies, waits until all have, reads what others have
published, and waits until all have read.  Results are taken together in the order of the devices: they do not depend
on which thread comes when.

Plain Python here, for threads that take turns; the compiled forms of the first functions are in
`native/collectives.py`.
"""
from __future__ import annotations

import ctypes
import threading
import time

import numpy as np

# in the first row of an axis, which has a row for each device: the number of this one, and the address of the words
RANK, SHARED = range(2)

# words that devices share, each in a line of cache of its own
(STOP, ARRIVED, ROUND, OUTCOME, ENDED, POSTED, LOCAL, FIRST, ALL, EXCHANGE, SPREAD, PART, PARTS,
 RAISED, LOOK, NOTHING) = range(0, 128, 8)  # RAISED: three words; LOOK: when to look for signals; NOTHING: always 0
SCRATCH = NOTHING + 1  # that nobody reads
DEVICES = 128  # from here on what each device publishes
ADDRESS, BYTES, KIND, COURSE, ROOM, FILLED, TAKEN = range(7)
WIDTH = 8

STOPPED, LEFT, DIFFERENT, LOST = range(1, 5)  # how a collective fails
SUM, MOST, LEAST, GATHER, PERMUTE = range(1, 6)  # kinds of collectives
KINDS = 16  # in the word KIND: the kind, and so often the course of the device
# the course: a hash of the places of the program that the device has come by, of 58 bits
FACTOR, COURSES = 6364136223846793005, (1 << 58) - 1

INTERRUPTED = -1  # in the word STOP; else the number of the device that has stopped, plus 1
PERIOD, NEVER = 20_000_000, (1 << 63) - 1  # ns from one look for signals to the next
SMALL, ROOMS = 1 << 12, 1 << 14  # bytes of an operand that goes with others, and of all that go together
PAUSES = 1 << 8  # vain looks at a word from one look at the clock to the next

turn = threading.Lock()
here = threading.local()  # .axis: that of the device whose program this thread runs, or writes; .begun: a line of print


def own_axis() -> np.ndarray | None:
    return getattr(here, "axis", None)


class Stopped(Exception):
    """Another device has stopped; it says why."""


class Again(Exception):
    """All devices have to do the call again: where programs of GPUs do so on their own, others wait for them.

    on_cpu  on the CPU, which knows what to say
    """

    def __init__(self, on_cpu: bool):
        super().__init__(on_cpu)
        self.on_cpu = on_cpu


class OutOfStep(RuntimeError):
    """Devices do not meet: one has ended, or is at another collective."""


FAILS = ((Stopped, "another device has stopped"),
         (OutOfStep, "a device has ended while others wait for it here: all must come to the same collectives"),
         (OutOfStep, "devices meet at different collectives, in different rounds of a loop or with operands of "
                     "different shapes or dtypes: call them where all devices pass, outside of branches and loops "
                     "whose course differs"),
         (OutOfStep, "the processes of the job have lost each other"))


# words of memory, which all threads see ------------------------------------------------------------------
def load_word(address: int) -> int:
    return ctypes.c_int64.from_address(int(address)).value


def store_word(address: int, value: int) -> None:
    ctypes.c_int64.from_address(int(address)).value = value


def add(address: int, value: int) -> int:
    """Add to a word, and give what it was."""
    with turn:
        before = load_word(address)
        store_word(address, before + value)
    return before


def swapped(address: int, before: int, after: int) -> bool:
    """Change a word, if it is what it was."""
    with turn:
        same = load_word(address) == before
        if same:
            store_word(address, after)
    return same


def pause(times: int) -> None:
    """Let others go on, for longer the more often it was in vain."""
    time.sleep(0.0 if times < 100 else 1e-4)


def clock() -> int:
    """Nanoseconds."""
    return time.monotonic_ns()


def signalled(address: int) -> int:
    """Has a signal come, a keyboard interrupt, which Python would answer with an exception?  Then note that at the
    address. Here it does so by itself."""
    return 0


def call_address(address: int) -> int:
    """Call the function at an address."""
    return ctypes.CFUNCTYPE(ctypes.c_int64)(int(address))()


def move(to: int, address: int, size: int) -> None:
    """Copy bytes."""
    ctypes.memmove(int(to), int(address), int(size))


def array_at(address: int, count: int, like: np.ndarray) -> np.ndarray:
    """The elements of the dtype of `like` at an address."""
    room = (ctypes.c_char * (count * like.itemsize)).from_address(int(address))
    return np.frombuffer(room, like.dtype, count)


def is_row_major(x) -> bool:
    step = x.itemsize
    for axis in range(x.ndim - 1, -1, -1):
        if x.shape[axis] != 1 and x.strides[axis] != step:
            return False
        step *= x.shape[axis]
    return True


# meeting -------------------------------------------------------------------------------------------------
def word(shared: int, which: int) -> int:
    return load_word(shared + 8 * which)


def word_address(shared: int, device: int, which: int) -> int:
    """The address of a word that a device has published."""
    return shared + 8 * (DEVICES + WIDTH * device + which)


def meet(axis, read: bool) -> int:
    """Wait until all devices of this process are here, or have ended: 0, or how it fails.

    One decides, for all: were one to stop alone while another goes on, that would read memory that is gone.

    read   may those that are not here yet be reading what this one has published?  Else a signal takes it away.
    """
    shared = axis[0, SHARED]
    here, is_callers = word(shared, ROUND), axis[0, RANK] == word(shared, FIRST)
    if is_callers:
        look_for_signals(shared)
    add(shared + 8 * ARRIVED, 1)
    times = 0
    while word(shared, ROUND) == here:
        came = word(shared, ARRIVED)
        if (came > 0 and came + word(shared, ENDED) == word(shared, LOCAL)
                and swapped(shared + 8 * ARRIVED, came, 0)):
            outcome = STOPPED if word(shared, STOP) != 0 else LEFT if word(shared, ENDED) != 0 else 0
            store_word(shared + 8 * OUTCOME, outcome)
            store_word(shared + 8 * ROUND, here + 1)
        else:
            pause(times)
            times += 1
            if is_callers and times % PAUSES == 0:
                look_for_signals(shared)
                came = word(shared, ARRIVED)
                if (not read and word(shared, STOP) == INTERRUPTED and came > 0
                        and swapped(shared + 8 * ARRIVED, came, came - 1)):
                    if word(shared, ROUND) == here:
                        return STOPPED
                    add(shared + 8 * ARRIVED, 1)  # of those who are here already the next time
    return word(shared, OUTCOME)


def look_for_signals(shared: int) -> None:
    """Of the first device alone, whose thread is the caller's: it may be the one that answers signals.

    By the clock: rounds and looks take longer where others need the cores, and the lock that a look takes others have.
    """
    due = word(shared, LOOK)
    if due != NEVER and clock() >= due:
        store_word(shared + 8 * LOOK, clock() + PERIOD)
        if word(shared, STOP) == 0 and signalled(shared + 8 * RAISED) != 0:
            store_word(shared + 8 * STOP, INTERRUPTED)


def passed(axis, site: int) -> int:
    """The device comes by a place of the program: a collective, a round of a loop or a call of a function around one.

    Gives its course, which all devices must have where they meet: two rounds of one loop are not one collective.
    """
    at = word_address(axis[0, SHARED], axis[0, RANK], COURSE)
    course = (load_word(at) * FACTOR + site) & COURSES
    store_word(at, course)
    return course


def published(axis, address: int, count: int, kind: int, site: int) -> int:
    """Publish bytes, and wait until all have: 0, or how it fails."""
    shared, rank = axis[0, SHARED], axis[0, RANK]
    kind += KINDS * passed(axis, site)
    store_word(word_address(shared, rank, ADDRESS), address)
    store_word(word_address(shared, rank, BYTES), count)
    store_word(word_address(shared, rank, KIND), kind)
    failed = meet(axis, False)
    if failed != 0:
        return failed
    if word(shared, EXCHANGE) != 0:  # with other processes: one of this process fetches what theirs have published
        failed = one_calls(axis, EXCHANGE)
        if failed != 0:
            return failed
    for k in range(word(shared, ALL)):
        if load_word(word_address(shared, k, BYTES)) != count or load_word(word_address(shared, k, KIND)) != kind:
            return DIFFERENT
    return 0


def one_calls(axis, which: int) -> int:
    """One device of this process calls the function whose address a word has, and all wait: 0, or how it fails."""
    shared, first = axis[0, SHARED], word(axis[0, SHARED], FIRST)
    if axis[0, RANK] == first:
        failed = call_address(word(shared, which))
        if failed != 0:
            store_word(word_address(shared, first, KIND), -failed)
    meet(axis, True)
    failed = load_word(word_address(shared, first, KIND))
    return -failed if failed < 0 else 0


def write_elements(address: int, x) -> None:
    """The elements of an array, in row-major order, to an address."""
    if is_row_major(x):
        move(address, x.ctypes.data, x.size * x.itemsize)
    else:
        to, k = array_at(address, x.size, x), 0
        for value in x.flat:
            to[k] = value
            k += 1


def with_shape(site: int, x) -> int:
    """The place of an operand of one shape: others of its size are not taken together with it."""
    for length in x.shape:
        site = (site * 31 + length) & COURSES
    return site


# kernels: (axis, operand, result, place in the program) -> how it fails ------------------------------------
def start_of(part: int, parts: int, size: int) -> int:
    """Where a part of so many bytes starts: at an element, whatever they are."""
    return size if part == parts else size // 16 * part // parts * 16


def fold(axis, x, out, kind: int, site: int) -> int:
    """Each device takes a part of the elements together, of all operands, and writes it to all of this process.

    Operands are published where results will be: a part is read and written by one device alone.  Large ones are shared
    by the processes of a job: each has a part, and they spread the results.
    """
    write_elements(out.ctypes.data, x)
    return folded(axis, out.ctypes.data, out.size, out, kind, with_shape(site, x))


def folded(axis, address: int, n: int, like, kind: int, site: int) -> int:
    """The same of so many elements, of the dtype of `like`, that are at an address."""
    item = like.itemsize
    failed = published(axis, address, n * item, kind, site)
    if failed != 0:
        return failed
    shared = axis[0, SHARED]
    first, local, part, parts = word(shared, FIRST), word(shared, LOCAL), word(shared, PART), word(shared, PARTS)
    mine, start, stop = axis[0, RANK] - first, start_of(part, parts, n * item), start_of(part + 1, parts, n * item)
    count = (stop - start) // item
    low, high = start // item + count * mine // local, start // item + count * (mine + 1) // local
    if low < high:
        total = array_at(load_word(word_address(shared, 0, ADDRESS)), n, like)[low:high]
        for k in range(1, word(shared, ALL)):
            take(total, array_at(load_word(word_address(shared, k, ADDRESS)), n, like)[low:high], kind)
        for k in range(first, first + local):
            if k > 0:
                copy_published(word_address(shared, 0, ADDRESS), word_address(shared, k, ADDRESS), low * item,
                               high * item)
    if parts > 1:
        failed = spread_results(axis, start, stop, n * item)
        if failed != 0:
            return failed
    return meet(axis, True)


def spread_results(axis, start: int, stop: int, size: int) -> int:
    """Have the results of all processes, where this one has its part: 0, or how it fails."""
    failed = meet(axis, True)
    if failed == 0:
        failed = one_calls(axis, SPREAD)
    shared, rank = axis[0, SHARED], axis[0, RANK]
    first = word(shared, FIRST)
    if failed == 0 and rank != first:
        copy_published(word_address(shared, first, ADDRESS), word_address(shared, rank, ADDRESS), 0, start)
        copy_published(word_address(shared, first, ADDRESS), word_address(shared, rank, ADDRESS), stop, size)
    return failed


def copy_published(source: int, target: int, start: int, stop: int) -> None:
    """Copy bytes of what a device has published to where those of another are."""
    move(load_word(target) + start, load_word(source) + start, stop - start)


def take(total, x, kind: int) -> None:
    """Take another operand into what earlier ones have given; a nan stays one."""
    if kind == SUM:
        for i in range(len(x)):
            total[i] += x[i]
    else:
        take_extreme(total, x, kind)


def take_extreme(total, x, kind):
    if kind == MOST:
        for i in range(len(x)):
            if x[i] > total[i] or x[i] != x[i]:
                total[i] = x[i]
    else:
        for i in range(len(x)):
            if x[i] < total[i] or x[i] != x[i]:
                total[i] = x[i]


def sum_kernel(axis, x, out, site):
    return fold(axis, x, out, SUM, site)


# sums that go together: small operands wait in the room of their device for one exchange
def fits_room(x, filled: int) -> bool:
    """Is an operand so small that it waits in the room, where so many bytes are filled?"""
    size = x.size * x.itemsize
    return size <= SMALL and filled + size <= ROOMS


def add_kernel(axis, x, out, site):
    shared, rank = axis[0, SHARED], axis[0, RANK]
    passed(axis, with_shape(site, x))
    at = word_address(shared, rank, FILLED)
    filled = load_word(at)
    if fits_room(x, filled):
        write_elements(load_word(word_address(shared, rank, ROOM)) + filled, x)
        store_word(at, filled + x.size * x.itemsize)
    return 0


def exchange_kernel(axis, x, out, site):
    """`x`: one of the operands, for its dtype."""
    shared, rank = axis[0, SHARED], axis[0, RANK]
    filled = load_word(word_address(shared, rank, FILLED))
    store_word(word_address(shared, rank, FILLED), 0)
    store_word(word_address(shared, rank, TAKEN), 0)
    if filled == 0:
        return 0
    return folded(axis, load_word(word_address(shared, rank, ROOM)), filled // x.itemsize, x, SUM, site)


def take_kernel(axis, x, out, site):
    """Its sum for an operand: from the room, or in an exchange of its own."""
    shared, rank = axis[0, SHARED], axis[0, RANK]
    at = word_address(shared, rank, TAKEN)
    taken = load_word(at)
    if not fits_room(x, taken):
        return fold(axis, x, out, SUM, site)
    size = x.size * x.itemsize
    move(out.ctypes.data, load_word(word_address(shared, rank, ROOM)) + taken, size)
    store_word(at, taken + size)
    return 0


def most_kernel(axis, x, out, site):
    return fold(axis, x, out, MOST, site)


def least_kernel(axis, x, out, site):
    return fold(axis, x, out, LEAST, site)


def gather_kernel(axis, x, out, site):
    size = x.size * x.itemsize
    own = out.ctypes.data + axis[0, RANK] * size
    write_elements(own, x)
    failed = published(axis, own, size, GATHER, with_shape(site, x))
    if failed != 0:
        return failed
    shared = axis[0, SHARED]
    for k in range(word(shared, ALL)):
        if k != axis[0, RANK]:
            move(out.ctypes.data + k * size, load_word(word_address(shared, k, ADDRESS)), size)
    return meet(axis, True)


def permute_kernel(axis, source, target, x, out, site):
    """`source`: the number of the device whose operand is the result, -1 for zeros."""
    size = x.size * x.itemsize
    own = np.empty(x.size, x.dtype)
    write_elements(own.ctypes.data, x)
    failed = published(axis, own.ctypes.data, size, PERMUTE, with_shape(site, x))
    if failed != 0:
        return failed
    if source[0] < 0:
        out.fill(0)
    else:
        move(out.ctypes.data, load_word(word_address(axis[0, SHARED], source[0], ADDRESS)), size)
    failed = meet(axis, True)
    own[:0] = 0  # others read it until now
    return failed
