"""np.einsum: pairs of operands in the order of np.einsum_path, each a product of (stacks of) matrices."""
import numpy as np

from .registry import computed, ensure, known, means, read_only, refuse
from .shapes import element, product

VIEW = "np.einsum of one operand may give a view of it"


def parsed(subscripts, ranks):
    """(the letters of each operand, those of the result, the order of the contractions)"""
    text = subscripts.replace(" ", "")
    left, arrow, out = text.partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        raise ValueError("more operands provided to einstein sum function than specified in the subscripts string"
                         if len(terms) < len(ranks) else
                         "fewer operands provided to einstein sum function than specified in the subscripts string")
    dots = lettered(terms, ranks, [c for c in "ZYXWVUTSRQPONMLKJIHGFEDCBA" if c not in text])
    every = "".join(terms)
    if arrow:
        out = out.replace("...", dots)
    else:
        out = dots + "".join(sorted(c for c in set(every) if every.count(c) == 1 and c not in dots))
    if not set(out) <= set(every) or len(set(out)) != len(out):
        raise ValueError("einstein sum subscripts string included an output subscript which never appeared in an input")
    shapes = [np.broadcast_to(0.0, (8,) * len(t)) for t in terms]
    path = np.einsum_path(f"{','.join(terms)}->{out}", *shapes, optimize="greedy")[0][1:]
    return tuple(terms), out, tuple(tuple(sorted(step)) for step in path)


def lettered(terms, ranks, free):
    """Write letters for the dots in the terms, in place; returns those for the longest dots."""
    longest = max([rank - len(t) + 3 for t, rank in zip(terms, ranks) if "..." in t], default=0)
    dots = "".join(free[:longest])
    for k, (t, rank) in enumerate(zip(terms, ranks)):
        own = rank - len(t) + 3 if "..." in t else 0
        terms[k] = t.replace("...", dots[longest - own:])
        if len(terms[k]) != rank or own < 0:
            raise ValueError("einstein sum subscripts string contains the wrong number of subscripts for an operand")
        if not terms[k].isalpha() and terms[k]:
            raise ValueError("invalid subscript given in einstein sum subscripts string")
    return dots


def letters(terms, has_result, result):
    """Lists of subscripts as a text."""
    def text(term):
        return "".join(["..." if k is ... else np.str_("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")[k]
                        for k in term])
    left = ",".join(map(text, terms))
    return f"{left}->{text(result)}" if has_result else left


def letter_diagonals(a, term):
    """The array with each letter once: of two axes of one letter the diagonal."""
    for c in computed(repeated, term):
        first = term.index(c)
        second = term.index(c, first + 1)
        if a.shape[first] != a.shape[second]:
            raise ValueError(f"dimensions in single operand for collapsing index '{c}' don't match")
        a = np.diagonal(a, 0, first, second)
        term = term[:first] + term[first + 1:second] + term[second + 1:] + c
    return a, term


def repeated(term):
    return tuple(c for k, c in enumerate(term) for _ in range(1) if c in term[:k])


def summed_out(a, term, keep):
    """The array with the sum over letters that nobody needs."""
    a, term = letter_diagonals(a, term)
    gone = tuple([k for k, c in enumerate(term) if c not in keep])
    if not gone:
        return a, term
    return np.sum(a, gone, dtype=a.dtype), "".join([c for c in term if c in keep])


def turned(a, term, order):
    """The array with its axes in the order of these letters."""
    return np.transpose(a, [term.index(c) for c in order]) if len(term) > 1 else np.asarray(a)


