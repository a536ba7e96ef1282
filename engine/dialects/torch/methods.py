"""Attaches functions to :class:`Tensor` as methods and operators."""

from __future__ import annotations

from typing import Any

import numpy as np

from engine.dialects.torch import (
    arguments,
    arranging,
    comparisons,
    complex_parts,
    creation,
    differences,
    from_data,
    gathering,
    in_place,
    indexing,
    joining,
    linear_algebra,
    order,
    pointwise,
    products,
    random_fill,
    reductions,
    rows,
    sampling,
    selection,
    shaping,
    special,
    start,
    typed_tensors,
)
from engine.dialects.torch.closeness import allclose, argwhere, equal, isclose, nonzero
from engine.dialects.torch.linalg import namespace as linalg_namespace
from engine.dialects.torch.memory_formats import is_in
from engine.dialects.torch.nn import functional
from engine.dialects.torch.tensor import Tensor
from engine.dialects.torch.types import ALIASES, BY_NAME, STRIDED, Size, as_array_dtype, check_device, dtype
from engine.dynamic.tensor import Number


def _attach(names: str, module: Any) -> None:
    for name in names.split():
        setattr(Tensor, name, getattr(module, name))


_attach(
    "add sub mul div remainder floor_divide pow maximum minimum logical_not neg abs exp expm1 log log1p log2 "
    "log10 sqrt rsqrt reciprocal sin cos tan asin acos atan sinh cosh tanh sigmoid relu erf sign floor ceil trunc "
    "round isnan isinf isfinite square clone positive addcmul addcdiv lerp",
    pointwise,
)
_attach(
    "eq ne lt le gt ge logical_and logical_or logical_xor bitwise_and bitwise_or bitwise_xor bitwise_not "
    "bitwise_left_shift bitwise_right_shift gcd lcm",
    comparisons,
)
_attach("clamp clamp_min clamp_max masked_fill", selection)
_attach("copy_ fill_ zero_ clamp_ clamp_min_ clamp_max_ pow_ square_ masked_fill_ lerp_ addcmul_ addcdiv_", in_place)
_attach(
    "sum mean prod all any logsumexp var std norm max min amax amin aminmax argmax argmin cumsum cumprod "
    "nansum nanmean "
    "count_nonzero",
    reductions,
)
_attach(
    "reshape view view_as reshape_as flatten unflatten t transpose permute unsqueeze squeeze expand expand_as "
    "broadcast_to repeat flip contiguous movedim ravel diagonal as_strided unfold unsqueeze_ squeeze_ transpose_ t_",
    shaping,
)
_attach("split chunk unbind narrow select tensor_split", joining)
_attach("roll rot90 fliplr flipud tile repeat_interleave take take_along_dim diag_embed", arranging)
_attach("index_select masked_select", indexing)
_attach("gather scatter scatter_add scatter_ scatter_add_ scatter_reduce scatter_reduce_", gathering)
_attach(f"fill_diagonal_ {rows.IN_PLACE} {rows.OUT_OF_PLACE}", rows)
_attach("backward", start)
_attach("mm bmm dot mv matmul addmm outer inverse tril triu diag diagflat trace cross", linear_algebra)
_attach(
    "sort argsort msort topk unique unique_consecutive median nanmedian kthvalue mode quantile cummax cummin bincount "
    "histc",
    order,
)
_attach(special.NAMES, special)
_attach(products.METHODS, products)
_attach(differences.METHODS, differences)
for _name in linalg_namespace.METHODS.split():
    setattr(Tensor, _name, linalg_namespace.IN_TORCH[_name])
for _alias, _name in (
    ("absolute", "abs"), ("multiply", "mul"), ("divide", "div"), ("subtract", "sub"), ("true_divide", "div"),
    ("clip", "clamp"), ("negative", "neg"), ("greater", "gt"), ("less", "lt"), ("greater_equal", "ge"),
    ("less_equal", "le"), ("not_equal", "ne"), ("arcsin", "asin"), ("arccos", "acos"), ("arctan", "atan"),
    ("swapaxes", "transpose"), ("swapdims", "transpose"), ("moveaxis", "movedim"), ("ger", "outer"),
    ("arctan2", "atan2"),
):  # fmt: skip
    setattr(Tensor, _alias, getattr(Tensor, _name))

