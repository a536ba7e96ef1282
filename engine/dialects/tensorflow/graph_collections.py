"""Collections: the lists by name that a graph of 1.x carries, as of its variables and losses."""

from __future__ import annotations

import re
from typing import Any


class Collections:
    """What ``tf.Graph`` knows of its collections."""

    def __init__(self) -> None:
        self._collections: dict[str, list[Any]] = {}

    def check_open(self) -> None:
        """:raises RuntimeError: the graph is finalized."""
        raise NotImplementedError

    def add_to_collection(self, name: str, value: Any) -> None:
        self.check_open()
        self._collections.setdefault(name, []).append(value)

    def add_to_collections(self, names: Any, value: Any) -> None:
        for name in (names,) if isinstance(names, str) else tuple(dict.fromkeys(names or ())):
            self.add_to_collection(name, value)

    def get_collection(self, name: str, scope: str | None = None) -> list[Any]:
        items = self._collections.get(name, [])
        if scope is None:
            return list(items)
        return [item for item in items if hasattr(item, "name") and re.match(scope, item.name)]

    def get_collection_ref(self, name: str) -> list[Any]:
        return self._collections.setdefault(name, [])

    def get_all_collection_keys(self) -> list[str]:
        return [key for key, items in self._collections.items() if items]

    def clear_collection(self, name: str) -> None:
        self._collections.pop(name, None)
