"""`sys.stdout` and `sys.stderr` as functions have them: which object each is, the run asks."""


class Stream:
    """sys.stdout, or sys.stderr."""

    def __init__(self, name: str):
        self.name = name

    def write(self, text: str):
        """Has a model of its own, as print has (`specialise/builtins/telling_api.py`)."""

    def flush(self):
        """What is written is written at once."""


STREAMS = {name: Stream(name) for name in ("stdout", "stderr")}
