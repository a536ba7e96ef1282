"""Sums, means, extremes, norms and sorting."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np

from engine.dialects.torch.arguments import need_tensor, no_form
from engine.dialects.torch.numbers import check_dim
from engine.dialects.torch.pointwise import cast, into, maximum, minimum
from engine.dialects.torch.selection import masked_fill
from engine.dialects.torch.tensor import FACADE, Tensor
from engine.dialects.torch.types import BY_NAME, word_of
from engine.dynamic.apply import apply
from engine.dynamic.facade import Primitive

_p = FACADE.primitive


def axes_of(dim: Any, rank: int) -> Any:
    """``dim`` (an integer, several, ``None`` for all) as non-negative axes."""
    if dim is None:
        return None
    if isinstance(dim, int):
        axis = check_dim(dim, rank)
        return axis if rank else None
    axes = tuple(check_dim(int(d), rank) for d in dim)
    if len(set(axes)) < len(axes):
        raise RuntimeError(f"dim {axes[0]} appears multiple times in the list of dims")
    return (axes or None) if rank else None


def _reduction(op: str, label: str, all_gradient: str, dim_gradient: str) -> Any:
    whole = _p(op, label, all_gradient, default=True)
    along = _p(op, label, dim_gradient)
    needs_float = op == "mean"

    def reduce(
        input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None, axis: Any = None,
        keepdims: bool = False,
    ) -> Tensor:  # fmt: skip
        dim, keepdim = axis if dim is None else dim, keepdim or keepdims
        if not isinstance(input, Tensor):
            need_tensor(input, label)
        if dtype is not None:
            input = cast(input, dtype)
        if needs_float and input._array.dtype.kind not in "fc":
            raise RuntimeError(
                "mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
                "dtype. Got: " + word_of(input._array.dtype)
            )
        if input._array.dtype.kind in "ui" and input._array.dtype != np.int64 and label in ("sum", "prod"):
            input = cast(input, BY_NAME["int64"])
        if isinstance(dim, str):
            forms = {
                "*, torch.dtype dtype = None": 0,
                "tuple of ints dim, bool keepdim = False, *, torch.dtype dtype = None": 1,
                "tuple of names dim, bool keepdim = False, *, torch.dtype dtype = None": 1,
            }
            raise no_form(label, [dim], forms)
        if dim is None and not keepdim:
            return apply(whole, (input,))  # type: ignore[return-value]
        axes = axes_of(dim, input._array.ndim)
        return into(out, apply(along, (input,), {"axis": axes, "keepdims": keepdim}))  # type: ignore[no-any-return]

    reduce.__name__ = reduce.__qualname__ = label
    return reduce


sum = _reduction("sum", "sum", "SumBackward0", "SumBackward1")
mean = _reduction("mean", "mean", "MeanBackward0", "MeanBackward1")
prod = _reduction("prod", "prod", "ProdBackward0", "ProdBackward1")
all = _reduction("all", "all", "AllBackward0", "AllBackward0")
any = _reduction("any", "any", "AnyBackward0", "AnyBackward0")
_logsumexp = _reduction("logsumexp", "logsumexp", "LogsumexpBackward0", "LogsumexpBackward0")


def logsumexp(input: Tensor, dim: Any, keepdim: bool = False) -> Tensor:
    return _logsumexp(input, dim, keepdim)  # type: ignore[no-any-return]


VAR = _p("var", "var", "VarBackward0", default=True)


def var(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: int | None = None
) -> Tensor:
    """The variance; ``unbiased`` divides by n - 1."""
    return _spread(VAR, "var", input, dim, unbiased, keepdim, correction)


STD = _p("std", "std", "StdBackward0", default=True)


def std(
    input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: int | None = None
) -> Tensor:
    """The standard deviation."""
    return _spread(STD, "std", input, dim, unbiased, keepdim, correction)


def _spread(
    primitive: Primitive, name: str, input: Tensor, dim: Any, unbiased: bool, keepdim: bool, correction: int | None
) -> Tensor:
    need_tensor(input, name)
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    if input._array.dtype.kind not in "fc":
        raise RuntimeError("std and var only support floating point and complex dtypes")
    ddof = (1 if unbiased else 0) if correction is None else correction
    axis = axes_of(dim, input._array.ndim)
    return apply(primitive, (input,), {"axis": axis, "keepdims": keepdim, "ddof": ddof})  # type: ignore[return-value]


NORM = _p("norm", "norm", "LinalgVectorNormBackward0", default=True)
VECTOR_NORM = _p("vector_norm", "norm", "LinalgVectorNormBackward0")


def norm(
    input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None, dtype: Any = None
) -> Any:
    """The p-norm (2 if not said otherwise)."""
    need_tensor(input, "norm")
    if dtype is not None:
        input = cast(input, dtype)
    if input._array.dtype.kind not in "fc":
        raise RuntimeError(
            "linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
            + word_of(input._array.dtype)
        )
    attributes = {"axis": axes_of(dim, input._array.ndim), "keepdims": keepdim}
    if p in ("fro", 2, 2.0, None):
        return apply(NORM, (input,), attributes)
    return apply(VECTOR_NORM, (input,), attributes | {"p": float(p)})


VAR_MEAN, STD_MEAN = (
    (_p(op, f"{op}_mean", f"{op.title()}MeanBackward0"), _p("mean", f"{op}_mean", f"{op.title()}MeanBackward0"))
    for op in ("var", "std")
)


def _with_mean(spread: Primitive, middle: Primitive) -> Any:
    def both(
        input: Tensor, dim: Any = None, unbiased: bool = True, keepdim: bool = False, *, correction: int | None = None
    ) -> tuple[Any, Any]:
        if isinstance(dim, bool):
            dim, unbiased = None, dim
        ddof = (1 if unbiased else 0) if correction is None else correction
        shape = {"axis": axes_of(dim, input._array.ndim), "keepdims": keepdim}
        return apply(spread, (input,), shape | {"ddof": ddof}), apply(middle, (input,), shape)

    return both


var_mean, std_mean = _with_mean(*VAR_MEAN), _with_mean(*STD_MEAN)

# -- extremes --
MAX_ALL = _p("max", "max", "MaxBackward1", default=True)
MIN_ALL = _p("min", "min", "MinBackward1", default=True)
PICK_MAX = _p("pick", "max", "MaxBackward0", default=True)
PICK_MIN = _p("pick", "min", "MinBackward0")


def pair_of(name: str, fields: tuple[str, ...] = ("values", "indices")) -> Any:
    """The named tuple that a function of this name gives."""
    pair: Any = namedtuple(name, fields)  # type: ignore[misc]
    pair.__module__ = "torch.return_types"
    setattr(pair, "__repr__", _pair_repr)  # noqa: B010  (named tuples don't let a type checker see this)
    return pair


def _extreme(name: str, whole: Primitive, pick: Primitive, position: Any, two: Any) -> Any:
    pair = pair_of(name)

    def extreme(input: Tensor, dim: Any = None, keepdim: bool = False, *, other: Any = None, out: Any = None) -> Any:
        need_tensor(input, name)
        if isinstance(dim, Tensor):
            return two(input, dim)
        if other is not None:
            return two(input, other)
        if dim is None:
            if input._array.size == 0:
                raise RuntimeError(
                    f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
                    f"reduction dim "
                    "with the 'dim' argument."
                )
            return apply(whole, (input,))
        axis = check_dim(dim, input._array.ndim)
        if input._array.ndim == 0:
            return pair(input, Tensor(np.asarray(0)))
        if input._array.shape[axis] == 0:
            raise IndexError(f"{name}(): Expected reduction dim {axis} to have non-zero size.")
        indices = Tensor(np.asarray(position(input._array, axis, keepdims=keepdim)))
        return pair(apply(pick, (input, indices), {"axis": axis, "keepdims": keepdim}), indices)

    extreme.__name__ = extreme.__qualname__ = name
    return extreme


def _pair_repr(self: Any) -> str:
    lines = [f"{field}={value!r}" for field, value in zip(self._fields, self, strict=True)]
    return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(lines) + ")"


max = _extreme("max", MAX_ALL, PICK_MAX, np.argmax, maximum)
min = _extreme("min", MIN_ALL, PICK_MIN, np.argmin, minimum)


AMAX, AMIN = _p("max", "amax", "AmaxBackward0"), _p("min", "amin", "AminBackward0")
AMINMAX = tuple(_p(op, "aminmax", "AminmaxBackward0") for op in ("min", "max"))
_MinMax = pair_of("aminmax", ("min", "max"))


def amax(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Any = None) -> Any:
    return apply(AMAX, (input,), {"axis": axes_of(dim, input._array.ndim), "keepdims": keepdim})


def amin(input: Tensor, dim: Any = (), keepdim: bool = False, *, out: Any = None) -> Any:
    return apply(AMIN, (input,), {"axis": axes_of(dim, input._array.ndim), "keepdims": keepdim})


def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    attributes = {"axis": axes_of(dim, input._array.ndim), "keepdims": keepdim}
    return _MinMax(*(apply(primitive, (input,), attributes) for primitive in AMINMAX))


def _position(op: str) -> Any:
    primitive = _p(op, op, f"{op.title()}Backward0", default=True)

    def position(input: Tensor, dim: Any = None, keepdim: bool = False) -> Any:
        need_tensor(input, op)
        if dim is None and input._array.size == 0:
            raise IndexError(f"{op}(): Expected reduction dim to be specified for input.numel() == 0.")
        axis = None if dim is None else axes_of(dim, input._array.ndim)
        return apply(primitive, (input,), {"axis": axis, "keepdims": keepdim and dim is not None})

    position.__name__ = position.__qualname__ = op
    return position


argmax, argmin = _position("argmax"), _position("argmin")
CUMSUM = _p("cumsum", "cumsum", "CumsumBackward0", default=True)
CUMPROD = _p("cumprod", "cumprod", "CumprodBackward0")


def _cumulative(primitive: Primitive) -> Any:
    def cumulative(input: Tensor, dim: int, *, dtype: Any = None, out: Any = None) -> Any:
        x = input if dtype is None else cast(input, dtype)
        if x._array.dtype.kind in "bui":
            x = cast(x, BY_NAME["int64"])
        return apply(primitive, (x,), {"axis": check_dim(dim, x._array.ndim)})

    cumulative.__name__ = primitive.label
    return cumulative


cumsum, cumprod = _cumulative(CUMSUM), _cumulative(CUMPROD)


def nansum(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The sum without what is no number."""
    return sum(masked_fill(input, Tensor(np.isnan(input._array)), 0), dim, keepdim)


def nanmean(input: Any, dim: Any = None, keepdim: bool = False) -> Any:
    """The mean without what is no number."""
    return nansum(input, dim, keepdim) / sum(Tensor(~np.isnan(input._array)), dim, keepdim)


def count_nonzero(input: Tensor, dim: Any = None) -> Tensor:
    """How many elements are not zero."""
    return Tensor(np.asarray(np.count_nonzero(input._array, axes_of(dim, input._array.ndim))))
