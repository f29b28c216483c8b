"""All mistakes, by name."""
from . import calls, containers, numbers, outside, refusals

FINDINGS = {f.name: f for part in (containers, outside, numbers, calls, refusals) for f in part.FINDINGS}
