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


def write_page(records: dict) -> None:
    pass
