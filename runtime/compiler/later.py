"""Handlers of signals wait while LLVM makes machine code. It hands that over by ctypes, which prints what is raised
there and goes on: a keyboard interrupt would be lost, and the code with it."""
import signal
import threading
from contextlib import contextmanager


@contextmanager
def handlers_later():
    """Handlers run when the block is done, in the order in which their signals came; what one raises, the block raises.

    Only the main thread runs handlers: in others nothing is to be done.
    """
    heard, before = [], {}
    if threading.current_thread() is threading.main_thread():
        before = {number: handler for number in signal.valid_signals() if callable(handler := signal.getsignal(number))}
    try:
        for number in before:
            signal.signal(number, lambda *given: heard.append(given))
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        for number, frame in heard:
            before[number](number, frame)
