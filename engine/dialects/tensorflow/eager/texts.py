"""``tf.strings`` of 2.x, where it differs from that of 1.x, and ``tf.io.decode_raw``."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.ragged import RaggedTensor
from engine.dialects.tensorflow.eager.tensor import Valued, convert, run, wrap
from engine.ops.registry import op
from engine.tensor_type import TensorType

_TEXT = np.dtype(object)


def _row(parts: list[bytes]) -> Any:
    found = np.empty(len(parts), object)
    found[:] = parts
    return found


def _parts(text: bytes, sep: str | None, maxsplit: int) -> list[bytes]:
    return text.split(sep.encode() if sep else None, maxsplit)


def _pieces(text: Any, how: Callable[[Any], list[bytes]]) -> Any:
    return _row(how(np.asarray(text, object)[()]))


def _each(text: Any, how: Callable[[Any], Any], dtype: Any) -> Any:
    array = np.asarray(text, object)
    found = np.empty(array.shape, dtype)
    for place in np.ndindex(array.shape):
        found[place] = how(array[place])
    return found


op(
    "tf_text_pieces", "text", _pieces, lambda text, how: TensorType(_TEXT, (None,)), None, category="shape",
    symbol="text",
)  # fmt: skip
op(
    "tf_text_each", "text", _each, lambda text, how, dtype: TensorType(np.dtype(dtype), text.shape), None,
    category="shape", symbol="text",
)  # fmt: skip


def _split_by(label: str, value: Any, how: Callable[[bytes], list[bytes]]) -> Any:
    """The pieces of one text as a tensor, of several as a ragged tensor.

    :raises NotImplementedError: several texts while a function is traced.
    """
    texts = convert(value)
    rank = texts._array.ndim if isinstance(texts, Valued) else texts.shape.ndims
    if not rank:
        return run("tf_text_pieces", label, texts, how=how)
    if not isinstance(texts, Valued):
        raise NotImplementedError(
            "tf.strings.split of several texts: this teaching engine has ragged tensors only while executing eagerly"
        )
    return RaggedTensor.from_rows([_row(how(text)) for text in texts._array], _TEXT)


def split(input: Any, sep: str | None = None, maxsplit: int = -1, name: str | None = None) -> Any:
    """Texts cut at ``sep`` (at blanks)."""
    return _split_by("StringSplitV2", input, lambda text: _parts(text, sep, maxsplit))


def bytes_split(input: Any, name: str | None = None) -> Any:
    """Texts as single bytes."""
    return _split_by("StringBytesSplit", input, lambda text: [text[i : i + 1] for i in range(len(text))])


def unicode_split(input: Any, input_encoding: str = "UTF-8", **_: Any) -> Any:
    """Texts as single characters."""
    return _split_by("UnicodeSplit", input, lambda text: [c.encode() for c in text.decode("utf-8", "replace")])


def regex_replace(input: Any, pattern: str, rewrite: str, replace_global: bool = True, name: Any = None) -> Any:
    """What matches, replaced."""
    found, count = re.compile(pattern.encode()), 0 if replace_global else 1
    return _run_each("RegexReplace", input, lambda text: found.sub(rewrite.encode(), text, count=count))


def regex_full_match(input: Any, pattern: str, name: str | None = None) -> Any:
    """Whether whole texts match."""
    found = re.compile(pattern.encode())
    return _run_each("RegexFullMatch", input, lambda text: found.fullmatch(text) is not None, np.bool_)


def substr(input: Any, pos: Any, len: Any, unit: str = "BYTE", name: str | None = None) -> Any:
    """Parts of texts."""
    first, count = int(pos), int(len)

    def part(text: bytes) -> bytes:
        if unit == "UTF8_CHAR":
            return text.decode()[first : first + count].encode()
        return text[first : first + count if first >= 0 or first + count else None]

    return _run_each("Substr", input, part)


def _run_each(label: str, value: Any, how: Callable[[bytes], Any], dtype: Any = _TEXT) -> Any:
    return run("tf_text_each", label, convert(value), how=how, dtype=np.dtype(dtype))


def reduce_join(inputs: Any, axis: Any = None, keepdims: bool = False, separator: str = "", name: Any = None) -> Any:
    """All texts as one."""
    texts = convert(inputs)._array
    if axis is None or texts.ndim == 1:
        return wrap(np.array(separator.encode().join(texts.reshape(-1).tolist()), object), "ReduceJoin")
    moved = np.moveaxis(texts, axis, -1)
    joined = np.empty(moved.shape[:-1], object)
    for place in np.ndindex(joined.shape):
        joined[place] = separator.encode().join(moved[place].tolist())
    return wrap(joined, "ReduceJoin")


def format_(template: str, inputs: Any = (), placeholder: str = "{}", summarize: int = 3, name: Any = None) -> Any:
    """Values in the places of ``placeholder``, as ``tf.print`` shows them."""
    from engine.dialects.tensorflow.function.printing import _text

    given = list(inputs) if isinstance(inputs, list | tuple) else [inputs]
    pieces = template.split(placeholder)
    shown = [_text(convert(x), summarize) for x in given]
    text = "".join(piece + (shown[i] if i < len(shown) else "") for i, piece in enumerate(pieces))
    return wrap(np.array(text.encode(), object), "StringFormat")


def unicode_decode(input: Any, input_encoding: str = "UTF-8", **_: Any) -> Any:
    """Characters as numbers."""
    text = convert(input)._array
    if text.ndim:
        rows = [np.array([ord(c) for c in one.decode()], np.int32) for one in text]
        return RaggedTensor.from_rows(rows, np.dtype(np.int32))
    return wrap(np.array([ord(c) for c in text[()].decode()], np.int32), "UnicodeDecode")


def decode_raw(
    input_bytes: Any, out_type: Any, little_endian: bool = True, fixed_length: Any = None, name: Any = None
) -> Any:
    """Bytes as numbers."""
    kind = dtypes.as_dtype(out_type)._numpy.newbyteorder("<" if little_endian else ">")
    texts = convert(input_bytes)._array
    found = np.array([np.frombuffer(one, kind) for one in texts.reshape(-1)])
    return wrap(found.reshape(*texts.shape, -1).astype(kind.newbyteorder("=")), "DecodeRaw")


NAMES: dict[str, dict[str, Any]] = {
    "strings": {
        "split": split, "bytes_split": bytes_split, "unicode_split": unicode_split, "regex_replace": regex_replace,
        "regex_full_match": regex_full_match, "substr": substr, "reduce_join": reduce_join, "format": format_,
        "unicode_decode": unicode_decode,
    },
    "io": {"decode_raw": decode_raw},
}  # fmt: skip
