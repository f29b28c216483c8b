"""A second machine against wrong answers: random programs of Python's grammar and NumPy's documented semantics.

It knows nothing of how Gradscribe works and shares nothing with `tests/fuzz`. A program is grown by running it: each
expression and statement is tried by Python with sample arguments as it is written, so that most of what is drawn is
well typed, whatever it is. The oracle is Python: what it gives for a module and a script of calls, Gradscribe must
give, or refuse.

    values.py         literals, arguments
    templates.py      templates of expressions, and the groups of values that fit their holes
    expressions.py    expressions, by templates; what has a value of what kind
    calls.py          calls of NumPy's functions, by their signatures; methods; users' functions and classes
    statements.py     statements, blocks
    nested.py         statements with blocks of their own: branches, loops, functions inside
    attempts.py       exceptions that are caught
    ordinary.py       lists that loops fill, collections, heaps, records, methods of ufuncs, warnings, checks
    definitions.py    helpers, classes, globals; and how they change between calls
    program.py        a module and its script, put together
    plainly.py        what stands for Gradscribe where Python runs a program
    oracle.py         what is the same
    outcomes.py       what a program gives, keeps and raises
    slopes.py         its derivatives
    check.py          one program, plainly and transformed
    worker.py         a child process that does it, so that a crash or a hang is one program's
    shrink.py         a failing program made small
    hunt.py           many programs, and the report
    documentation.py  programs in the manner of Python's and NumPy's documentation, which stand in documented/
"""
