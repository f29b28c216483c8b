"""Threads and processes that are devices: `crew` has those of this process, `jobs` the processes of a job under MPI.

To add: A collective needs its meeting here (`jobs.fetch`, `crew`), its function in `plain/collectives`, its form in
`native/collectives`.

Imports runtime.native, runtime.plain.
"""
