"""``tf.autograph``."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from engine.bridges.function.autograph import converted, converted_source
from engine.dialects.tensorflow.function.polymorphic import Function
from engine.dialects.tensorflow.function.staging import set_loop_options


def to_code(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> str:
    """The source of a function as AutoGraph rewrites it.

    :raises ValueError: there is no source to rewrite.
    """
    function = entity.python_function if isinstance(entity, Function) else entity
    function = inspect.unwrap(getattr(function, "__func__", function))
    try:
        return converted_source(function)
    except (OSError, TypeError) as error:
        raise ValueError(f"Cannot convert {entity!r}: {error}") from None


def to_graph(entity: Any, recursive: bool = True, experimental_optional_features: Any = None) -> Callable[..., Any]:
    """The function that AutoGraph makes of another."""
    return converted(entity.python_function if isinstance(entity, Function) else entity)


def do_not_convert(func: Any = None) -> Any:
    """A function that AutoGraph leaves as it is. A decorator."""
    if func is None:
        return do_not_convert
    if inspect.isfunction(func):
        func.__autograph__ = True  # type: ignore[attr-defined]
    return func


NAMES = {
    "to_code": to_code, "to_graph": to_graph, "set_verbosity": lambda level, alsologtostdout=False: None,
    "trace": lambda *args: print(*args),
}  # fmt: skip
EXPERIMENTAL = {"do_not_convert": do_not_convert, "set_loop_options": set_loop_options}