_OPERATORS = {
    "__add__": pointwise.add_operator, "__radd__": pointwise.add_operator,
    "__sub__": pointwise.sub_operator, "__rsub__": pointwise.rsub_operator,
    "__mul__": pointwise.mul_operator, "__rmul__": pointwise.mul_operator,
    "__truediv__": pointwise.div_operator, "__rtruediv__": pointwise.rdiv_operator,
    "__floordiv__": pointwise.floor_div_operator, "__rfloordiv__": pointwise.rfloor_operator,
    "__mod__": pointwise.mod_operator, "__rmod__": pointwise.rmod_operator,
    "__pow__": pointwise.pow_operator, "__rpow__": pointwise.rpow_operator,
    "__eq__": comparisons.eq_operator, "__ne__": comparisons.ne_operator,
    "__lt__": comparisons.lt_operator, "__le__": comparisons.le_operator,
    "__gt__": comparisons.gt_operator, "__ge__": comparisons.ge_operator,
    "__and__": comparisons.and_operator, "__or__": comparisons.or_operator, "__xor__": comparisons.xor_operator,
    "__lshift__": comparisons.left_shift_operator, "__rshift__": comparisons.right_shift_operator,
    "__rand__": comparisons.and_operator, "__ror__": comparisons.or_operator, "__rxor__": comparisons.xor_operator,
    "__matmul__": linear_algebra.matmul_operator,
    "__neg__": pointwise.neg, "__pos__": pointwise.positive, "__abs__": pointwise.abs, "__invert__":
    comparisons.bitwise_not,
    "__getitem__": indexing.getitem, "__setitem__": indexing.setitem,
}  # fmt: skip
for _name, _method in _OPERATORS.items():
    setattr(Tensor, _name, _method)

for _name, _primitive, _operator in (
    ("add_", pointwise.ADD, "__iadd__"),
    ("sub_", pointwise.SUB, "__isub__"),
    ("mul_", pointwise.MUL, "__imul__"),
    ("div_", pointwise.DIV, "__itruediv__"),
    ("remainder_", pointwise.MOD, "__imod__"),
    ("floor_divide_", pointwise.FLOOR_DIV, "__ifloordiv__"),
):
    _method = in_place.in_place_binary(_primitive, _name)
    setattr(Tensor, _name, _method)
    setattr(Tensor, _operator, in_place.in_place_operator(_method, _operator))
Tensor.__ipow__ = in_place.in_place_operator(in_place.pow_, "__ipow__")  # type: ignore[attr-defined]
for _name in pointwise.PRIMITIVES:
    if _name not in ("positive", "clone", "square", "isnan", "isinf", "isfinite"):
        setattr(Tensor, f"{_name}_", in_place.in_place_unary(_name))
for _name, _primitive in (
    ("eq", comparisons.EQ), ("ne", comparisons.NE), ("lt", comparisons.LT), ("le", comparisons.LE),
    ("gt", comparisons.GT), ("ge", comparisons.GE), ("fmod", special.FMOD), ("atan2", special.ATAN2),
):  # fmt: skip
    setattr(Tensor, f"{_name}_", in_place.in_place_binary(_primitive, f"{_name}_"))


# -- properties --
Tensor.T = property(shaping.reverse_dims)  # type: ignore[attr-defined]
Tensor.layout = property(lambda self: STRIDED)  # type: ignore[attr-defined]
Tensor.mT = property(lambda self: self.transpose(-2, -1))  # type: ignore[attr-defined]
Tensor.real, Tensor.imag = property(complex_parts.real), property(complex_parts.imag)  # type: ignore[attr-defined]
Tensor.H = property(lambda self: self.transpose(-2, -1))  # type: ignore[attr-defined]


# -- dtypes and devices --
def _to_dtype(name: str) -> Any:
    wanted = BY_NAME[ALIASES.get(name, name)]

    def convert(self: Tensor) -> Tensor:
        return pointwise.cast(self, wanted)

    convert.__name__ = convert.__qualname__ = name
    return convert


for _name in ("float", "double", "half", "long", "int", "short", "bool"):
    setattr(Tensor, _name, _to_dtype(_name))
Tensor.byte, Tensor.char = _to_dtype("uint8"), _to_dtype("int8")  # type: ignore[attr-defined]


