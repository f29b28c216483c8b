"""What a program of the machine sees as `gs` where Python itself runs it: decorators that change nothing."""


def jit(function):
    return function


checkpoint = jit


def plainly(text):
    """The program as Python runs it."""
    return text.replace("import gradscribe as gs", f"from {__package__} import plainly as gs")
