"""Structured arrays that a function makes: particles, rows of a table, np.recarray."""
import numpy as np

from tests.corpus.registry import normal, program, uniform

PARTICLE = np.dtype([("x", float), ("v", float)])
BODY = np.dtype([("mass", float), ("at", float, 2), ("kind", int)])
SEGMENT = np.dtype([("start", PARTICLE), ("end", PARTICLE)])


@program(construct="records made of a dtype", args=lambda: (normal(180, 4), 0.1))
def leapfrog(start, dt):
    """Particles on springs, as fields that are stepped in place."""
    p = np.zeros(len(start), dtype=[("x", float), ("v", float)])
    p["x"] = start
    for _ in range(3):
        p["v"] -= 0.5 * dt * p["x"]
        p["x"] += dt * p["v"]
        p["v"] -= 0.5 * dt * p["x"]
    return np.sum(0.5 * p["v"] ** 2 + 0.5 * p["x"] ** 2 * np.arange(len(p)))


@program(construct="records made of tuples", args=lambda: (uniform(181, 4),))
def reservoirs(inflow):
    """A cascade of linear reservoirs, a record each, that are run over one by one."""
    table = np.array([(2.0, 0.0), (inflow[0], 1.0), (4.0, inflow[1] ** 2)], dtype=[("k", float), ("storage", float)])
    out = 0.0
    for q in inflow:
        for r in table:
            r["storage"] += q
            q = r["storage"] / (1.0 + r["k"])
            r["storage"] -= q
        out += q
    return out + len(table) * table[-1]["storage"]


@program(construct="records at a mask and at places", args=lambda: (normal(182, 5),))
def light_and_heavy(x):
    """Parts of records are records: at a mask, an index array and a slice, of which the last is a view."""
    p = np.zeros(5, BODY)
    p["mass"], p["kind"] = x**2, np.arange(5) % 2
    p["at"][:, 0] = x
    odd, some = p[p["kind"] == 1], p[[3, 0, 3]]
    tail = p[2:]
    tail["mass"][0] = 2.0 * x[0]
    tail["at"] += 1.0
    some["mass"][0] = 7.0
    return (np.sum(odd["mass"] * odd["at"][:, 0]) + len(odd) + np.sum(some["mass"] * some["at"][:, 1])
            + np.sum(p["mass"][:, None] * p["at"]))


@program(construct="stores of whole records", args=lambda: (normal(183, 4),))
def shuffled(x):
    """A record is stored from a tuple, from another record, and from several: field by field, as it was before."""
    p = np.zeros(4, PARTICLE)
    p["x"], p["v"] = x, np.sin(x)
    p[0] = (x[1], x[2] * x[3])
    p[1:] = p[:-1]
    p[3], q = p[2], p.copy()
    q[:2] = (x[0], 1.0)
    p[p["x"] > q["x"]] = (0.5, x[3])
    first = p[0]
    first["v"] *= 3.0
    a, b = p[1]
    return np.sum(p["x"] * p["v"] ** 2) + np.sum(q["x"] * q["v"]) + a * b


@program(construct="records in records", args=lambda: (normal(184, 3),))
def lengths_of_segments(x):
    """Fields may be records themselves, and two names of fields give both."""
    s = np.zeros(3, SEGMENT)
    s["start"]["x"], s["end"]["x"] = x, x[::-1] ** 2
    s["end"]["v"][1:] = x[1:]
    s[0] = s[2]
    ends = s[["end"]]
    ends["end"]["x"][1] = x[0]
    last = s[-1]["end"]
    return np.sum((s["end"]["x"] - s["start"]["x"]) ** 2) + np.sum(s["end"]["v"]) * last["x"] + len(s.dtype.names)


@program(construct="np.recarray", args=lambda: (normal(185, 4),))
def attributes(x):
    """Fields of a np.recarray are attributes, of a record of it as well."""
    p = np.zeros(4, PARTICLE).view(np.recarray)
    p.x = x
    p.v[1:] = p.x[1:] ** 2
    p.x += 0.1 * p.v
    p[0].v = x[2]
    q = np.rec.fromarrays([x, np.cos(x)], names="a,b")
    return np.sum(p.x * p.v) + p[0].x + np.sum(q[q.a > 0.0].b) + sum(r.a * r.b for r in q)


@program(construct="records sorted and joined", args=lambda: (normal(186, 4),))
def in_order(x):
    p = np.full(4, 2.0, PARTICLE)
    p["x"] = x
    q = np.sort(np.concatenate([p, p[:2], np.ones_like(p)[1:2]]), order="x")
    r = np.empty_like(q)
    r[...] = q
    r["v"] *= np.arange(r.size)
    return np.sum(r["x"] * r["v"]) + np.sum(p["x"][np.argsort(p, order=["v", "x"])] * np.arange(4.0)) + q.shape[0]


@program(construct="the best of records", args=lambda: (normal(187, 5),))
def heaviest(x):
    """A variable may be one record or another: it is a view."""
    p = np.zeros(len(x), PARTICLE)
    p["x"], p["v"] = x, np.cos(x)
    best = p[0]
    for k, row in enumerate(p):
        if row["v"] * k > best["v"]:
            best = row
    best["x"] *= 2.0
    total = 0.0
    for row, y in zip(p, x):
        total += row["x"] * y
    return total + best["x"]