def to(
    self: Tensor,
    *arguments: Any,
    dtype: Any = None,
    device: Any = None,
    copy: bool = False,
    non_blocking: bool = False,
    memory_format: Any = None,
) -> Any:
    """The tensor in another dtype or on another device."""
    from engine.dialects.torch.types import dtype as dtype_class

    for argument in arguments:
        if isinstance(argument, dtype_class):
            dtype = argument
        elif isinstance(argument, Tensor):
            dtype = argument.dtype
        elif not isinstance(argument, bool):
            device = argument
    check_device(device)
    if dtype is not None:
        self = pointwise.cast(self, dtype)
    elif copy:
        self = self.clone()
    return self if memory_format is None or is_in(self._array, memory_format) else _reordered(self, memory_format)


def _reordered(self: Tensor, memory_format: Any) -> Any:
    return shaping.in_format(pointwise.clone(self), memory_format)


def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    return self


def cuda(self: Tensor, device: Any = None, non_blocking: bool = False) -> Tensor:
    check_device("cuda")
    return self


def type_(self: Tensor, dtype: Any = None, non_blocking: bool = False) -> Any:
    """The name of the tensor's type, or the tensor in another one."""
    if dtype is None:
        return f"torch.{self.dtype.legacy}Tensor"
    if isinstance(dtype, str):
        wanted = next((d for d in BY_NAME.values() if dtype == f"torch.{d.legacy}Tensor"), None)
        if wanted is None:
            raise ValueError(f"invalid type: '{dtype}'")
        return pointwise.cast(self, wanted)
    if isinstance(dtype, typed_tensors.TypedTensor):
        dtype = next(d for d in BY_NAME.values() if d.array == dtype.array_dtype)
    return pointwise.cast(self, dtype)


def type_as(self: Tensor, other: Tensor) -> Any:
    return pointwise.cast(self, other.dtype)


Tensor.to, Tensor.cpu, Tensor.cuda, Tensor.type, Tensor.type_as = to, cpu, cuda, type_, type_as  # type: ignore[attr-defined]
Tensor.pin_memory = Tensor.share_memory_ = cpu  # type: ignore[attr-defined]


# -- new tensors of the same kind --
def _new(maker: Any) -> Any:
    def new(self: Tensor, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False) -> Any:
        return maker(*size, dtype=dtype or self.dtype, requires_grad=requires_grad)

    return new


Tensor.new_zeros, Tensor.new_ones, Tensor.new_empty = (_new(m) for m in (creation.zeros, creation.ones, creation.empty))  # type: ignore[attr-defined]
Tensor.new_full = lambda self, size, fill_value, dtype=None, device=None, requires_grad=False: creation.full(  # type: ignore[attr-defined]
    size, fill_value, dtype=dtype or self.dtype, requires_grad=requires_grad
)
Tensor.new_tensor = lambda self, data, dtype=None, device=None, requires_grad=False: from_data.tensor(  # type: ignore[attr-defined]
    data, dtype=dtype or self.dtype, requires_grad=requires_grad
)
Tensor.new = lambda self, *data: from_data.made(typed_tensors.legacy_array(data, self._array.dtype, "new"))  # type: ignore[attr-defined]


# -- random values in place --


for _name, _fill in random_fill.FILLS.items():
    setattr(Tensor, _name, _fill)
Tensor.multinomial, Tensor.bernoulli = sampling.multinomial, sampling.bernoulli  # type: ignore[attr-defined]


# -- the rest --
Tensor.rsub = special.rsub  # type: ignore[attr-defined]


Tensor.softmax, Tensor.log_softmax = functional.softmax, functional.log_softmax  # type: ignore[attr-defined]
Tensor.equal, Tensor.isclose, Tensor.allclose = equal, isclose, allclose  # type: ignore[attr-defined]
Tensor.where = lambda self, condition, other: selection.where(condition, self, other)  # type: ignore[attr-defined]
Tensor.nonzero = lambda self, as_tuple=False: nonzero(self, as_tuple)  # type: ignore[attr-defined]


Tensor.argwhere = argwhere  # type: ignore[attr-defined]
Tensor.resize_ = lambda self, *sizes: _resize(self, sizes)  # type: ignore[attr-defined]


def _resize(self: Tensor, sizes: Any) -> Tensor:
    self._array = np.resize(self._array, arguments.sizes_of(sizes, "resize_"))
    return self


def numpy_dtype(wanted: dtype) -> Any:
    return as_array_dtype(wanted)


_ = Number, Size
