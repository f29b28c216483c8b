"""A process for each mistake, forked from one that has imported what is not ours:
numba and its like take most of the time of a start.

    python -m tests.found_again.child       reads requests, one JSON object in a line; writes a reply for each

    {"name": of a finding, or null, "look": ..., "where": ...}       that one try
    {"name": ..., "looks": [...], "seconds": ...}                    the first try that finds it
"""
import gc
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from . import finders, findings, patching

ROOT = Path(__file__).parents[2]


class Children:
    """The process that forks one for each request."""

    def __init__(self):
        self.known = set()  # programs and cells that are wrong without any mistake, or refused
        self.process = subprocess.Popen([sys.executable, "-m", "tests.found_again.child"], cwd=ROOT, text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, **request) -> dict:
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def answer(request) -> dict:
    found = findings.FINDINGS[request["name"]] if request["name"] else None
    patching.install(found.edits if found else ())
    sys.path.insert(0, str(ROOT))
    import numpy as np
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        if "where" in request:
            return {"says": finders.tried(request["look"], request["where"])}
        return search(found, request)


def search(found, request) -> dict:
    end = time.time() + request["seconds"]
    known = set(request.get("known", ()))  # what is wrong anyway
    for look in request["looks"]:
        for k, (where, judge) in enumerate(itertools.islice(finders.tries(look), request.get("skip", 0), None)):
            other = look.startswith(("independent", "dtypes")) and not re.search(found.only, where)
            says = None if where in known or other else judge()
            if says and counts(found, says):
                return {"look": look, "where": where, "after": k + 1 + request.get("skip", 0), "says": says}
            if time.time() > end:
                return {"says": None, "after": k + 1, "look": look}
    return {"says": None}


def counts(found, says: str) -> bool:
    """Is it what was put back?"""
    return says.startswith("wrong") if not found.refused else finders.MARK.search(says) is not None


def forked(request) -> dict:
    """The answer of a child of this process."""
    theirs, ours = os.pipe()
    child = os.fork()
    if child == 0:
        with tempfile.TemporaryDirectory() as folder:
            os.environ["GRADSCRIBE_CACHE_DIR"] = os.path.join(folder, "cache")
            try:
                reply = answer(request)
            except BaseException:
                reply = {"broken": traceback.format_exc()[-3000:]}
            with os.fdopen(ours, "w") as out:
                json.dump(reply, out)
        os._exit(0)
    os.close(ours)
    with os.fdopen(theirs) as lines:
        text = lines.read()
    os.waitpid(child, 0)
    return json.loads(text) if text else {"says": "wrong: the process ended"}


def main():
    import numba  # noqa: F401
    import numba.core.codegen  # noqa: F401
    import optree  # noqa: F401
    import pytest  # noqa: F401
    import scipy.linalg  # noqa: F401
    import scipy.special  # noqa: F401
    gc.freeze()
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        print(json.dumps(forked(json.loads(line))), file=replies, flush=True)


if __name__ == "__main__":
    main()
