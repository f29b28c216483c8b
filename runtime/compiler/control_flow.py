"""Loops and choices in LLVM's instructions, which several compiled forms are written with."""
import contextlib


@contextlib.contextmanager
def loop_while(builder, condition):
    """The instructions inside, again and again while `condition()` holds."""
    head, body, after = (builder.append_basic_block(f"while.{part}") for part in ("head", "body", "after"))
    builder.branch(head)
    builder.position_at_end(head)
    builder.cbranch(condition(), body, after)
    builder.position_at_end(body)
    yield
    builder.branch(head)
    builder.position_at_end(after)


def lesser(builder, a, b):
    return builder.select(builder.icmp_signed("<", a, b), a, b)


def greater(builder, a, b):
    return builder.select(builder.icmp_signed(">", a, b), a, b)
