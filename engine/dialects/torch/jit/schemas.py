"""The arguments of ``aten`` functions: their order, their defaults, and those that only go by name (after ``;``)."""

from __future__ import annotations

import ast
from functools import cache
from typing import Any

_SCHEMAS = {
    "add": "self other ; alpha=1", "sub": "self other ; alpha=1", "rsub": "self other alpha=1",
    "add_": "self other ; alpha=1", "sub_": "self other ; alpha=1", "div": "self other ; rounding_mode=None",
    "sum": "self dim=None keepdim=False ; dtype=None", "mean": "self dim=None keepdim=False ; dtype=None",
    "prod": "self dim=None keepdim=False ; dtype=None", "std": "self dim=None unbiased=True keepdim=False",
    "var": "self dim=None unbiased=True keepdim=False", "max": "self dim=None keepdim=False",
    "min": "self dim=None keepdim=False", "argmax": "self dim=None keepdim=False",
    "argmin": "self dim=None keepdim=False", "cat": "tensors dim=0", "stack": "tensors dim=0",
    "softmax": "self dim dtype=None", "log_softmax": "self dim dtype=None", "cumsum": "self dim ; dtype=None",
    "clamp": "self min=None max=None", "transpose": "self dim0 dim1", "unsqueeze": "self dim",
    "squeeze": "self dim=None", "chunk": "self chunks dim=0", "unsafe_chunk": "self chunks dim=0",
    "split": "self split_size dim=0",
    "select": "self dim index", "slice": "self dim=0 start=None end=None step=1", "view": "self size",
    "reshape": "self shape", "permute": "self dims", "flatten": "self start_dim=0 end_dim=-1",
    "expand": "self size ; implicit=False", "linear": "input weight bias=None", "dropout": "input p train",
    "gelu": "self ; approximate='none'", "leaky_relu": "self negative_slope=0.01", "elu": "self alpha=1",
    "mse_loss": "self target reduction=1", "l1_loss": "self target reduction=1",
    "cross_entropy_loss": "self target weight=None reduction=1 ignore_index=-100 label_smoothing=0.0",
    "nll_loss": "self target weight=None reduction=1 ignore_index=-100",
    "embedding": "weight indices padding_idx=-1 scale_grad_by_freq=False sparse=False",
    "layer_norm": "input normalized_shape weight=None bias=None eps=1e-05 cudnn_enable=True",
    "zeros": "size ; dtype=None layout=None device=None pin_memory=None",
    "ones": "size ; dtype=None layout=None device=None pin_memory=None",
    "rand": "size ; dtype=None layout=None device=None pin_memory=None",
    "randn": "size ; dtype=None layout=None device=None pin_memory=None",
    "full": "size fill_value ; dtype=None layout=None device=None pin_memory=None",
    "arange": "end ; dtype=None layout=None device=None pin_memory=None",
    "tensor": "data ; dtype=None device=None requires_grad=False",
    "zeros_like": "self ; dtype=None layout=None device=None pin_memory=None memory_format=None",
    "ones_like": "self ; dtype=None layout=None device=None pin_memory=None memory_format=None",
    "rand_like": "self ; dtype=None layout=None device=None pin_memory=None memory_format=None",
    "randn_like": "self ; dtype=None layout=None device=None pin_memory=None memory_format=None",
    "to": "self dtype non_blocking=False copy=False memory_format=None", "clone": "self ; memory_format=None",
    "copy_": "self src non_blocking=False", "masked_fill": "self mask value", "gather": "self dim index",
    "norm": "self p=2", "where": "condition self other", "matmul": "self other", "mm": "self mat2",
    "bmm": "self mat2", "addmm": "self mat1 mat2 ; beta=1 alpha=1", "einsum": "equation tensors",
    "unbind": "self dim=0", "size": "self dim", "len": "a", "append": "self el", "pop": "self idx=-1",
    "batch_norm": "input weight bias running_mean running_var training momentum eps cudnn_enabled",
    "sort": "self dim=-1 descending=False", "topk": "self k dim=-1 largest=True sorted=True",
    "any": "self dim=None keepdim=False", "all": "self dim=None keepdim=False", "logsumexp": "self dim keepdim=False",
    "repeat": "self repeats", "hardtanh": "self min_val=-1 max_val=1", "softplus": "self beta=1 threshold=20",
}  # fmt: skip
_MISSING = object()


@cache
def schema(name: str) -> tuple[list[tuple[str, Any]], list[tuple[str, Any]]] | None:
    """Arguments by place and by name only, with their defaults (:data:`REQUIRED`: none); ``None`` if not known.

    >>> schema("cat")
    ([('tensors', <required>), ('dim', 0)], [])
    """
    if name not in _SCHEMAS:
        return None
    first, _, rest = _SCHEMAS[name].partition(";")
    return [_parsed(word) for word in first.split()], [_parsed(word) for word in rest.split()]


class _Required:
    def __repr__(self) -> str:
        return "<required>"


REQUIRED = _Required()


def _parsed(word: str) -> tuple[str, Any]:
    name, equals, default = word.partition("=")
    return name, ast.literal_eval(default) if equals else REQUIRED


_OTHER_NAMES = {"input": "self", "axis": "dim", "mat": "self", "size": "shape", "shape": "size", "repeats": "repeats"}


def ordered(name: str, args: list[Any], kwargs: dict[str, Any]) -> list[Any]:
    """The arguments of a call in the order of the schema, with all defaults."""
    known = schema(name)
    if known is None:
        return [*args, *kwargs.values()]
    names = [n for n, _ in known[0]]
    order = [*known[0], *known[1]]
    given = dict(zip(names, args, strict=False))
    for key, value in kwargs.items():
        given[key if key in names or key in dict(known[1]) else _OTHER_NAMES.get(key, key)] = value
    return [given.get(key, None if default is REQUIRED else default) for key, default in order]
