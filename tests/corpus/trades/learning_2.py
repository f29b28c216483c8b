"""Learning from scratch: a small autograd-like net with optimisers, a transformer, trees and boosting, a GP and VAE."""
import abc
import collections
import copy
import itertools
import string
from dataclasses import dataclass
from functools import partial, reduce
from typing import Dict, List

import numpy as np
from scipy.linalg import cho_solve, solve_triangular
from scipy.special import erf, log_softmax, softmax

# ---- layers, optimisers and a training loop whose learning rate is the argument --------------------------------------

class Layer(abc.ABC):
    training = True

    def __init__(self):
        self.params: Dict[str, np.ndarray] = {}
        self.grads: Dict[str, np.ndarray] = {}

    @abc.abstractmethod
    def forward(self, x): ...

    @abc.abstractmethod
    def backward(self, grad): ...


class Dense(Layer):
    def __init__(self, n_in, n_out, rng):
        super().__init__()
        self.params["w"] = rng.normal(size=(n_in, n_out)) * np.sqrt(2 / n_in)
        self.params["b"] = np.zeros(n_out)

    def forward(self, x):
        self.x = x
        return x @ self.params["w"] + self.params["b"]

    def backward(self, grad):
        self.grads["w"] = self.x.T @ grad
        self.grads["b"] = grad.sum(axis=0)
        return grad @ self.params["w"].T


class Activation(Layer):
    functions = {
        "tanh": (np.tanh, lambda x: 1 - np.tanh(x) ** 2),
        "relu": (lambda x: np.maximum(x, 0), lambda x: (x > 0).astype(float)),
        "softplus": (lambda x: np.logaddexp(0, x), lambda x: 1 / (1 + np.exp(-x))),
    }

    def __init__(self, name):
        super().__init__()
        self.f, self.df = self.functions[name]

    def forward(self, x):
        self.x = x
        return self.f(x)

    def backward(self, grad):
        return grad * self.df(self.x)


class Optimiser:
    def __init__(self, lr, **kw):
        self.lr, self.kw = lr, kw
        self.state = collections.defaultdict(dict)

    def update(self, layers):
        for k, layer in enumerate(layers):
            for name, g in layer.grads.items():
                layer.params[name] = layer.params[name] - self.step((k, name), g)


class Momentum(Optimiser):
    def step(self, key, g):
        v = self.kw.get("mu", 0.9) * self.state[key].get("v", 0.0) + g
        self.state[key]["v"] = v
        return self.lr * v


class Adam(Optimiser):
    def step(self, key, g):
        s = self.state[key]
        s["t"] = s.get("t", 0) + 1
        s["m"] = 0.9 * s.get("m", 0.0) + 0.1 * g
        s["v"] = 0.999 * s.get("v", 0.0) + 0.001 * g * g
        m, v = s["m"] / (1 - 0.9 ** s["t"]), s["v"] / (1 - 0.999 ** s["t"])
        return self.lr * m / (np.sqrt(v) + 1e-8)


class Net:
    def __init__(self, *layers):
        self.layers: List[Layer] = list(layers)

    def __call__(self, x):
        return reduce(lambda h, layer: layer.forward(h), self.layers, x)

    def backward(self, grad):
        for layer in reversed(self.layers):
            grad = layer.backward(grad)


def batches(x, y, size, rng):
    order = rng.permutation(len(x))
    for start in range(0, len(x), size):
        rows = order[start:start + size]
        yield x[rows], y[rows]


def hyper(log_lr, noise, optimiser="adam"):
    rng = np.random.default_rng(0)
    net = Net(Dense(2, 6, rng), Activation("tanh"), Dense(6, 1, rng))
    x = rng.normal(size=(24, 2))
    y = np.sin(x[:, :1]) + 0.5 * x[:, 1:] + noise * rng.normal(size=(24, 1))
    opt = {"adam": Adam, "momentum": Momentum}[optimiser](np.exp(log_lr))
    history = []
    for epoch in range(3):
        losses = []
        for xb, yb in batches(x, y, 8, rng):
            error = net(xb) - yb
            losses.append(np.mean(error ** 2))
            net.backward(2 * error / error.size)
            opt.update(net.layers)
        history.append(np.mean(losses))
        if epoch > 1 and history[-1] > 10 * history[0]:
            break
    best = min(history)
    return np.mean((net(x) - y) ** 2) + 0.1 * best


# ---- a character transformer -----------------------------------------------------------------------------------------

VOCAB = string.ascii_lowercase[:12] + " "
stoi = {ch: k for k, ch in enumerate(VOCAB)}


