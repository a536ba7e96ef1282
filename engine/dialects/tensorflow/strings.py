"""Ops on texts."""

from __future__ import annotations

import base64
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.build import apply, convert
from engine.dialects.tensorflow.handles import Tensor
from engine.errors import ShapeError
from engine.ops.registry import op
from engine.tensor_type import TensorType

_TEXT = np.dtype(object)


def _each(function: Callable[..., Any], *arrays: Any, dtype: Any = _TEXT) -> Any:
    """``function`` of every element (of broadcast arrays)."""
    grids = np.broadcast_arrays(*(np.asarray(array, object) for array in arrays))
    found = np.empty(grids[0].shape, dtype)
    for place in np.ndindex(grids[0].shape):
        found[place] = function(*(grid[place] for grid in grids))
    return found


def _wide(types: Any) -> Any:
    shapes = [t.shape for t in types]
    return None if any(s is None for s in shapes) else max(shapes, key=len, default=())


def _texts(name: str, function: Callable[..., Any], attributes: str = "", dtype: Any = _TEXT) -> None:
    """Declare an op that works text by text."""

    def kernel(*arrays: Any, **given: Any) -> Any:
        return _each(lambda *items: function(*items, **given), *arrays, dtype=dtype)

    rule: Any = lambda *operands, how=None: TensorType(np.dtype(dtype), _wide(operands))
    op(name, "*operands", (lambda *arrays, how=None: kernel(*arrays, **({} if how is None else {attributes: how}))),
       rule, None, category="shape", symbol="text")  # fmt: skip


def _number(text: bytes) -> float:
    try:
        return float(text)
    except ValueError:
        raise ShapeError(
            f"StringToNumberOp could not correctly convert string: {text.decode(errors='replace')}", op="tf_to_number"
        ) from None


def _as_text(value: Any, precision: int = -1) -> bytes:
    if isinstance(value, bool | np.bool_):
        return b"true" if value else b"false"
    if isinstance(value, float | np.floating):
        return f"{value:.{6 if precision < 0 else precision}f}".encode()
    return str(value).encode()


_texts("tf_join", lambda *parts, separator: separator.join(parts), "separator")
_texts("tf_as_string", _as_text, "precision")
_texts("tf_encode_base64", lambda text: base64.urlsafe_b64encode(text).rstrip(b"="))
_texts("tf_decode_base64", lambda text: base64.urlsafe_b64decode(text + b"=" * (-len(text) % 4)))
_texts("tf_to_number", _number, dtype=np.float64)
_texts("tf_length", lambda text: len(text), dtype=np.int32)
_texts("tf_lower", lambda text: text.lower())
_texts("tf_upper", lambda text: text.upper())
_texts("tf_strip", lambda text: text.strip())
_texts("tf_same_text", lambda text, other: text == other, dtype=np.bool_)
_texts("tf_other_text", lambda text, other: text != other, dtype=np.bool_)


def _one(name: str, tf_type: str, first: str = "input") -> Callable[..., Tensor]:
    def function(given: Any = None, name_: str | None = None, **options: Any) -> Tensor:
        value = options.pop(first, given)
        return apply(name, tf_type, options.get("name", name_), [(first, value)], {"how": None})

    return function


encode_base64 = _one("tf_encode_base64", "EncodeBase64")
decode_base64 = _one("tf_decode_base64", "DecodeBase64")
length = _one("tf_length", "StringLength")
lower = _one("tf_lower", "StringLower")
upper = _one("tf_upper", "StringUpper")
strip = _one("tf_strip", "StringStrip")


def string_join(inputs: Any, separator: str = "", name: str | None = None) -> Tensor:
    """Texts one after the other."""
    operands = [(f"inputs_{place}", convert(given)) for place, given in enumerate(inputs)]
    return apply("tf_join", "StringJoin", name, operands, {"how": separator.encode()})


def as_string(
    input: Any, precision: int = -1, scientific: bool = False, name: str | None = None, **_more: Any
) -> Tensor:
    """Numbers as texts."""
    return apply("tf_as_string", "AsString", name, [("input", input)], {"how": int(precision)})


def string_to_number(
    string_tensor: Any = None, out_type: Any = "float32", name: str | None = None, input: Any = None
) -> Tensor:
    """Texts as numbers."""
    from engine.dialects.tensorflow.casting import cast

    given = input if string_tensor is None else string_tensor
    wide = apply("tf_to_number", "StringToNumber", name, [("string_tensor", given)], {"how": None})
    return cast(wide, dtypes.as_dtype(out_type))


TOP = {
    "encode_base64": encode_base64, "decode_base64": decode_base64, "string_join": string_join,
    "as_string": as_string, "string_to_number": string_to_number,
}  # fmt: skip
MODULE = {
    "join": string_join, "as_string": as_string, "to_number": string_to_number, "length": length, "lower": lower,
    "upper": upper, "strip": strip,
}  # fmt: skip
