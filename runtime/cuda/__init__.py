"""Programs on a GPU: the functions of a kernel's threads (`device`), what the host calls (`host`), and how a program
is loaded and run (`running`).  Only `backend` knows what compiles kernels and whose arrays they work on."""
