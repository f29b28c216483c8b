"""Where arrays lie: `gs.devices`, `gs.device_put`, `gs.device_get`, `gs.default_device`, `gs.block_until_ready`."""
from __future__ import annotations

import contextlib
from dataclasses import dataclass
from typing import Any, Iterator

import numpy as np

from gradscribe.runtime.devices import crew, jobs
from gradscribe.transformer.devices.async_calls import until_stored
from gradscribe.transformer.errors.messages import DeviceError
from gradscribe.transformer.inputs.future_array import value
from gradscribe.transformer.inputs.gpu_placeholders import device_errors
from gradscribe.transformer.pytree.containers import container_leaves, map_leaves
from gradscribe.transformer.sharding.sharded import from_all

from .runtime.cuda import backend


@dataclass(frozen=True)
class Device:
    """A thread of the CPU, or a GPU, by its number.

    Parameters
    ----------
    platform : {"cpu", "cuda"}
        What it is.
    id : int
        Its number, from 0.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.Device("cpu") == gs.devices("cpu")[0]
    True
    """

    platform: str
    id: int = 0

    def __repr__(self):
        return f"{self.platform}:{self.id}"


CPU = Device("cpu")


def local_device_count() -> int:
    """Return how many devices `gs.pmap` has in this process.

    Returns
    -------
    int
        $GRADSCRIBE_DEVICES, else one for each core that it may use; in a job of several processes one.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.local_device_count() >= 1
    True
    """
    return crew.local_count()


def device_count() -> int:
    """Return how many devices `gs.pmap` has in all processes of the job.

    Returns
    -------
    int
        Those of all processes together.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.device_count() == gs.local_device_count() * gs.process_count()
    True
    """
    return crew.local_count() * jobs.process_count()


def process_index() -> int:
    """Return the number of this process among those of its job (`mpiexec -n 8 python train.py`).

    Returns
    -------
    int
        From 0; 0 in one that is alone.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.process_index()
    0
    """
    return jobs.process_index()


def process_count() -> int:
    """Return how many processes the job has.

    Each calls `gs.pmap` with the arguments for its own devices, as in JAX.

    Returns
    -------
    int
        Their number; 1 where there is no job.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.process_count()
    1
    """
    return jobs.process_count()


def devices(platform: str | None = None) -> list[Device]:
    """Return the GPUs of this machine that programs can use, and after them those of the CPU: threads, for `gs.pmap`.

    Parameters
    ----------
    platform : {"cuda", "gpu", "cpu"} or None
        Only those; None: all.

    Returns
    -------
    list of Device
        Each has `platform` and `id`; the list is empty of "cuda" where programs can use no GPU.

    Raises
    ------
    ValueError
        For another platform.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.devices("cpu")[0], len(gs.devices("cpu")) == gs.local_device_count()
    (cpu:0, True)
    """
    if platform not in (None, "cuda", "gpu", "cpu"):
        raise ValueError(f'platform={platform!r}: it is "cuda", which is "gpu" as well, or "cpu"')
    found = [*(Device("cuda", k) for k in range(backend.device_count())),
             *(Device("cpu", k) for k in range(crew.local_count()))]
    return found if platform is None else [d for d in found if d.platform == {"gpu": "cuda"}.get(platform, platform)]


def device_put(x: Any, device: Device | None = None) -> Any:
    """Return the tree with its arrays on a device.

    Parameters
    ----------
    x : tree
        Arrays, NumPy's or of a GPU, in containers as they come; numbers stay what they are.
    device : Device or None
        Of `gs.devices()`; None: that of `gs.default_device`, or the first GPU, or the CPU where there is none.

    Returns
    -------
    tree
        The same containers with CuPy arrays (NumPy arrays for the CPU).  An array that is there already is returned
        itself.

    Raises
    ------
    gs.errors.DeviceError
        Where there is no such device.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.device_put({"w": np.ones(2)}, gs.devices("cpu")[0])
    {'w': array([1., 1.])}
    """
    number = getattr(backend.default, "device", None)
    device = device or (Device("cuda", number) if number is not None else devices()[0])
    if not isinstance(device, Device):
        raise DeviceError(None, f"device_put to {device!r}, which is no device",
                          instead="gs.shard(x, mesh, gs.P('data')) lays arrays over the devices of a mesh; a device is "
                                  "one of gs.devices().")
    if device.platform == "cpu":
        return device_get(x)
    require(device)

    def put(leaf):
        leaf = from_all(leaf)
        return backend.put_array(leaf) if isinstance(leaf, np.ndarray) or backend.is_device_array(leaf) else leaf

    with device_errors(), backend.using(device.id):
        return map_leaves(put, x)


def device_get(x: Any) -> Any:
    """Return the tree with its arrays as NumPy's; waits for what computes them.

    What is sharded over devices (`gs.shard`) is gathered: in a job of several processes all of them call this.

    Parameters
    ----------
    x : tree
        Arrays, NumPy's, of a GPU or sharded, in containers as they come.

    Returns
    -------
    tree
        The same containers with NumPy arrays.

    Raises
    ------
    gs.errors.DeviceError
        Where a GPU has failed.

    Examples
    --------
    >>> import numpy as np, gradscribe as gs
    >>> gs.device_get((np.ones(2), 3.0))
    (array([1., 1.]), 3.0)
    """
    with device_errors():
        return map_leaves(lambda leaf: backend.get(from_all(leaf)), x)


def block_until_ready(x: Any) -> Any:
    """Wait until all arrays of a tree are computed, and return it.

    Parameters
    ----------
    x : tree
        Arrays, and results of `gs.jit(f, wait=False)`, in containers as they come.

    Returns
    -------
    tree
        The same containers, with arrays in the place of such results; arrays of the caller's are waited for until such
        calls have stored into them.

    Raises
    ------
    gs.errors.DeviceError
        Where a GPU has failed meanwhile; and what a call that was not waited for has raised is raised.

    Examples
    --------
    >>> import gradscribe as gs
    >>> gs.block_until_ready([1.0])
    [1.0]
    """
    x = map_leaves(value, x)
    for leaf in container_leaves(x):
        until_stored(leaf)
    if any(map(backend.is_device_array, container_leaves(x))):
        with device_errors():  # of a kernel, too, which nobody has waited for
            backend.synchronise()
    return x


@contextlib.contextmanager
def default_device(device: Device) -> Iterator[Device]:
    """Choose the device that is used where no argument lies on another: a context manager.

    Within it, `gs.device_put` and functions of `gs.jit(f, target="auto")` use this device.

    Parameters
    ----------
    device : Device
        Of `gs.devices()`.

    Yields
    ------
    Device
        The device itself.

    Raises
    ------
    gs.errors.DeviceError
        Where there is no such device.

    Examples
    --------
    >>> import gradscribe as gs
    >>> with gs.default_device(gs.devices("cpu")[0]) as device:
    ...     device
    cpu:0
    """
    if getattr(device, "platform", None) != "cpu":
        require(device)
    with backend.asked_for(None if device.platform == "cpu" else device.id):
        yield device


def require(device: Device) -> None:
    if (problem := backend.missing()) is not None:
        raise DeviceError(None, problem)
    if device not in devices():
        raise DeviceError(None, f"there is no device {device!r}; there are {', '.join(map(repr, devices()))}")
