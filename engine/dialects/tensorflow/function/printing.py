"""``tf.print``: at once while executing eagerly; in a graph an op that prints whenever it runs."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from engine.bridges.function.key import flatten, rebuild
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.build import apply, convert, is_tensor
from engine.dialects.tensorflow.eager.tensor import Valued
from engine.dialects.tensorflow.function.func_graph import FuncGraph
from engine.ops.registry import op
from engine.tensor_type import TensorType


def print_(
    *inputs: Any, output_stream: Any = None, end: str = "\n", sep: str = " ", summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """Print values to ``sys.stderr`` (or where ``output_stream`` says)."""
    if not graphs._stack:
        count = 3 if summarize is None else int(summarize)
        _put(sep.join(_text(x, count) for x in inputs) + end, output_stream)
        return None
    return staged(*inputs, output_stream=output_stream, end=end, sep=sep, summarize=summarize, name=name)


def staged(
    *inputs: Any, output_stream: Any = None, end: str = "\n", sep: str = " ", summarize: int | None = None,
    name: str | None = None,
) -> Any:  # fmt: skip
    """An op that prints whenever it runs."""
    count = 3 if summarize is None else int(summarize)
    found: list[tuple[str, Any]] = []
    structures = [flatten(x, "", found) for x in inputs]
    tensors = [(f"input_{i}", convert(x)) for i, (_, x) in enumerate(found) if is_tensor(x)]
    plain = [None if is_tensor(x) else x for _, x in found]
    attributes = {
        "form": _Form(structures, plain, [is_tensor(x) for _, x in found], sep, end, count),
        "stream": _Stream(output_stream),
    }
    first = tensors or [("input", convert(""))]
    graph = graphs.get_default_graph()
    if isinstance(graph, FuncGraph):
        with graph.acting():
            return apply("tf_print_v2", "PrintV2", name, first, attributes, same_type=False).op
    return apply("tf_print_v2", "PrintV2", name, first, attributes, same_type=False).op


class _Form:
    """How values and texts go together to one line."""

    def __init__(self, structures: Any, plain: Any, which: list[bool], sep: str, end: str, count: int) -> None:
        self.structures, self.plain, self.which = structures, plain, which
        self.sep, self.end, self.count = sep, end, count

    def line(self, arrays: Any) -> str:
        """The line for these values."""
        values = iter(arrays)
        leaves = iter([_Array(next(values)) if is_one else x for x, is_one in zip(self.plain, self.which, strict=True)])
        whole = [rebuild(structure, leaves) for structure in self.structures]
        return self.sep.join(_text(x, self.count) for x in whole) + self.end


class _Array:
    def __init__(self, array: Any) -> None:
        self._array = np.asarray(array)


class _Stream:
    """Where to print, found when it happens: a program may have changed ``sys.stdout``."""

    def __init__(self, given: Any) -> None:
        self._given = given

    def put(self, text: str) -> None:
        """Write there."""
        _put(text, self._given)


def _put(text: str, stream: Any) -> None:
    if isinstance(stream, str) and stream.startswith("file://"):
        with open(stream.removeprefix("file://"), "a", encoding="utf-8") as file:
            file.write(text)
        return
    target = sys.stderr if stream is None else stream
    target.write(text)
    if hasattr(target, "flush"):
        target.flush()


def _printed(*arrays: Any, form: _Form, stream: _Stream) -> Any:
    stream.put(form.line(arrays if any(form.which) else ()))
    return np.zeros((), np.bool_)


op(
    "tf_print_v2", "*operands", _printed, lambda *operands, form, stream: TensorType(np.dtype(np.bool_), ()), None,
    stateful=True, category="control", symbol="print",
)  # fmt: skip


def _text(value: Any, count: int) -> str:
    """A value as ``tf.print`` shows it: at most ``count`` elements at each end of a dimension."""
    if isinstance(value, Valued | _Array):
        return _scalar(value._array[()]) if value._array.ndim == 0 else _rows(value._array, count, 0)
    if isinstance(value, dict):
        keys = list(value)
        return "{" + ", ".join(f"{_inner(k, count)}: {_inner(value[k], count)}" for k in keys) + "}"
    if isinstance(value, tuple):
        inner = ", ".join(_inner(x, count) for x in value)
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, list):
        return "[" + ", ".join(_inner(x, count) for x in value) + "]"
    return str(value)


def _inner(value: Any, count: int) -> str:
    return repr(value) if isinstance(value, str) else _text(value, count)


def _rows(array: Any, count: int, depth: int) -> str:
    size = len(array)
    places: list[int | None] = list(range(size))
    if count >= 0 and size > 2 * count:
        places = [*range(count), None, *range(size - count, size)]
    if array.ndim == 1:
        return "[" + " ".join("..." if p is None else _scalar(array[p]) for p in places) + "]"
    between: str = "\n" * (array.ndim - 1) + " " * (depth + 1)
    return "[" + between.join("..." if p is None else _rows(array[p], count, depth + 1) for p in places) + "]"


def _scalar(value: Any) -> str:
    if isinstance(value, bytes | str):
        text = value.decode("utf-8", "replace") if isinstance(value, bytes) else value
        return f'"{text}"'
    if isinstance(value, np.bool_ | bool):
        return str(int(value))
    if isinstance(value, np.floating | float):
        return _number(value)
    return str(value)


def _number(value: Any) -> str:
    """A float with as few digits as read back, tried as the real kernel tries them."""
    number = float(value)
    if np.isnan(number):
        return "nan"
    if np.isinf(number):
        return "inf" if number > 0 else "-inf"
    short, long, kind = (
        ("%.15g", "%.17g", np.float64) if isinstance(value, np.float64) else ("%.6g", "%.9g", np.float32)
    )
    text = short % number
    return text if kind(text) == kind(number) else long % number
