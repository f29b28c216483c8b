"""Lists that shrink or rotate: where their length is bounded the loop stays one,
whatever the number of rounds, and whatever ends it."""
import numpy as np
import pytest

import gradscribe as gs

COMPILED = pytest.mark.parametrize("compiled", [False, True], ids=["plain", "compiled"])
X = np.array([0.1, 0.2, 0.3])


def popped(x, n):
    history, total = [], 0.0
    for k in range(n):
        x = np.sin(x) + 0.1 * k
        history.append(x)
        if len(history) > 3:
            history.pop(0)
        total = total + np.sum(sum(history) * history[0]) / len(history)
    return total


def inserted(x, n):
    last = [x]
    for k in range(n):
        last.insert(0, np.cos(last[0] + k) + 0.1 * last[-1])
        if len(last) > 2:
            last.pop()
    return np.sum(last[0] * last[-1])


def sliced(x, n):
    recent = []
    for k in range(1, 2 * n, 2):
        recent = (recent + [x * k])[-4:]
        x = np.tanh(sum(recent)) + x
    return np.sum(x * recent[-1]) if n > 0 else np.sum(x)


def deleted(x, n):
    rows = []
    for k in range(n):
        rows.append(np.sin(x + k))
        if len(rows) > 2:
            del rows[0]
        x = np.sum(np.stack(rows) ** 2, axis=0) * 0.1 + 0.5 * x
    return np.sum(x)


class Memory:
    def __init__(self, most):
        self.most, self.items = most, []

    def keep(self, x):
        self.items.append(x)
        if len(self.items) > self.most:
            self.items.pop(0)

    def mean(self):
        return sum(self.items) / len(self.items)


def of_an_object(x, n):
    memory = Memory(2)
    for _ in range(n):
        memory.keep(x * x)
        x = np.cos(memory.mean())
    return np.sum(x)


def pairs(x, n):
    """An L-BFGS, as far as its lists go."""
    moves, changes = [], []
    g = np.tanh(x)
    for _ in range(n):
        q = g
        for s, d in zip(reversed(moves), reversed(changes)):
            q = q - d * (s @ q) / (1.0 + d @ d)
        x = x - 0.5 * q
        after = np.tanh(x)
        moves.append(-0.5 * q)
        changes.append(after - g)
        if len(moves) > 2:
            moves.pop(0)
            changes.pop(0)
        g = after
    return np.sum(x ** 2)


def downwards(x, n):
    history = []
    for k in range(n, 0, -1):
        history = [np.sin(x + k), *history][:2]
        x = x + history[-1] * history[0]
    return np.sum(x)


def beside_one_that_grows(x, n):
    history, seen = [], []
    for k in range(n):
        history.append(x[k % 3] * 1.5)
        if len(history) > 2:
            history.pop(0)
        seen.append(sum(history))
        x = x + history[0] * 0.01
    return np.sum(np.array(seen) ** 2) if n > 0 else np.sum(x)


def stored_into(x, n):
    x, history = x.copy(), []
    for k in range(n):
        history.append(x)
        if len(history) > 2:
            history.pop(0)
        x = x * 0.9
        history[0][0] = history[0][0] + 1.0
        x[1] += history[0][0]
    return np.sum(x)


FUNCTIONS = {f.__name__: f for f in (popped, inserted, sliced, deleted, of_an_object, pairs, downwards,
                                     beside_one_that_grows, stored_into)}


def differences(f, x, *args, eps=1e-6):
    return np.array([(f(x + eps * d, *args) - f(x - eps * d, *args)) / (2 * eps) for d in np.eye(len(x))])


@pytest.mark.heavy(one_in=16)
@COMPILED
@pytest.mark.parametrize("name", FUNCTIONS)
def test_value_and_gradient_for_any_number_of_rounds(name, compiled):
    f = FUNCTIONS[name]
    g = gs.value_and_grad(f)
    g = gs.jit(g) if compiled else g
    for n in ([7, 3] if compiled else [9, 0, 1, 2, 3, 4, 5, 6, 30]):
        value, gradient = g(X, n)
        np.testing.assert_allclose(value, f(X, n), rtol=1e-12)
        np.testing.assert_allclose(gradient, differences(f, X, n), atol=1e-7, rtol=1e-6)


@pytest.mark.heavy(one_in=2)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_more_rounds_make_no_program(name, recwarn):
    g = gs.grad(FUNCTIONS[name])
    for n in (20, 7, 100, 8):
        g(X, n)
    assert sum(map(len, g._cache.programs.values())) == 1 and not recwarn.list
    source = g.source(X, 50)
    assert source == g.source(X, 60) and source.count("\n    for ") in (1, 2)


def test_many_rounds_that_are_known_are_a_loop():
    g = gs.grad(lambda x: popped(x, 150))
    assert g.source(X).count("\n") < 120
    np.testing.assert_allclose(g(X), gs.grad(popped)(X, 150), rtol=1e-12)


def never_steady(x, n):
    history = []
    for k in range(n):
        history.append(x * k)
        history = history[::-1]
        x = np.sin(x + history[0])
    return np.sum(x) + len(history)


