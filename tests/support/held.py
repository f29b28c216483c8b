"""What a process holds of the system's, for tests that calls leave nothing behind."""
import gc
import os
import threading


def held_after(count, call):
    """(bytes of memory, threads, open files) after so many calls."""
    for _ in range(count):
        call()
    gc.collect()
    with open("/proc/self/statm") as file:
        pages = int(file.read().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE"), threading.active_count(), len(os.listdir("/proc/self/fd"))
