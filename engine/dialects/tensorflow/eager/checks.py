"""``tf.debugging``, ``tf.strings.to_number``, ``tf.print`` and ``tf.device``."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from engine.dialects.tensorflow import dtypes
from engine.dialects.tensorflow.eager.messages import failed
from engine.dialects.tensorflow.eager.tensor import Valued, convert, wrap
from engine.dialects.tensorflow.errors import InvalidArgumentError


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """The tensor itself, if it holds neither NaN nor infinity."""
    found = convert(tensor)
    words = [w for w, bad in (("Inf", np.isinf(found._array).any()), ("NaN", np.isnan(found._array).any())) if bad]
    if words:
        raise failed("CheckNumerics", f"{message} : Tensor had {' and '.join(words)} values")
    return found


def assert_equal(x: Any, y: Any, message: str | None = None, summarize: Any = None, name: str | None = None) -> None:
    """Nothing, if all elements are equal."""
    a, b = convert(x), convert(y)
    if not np.all(np.equal(a._array, b._array)):
        first = f"{message}\n" if message else ""
        raise InvalidArgumentError(
            None, None,
            f"{first}Condition x == y did not hold.\nFirst 1 elements of x:\n{a._array.reshape(-1)[:1]}\n"
            f"First 1 elements of y:\n{b._array.reshape(-1)[:1]}",
        )  # fmt: skip


def to_number(input: Any, out_type: Any = "float32", name: str | None = None) -> Any:
    """Numbers from texts."""
    kind = dtypes.as_dtype(out_type)
    texts = np.asarray(convert(input)._array, object)
    result = np.empty(texts.shape, kind._numpy)
    for place in np.ndindex(texts.shape):
        text = bytes(texts[place]).decode("utf-8", "replace")
        try:
            result[place] = (float if kind.is_floating else int)(text)
        except ValueError:
            told = f"StringToNumberOp could not correctly convert string: {text}"
            raise failed("StringToNumber", told) from None
    return wrap(result, "StringToNumber")


def print_(*inputs: Any, output_stream: Any = None, end: str = "\n", sep: str = " ", **_: Any) -> None:
    """Print values to ``sys.stderr`` (or ``sys.stdout``, if asked)."""
    print(*(_shown(x) for x in inputs), sep=sep, end=end, file=sys.stderr if output_stream is None else output_stream)


def _shown(value: Any) -> str:
    if not isinstance(value, Valued):
        return str(value)
    array = value._array
    if array.dtype.kind == "O":
        return str([bytes(x).decode() for x in array]) if array.ndim else bytes(array[()]).decode()
    text = np.array2string(array, threshold=6 if array.ndim == 1 else 36, formatter={"float_kind": lambda x: f"{x:g}"})
    return text.replace("  ", " ") if array.ndim else f"{array[()]:g}" if array.dtype.kind == "f" else str(array[()])


@contextmanager
def device(name: Any) -> Iterator[None]:
    """There is one device, the CPU.

    :raises InvalidArgumentError: another one is asked for.
    """
    if isinstance(name, str) and "GPU" in name.upper():
        raise InvalidArgumentError(
            None, None,
            f"Could not satisfy device specification '{name}': this teaching engine computes on the CPU only",
        )  # fmt: skip
    yield