def contracted(a, first, b, second, keep):
    """Two operands as one: letters that both have and nobody needs are summed over."""
    a, first = summed_out(a, first, keep + second)
    b, second = summed_out(b, second, keep + first)
    both = [c for c in first if c in second]
    for c in both:
        n, m = a.shape[first.index(c)], b.shape[second.index(c)]
        if n != m:
            ensure(n != 1 and m != 1, "np.einsum that broadcasts an axis of length 1: drop the axis, x[0]")
            raise ValueError("operands could not be broadcast together with remapped shapes")
    stack, over = [c for c in both if c in keep], [c for c in both if c not in keep]
    rows, columns = [c for c in first if c not in both], [c for c in second if c not in both]
    result = "".join(stack + rows + columns)
    a, b = turned(a, first, stack + rows + over), turned(b, second, stack + over + columns)
    stacks, left = a.shape[:len(stack)], a.shape[len(stack):len(stack) + len(rows)]
    right = b.shape[len(stack) + len(over):]
    if not over:
        return a.reshape(stacks + left + (1,) * len(columns)) * b.reshape(stacks + (1,) * len(rows) + right) + 0, result
    between = product(a.shape[len(stack) + len(rows):])
    y = a.reshape(stacks + (product(left), between)) @ b.reshape(stacks + (between, product(right)))
    return np.reshape(y, stacks + left + right), result


@means(np.einsum, unasked=True, complex=True)
def einsum(*operands, optimize=False):
    if len(operands) < 2:
        raise ValueError("must specify the einstein sum subscripts string and at least one operand")
    subscripts, arrays = subscripts_and_arrays(operands)
    subscripts = known(subscripts, "it says what is summed")
    terms, out, path = computed(parsed, subscripts, tuple([x.ndim for x in arrays]))
    kind, terms = np.result_type(*[x.dtype for x in arrays]), list(terms)
    if kind.kind == "b":
        refuse("np.einsum of bools", "Convert them: x.astype(int).")
    if len(arrays) == 1:
        y, left = summed_out(arrays[0], terms[0], out)
        y = turned(y, left, out)
        return element(y) if not out else read_only(y, arrays[0], VIEW)
    for step in path:
        chosen = [(arrays[k], terms[k]) for k in step]
        arrays = [x for k, x in enumerate(arrays) if k not in step]
        terms = [t for k, t in enumerate(terms) if k not in step]
        y, left = chosen[0]
        for k, (b, second) in enumerate(chosen[1:]):
            others = "".join([t for _, t in chosen[k + 2:]])
            y, left = contracted(y, left, b, second, out + "".join(terms) + others)
        arrays, terms = arrays + [y], terms + [left]
    y, left = summed_out(arrays[0], terms[0], out)
    return element(turned(y, left, out).astype(kind))


def subscripts_and_arrays(operands):
    if isinstance(operands[0], str):
        return operands[0], [np.asarray(x) for x in operands[1:]]
    # each operand and its subscripts, and those of the result
    subscripts = computed(letters, tuple([list(x) for x in operands[1::2]]), len(operands) % 2,
                          list(operands[-1]) if len(operands) % 2 else [])
    return subscripts, [np.asarray(x) for x in operands[:len(operands) // 2 * 2:2]]


def path_of(subscripts, shapes, optimize):
    return np.einsum_path(subscripts, *[np.broadcast_to(0.0, shape) for shape in shapes], optimize=optimize)


@means(np.einsum_path, unasked=True)
def einsum_path(*operands, optimize="greedy"):
    if len(operands) < 2:
        raise ValueError("No input operands")
    shapes = tuple([tuple([known(n, "it decides the order") for n in np.shape(x)]) for x in operands[1:]])
    path, text = computed(path_of, operands[0], shapes, optimize)
    return [step for step in path], text


@means(np.vecdot, complex=True)
def vecdot(x1, x2, axis=-1):
    x1, x2 = np.conj(np.moveaxis(x1, axis, -1)), np.moveaxis(x2, axis, -1)
    return element((x1[..., None, :] @ x2[..., :, None])[..., 0, 0])


@means(np.matvec, complex=True)
def matvec(x1, x2):
    return (np.asarray(x1) @ np.asarray(x2)[..., None])[..., 0]


@means(np.vecmat, complex=True)
def vecmat(x1, x2):
    return (np.conj(x1)[..., None, :] @ np.asarray(x2))[..., 0, :]