@dataclass
class Config:
    d_model: int = 8
    n_heads: int = 2
    n_layers: int = 2
    context: int = 10
    activation: str = "gelu"

    def __post_init__(self):
        assert self.d_model % self.n_heads == 0, "d_model has to be divisible by n_heads"

    @property
    def d_head(self):
        return self.d_model // self.n_heads


def init_transformer(cfg, seed=0):
    rng = np.random.default_rng(seed)
    dense = lambda *shape: rng.normal(size=shape) * 0.3
    block = lambda: {"ln1": np.ones(cfg.d_model), "qkv": dense(cfg.d_model, 3 * cfg.d_model),
                     "proj": dense(cfg.d_model, cfg.d_model), "ln2": np.ones(cfg.d_model),
                     "mlp": [dense(cfg.d_model, 2 * cfg.d_model), dense(2 * cfg.d_model, cfg.d_model)]}
    return {"emb": dense(len(VOCAB), cfg.d_model), "pos": dense(cfg.context, cfg.d_model),
            "blocks": [block() for _ in range(cfg.n_layers)], "ln": np.ones(cfg.d_model)}


def layer_norm(x, g, eps=1e-5):
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return g * (x - mu) / np.sqrt(var + eps)


def gelu(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def attention(x, p, cfg):
    n = len(x)
    q, k, v = (m.reshape(n, cfg.n_heads, cfg.d_head).swapaxes(0, 1) for m in np.split(x @ p["qkv"], 3, axis=-1))
    scores = q @ k.transpose(0, 2, 1) / np.sqrt(cfg.d_head)
    scores[:, np.triu(np.ones((n, n), dtype=bool), k=1)] = -np.inf
    mixed = softmax(scores, axis=-1) @ v
    return mixed.swapaxes(0, 1).reshape(n, -1) @ p["proj"]


def transformer(weights, temperature):
    cfg = Config()
    params = copy.deepcopy(init_transformer(cfg))
    params["emb"] = params["emb"] + weights
    tokens = np.array([stoi[ch] for ch in "a cab had a"])
    inputs, targets = tokens[:-1], tokens[1:]
    x = params["emb"][inputs] + params["pos"][:len(inputs)]
    act = {"gelu": gelu, "relu": partial(np.maximum, 0)}[cfg.activation]
    for p in params["blocks"]:
        x = x + attention(layer_norm(x, p["ln1"]), p, cfg)
        w1, w2 = p["mlp"]
        x = x + act(layer_norm(x, p["ln2"]) @ w1) @ w2
    logits = layer_norm(x, params["ln"]) @ params["emb"].T / temperature
    logp = log_softmax(logits, axis=-1)
    loss = -logp[np.arange(len(targets)), targets].mean()
    decay = sum(np.sum(w ** 2) for b in params["blocks"] for w in b.values() if not isinstance(w, list))
    return loss + 1e-3 * decay


# ---- boosted stumps, soft --------------------------------------------------------------------------------------------

@dataclass
class Node:
    feature: int = -1
    threshold: float = 0.0
    value: float = 0.0
    left: "Node" = None
    right: "Node" = None

    @property
    def leaf(self):
        return self.left is None


def grow(X, r, depth, min_leaf=3):
    if depth == 0 or len(r) < 2 * min_leaf:
        return Node(value=r.mean())
    best = (np.inf, None, None)
    for f in range(X.shape[1]):
        order = np.argsort(X[:, f])
        xs, rs = X[order, f], r[order]
        for k in range(min_leaf, len(r) - min_leaf):
            left, right = rs[:k], rs[k:]
            score = np.sum((left - left.mean()) ** 2) + np.sum((right - right.mean()) ** 2)
            if score < best[0]:
                best = (score, f, 0.5 * (xs[k - 1] + xs[k]))
    _, f, cut = best
    if f is None:
        return Node(value=r.mean())
    mask = X[:, f] < cut
    return Node(f, cut, left=grow(X[mask], r[mask], depth - 1), right=grow(X[~mask], r[~mask], depth - 1))


def soft_predict(node, x, sharp):
    if node.leaf:
        return node.value
    p = 1 / (1 + np.exp(-sharp * (node.threshold - x[node.feature])))
    return p * soft_predict(node.left, x, sharp) + (1 - p) * soft_predict(node.right, x, sharp)


RNG = np.random.default_rng(21)
X_TRAIN = RNG.uniform(-1, 1, size=(30, 2))
Y_TRAIN = np.sign(X_TRAIN[:, 0]) + X_TRAIN[:, 1] ** 2


def fit_forest(rounds=3, shrink=0.5):
    trees, pred = [], np.zeros(len(Y_TRAIN))
    for _ in range(rounds):
        tree = grow(X_TRAIN, Y_TRAIN - pred, depth=2)
        trees.append(tree)
        pred = pred + shrink * np.array([soft_predict(tree, x, 50.0) for x in X_TRAIN])
    return trees


FOREST = fit_forest()


def boosting(sharp, shrink, queries):
    scores = []
    for x in queries:
        scores.append(sum(shrink * soft_predict(tree, x, sharp) for tree in FOREST))
    scores = np.stack(scores)
    target = np.sign(queries[:, 0]) + queries[:, 1] ** 2
    return np.mean((scores - target) ** 2)


# ---- Gaussian process with composed kernels --------------------------------------------------------------------------

class Kernel:
    def __add__(self, other):
        return Sum(self, other)

    def __mul__(self, other):
        return Product(self, other if isinstance(other, Kernel) else Scale(other))

    __rmul__ = __mul__


@dataclass
class Scale(Kernel):
    s: float

    def __call__(self, a, b):
        return np.full((len(a), len(b)), self.s)


@dataclass
class RBF(Kernel):
    length: float

    def __call__(self, a, b):
        return np.exp(-0.5 * ((a[:, None] - b[None, :]) / self.length) ** 2)


@dataclass
class Matern(Kernel):
    length: float
    nu: float = 1.5

    def __call__(self, a, b):
        d = np.abs(a[:, None] - b[None, :]) / self.length
        match self.nu:
            case 0.5:
                return np.exp(-d)
            case 1.5:
                return (1 + np.sqrt(3) * d) * np.exp(-np.sqrt(3) * d)
            case _:
                raise NotImplementedError(self.nu)


@dataclass
class Periodic(Kernel):
    period: float
    length: float = 1.0

    def __call__(self, a, b):
        return np.exp(-2 * (np.sin(np.pi * (a[:, None] - b[None, :]) / self.period) / self.length) ** 2)


class Combined(Kernel):
    def __init__(self, *parts):
        self.parts = tuple(itertools.chain.from_iterable(
            p.parts if type(p) is type(self) else (p,) for p in parts))


class Sum(Combined):
    def __call__(self, a, b):
        return sum(k(a, b) for k in self.parts)


class Product(Combined):
    def __call__(self, a, b):
        return np.prod([k(a, b) for k in self.parts], axis=0)


class GP:
    def __init__(self, kernel, noise):
        self.kernel, self.noise = kernel, noise

    def fit(self, x, y):
        self.x, self.y = x, y
        K = self.kernel(x, x) + self.noise ** 2 * np.eye(len(x))
        jitter = 0.0
        while True:
            try:
                self.L = np.linalg.cholesky(K + jitter * np.eye(len(x)))
                break
            except np.linalg.LinAlgError:
                jitter = max(10 * jitter, 1e-10)
                if jitter > 1e-2:
                    raise
        self.alpha = cho_solve((self.L, True), y)
        return self

    def evidence(self):
        return -0.5 * self.y @ self.alpha - np.log(np.diag(self.L)).sum() - 0.5 * len(self.x) * np.log(2 * np.pi)

    def predict(self, new):
        ks = self.kernel(self.x, new)
        v = solve_triangular(self.L, ks, lower=True)
        return ks.T @ self.alpha, np.diag(self.kernel(new, new)) - np.sum(v ** 2, axis=0)


def surrogate(log_theta, noise):
    lengths = dict(zip(("trend", "wave", "rough"), np.exp(log_theta)))
    kernel = 2.0 * RBF(lengths["trend"]) + Periodic(lengths["wave"]) * RBF(5.0) + 0.3 * Matern(lengths["rough"])
    x = np.linspace(0, 6, 15)
    y = np.sin(x) + 0.3 * np.cos(4 * x)
    gp = GP(kernel, noise).fit(x, y)
    mean, var = gp.predict(np.array([0.5, 3.3, 6.5]))
    best = y.min()
    z = (best - mean) / np.sqrt(var)
    ei = np.sqrt(var) * (z * 0.5 * (1 + erf(z / np.sqrt(2))) + np.exp(-z * z / 2) / np.sqrt(2 * np.pi))
    return -gp.evidence() - ei.max()


PROGRAMS = [
    ("hyper", hyper, lambda: (-3.0, 0.1), (0, 1)),
    ("transformer", transformer, lambda: (0.1 * np.random.default_rng(6).normal(size=(13, 8)), 0.9), (0, 1)),
    ("boosting", boosting, lambda: (8.0, 0.5, np.random.default_rng(12).uniform(-1, 1, size=(6, 2))), (0, 1)),
    ("surrogate", surrogate, lambda: (np.log([2.0, 1.6, 0.7]), 0.1), (0, 1)),
]
