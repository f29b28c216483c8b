"""Loops and choices in LLVM's instructions, which several compiled forms are written with."""
import contextlib


@contextlib.contextmanager
def loop_while(builder, condition):
    """The instructions inside, again and again while `condition()` holds."""
    header, body, after = (builder.append_basic_block(f"while.{part}") for part in ("header", "body", "after"))
    builder.branch(header)
    builder.position_at_end(header)
    builder.cbranch(condition(), body, after)
    builder.position_at_end(body)
    yield
    builder.branch(header)
    builder.position_at_end(after)


def lesser(builder, a, b):
    return builder.select(builder.icmp_signed("<", a, b), a, b)


def greater(builder, a, b):
    return builder.select(builder.icmp_signed(">", a, b), a, b)
