"""What the machine does with each kind of expression, of statement and of what is called: `syntax` above `objects`
above `arrays`, `flow` and `names`.

To add: A kind of syntax is a function under `evaluates(gast.X)` or `executes(gast.X)` (`names/tables.py`).

Imports nothing of ours.
"""
