"""Programs on a GPU: the functions of a kernel's threads (`device`), what the host calls (`host`), and how a program
is loaded and run (`running`). Only `backend` knows what compiles kernels and whose arrays they work on.

To add: What a kernel may call is in `forms`; what is one call of CuPy in `library`.

Imports runtime.devices, runtime.loading, runtime.plain.
"""
