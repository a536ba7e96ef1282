"""``tf.debugging``: checks that fail at once while executing eagerly, and as ops in a function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from engine.dialects.tensorflow import checking_ops, dtypes
from engine.dialects.tensorflow import graph as graphs
from engine.dialects.tensorflow.build import convert as in_graph
from engine.dialects.tensorflow.eager import checks
from engine.dialects.tensorflow.eager.tensor import convert
from engine.dialects.tensorflow.errors import InvalidArgumentError
from engine.dialects.tensorflow.function.func_graph import FuncGraph

_COMPARED: dict[str, tuple[str, Any]] = {
    "assert_equal": ("==", np.equal), "assert_none_equal": ("!=", np.not_equal), "assert_less": ("<", np.less),
    "assert_less_equal": ("<=", np.less_equal), "assert_greater": (">", np.greater),
    "assert_greater_equal": (">=", np.greater_equal),
}  # fmt: skip
_SIGNED: dict[str, tuple[str, Any]] = {
    "assert_positive": ("x > 0", np.greater), "assert_negative": ("x < 0", np.less),
    "assert_non_negative": ("x >= 0", np.greater_equal), "assert_non_positive": ("x <= 0", np.less_equal),
}  # fmt: skip


def _failed(text: str) -> InvalidArgumentError:
    return InvalidArgumentError(None, None, text)


def _acting(build: Callable[[], Any]) -> Any:
    graph = graphs.get_default_graph()
    if isinstance(graph, FuncGraph):
        with graph.acting():
            return build()
    return build()


def _comparison(name: str) -> Callable[..., Any]:
    symbol, function = _COMPARED[name]

    def check(x: Any, y: Any, message: Any = None, summarize: Any = None, name: str | None = None) -> Any:
        if graphs._stack:
            return _acting(
                lambda: getattr(checking_ops, check.__name__)(x, y, summarize=summarize, message=message, name=name)
            )
        a, b = convert(x)._array, convert(y)._array
        holds = np.asarray(function(a, b))
        if holds.all():
            return None
        count = 3 if summarize is None else int(summarize)
        lines = [str(message)] if message else []
        lines.append(f"Condition x {symbol} y did not hold.")
        if a.ndim and a.shape == b.shape:
            places = np.argwhere(~holds)
            rows = tuple(places[:count].T)
            lines += [f"Indices of first {min(count, len(places))} different values:", str(places[:count])]
            lines += ["Corresponding x values:", str(a[rows]), "Corresponding y values:", str(b[rows])]
        for word, array in (("x", a), ("y", b)):
            first = array.reshape(-1)[:count]
            lines += [f"First {len(first)} elements of {word}:", str(first)]
        raise _failed("\n".join(lines))

    check.__name__ = name
    return check


def _sign(name: str) -> Callable[..., Any]:
    words, function = _SIGNED[name]

    def check(x: Any, message: Any = None, summarize: Any = None, name: str | None = None) -> Any:
        if graphs._stack:
            other = name_of(check.__name__)
            zero = np.zeros((), in_graph(x).dtype.base_dtype._numpy)
            return _acting(lambda: getattr(checking_ops, other)(x, zero, message=message, name=name))
        tensor = convert(x)
        if np.all(function(tensor._array, 0)):
            return None
        shown = str(tensor._array[()]) if not tensor._array.ndim else [str(v) for v in tensor._array.reshape(-1)[:3]]
        kind = f"x (shape={tensor.shape} dtype={tensor.dtype.name}) = "
        raise _failed(f"{message or ''}\nCondition {words} did not hold element-wise:\n{kind}\n{shown}")

    check.__name__ = name
    return check


def name_of(sign: str) -> str:
    """The comparison with zero that a check of signs is."""
    return {
        "assert_positive": "assert_greater", "assert_negative": "assert_less",
        "assert_non_negative": "assert_greater_equal", "assert_non_positive": "assert_less_equal",
    }[sign]  # fmt: skip


def assert_(condition: Any, data: Any, summarize: Any = None, name: str | None = None) -> Any:
    """``tf.Assert``."""
    if graphs._stack:
        return _acting(lambda: checking_ops.Assert(condition, data, summarize, name))
    if bool(np.all(convert(condition)._array)):
        return None
    shown = [convert(x)._array for x in data]
    texts = [str(x[()]) if not x.ndim else str(x) for x in shown]
    raise _failed(f"Expected '{condition}' to be true. Summarized data: " + "\n".join(texts))


def assert_near(
    x: Any, y: Any, rtol: Any = None, atol: Any = None, message: Any = None, summarize: Any = None, name: Any = None
) -> Any:
    """Fails unless ``x`` and ``y`` are close."""
    a, b = convert(x)._array, convert(y)._array
    wide = 10 * np.finfo(a.dtype).eps
    near, far = (wide if t is None else t for t in (rtol, atol))
    if np.all(np.abs(a - b) <= far + near * np.abs(b)):
        return None
    raise _failed(
        f"{message or ''}\nx and y not equal to tolerance rtol = {near}, atol = {far}\nx = {a}\ny = {b}".lstrip("\n")
    )


def assert_rank(x: Any, rank: Any, message: Any = None, name: str | None = None) -> None:
    """Fails unless ``x`` has this rank."""
    shape = _shape(x)
    if shape.ndims is not None and shape.ndims != int(rank):
        raise ValueError(
            f"{_said(message)}Tensor {_name(x)} must have rank {int(rank)}.  Received rank {shape.ndims}, shape {shape}"
        )


def assert_rank_at_least(x: Any, rank: Any, message: Any = None, name: str | None = None) -> None:
    """Fails unless ``x`` has this rank or more."""
    shape = _shape(x)
    if shape.ndims is not None and shape.ndims < int(rank):
        raise ValueError(
            f"{_said(message)}Tensor {_name(x)} must have rank at least {int(rank)}.  Received rank {shape.ndims}, "
            f"shape {shape}"
        )


def _said(message: Any) -> str:
    return f"{message}. " if message else ""


def _shape(x: Any) -> Any:
    from engine.dialects.tensorflow.shapes import TensorShape

    return TensorShape((in_graph if graphs._stack else convert)(x).shape)


def _name(x: Any) -> str:
    return getattr(x, "name", "") if graphs._stack else ""


def assert_scalar(tensor: Any, name: str | None = None, message: Any = None) -> Any:
    """Fails unless it has no dimensions."""
    shape = _shape(tensor)
    if shape.ndims not in (None, 0):
        raise ValueError(f"{message or ''}Expected scalar shape, saw shape: {shape}.")
    return tensor


def assert_type(tensor: Any, tf_type: Any, message: Any = None, name: str | None = None) -> None:
    """Fails unless it has this dtype."""
    found = (in_graph if graphs._stack else convert)(tensor).dtype.base_dtype
    wanted = dtypes.as_dtype(tf_type)
    if found != wanted:
        raise TypeError(f"{_said(message)}tensor must be of type tf.{wanted.name}; got tf.{found.name}")


def assert_integer(x: Any, message: Any = None, name: str | None = None) -> None:
    """Fails unless it holds integers."""
    found = (in_graph if graphs._stack else convert)(x).dtype.base_dtype
    if not found.is_integer:
        raise TypeError(f'{_said(message)}Expected "x" to be integer type.  Found: tensor of dtype {found}')


def assert_shapes(shapes: Any, data: Any = None, summarize: Any = None, message: Any = None, name: Any = None) -> None:
    """Fails unless sizes of the same name are the same everywhere."""
    sizes: dict[Any, int] = {}
    for tensor, wanted in shapes.items() if isinstance(shapes, dict) else shapes:
        shape = _shape(tensor)
        symbols = list(wanted) if isinstance(wanted, list | tuple) else [wanted]
        known = shape.as_list()
        what = f"Tensor shape={shape} dtype={convert(tensor).dtype.name}" if not graphs._stack else f"Tensor {tensor}"
        if len(known) != len(symbols):
            raise ValueError(
                f"{_said(message)}{what} must have rank {len(symbols)}.  Received rank {len(known)}, shape {shape}"
            )
        for place, (symbol, size) in enumerate(zip(symbols, known, strict=True)):
            if symbol is None or size is None:
                continue
            first = symbol if isinstance(symbol, int) else sizes.setdefault(symbol, size)
            if size != first:
                why = "Specified explicitly" if isinstance(symbol, int) else f"Specified by tensor dimension {symbol}"
                raise ValueError(
                    f"{_said(message)}{why}.  {what} dimension {place} must have size {first}.  Received size "
                    f"{size}, shape {shape}"
                )


def check_numerics(tensor: Any, message: str, name: str | None = None) -> Any:
    """The tensor itself, if it holds neither NaN nor infinity."""
    if graphs._stack:
        return _acting(lambda: checking_ops.check_numerics(tensor, message, name))
    return checks.check_numerics(tensor, message, name)


NAMES: dict[str, Any] = {
    **{name: _comparison(name) for name in _COMPARED}, **{name: _sign(name) for name in _SIGNED},
    "Assert": assert_, "assert_near": assert_near, "assert_rank": assert_rank,
    "assert_rank_at_least": assert_rank_at_least, "assert_scalar": assert_scalar, "assert_type": assert_type,
    "assert_integer": assert_integer, "assert_shapes": assert_shapes, "check_numerics": check_numerics,
    "assert_all_finite": lambda x, message, name=None: check_numerics(x, message),
    "enable_check_numerics": lambda *_, **__: None, "disable_check_numerics": lambda: None,
    "enable_traceback_filtering": lambda: None, "disable_traceback_filtering": lambda: None,
}  # fmt: skip
