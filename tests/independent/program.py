"""A whole program: a module, `f`, perhaps `loss`, and the script of its calls."""
import random
import warnings

import numpy as np

from . import guarded, values
from .definitions import HEADER, Module
from .nested import indented
from .plainly import plainly
from .statements import SKIPPED
from .templates import is_iterator

GUARDED = 4                                      # every how many programs keep away from poles (guarded.py)
SHADOWS = ["sum", "max", "len", "abs"]


def generate(seed):
    """The text of a program; the same seed gives the same text."""
    rng = random.Random(seed)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for _ in range(20):
            try:
                text = attempt(rng, seed % GUARDED == 1)
            except Exception:
                # a method of its own classes raises where an object is copied or looked at
                continue
            if text is not None:
                return text
    raise RuntimeError(f"no program came of seed {seed}")


def attempt(rng, at_poles=False):
    module = Module(rng)
    for kind, most in (("a_global", 2), ("a_class", 2), ("a_helper", 2), ("a_generator", 1), ("a_setter", 1)):
        for _ in range(rng.choice(range(most + 1)) if rng.random() < 0.75 else 0):
            getattr(module, kind)()
    makers = {p: values.Maker(rng, module.n, module.makers)
              for p in ("alpha", "beta", "gamma", "delta")[:rng.choice([1, 2, 2, 3, 4])]}
    makers |= {"_zeta": guarded.Zeta(rng, module.n)} if at_poles else {}
    sample = {p: m.write() for p, m in makers.items()}
    try:
        parameters = {p: eval(text, module.env) for p, text in sample.items()}
    except Exception:
        return None
    block = module.block(**parameters)
    block.names = [n for n in block.names if n != "_zeta"]  # nothing but a guard reads it
    body = (block.statement(0, "guard") if at_poles else []) + block.grow(rng.choice([1, 1, 2, 2, 3, 3, 4, 5, 6, 8]))
    results = returned(rng, block, parameters)
    signature = signature_of(rng, list(makers), sample)
    function = [f"def f({', '.join(signature)}):", *indented(body), f"    return {results}"]
    parts = [HEADER, *module.parts, "\n".join(function)]
    script = [f"f({', '.join(sample.values())})"]
    loss = a_loss(rng, "\n\n".join(parts), list(makers), script[0])
    parts += [loss] if loss else []
    script += changed_calls(rng, module, makers, sample)
    if loss:
        script.insert(1, "loss" + script[0][1:])
        script += ["loss" + step[1:]
                   for step in script[2:] if step.startswith("f(") and "=" not in step and rng.random() < 0.4][:1]
        script += [f"loss({', '.join(m.at_zero(sample[p]) for p, m in makers.items())})"] if rng.random() < 0.3 else []
    parts.append("SCRIPT = [\n" + "".join(f"    {step!r},\n" for step in script) + "]")
    return "\n\n\n".join(parts) + "\n"


def signature_of(rng, names, sample):
    """The last parameter has a default now and then."""
    last = names[-1]
    if rng.random() < 0.1 and "C" not in sample[last]:
        return names[:-1] + [f"{last}={sample[last]}"]
    return names


def returned(rng, block, parameters):
    """Most of what was made, so that all of it is compared."""
    made = [n for n in block.names if n not in block.globals and n not in SKIPPED and n in block.env
            and not is_iterator(block.env[n]) and not callable(block.env[n]) and n not in parameters]
    names = made[-rng.choice([2, 3, 5]):] + [n for n in parameters if n != "_zeta" and rng.random() < 0.2]
    if len(names) < 2 or rng.random() < 0.4:
        names.append(block(rng.choice(["num", "any", "array", "list"]), 2).text)
    if len(names) == 1:
        return names[0]
    return rng.choice(["{}", "{}", "[{}]"]).format(", ".join(names))


def changed_calls(rng, module, makers, sample):
    """The script after its first call: other values, other kinds, and what the function sees from outside changed."""
    out = [f"f({', '.join(m.write(other=True) for m in makers.values())})"]
    if module.changes and rng.random() < 0.9:
        for _ in range(rng.choice([1, 1, 2])):
            out += [rng.choice(module.changes), f"f({', '.join(sample.values())})"]
    elif len(makers) > 1 and rng.random() < 0.2:
        one, two = rng.sample(list(makers), 2)   # one object in two places
        shared = {**sample, one: "SHARED", two: "SHARED"} if rng.random() < 0.7 else {**sample, one: "[SHARED, SHARED]"}
        out += [f"SHARED = {sample[one]}", f"f({', '.join(shared.values())})"]
    elif rng.random() < 0.08:
        shadowed = rng.choice(SHADOWS)
        out += [f"{shadowed} = lambda *args, **kwargs: 7.0", f"f({', '.join(sample.values())})"]
    else:
        out.append(f"f({', '.join(m.write(other=rng.random() < 0.5) for m in makers.values())})")
    if rng.random() < 0.05:
        names = list(makers)
        out.append(f"f({', '.join(f'{n}={m.write()}' for n, m in reversed(list(zip(names, makers.values()))))})"
                   if rng.random() < 0.6 else f"f({', '.join(sample.values())}, 1.5)")
    return out


def a_loss(rng, text, names, call):
    """A function of all floats in the result, to be differentiated; None if there are none."""
    env = {"__name__": "program"}
    try:
        exec(plainly(text), env)
        result = eval(call, env)
        terms = list(leaves(result, "r"))
        if not terms or rng.random() < 0.1:
            return None
        body = " + ".join(f"{rng.choice(['0.7', '1.3', '0.4', '1.1'])} * {t}" for t in terms[:5])
        loss = "\n".join([f"def loss({', '.join(names)}):", f"    r = f({', '.join(names)})", f"    return {body}"])
        exec(loss, env)
        value = eval("loss" + call[1:], env)
    except Exception:
        return None
    return loss if isinstance(value, (float, np.float64)) and np.isfinite(value) and abs(value) < 1e6 else None


def leaves(x, text):
    """Texts of the floats in a result."""
    if isinstance(x, (float, np.float64)):
        yield text
    elif isinstance(x, np.ndarray) and x.dtype == np.float64:
        yield f"np.sum({text})"
    elif type(x) in (list, tuple) or isinstance(x, tuple):
        for k, item in enumerate(x[:5]):
            yield from leaves(item, f"{text}[{k}]")
    elif isinstance(x, dict):
        for key, item in list(x.items())[:3]:
            yield from leaves(item, f"{text}[{key!r}]")
    elif type(x).__module__ == "program":
        for key, item in getattr(x, "__dict__", {}).items():
            yield from leaves(item, f"{text}.{key}")
