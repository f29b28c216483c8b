"""`python -m gradscribe`: the same as the command `gradscribe`."""
import sys

from ._command_line import main

if __name__ == "__main__":
    sys.exit(main())
