"""A process that answers questions: a crash or an endless loop in it costs one answer."""

import contextlib
import multiprocessing
import os


class Accident(Exception):
    """A question without an answer; `kind` is "time" or "crash"."""

    def __init__(self, kind: str, message: str):
        super().__init__(message)
        self.kind = kind


@contextlib.contextmanager
def simulated():
    """What is started meanwhile has numba's simulator of a GPU, which is chosen before numba's first import."""
    before = os.environ.get("NUMBA_ENABLE_CUDASIM")
    os.environ["NUMBA_ENABLE_CUDASIM"] = "1"
    try:
        yield
    finally:
        del os.environ["NUMBA_ENABLE_CUDASIM"]
        if before is not None:
            os.environ["NUMBA_ENABLE_CUDASIM"] = before


class Child:
    """Started when it is needed, and again after each accident.

    serve      (pipe, *args): receives questions and sends an answer to each, until it receives None
    limit      seconds for one answer
    simulator  has it numba's simulator of a GPU?
    """

    def __init__(self, serve, args: tuple = (), *, limit: float, simulator: bool = False):
        self.serve, self.args, self.limit, self.simulator = serve, args, limit, simulator
        self.process = None

    def ask(self, question):
        if self.process is None:
            self.start()
        self.pipe.send(question)
        try:
            if self.pipe.poll(self.limit):
                return self.pipe.recv()
            self.stop()
            raise Accident("time", f"not done after {self.limit:g} s")
        except EOFError:
            self.process.join()
            code = self.process.exitcode
            self.stop()
            raise Accident("crash", f"the process died with exit code {code}") from None

    def start(self):
        # A fresh interpreter: a fork would carry threads (numba's, BLAS's) into a child that cannot use them.
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe()
        self.process = context.Process(target=self.serve, args=(theirs, *self.args), daemon=True)
        with simulated() if self.simulator else contextlib.nullcontext():
            self.process.start()
        theirs.close()  # so that a dead child is an end of file here

    def stop(self):
        if self.process is not None:
            self.process.kill()
            self.process.join()
            self.pipe.close()
            self.process = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()
