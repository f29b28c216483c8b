"""What the tests of traps share."""
import gradscribe as gs


def transformed(cls, fun, compiled, **options):
    """A derivative of fun, or fun itself written again; compiled or not."""
    made = cls(fun, **options)
    return gs.jit(made) if compiled else made


def gradient(f, compiled):
    return gs.jit(gs.grad(f)) if compiled else gs.grad(f)
