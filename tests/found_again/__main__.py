"""python -m tests.found_again [word ...]: search for what finds each mistake (of those whose name has one
of the words) and write it down.

    --again       also for those that are written down already
    --seconds N   for one mistake (default 300)
    --by table,dtypes   by these alone
    --backwards   the last first
    --page        only write the table into docs/reliability.md
"""
import argparse

from .child import Children, counts
from .finders import PROGRAMS
from .findings import FINDINGS
from .records import load, save, slug, write_page


def look_for(children, found, seconds, kind) -> dict | None:
    """The first try that finds it and is right, or accepted, without the mistake."""
    looks, skip = [look for look in found.look if look.startswith(kind)], 0
    while looks:
        reply = children.ask(name=found.name, looks=looks[:1], seconds=seconds, skip=skip, known=list(children.known))
        if "broken" in reply or "look" not in reply and reply["says"]:
            print(reply)
            return None
        if reply["says"] is None:
            print(f"    not by {looks.pop(0)}" + (f" in {reply['after']}" if "after" in reply else ""), flush=True)
            skip = 0
            continue
        record = kept(found, reply)
        clean = children.ask(name=None, look=record["look"], where=record["where"])
        if ("broken" not in clean and not (clean["says"] and counts(found, clean["says"]))
                and not (found.refused and clean["says"])):
            return record
        print(f"    without it, too: {str(clean)[:300]}", flush=True)
        children.known.add(reply["where"])
        skip = reply["after"]
    return None


def kept(found, reply) -> dict:
    """What is written down: a program goes into a file."""
    record = {key: reply[key] for key in ("look", "where", "after", "says")}
    if record["look"].startswith(("independent", "fuzz")):
        PROGRAMS.mkdir(exist_ok=True)
        record["where"] = slug(found.name) + ".py"
        (PROGRAMS / record["where"]).write_text(reply["where"])
    record["says"] = " ".join(record["says"].split())[:160]
    return record


def main():
    parser = argparse.ArgumentParser(prog="python -m tests.found_again", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--by", default="")
    parser.add_argument("--backwards", action="store_true")
    parser.add_argument("--page", action="store_true")
    options = parser.parse_args()
    children = Children()
    for name, found in list(FINDINGS.items())[::-1 if options.backwards else 1]:
        if (options.page or name in load() and not options.again
                or options.words and not any(w in name for w in options.words)):
            continue
        print(name, flush=True)
        record = look_for(children, found, options.seconds, tuple(options.by.split(",")))
        print(f"    {record}", flush=True)
        records = load()
        if record is not None:
            records[name] = record
        save({n: records[n] for n in FINDINGS if n in records})
    children.end()
    write_page(load())


if __name__ == "__main__":
    main()
