"""All that users call as `gs.name`."""
from gradscribe.runtime import stop_gradient
from gradscribe.transformer.api import (grad, hessian, hvp, jacfwd, jacrev, jit, jvp, linearize, pmap, shard_map,
                                        value_and_grad, vjp, vmap)
from gradscribe.transformer.functions.check_report import check
from gradscribe.transformer.functions.custom_rules import checkpoint, custom_jvp, custom_vjp, opaque
from gradscribe.transformer.functions.insert_grad_of import insert_grad_of
from gradscribe.transformer.sharding.sharded import Mesh, P, Sharded, shard

from . import config, debug, errors, flatten_util, lax, nn, optim, random, test_util, tree, tree_util
from ._devices import (Device, block_until_ready, default_device, device_count, device_get, device_put, devices,
                       local_device_count, process_count, process_index)
from ._export import export
from ._hints import only_public
from ._load import load
from ._save import save
from ._show import show
from ._updates import at
from ._verify import verify
from ._version import __version__
from .errors import (ConstantSizesWarning, GradscribeError, ImpurityError, SpecialisationError, UnrolledWarning,
                     UnsupportedError)

jacobian = jacrev  # JAX has both names

__all__ = ["grad", "value_and_grad", "vjp", "jvp", "vmap", "pmap", "jacfwd", "jacrev", "jacobian", "hessian", "hvp",
           "linearize", "custom_jvp", "custom_vjp", "checkpoint", "opaque", "jit", "stop_gradient", "insert_grad_of",
           "at", "export", "load", "save", "show",
           "Device", "block_until_ready", "default_device", "device_get", "device_put", "devices",
           "Mesh", "P", "Sharded", "shard", "shard_map",
           "device_count", "local_device_count", "process_count", "process_index",
           "check", "verify", "config", "debug", "flatten_util", "lax", "nn", "optim", "random", "test_util", "tree",
           "tree_util", "errors", "ConstantSizesWarning", "GradscribeError", "ImpurityError", "SpecialisationError",
           "UnrolledWarning", "UnsupportedError", "__version__"]

for _module in (config, debug, errors, flatten_util, lax, nn, nn.initializers, optim, random, test_util, tree,
                tree_util):
    only_public(_module)
