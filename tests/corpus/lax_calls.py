"""Calls of `lax` beside its control flow, for JAX (`tests/data/record_lax.py`) and for us:
{name: (function, arguments)}."""
import numpy


def numbers(*shape):
    """Different numbers, some of them equal once they are rounded."""
    n = int(numpy.prod(shape))
    return numpy.round(numpy.sin(1.0 + 2.3 * numpy.arange(n)).reshape(shape) * 2.0, 1)


def convolutions(lax):
    image, kernel = numbers(2, 7, 6, 4), numbers(3, 2, 4, 6)
    names = {"dimension_numbers": ("NHWC", "HWIO", "NHWC")}
    options = {
        "same": ((1, 1), "SAME", {}), "valid": ((1, 1), "VALID", {}), "same_lower": ((2, 2), "SAME_LOWER", {}),
        "strides": ((2, 3), "SAME", {}), "strides, valid": ((3, 2), "VALID", {}),
        "pairs": ((1, 2), [(2, 0), (1, 3)], {}), "cut off": ((1, 1), [(-1, 2), (1, -2)], {}),
        "dilated kernel": ((1, 1), "SAME", {"rhs_dilation": (2, 3)}),
        "dilated kernel, valid": ((2, 1), "VALID", {"rhs_dilation": (2, 2)}),
        "dilated operand": ((1, 1), [(2, 1), (1, 2)], {"lhs_dilation": (2, 3)}),
        "both dilated": ((2, 2), [(1, 1), (3, 0)], {"lhs_dilation": (2, 2), "rhs_dilation": (1, 3)}),
    }
    calls = {name: (lambda x, w, given=(strides, padding), more=more:
                    lax.conv_general_dilated(x, w, *given, **names, **more), (image, kernel))
             for name, (strides, padding, more) in options.items()}
    layouts = [("NCHW", "OIHW", "NCHW"), ("NHWC", "OIHW", "NCHW"), ("CHWN", "IHWO", "WNHC"), ("NWHC", "HWIO", "NHWC")]
    for lhs, rhs, out in layouts:
        x = numpy.transpose(image, ["NHWC".index(c) for c in lhs])
        w = numpy.transpose(kernel, ["HWIO".index(c) for c in rhs])
        calls[f"{lhs} {rhs} {out}"] = (
            lambda x, w, d=(lhs, rhs, out): lax.conv_general_dilated(x, w, (2, 1), "SAME", dimension_numbers=d), (x, w))
    for groups in (2, 4):
        calls[f"{groups} groups"] = (lambda x, w, g=groups: lax.conv_general_dilated(x, w, (1, 2), "SAME", **names,
                                                                                     feature_group_count=g),
                                     (image, numbers(3, 2, 4 // groups, 8)))
    return calls | {
        "one axis": (lambda x, w: lax.conv_general_dilated(x, w, (2,), "SAME", rhs_dilation=(2,)),
                     (numbers(2, 3, 9), numbers(4, 3, 3))),
        "three axes": (lambda x, w: lax.conv_general_dilated(x, w, (1, 2, 1), "SAME"),
                       (numbers(1, 2, 3, 4, 3), numbers(2, 2, 2, 3, 1))),
        "no axis": (lambda x, w: lax.conv_general_dilated(x, w, (), []), (numbers(3, 2), numbers(4, 2))),
        "conv": (lambda x, w: lax.conv(x, w, (1, 2), "SAME"), (numbers(2, 3, 4, 5), numbers(2, 3, 3, 2))),
        "general padding": (lambda x, w: lax.conv_with_general_padding(x, w, (1, 1), [(1, 0), (0, 2)], (2, 1), (1, 2)),
                            (numbers(2, 3, 4, 5), numbers(2, 3, 3, 2))),
        "window too large": (lambda x, w: lax.conv(x, w, (1, 1), "VALID"), (numbers(2, 3, 2, 5), numbers(2, 3, 3, 2))),
    }


def windows(lax, np):
    x, y = numbers(2, 7, 6, 3), numbers(9)
    two = (1, 2, 2, 1)
    return {
        "max": (lambda x: lax.reduce_window(x, -np.inf, lax.max, two, two, "VALID"), (x,)),
        "max that overlap": (lambda x: lax.reduce_window(x, -np.inf, lax.max, (1, 3, 3, 1), two, "SAME"), (x,)),
        "max of ties": (lambda x: lax.reduce_window(np.round(x) + 0.0 * x, -np.inf, lax.max, (1, 3, 2, 1), (1, 2, 1, 1),
                                                    "SAME"), (x,)),
        "min": (lambda x: lax.reduce_window(x, np.inf, lax.min, two, (1, 1, 2, 1), "SAME_LOWER"), (x,)),
        "sum": (lambda x: lax.reduce_window(x, 0.0, lax.add, (1, 3, 3, 1), (1, 1, 1, 1), "SAME"), (x,)),
        "sum of pairs": (lambda x: lax.reduce_window(x, 0.0, lax.add, two, two, [(0, 0), (1, 0), (2, 1), (0, 0)]),
                         (x,)),
        "products": (lambda y: lax.reduce_window(y, 1.0, lax.mul, (3,), (2,), "VALID", base_dilation=(2,),
                                                 window_dilation=(2,)), (y,)),
        "dilated windows": (lambda y: lax.reduce_window(y, -np.inf, lax.max, (3,), (1,), "SAME", window_dilation=(2,)),
                            (y,)),
        "another function": (lambda y: lax.reduce_window(y, 0.0, lambda a, b: np.logaddexp(a, b), (4,), (3,), "SAME"),
                             (y,)),
        "begun with 2": (lambda y: lax.reduce_window(y, 2.0, lax.add, (3,), (1,), "SAME"), (y,)),
        "pad": (lambda y: lax.pad(y, y[0], [(2, 1, 1)]), (y,)),
        "pad that cuts off": (lambda x: lax.pad(x, 0.0, [(0, 1, 0), (-2, 3, 0), (1, -2, 2), (0, 0, 0)]), (x,)),
    }


def parts(lax, np):
    x, y, u = numbers(4, 5, 3), numbers(9), numbers(2, 2, 3)
    return {
        "dynamic_slice": (lambda x: lax.dynamic_slice(x, (1, 2, 0), (2, 3, 3)), (x,)),
        "dynamic_slice out of range": (lambda x: lax.dynamic_slice(x, (3, -1, 7), (2, 3, 1)), (x,)),
        "dynamic_update_slice": (lambda x, u: lax.dynamic_update_slice(x, u, (3, 1, 0)), (x, u)),
        "dynamic_slice_in_dim": (lambda x: lax.dynamic_slice_in_dim(x, -2, 2, axis=1), (x,)),
        "dynamic_index_in_dim": (lambda x: lax.dynamic_index_in_dim(x, 9, 1, keepdims=False), (x,)),
        "dynamic_update_slice_in_dim":
            (lambda x, u: lax.dynamic_update_slice_in_dim(x, u[:, :1].repeat(2, 1).reshape(4, 1, 3), 4, 1), (x, u)),
        "dynamic_update_index_in_dim":
            (lambda x, u: lax.dynamic_update_index_in_dim(x, u[0, 0] * np.ones((4, 3)), -1, 1), (x, u)),
        "slice": (lambda x: lax.slice(x, (0, 1, 1), (4, 5, 2), (2, 3, 1)), (x,)),
        "slice_in_dim": (lambda x: lax.slice_in_dim(x, -4, -1, 2, axis=1), (x,)),
        "index_in_dim": (lambda x: lax.index_in_dim(x, -2, 1), (x,)),
        "dot_general": (lambda x, u: lax.dot_general(x, u, (((2,), (2,)), ((), ()))), (x, u)),
        "dot_general of pairs": (lambda x, u: lax.dot_general(x[:2], u, (((2,), (2,)), ((0,), (0,)))), (x, u)),
        "dot_general of two": (lambda x, u: lax.dot_general(x[:2, 1:3], u, (((0, 2), (1, 2)), ((1,), (0,)))), (x, u)),
        "batch_matmul": (lambda x, u: lax.batch_matmul(x[:2], u.transpose(0, 2, 1)), (x, u)),
        "dot": (lambda y: lax.dot(y[:3], y.reshape(3, 3)), (y,)),
        "associative_scan": (lambda x: lax.associative_scan(np.add, x), (x,)),
        "associative_scan along another axis": (lambda x: lax.associative_scan(np.multiply, x, axis=1, reverse=True),
                                                (x,)),
        "associative_scan of a tree": (lambda x: lax.associative_scan(
            lambda a, b: {"m": a["m"] * b["m"], "c": b["m"] * a["c"] + b["c"]}, {"m": x, "c": x + 1.0}), (x,)),
        "associative_scan of matrices": (lambda y: lax.associative_scan(np.matmul, np.stack([
            y[k] * np.eye(2) + np.ones((2, 2)) for k in range(9)])), (y,)),
        "associative_scan of one": (lambda x: lax.associative_scan(np.add, x[:1]), (x,)),
        "cumsum": (lambda x: lax.cumsum(x, 1, reverse=True), (x,)), "cumprod": (lambda x: lax.cumprod(x), (x,)),
        "cummax": (lambda y: lax.cummax(y + 0.01 * np.arange(9)), (y,)),
        "cummin": (lambda y: lax.cummin(y + 0.01 * np.arange(9), reverse=True), (y,)),
        "top_k": (lambda x: lax.top_k(x, 2), (x,)),
        "top_k of equals": (lambda y: lax.top_k(np.round(y) + 0.0 * y, 5)[1], (y,)),
        "broadcast": (lambda y: lax.broadcast(y, (2, 3)), (y,)),
        "broadcast_in_dim": (lambda y: lax.broadcast_in_dim(y, (2, 9, 3), (1,)), (y,)),
        "reshape": (lambda x: lax.reshape(x, (15, 4), (2, 1, 0)), (x,)), "rev": (lambda x: lax.rev(x, (0, 2)), (x,)),
        "clamp": (lambda y: lax.clamp(-0.95, y, 1.05), (y,)), "rsqrt": (lambda y: lax.rsqrt(y * y + 1.0), (y,)),
        "div": (lambda y: lax.div(y, y * y + 1.0), (y,)),
        "div of ints": (lambda y: lax.div((4 * y).astype(int), np.array([3, -3] * 4 + [2])), (y,)),
        "rem": (lambda y: lax.rem(y * 4.0, np.where(y > 0, 1.3, -1.3)), (y,)),
        "integer_pow": (lambda y: lax.integer_pow(y, -3), (y + 0.05,)),
        "erf and others": (lambda y: lax.erf(y) + lax.lgamma(y * y + 1.0) + lax.digamma(y * y + 1.0) + lax.logistic(y)
                                     + lax.erfc(y), (y,)),
        "squeeze and others": (lambda x: lax.squeeze(lax.expand_dims(lax.concatenate([x, x * x], 1), (0, 2)), (0,)),
                               (x,)),
    }


def calls(lax, np):
    return convolutions(lax) | windows(lax, np) | parts(lax, np)


def loss(f, np, leaves):
    """A number of a result that depends on all of it; what is not float has no part in it."""
    def of(*args):
        floats = [y for y in leaves(f(*args)) if y.dtype.kind == "f"]
        return (sum([np.sum(np.sin(1.3 * y + np.reshape(np.arange(y.size), y.shape))) for y in floats])
                + 0.0 * np.sum(args[0]))
    return of
