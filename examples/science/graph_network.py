"""A message-passing network on a molecule: edges to nodes with np.add.at, a readout over atoms.

Gilmer et al., "Neural message passing for quantum chemistry" (2017), with sums over neighbours, a gate as in GRU, and a mean over the degree.
Reference: the same network with the dense adjacency matrix instead of scattered sums.
"""
from dataclasses import dataclass

import numpy as np


@dataclass
class Graph:
    senders: np.ndarray
    receivers: np.ndarray
    lengths: np.ndarray
    nodes: np.ndarray


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def radial(lengths, centres=(0.8, 1.2, 1.6)):
    return np.stack([np.exp(-((lengths - c) / 0.3) ** 2) for c in centres], axis=-1)


def message_pass(h, graph, params):
    features = np.concatenate([h[graph.senders], h[graph.receivers], radial(graph.lengths)], axis=1)
    messages = np.tanh(features @ params["edge"])
    total = np.zeros_like(h)
    np.add.at(total, graph.receivers, messages)
    degree = np.bincount(graph.receivers, minlength=len(h))
    total /= np.maximum(degree, 1)[:, None]
    gate = sigmoid(np.hstack((h, total)) @ params["gate"])
    return gate * h + (1 - gate) * total


def graph_network(params, graph, rounds=3):
    h = np.tanh(graph.nodes @ params["embed"])
    for _ in range(rounds):
        h = message_pass(h, graph, params)
    per_atom = h @ params["readout"]
    return per_atom.sum()


ALSO = ("vmap", "hvp")


def arguments():
    rng = np.random.default_rng(1)
    bonds = np.array([(0, 1), (1, 2), (2, 3), (3, 0), (1, 4)])
    both = np.concatenate([bonds, bonds[:, ::-1]])
    lengths = rng.uniform(0.9, 1.6, size=len(bonds))
    graph = Graph(both[:, 0], both[:, 1], np.tile(lengths, 2), rng.normal(size=(5, 2)))
    params = {"embed": rng.normal(size=(2, 4)), "edge": rng.normal(size=(11, 4)),
              "gate": rng.normal(size=(8, 4)), "readout": rng.normal(size=4)}
    return params, graph


def reference():
    params, graph = arguments()
    n = len(graph.nodes)
    lengths, adjacent = np.ones((n, n)), np.zeros((n, n))
    lengths[graph.receivers, graph.senders], adjacent[graph.receivers, graph.senders] = graph.lengths, 1.0
    h = np.tanh(graph.nodes @ params["embed"])
    for _ in range(3):
        parts = [np.broadcast_to(h[None], (n, n, 4)), np.broadcast_to(h[:, None], (n, n, 4)), radial(lengths)]
        messages = np.tanh(np.concatenate(parts, axis=2) @ params["edge"])
        total = np.einsum("rs,rsk->rk", adjacent, messages) / adjacent.sum(axis=1)[:, None]
        gate = sigmoid(np.concatenate([h, total], axis=1) @ params["gate"])
        h = gate * h + (1 - gate) * total
    return {"value": (h @ params["readout"]).sum(), "rtol": 1e-12, "gradient": (None,)}
