"""A child process that makes and checks programs, one for each line that it reads;
a crash or a hang is one program's."""
import json
import os
import resource
import signal
import sys
import tempfile
import traceback

FOUND = ("wrong value", "wrong derivative", "wrong mutation", "wrong mutation of globals", "missing exception",
         "exception", "other exception")


def answer(request, folder):
    from .check import check
    from .outcomes import Failure
    from .program import generate
    text = request.get("text")
    try:
        text = generate(request["seed"]) if text is None else text
        if request.get("only_text"):
            return {"text": text}
        return {"outcome": "ok", **{k: v for k, v in check(text, folder, request["compiled"]).items() if k != "last"}}
    except Failure as failure:
        return {"outcome": "failed", "kind": failure.kind, "place": failure.place, "details": failure.details,
                "text": text}
    except Exception:
        return {"outcome": "broken", "kind": "the machine itself", "place": traceback.format_exc()[-1500:],
                "details": "", "text": text}


def main():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                                # what programs print is no reply
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("GRADSCRIBE_CACHE_DIR", os.path.join(folder, "cache"))
        for line in sys.stdin:
            signal.alarm(600)                    # whoever asked may be gone
            print(json.dumps(answer(json.loads(line), folder)), file=replies, flush=True)


if __name__ == "__main__":
    main()
