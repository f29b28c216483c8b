"""Row 21 of the scoreboard: what several devices give, two threads and two processes, and what that lets expect of more.

`workloads` are the programs, `measure` is what each measuring process runs, `model` is fitted to what came out, and
`pages` writes it all down.
"""
