"""Runs commands of the command line beside a model.py, here, or on a terminal."""
import os
import pty
import sys
import threading

import pytest

from gradscribe._command_line import command_parser, main
from gradscribe._completion import commands_of

MODEL = '''\
import numpy as np
print("at import")
SCALE = 2.0

def loss(x, n=2, *, power=2):
    y = x.copy()
    for i in range(1, n):
        y[i] += SCALE * y[i - 1]
    return np.sum(y ** power)

def field(x):
    return np.sin(x)

def reads(x):
    return x * float(input())

class Spring:
    def __init__(self, k):
        self.k = k

    def energy(self, x):
        return 0.5 * self.k * x * x

    @staticmethod
    def asks(x):
        return x + np.random.rand()

if __name__ == "__main__":
    raise SystemExit("it runs as a script")
'''
COMMANDS = commands_of(command_parser())
ESCAPE = "\x1b["


@pytest.fixture(autouse=True)
def model(tmp_path, monkeypatch):
    """model.py in a folder of its own; what the commands import is forgotten afterwards."""
    for name in [name for name in os.environ if name.startswith("GRADSCRIBE_TRACEBACK")] + ["NO_COLOR"]:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.chdir(tmp_path)
    before = {*sys.modules}
    yield written("model.py", MODEL)
    for name in {*sys.modules} - before:
        if (getattr(sys.modules[name], "__file__", None) or "").startswith(str(tmp_path)):
            del sys.modules[name]


def written(name, text):
    os.makedirs(os.path.dirname(name) or ".", exist_ok=True)
    with open(name, "w", encoding="utf-8") as file:
        file.write(text)
    return name


@pytest.fixture
def command(capsys):
    """Runs a command: (exit status, stdout, stderr)"""
    def run(*words):
        status = main([*words])
        out = capsys.readouterr()
        assert ESCAPE not in out.out + out.err
        return status, out.out, out.err
    return run


@pytest.fixture
def terminal(monkeypatch):
    """Runs a command on a terminal, with what is typed there: (exit status, what is seen)"""
    def run(*words, typed=""):
        master, slave = pty.openpty()
        seen = []

        def read():
            try:
                while data := os.read(master, 4096):
                    seen.append(data)
            except OSError:  # the other end is closed
                pass

        reader = threading.Thread(target=read)
        with os.fdopen(slave, "r+b", buffering=0) as end, monkeypatch.context() as patch:
            for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
                patch.setattr(sys, name, os.fdopen(os.dup(end.fileno()), mode))
            reader.start()
            os.write(master, typed.encode())
            status = main([*words])
            for name in ("stdin", "stdout", "stderr"):
                getattr(sys, name).close()
        reader.join(30)
        os.close(master)
        return status, b"".join(seen).decode()
    return run
