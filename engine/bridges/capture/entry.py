"""One step of a captured program."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from engine.tensor_type import TensorType

KINDS = ("placeholder", "get_attr", "call", "output")


class Entry:
    """``kind`` is one of

    * ``placeholder``: an argument of the program, called ``target``;
    * ``get_attr``: a tensor from outside that the program uses, kept under ``target``;
    * ``call``: the op ``target`` of the table on ``arguments`` (entries and Python values) with ``attributes``;
    * ``output``: what the program returns, the only item of ``arguments``.

    ``type`` is the result's type as far as it was known when it was captured.
    """

    __slots__ = ("arguments", "attributes", "kind", "name", "target", "type")

    def __init__(
        self,
        kind: str,
        name: str,
        target: str,
        arguments: tuple[Any, ...] = (),
        attributes: Mapping[str, Any] | None = None,
        type: TensorType | None = None,
    ) -> None:
        self.kind = kind
        self.name = name
        self.target = target
        self.arguments = arguments
        self.attributes = dict(attributes or {})
        self.type = type

    @property
    def reads(self) -> list[Entry]:
        """The entries among the arguments, each once, in order."""
        return list(dict.fromkeys(entries(self.arguments)))

    def __repr__(self) -> str:
        return f"<{self.kind} {self.name}>"


def entries(value: Any) -> Iterator[Entry]:
    """The entries in nested lists, tuples and dictionaries."""
    if isinstance(value, Entry):
        yield value
    elif isinstance(value, list | tuple):
        for item in value:
            yield from entries(item)
    elif isinstance(value, dict):
        for item in value.values():
            yield from entries(item)


def mapped(value: Any, change: Callable[[Entry], Any]) -> Any:
    """The same nesting with ``change`` applied to each entry."""
    if isinstance(value, Entry):
        return change(value)
    if isinstance(value, tuple):
        items = [mapped(item, change) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    if isinstance(value, list):
        return [mapped(item, change) for item in value]
    if isinstance(value, dict):
        return {key: mapped(item, change) for key, item in value.items()}
    return value
