"""Many programs through one child, and the report of what was found."""
import collections
import json
import os
import re
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

from . import shrink

FOLDER = Path(__file__).parent / "failures"
ROOT = Path(__file__).parents[2]
LIVES = 500                                      # programs of one child: what they leave behind does not pile up


class Child:
    """A worker that is started when it is needed and ended when it takes too long."""

    def __init__(self, limit):
        self.limit, self.process, self.asked = limit, None, 0

    def ask(self, **request):
        if self.process is None or self.asked >= LIVES:
            self.end()
            self.start()
        self.asked += 1
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        ready = select.select([self.process.stdout], [], [], self.limit + (20 if self.asked == 1 else 0))[0]
        line = self.process.stdout.readline() if ready else ""
        if line:
            return json.loads(line)
        code = self.process.poll() if ready else None
        self.end()
        place = "no answer in time" if not ready else f"the process ended ({code})"
        return {"outcome": "failed", "kind": "hang" if not ready else "crash", "place": place, "details": place,
                "text": request.get("text")}

    def start(self):
        variables = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "PYTHONHASHSEED": "0", "GRADSCRIBE_THREADS": "1"}
        self.process = subprocess.Popen([sys.executable, "-m", "tests.independent.worker"], cwd=ROOT,
                                        env=variables, text=True, start_new_session=True, stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.asked = 0

    def end(self):
        if self.process is not None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
            self.process.stdin.close()
            self.process.stdout.close()
            self.process = None


def reason(message):
    """A refusal's first line, without what is the program's own."""
    line = message.strip().splitlines()[0]
    line = re.sub(r"^(derivative: |jvp: )?\S+\.py:\d+: ", r"\1", line)
    return re.sub(r"'[^']*'|`[^`]*`|\"[^\"]*\"|\d+|\b[a-zC]\d*\b", "_", line)[:110]


class Report:
    def __init__(self):
        self.accepted = self.calls = self.raised = self.derivatives = 0
        self.refused = collections.Counter()
        self.found = collections.defaultdict(list)   # (kind, place): [(seed, details, text)]
        self.examples = {}                           # reason: (seed, message)

    @property
    def programs(self):
        return self.accepted + self.refused.total() + self.failed

    @property
    def failed(self):
        return sum(map(len, self.found.values()))

    def enter(self, seed, reply):
        if reply["outcome"] != "ok":
            self.found[reply["kind"], reply["place"]].append((seed, reply["details"], reply["text"]))
            return
        self.calls, self.raised, self.derivatives = (self.calls + reply["calls"], self.raised + reply["raised"],
                                                     self.derivatives + reply["derivatives"])
        if reply["refused"]:
            self.refused[reason(reply["refused"][0])] += 1
            self.examples.setdefault(reason(reply["refused"][0]), (seed, reply["refused"][0]))
        else:
            self.accepted += 1

    def summary(self):
        n = max(1, self.programs)
        return (f"{self.programs} programs: {self.accepted} accepted ({100 * self.accepted // n} %), "
                f"{self.refused.total()} refused, {self.failed} wrong or crashed in {len(self.found)} ways; "
                f"{self.calls} calls, {self.raised} raised, {self.derivatives} derivatives beside differences")


def hunt(seed, count, compiled=False, seconds=None, say=print, tries=120, save=True, shrinking=True):
    """Check programs seed .. seed + count - 1, print what is found, and return the Report."""
    say(f"seed {seed}: {count} programs" + (", compiled" if compiled else ""))
    child, report, began = Child(120 if compiled else 20), Report(), time.time()
    try:
        for k in range(count):
            reply = child.ask(seed=seed + k, compiled=compiled)
            if reply["outcome"] != "ok" and reply["text"] is None:
                reply["text"] = child.ask(seed=seed + k, only_text=True).get("text") or f"# no text: seed {seed + k}\n"
            report.enter(seed + k, reply)
            if (k + 1) % 250 == 0:
                say(f"  {k + 1} in {time.time() - began:.0f} s: {report.summary()}")
            if seconds is not None and time.time() - began > seconds:
                break
        say(f"{time.time() - began:.0f} s: {report.summary()}")
        for (kind, place), cases in sorted(report.found.items(), key=lambda item: -len(item[1])):
            say(f"  found {len(cases):4} {kind}: {place}   (seeds {', '.join(str(case[0]) for case in cases[:5])})")
        for group in small(child, report, compiled, tries if shrinking else 0):
            describe(group, compiled, say, save)
    finally:
        child.end()
    for why, times in report.refused.most_common(40):
        say(f"  refused {times:5} {why}   (seed {report.examples[why][0]})")
    return report


def small(child, report, compiled, tries, most=2):
    """[[(kind, place, seed, details, text)]]: the findings, those alike together, most frequent first; the shortest
    programs of each made smaller."""
    groups = collections.defaultdict(list)
    for (kind, place), cases in report.found.items():
        for k, (seed, details, text) in enumerate(sorted(cases, key=lambda case: len(case[2]))):
            if k < most and tries and kind not in ("hang", "the machine itself"):
                def still(candidate):
                    reply = child.ask(text=candidate, compiled=compiled)
                    return reply if (reply["outcome"], reply.get("kind"),
                                     reply.get("place")) == ("failed", kind, place) else None
                text, details = shrink.shrink(text, still, tries, details)
            skeleton = re.sub(r"-?\d+\.?\d*|\b[a-z]\b|\w+\d+", "_", text) if k < most and tries else ""
            groups[kind, place, skeleton].append((kind, place, seed, details, text))
    return sorted(groups.values(), key=len, reverse=True)


def describe(group, compiled, say, save):
    kind, place, seed, details, text = min(group, key=lambda case: len(case[4]))
    say(f"\n==== {kind}: {place}   [{len(group)} times, seeds {', '.join(str(case[2]) for case in group[:6])}]\n"
        f"{details}\n{text}")
    if save:
        FOLDER.mkdir(exist_ok=True)
        name = re.sub(r"\W+", "_", f"{kind} {place}")[:60] + f"_{seed}.py"
        (FOLDER / name).write_text(f"# {kind}: {place}: {' '.join(details.split())[:150]}\n"
                                   f"# compiled: {compiled}\n{text}")
