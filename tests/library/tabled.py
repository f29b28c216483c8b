"""What the tests of the library share."""
import numpy as np

import gradscribe as gs
from gradscribe.test_util import check_grads, stages
from tests.support.agreement import agree


# what is put through the whole table ----------------------------------------------------------------------------------
def whole_table(f, args, batched=None, order=2):
    """Value, jvp, vjp, second order, every stage, a batch, compiled: against f itself and differences.

    batched: for which arguments the examples differ, in turn; all that are arrays together, and each alone, where None.
    """
    assert agree(f, *args)
    for name, stage in stages(f, args, compiled=True):
        np.testing.assert_allclose(stage(*args), f(*args), rtol=1e-9, atol=1e-12, err_msg=name)
    check_grads(f, args, order=order)
    check_grads(gs.jit(f), args, order=1)
    arrays = [k for k, a in enumerate(args) if isinstance(a, np.ndarray)]
    for chosen in batched or [arrays, *([k] for k in arrays if len(arrays) > 1)]:
        in_batches(f, args, chosen)


def in_batches(f, args, chosen, count=3, wrap=(gs.jit,)):
    axes = tuple(0 if k in chosen else None for k in range(len(args)))
    many = [np.stack([a * (1.0 + 0.1 * j) + 0.01 * j for j in range(count)]) if k in chosen else a
            for k, a in enumerate(args)]
    for g in (f, gs.grad(lambda *a: np.sum(np.sin(f(*a))), argnums=chosen[0])):
        want = np.stack([g(*(a[j] if k in chosen else a for k, a in enumerate(many))) for j in range(count)])
        for h in (gs.vmap(g, in_axes=axes), *(w(gs.vmap(g, in_axes=axes)) for w in wrap)):
            np.testing.assert_allclose(h(*many), want, rtol=1e-8, atol=1e-10)