def test_a_list_that_only_grows_is_written_out_as_before():
    g = gs.grad(never_steady)
    for n in (3, 4):
        np.testing.assert_allclose(g(X, n), differences(never_steady, X, n), atol=1e-7)


def empty_sooner_or_later(x, n):
    items = [x, x * 2.0, x * 3.0]
    for _ in range(n):
        x = x + items.pop()
    return np.sum(x)


@COMPILED
def test_exceptions_of_the_first_rounds(compiled):
    f = gs.jit(empty_sooner_or_later) if compiled else gs.value_and_grad(empty_sooner_or_later)
    f(X, 3)
    for n in (4, 9):
        with pytest.raises(IndexError, match="pop from empty list"):
            f(X, n)


def test_forwards_and_in_batches():
    assert gs.jvp(popped, (X, 12), (np.ones(3), 0))[1] == pytest.approx(np.sum(gs.grad(popped)(X, 12)))
    xs = np.stack([X, 2.0 * X])
    np.testing.assert_allclose(gs.vmap(lambda x: pairs(x, 12))(xs), [pairs(x, 12) for x in xs], rtol=1e-12)


def in_a_while(x, n):
    history, k = [], 0
    while k < n:
        x = np.sin(x) + 0.1 * k
        history.append(x)
        if len(history) > 3:
            del history[0]
        x = x + 0.1 * sum(history) / len(history)
        k += 1
    return np.sum(x)


def until_it_is_small(x, n):
    history, total = [], 0.0
    while np.sum(x * x) > 1.0 / (n * n + 5.0):
        x = 0.6 * x
        history = [x, *history][:3]
        total = total + np.sum(np.mean(np.array(history), axis=0) ** 2)
    return total


def left_by_break(x, n):
    history = []
    for k in range(n):
        x = np.sin(x) + 0.1 * k
        history.append(x)
        if len(history) > 2:
            history.pop(0)
        if np.sum(x) > 5.0:
            break
        x = x + sum(history) * 0.3
    return np.sum(x)


def left_by_return(x, n):
    memory = Memory(2)
    for k in range(n):
        memory.keep(x * (k + 1.0))
        x = 0.7 * x + 0.1 * memory.mean()
        if np.sum(np.abs(x)) > 2.5:
            return np.sum(x)
    return np.sum(x * x)


def until_a_break(x, n):
    history, k = [], 0
    while True:
        history.append(np.cos(x + k))
        if len(history) > 2:
            history.pop(0)
        x = x + 0.1 * sum(history)
        k = k + 1
        if k > n or np.sum(x) > 3.0:
            break
    return np.sum(x)


OTHER_LOOPS = {f.__name__: f for f in (in_a_while, until_it_is_small, left_by_break, left_by_return, until_a_break)}


@pytest.mark.heavy(one_in=11)
@COMPILED
@pytest.mark.parametrize("name", OTHER_LOOPS)
def test_loops_whose_end_the_run_finds(name, compiled):
    f = OTHER_LOOPS[name]
    g = gs.value_and_grad(f)
    g = gs.jit(g) if compiled else g
    for n in ([9, 4] if compiled else [9, 0, 1, 2, 3, 4, 5, 6, 30]):
        value, gradient = g(X, n)
        np.testing.assert_allclose(value, f(X, n), rtol=1e-12)
        np.testing.assert_allclose(gradient, differences(f, X, n), atol=1e-7, rtol=1e-6)


@pytest.mark.parametrize("name", OTHER_LOOPS)
def test_they_stay_loops(name, recwarn):
    g = gs.grad(OTHER_LOOPS[name])
    for n in (20, 7, 100, 8):
        g(X, n)
    assert sum(map(len, g._cache.programs.values())) == 1 and not recwarn.list


def what_is_in_it_afterwards(x, bound):
    history = []
    while np.sum(x) > bound:
        x = 0.6 * x
        history.append(x)
        if len(history) > 2:
            history.pop(0)
    return np.sum(history[0] * history[1])


@COMPILED
def test_after_such_a_loop_the_list_is_full(compiled):
    g = gs.grad(what_is_in_it_afterwards)
    g = gs.jit(g) if compiled else g
    np.testing.assert_allclose(g(X, 0.05), differences(what_is_in_it_afterwards, X, 0.05), atol=1e-7)
    with pytest.raises(gs.GradscribeError, match="a list gets longer in the first rounds of this loop"):
        g(X, 0.4)


def doubled_beside(x, n):
    """`last` is full after two rounds, while `long` still gets longer."""
    last, long, total = [x], [x] * 200, 0.0
    for k in range(n):
        last.append(x * k)
        if len(last) > 3:
            last.pop(0)
        long.extend(long[:150])
        if len(long) > 900:
            long = long[:200]
        total = total + last[0] * (k + 1)
    return total


@COMPILED
@pytest.mark.filterwarnings("ignore::gradscribe.ConstantSizesWarning")
def test_a_long_list_gets_longer_where_another_is_full(compiled):
    way = gs.jit if compiled else gs.test_util.primal
    for n in (1, 2, 3, 5, 20):
        assert way(doubled_beside)(1.5, n) == doubled_beside(1.5, n)
