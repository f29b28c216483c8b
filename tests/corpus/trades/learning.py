"""Learning from scratch: a network with layers, a boosted tree, a mixture by EM, a recurrent cell that reads."""

import numbers
from abc import ABC, abstractmethod
from collections import namedtuple
from contextlib import suppress
from time import perf_counter

import numpy as np
from scipy.special import expit, logsumexp

# ------------------------------------------------------------------------------------------- a network with layers


class Layer(ABC):
    def __init__(self):
        self.training = True
        self.cache = {}

    @abstractmethod
    def forward(self, x): ...

    @abstractmethod
    def backward(self, grad): ...


class Dense(Layer):
    def __init__(self, W, b=None):
        super().__init__()
        self.W = W
        self.b = np.zeros(W.shape[1]) if b is None else b

    def forward(self, x):
        self.cache["x"] = x
        return x @ self.W + self.b

    def backward(self, grad):
        self.dW = self.cache["x"].T @ grad
        self.db = grad.sum(axis=0)
        return grad @ self.W.T


class Tanh(Layer):
    def forward(self, x):
        self.cache["y"] = np.tanh(x)
        return self.cache["y"]

    def backward(self, grad):
        return grad * (1 - self.cache["y"] ** 2)


class Adam:
    def __init__(self, lr=0.01, betas=(0.9, 0.999), eps=1e-8):
        self.lr, self.betas, self.eps = lr, betas, eps
        self.t, self.state = 0, {}

    def step(self, named):
        self.t += 1
        b1, b2 = self.betas
        for name, (value, grad) in named.items():
            m, v = self.state.setdefault(name, (np.zeros_like(value), np.zeros_like(value)))
            m = b1 * m + (1 - b1) * grad
            v = b2 * v + (1 - b2) * grad**2
            self.state[name] = (m, v)
            value -= self.lr * (m / (1 - b1**self.t)) / (np.sqrt(v / (1 - b2**self.t)) + self.eps)


class Network:
    def __init__(self, *layers):
        self.layers = list(layers)

    def __call__(self, x):
        for layer in self.layers:
            x = layer.forward(x)
        return x

    def fit(self, x, y, optimizer, epochs=3, verbose=0):
        losses = []
        tic = perf_counter()
        for epoch in range(epochs):
            prediction = self(x)
            losses.append(np.mean((prediction - y) ** 2))
            grad = 2 * (prediction - y) / y.size
            for layer in reversed(self.layers):
                grad = layer.backward(grad)
            named = {}
            for k, layer in enumerate(self.layers):
                if isinstance(layer, Dense):
                    named[f"W{k}"] = (layer.W, layer.dW)
                    named[f"b{k}"] = (layer.b, layer.db)
            optimizer.step(named)
            if verbose:
                print(f"epoch {epoch}: {losses[-1]:.4f} ({perf_counter() - tic:.1f} s)")
        return losses


def after_training(lr, W1, W2):
    x = np.linspace(-1, 1.4, 8).reshape(-1, 1) * np.array([[1.0, 0.5]])
    y = np.sin(3 * x[:, :1])
    net = Network(Dense(W1.copy()), Tanh(), Dense(W2.copy()))
    losses = net.fit(x, y, Adam(lr=lr))
    return losses[-1] + 0.1 * np.sum(net.layers[0].W ** 2)


def after_training_args():
    rng = np.random.default_rng(0)
    return 0.05, rng.normal(size=(2, 4)), rng.normal(size=(4, 1))


# --------------------------------------------------------------------------------------------------- a boosted tree


Node = namedtuple("Node", ["feature", "threshold", "left", "right", "value"], defaults=(None,) * 5)


def build(X, residual, depth, min_leaf=2):
    if depth == 0 or len(residual) < 2 * min_leaf:
        return Node(value=residual.mean())
    best = (np.inf, None, None)
    for feature in range(X.shape[1]):
        values = np.unique(X[:, feature])
        for threshold in (values[1:] + values[:-1]) / 2:
            mask = X[:, feature] <= threshold
            if mask.sum() < min_leaf or (~mask).sum() < min_leaf:
                continue
            score = residual[mask].var() * mask.sum() + residual[~mask].var() * (~mask).sum()
            if score < best[0]:
                best = (score, feature, threshold)
    _, feature, threshold = best
    if feature is None:
        return Node(value=residual.mean())
    mask = X[:, feature] <= threshold
    return Node(feature, threshold, build(X[mask], residual[mask], depth - 1, min_leaf),
                build(X[~mask], residual[~mask], depth - 1, min_leaf))


def descend(node, x):
    while node.value is None:
        node = node.left if x[node.feature] <= node.threshold else node.right
    return node.value


FEATURES = np.array([[0.1, 1.0], [0.4, 0.2], [0.5, 0.9], [0.8, 0.4], [1.1, 0.7], [1.5, 0.1], [1.7, 0.8], [2.0, 0.3]])


def boosted(y, shrink, rounds=3):
    prediction = np.full(len(y), y.mean())
    trees = []
    for _ in range(rounds):
        tree = build(FEATURES, y - prediction, depth=2)
        trees.append(tree)
        prediction = prediction + shrink * np.array([descend(tree, x) for x in FEATURES])
    return np.mean((y - prediction) ** 2) + 0.05 * prediction[2] * len(trees)


