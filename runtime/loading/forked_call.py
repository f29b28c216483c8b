"""A call in a copy of this process, which is given up when something better is there first.

The copy runs plain NumPy, sends what it got and ends; nothing that it does is seen here, so it is for functions that
only give results.  Linux alone has a fork that libraries with threads of their own outlive.
"""
from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import warnings
from typing import Callable

PATIENCE = 0.005  # seconds between two looks for something better
LONGEST = 600     # seconds after which a copy ends by itself, should nobody be there any more to end it


def possible() -> bool:
    """Is there a core for a copy, and a fork that is safe?"""
    return (sys.platform == "linux" and len(os.sched_getaffinity(0)) > 1 and "mpi4py" not in sys.modules
            and threading.current_thread() is threading.main_thread()
            and not multiprocessing.current_process().daemon)


class ForkedCall:
    """The call function(*args) in a copy of this process, from now on."""

    def __init__(self, function: Callable[..., tuple], args: tuple):
        self.function, self.args = function, args
        self.pipe, its = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.get_context("fork").Process(target=send, args=(its, function, args), daemon=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # Python's and JAX's, of a fork where there are threads
            self.process.start()
        its.close()

    def results(self, better: Callable[[], bool]) -> tuple | None:
        """Its results; None if `better` came true before, or something has ended it.

        Where it raises, or gives what cannot be sent, it runs again, here.
        """
        try:
            while not self.pipe.poll(PATIENCE):
                if better():
                    return None
            sent = self.pipe.recv()
        except EOFError:
            return None
        finally:
            self.process.kill()
            self.process.join()
            self.pipe.close()
        return self.function(*self.args) if sent is None else sent


def send(pipe, function: Callable[..., tuple], args: tuple) -> None:
    """What the copy does."""
    os.setsid()  # a keyboard interrupt is not for it
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(LONGEST)
    warnings.simplefilter("ignore")
    sys.stdout = sys.stderr = open(os.devnull, "w")
    try:
        pipe.send(function(*args))
    except BaseException:  # it is raised again where it is seen
        pipe.send(None)
