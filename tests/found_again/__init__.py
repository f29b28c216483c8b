"""Would the tests find again what was once wrong?  Each mistake is put back, and what looks for mistakes must find it.

    patching.py    the mistake in the text of a module, while it is imported
    containers.py outside.py numbers.py calls.py refusals.py    the mistakes: the table FINDINGS of each
    finders.py     who looks: the machine of independent programs, the table of Python, the walks over dtypes and
                   signatures
    found.json     who found which, and where
    programs       the programs of the independent machine among them, made small
    child.py       a process for each mistake
    __main__.py    the search, and the table in docs/reliability.md
"""