def boosted_args():
    return np.array([0.3, 0.9, 0.1, 1.7, 1.2, 2.6, 2.1, 3.3]), 0.4


# -------------------------------------------------------------------------------------------------- a mixture by EM


class NotFittedError(ValueError, AttributeError):
    pass


class GaussianMixture:
    def __init__(self, n_components=2, tol=1e-4, max_iter=12, reg=1e-3):
        if not isinstance(n_components, numbers.Integral) or n_components < 1:
            raise ValueError("n_components must be a positive integer")
        self.n_components, self.tol, self.max_iter, self.reg = n_components, tol, max_iter, reg
        self.converged_ = False

    def get_params(self):
        return {k: v for k, v in vars(self).items() if not k.endswith("_")}

    def _log_prob(self, X):
        out = np.empty((len(X), self.n_components))
        for k, (mean, cov) in enumerate(zip(self.means_, self.covs_)):
            L = np.linalg.cholesky(cov)
            z = np.linalg.solve(L, (X - mean).T)
            out[:, k] = -0.5 * (z**2).sum(axis=0) - np.log(np.diag(L)).sum() - X.shape[1] / 2 * np.log(2 * np.pi)
        return out + np.log(self.weights_)

    def fit(self, X, means):
        d = X.shape[1]
        self.means_ = means
        self.covs_ = np.array([np.eye(d)] * self.n_components)
        self.weights_ = np.ones(self.n_components) / self.n_components
        previous = -np.inf
        for self.n_iter_ in range(1, self.max_iter + 1):
            log_prob = self._log_prob(X)
            norm = logsumexp(log_prob, axis=1)
            resp = np.exp(log_prob - norm[:, np.newaxis])
            if abs(norm.mean() - previous) < self.tol:
                self.converged_ = True
                break
            previous = norm.mean()
            Nk = resp.sum(axis=0)
            self.weights_ = Nk / len(X)
            self.means_ = (resp.T @ X) / Nk[:, None]
            covs = []
            for k in range(self.n_components):
                diff = X - self.means_[k]
                covs.append((resp[:, k][:, None] * diff).T @ diff / Nk[k] + self.reg * np.eye(d))
            self.covs_ = np.stack(covs)
        return self

    def score(self, X):
        if not hasattr(self, "means_"):
            raise NotFittedError("call fit first")
        return logsumexp(self._log_prob(X), axis=1).mean()


def mixture_score(X, means, reg):
    gm = GaussianMixture(2, tol=0.0, max_iter=6, reg=reg).fit(X, means)
    return gm.score(X[::2]) + 0.1 * np.sum(gm.weights_**2)


def mixture_score_args():
    rng = np.random.default_rng(9)
    X = np.concatenate([rng.normal(-1, 0.5, size=(7, 2)), rng.normal(1, 0.6, size=(6, 2))])
    return X, np.array([[-0.5, -0.3], [0.6, 0.4]]), 0.01


# --------------------------------------------------------------------------------------- a recurrent cell that reads


TEXT = "the cat sat on the mat"
VOCABULARY = {ch: i for i, ch in enumerate(sorted(set(TEXT)))}


def one_hot(index, size):
    v = np.zeros(size)
    v[index] = 1.0
    return v


class GRU:
    gates = ("z", "r", "h")

    def __init__(self, scale, n_in, n_hidden):
        rng = np.random.RandomState(4)
        self.W = {g: scale * rng.randn(n_hidden, n_in) for g in self.gates}
        self.U = {g: scale * rng.randn(n_hidden, n_hidden) for g in self.gates}
        self.b = {g: np.zeros(n_hidden) for g in self.gates}

    def __call__(self, x, h):
        z = expit(self.W["z"] @ x + self.U["z"] @ h + self.b["z"])
        r = expit(self.W["r"] @ x + self.U["r"] @ h + self.b["r"])
        candidate = np.tanh(self.W["h"] @ x + self.U["h"] @ (r * h) + self.b["h"])
        return (1 - z) * h + z * candidate


def reading_loss(scale, output, temperature):
    cell = GRU(scale, len(VOCABULARY), output.shape[1])
    h = np.zeros(output.shape[1])
    loss, counts = 0.0, {}
    for current, following in zip(TEXT, TEXT[1:]):
        with suppress(KeyError):
            counts[current] += 1
        counts.setdefault(current, 1)
        h = cell(one_hot(VOCABULARY[current], len(VOCABULARY)), h)
        logits = output @ h / temperature
        loss -= logits[VOCABULARY[following]] - logsumexp(logits)
    perplexity = np.exp(loss / (len(TEXT) - 1))
    return perplexity + 0.01 * max(counts.values()) * np.sum(h**2)


def reading_loss_args():
    rng = np.random.RandomState(1)
    return 0.5, rng.randn(len(VOCABULARY), 5), 0.9


PROGRAMS = [
    ("network_training", after_training, after_training_args, (0, 1, 2)),
    ("boosted_trees", boosted, boosted_args, (0, 1)),
    ("mixture_em", mixture_score, mixture_score_args, (0, 1, 2)),
    ("gru_reader", reading_loss, reading_loss_args, (0, 1, 2)),
]
