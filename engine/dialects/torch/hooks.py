"""Handles of hooks."""

from __future__ import annotations

from typing import Any


class RemovableHandle:
    """What registering a hook gives; ``remove()`` takes the hook away."""

    __module__ = "torch.utils.hooks"

    def __init__(self, hooks: dict[int, Any], hook: Any) -> None:
        self.id = max(hooks, default=-1) + 1
        self._hooks = hooks
        hooks[self.id] = hook

    def remove(self) -> None:
        """Take the hook away; a second time does nothing."""
        self._hooks.pop(self.id, None)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *_: object) -> None:
        self.remove()
