"""What was found by whom, as it is written down: in found.json, and as a table in docs/reliability.md."""
import json
import re
from pathlib import Path

RECORDS = Path(__file__).parent / "found.json"
PAGE = Path(__file__).parents[2] / "docs" / "reliability.md"
MARKS = "<!-- found again -->", "<!-- /found again -->"


def load() -> dict:
    return json.loads(RECORDS.read_text()) if RECORDS.exists() else {}


def save(records: dict) -> None:
    RECORDS.write_text(json.dumps(records, indent=1, ensure_ascii=False) + "\n")


def slug(name: str) -> str:
    return re.sub(r"\W+", "_", name).strip("_").lower()[:60]


WHO = {"table": "table of Python", "dtypes": "walk over dtypes",
       "signatures": "walk over signatures", "independent": "independent programs", "fuzz": "first machine",
       "documentation": "programs of the documentations", "outside": "only its own test in test_from_outside.py"}


def table(records: dict) -> str:
    """Who finds what, and after how many programs or cells."""
    lines = ["| what was wrong | is found by | among its first |", "| --- | --- | --- |"]
    for name, record in records.items():
        kind, _, rest = record["look"].partition(" ")
        what = rest.removesuffix("compiled").strip()
        shown = (WHO[kind] + (f", `{what}`".replace("|", "\\|") if what else "")
                 + (", compiled" if rest.endswith("compiled") else ""))
        lines.append(f"| {name.replace('|', chr(92) + '|')} | {shown} | {record['after']:,} |")
    return "\n".join(lines)


def write_page(records: dict) -> None:
    before, rest = PAGE.read_text(encoding="utf-8").split(MARKS[0])
    PAGE.write_text(before + MARKS[0] + "\n" + table(records) + "\n" + MARKS[1] + rest.split(MARKS[1])[1],
                    encoding="utf-8")
