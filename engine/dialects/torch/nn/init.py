"""``nn.init``: start values for weights."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from engine.dialects.torch.nn.state import put_values
from engine.dialects.torch.streams import default_generator
from engine.dialects.torch.tensor import Tensor


def calculate_gain(nonlinearity: str, param: Any = None) -> float:
    """How much a nonlinearity shrinks values, to be made up for by the weights."""
    if nonlinearity in ("linear", "conv1d", "conv2d", "conv3d", "sigmoid"):
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "leaky_relu":
        slope = 0.01 if param is None else param
        return math.sqrt(2.0 / (1 + slope**2))
    if nonlinearity == "selu":
        return 3.0 / 4
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def _put(tensor: Tensor, values: Any) -> Tensor:
    put_values(tensor, values)
    return tensor


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    array = tensor._array
    kind = array.dtype.type
    draws = (generator or default_generator).uniform(array.size, array.dtype)
    return _put(tensor, (draws * kind(kind(b) - kind(a)) + kind(a)).reshape(array.shape))


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    array = tensor._array
    draws = (generator or default_generator).normal(array.size, array.dtype, mean, std)
    return _put(tensor, draws.reshape(array.shape))


def constant_(tensor: Tensor, val: float) -> Tensor:
    return _put(tensor, val)


def ones_(tensor: Tensor) -> Tensor:
    return _put(tensor, 1)


def zeros_(tensor: Tensor) -> Tensor:
    return _put(tensor, 0)


def eye_(tensor: Tensor) -> Tensor:
    if tensor._array.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    return _put(tensor, np.eye(*tensor._array.shape))


def _fans(tensor: Tensor) -> tuple[int, int]:
    shape = tensor._array.shape
    if len(shape) < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    field = math.prod(shape[2:])
    return shape[1] * field, shape[0] * field


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    fan_in, fan_out = _fans(tensor)
    bound = math.sqrt(3.0) * gain * math.sqrt(2.0 / (fan_in + fan_out))
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    fan_in, fan_out = _fans(tensor)
    return normal_(tensor, 0.0, gain * math.sqrt(2.0 / (fan_in + fan_out)), generator)


def _fan(tensor: Tensor, mode: str) -> int:
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    return _fans(tensor)[mode == "fan_out"]


def kaiming_uniform_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    bound = math.sqrt(3.0) * calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(
    tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu", generator: Any = None
) -> Tensor:
    std = calculate_gain(nonlinearity, a) / math.sqrt(_fan(tensor, mode))
    return normal_(tensor, 0.0, std, generator)


def orthogonal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    rows = tensor._array.shape[0]
    columns = tensor._array.size // rows
    flat = (generator or default_generator).normal(rows * columns, tensor._array.dtype).reshape(rows, columns)
    q, r = np.linalg.qr(flat.T if rows < columns else flat)
    q = q * np.sign(np.diag(r))
    return _put(tensor, (q.T if rows < columns else q).reshape(tensor._array.shape) * gain)


def trunc_normal_(
    tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0, generator: Any = None
) -> Tensor:
    """Normal numbers between ``a`` and ``b``: those outside are drawn again, with all the others, until none is."""
    share = [0.5 * (1 + math.erf((end - mean) / std / math.sqrt(2))) for end in (a, b)]
    if share[1] - share[0] <= 0.3:
        raise NotImplementedError(
            "trunc_normal_: the teaching engine draws where the interval holds at least 0.3 of the distribution; move "
            "a and b closer to the mean"
        )
    normal_(tensor, mean, std, generator)
    while True:
        outside = (tensor._array < tensor._array.dtype.type(a)) | (tensor._array > tensor._array.dtype.type(b))
        if not outside.any():
            return tensor
        kept = tensor._array.copy()
        normal_(tensor, mean, std, generator)
        _put(tensor, np.where(outside, tensor._array, kept))


def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Normal numbers with a share of zeros in each column."""
    if tensor._array.ndim != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor._array.shape
    normal_(tensor, 0, std, generator)
    values = tensor._array.copy()
    for column in range(columns):
        order = (generator or default_generator).permutation(rows)
        values[order[: math.ceil(sparsity * rows)], column] = 0
    return _put(tensor, values)


def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Weights of a convolution that passes its input on."""
    shape = tensor._array.shape
    if len(shape) not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    values = np.zeros(shape, tensor._array.dtype)
    middle = tuple(n // 2 for n in shape[2:])
    outputs = shape[0] // groups
    for group in range(groups):
        for channel in range(min(outputs, shape[1])):
            values[(group * outputs + channel, channel, *middle)] = 1
    return _put(tensor, values)


def _old(name: str) -> Any:
    new = globals()[f"{name}_"]

    def old(*arguments: Any, **options: Any) -> Any:
        warnings.warn(f"`nn.init.{name}` is now deprecated in favor of `nn.init.{name}_`.", FutureWarning, stacklevel=2)
        return new(*arguments, **options)

    old.__name__ = name
    return old


OLD_NAMES = {
    name: _old(name)
    for name in (
        "uniform", "normal", "constant", "eye", "xavier_uniform", "xavier_normal", "kaiming_uniform", "kaiming_normal",
        "orthogonal",
    )
}  # fmt: skip
