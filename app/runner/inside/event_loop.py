"""asyncio without what a program may not ask the kernel for: loops wait by ``poll``, and have no pipe to themselves.

The pipe is there to wake a loop up from another thread or from a signal's handler. A run has no other thread, so
leaving it out costs nothing but ``add_signal_handler``, which then fails as it does on Windows.
"""

from __future__ import annotations

import asyncio
import selectors
from asyncio import selector_events
from typing import Any


def _nothing(loop: Any) -> None:
    """There is no pipe to make, to write to, to close."""


def install() -> None:
    """Let ``asyncio.run`` work under the filter. Nothing changes where there is no ``poll`` (on Windows)."""
    poll = getattr(selectors, "PollSelector", None)
    if poll is None:
        return
    selectors.DefaultSelector = poll  # type: ignore[misc]
    for name in ("_make_self_pipe", "_write_to_self", "_close_self_pipe"):
        assert hasattr(selector_events.BaseSelectorEventLoop, name)
        setattr(selector_events.BaseSelectorEventLoop, name, _nothing)
    refusal = asyncio.AbstractEventLoop.add_signal_handler
    asyncio.SelectorEventLoop.add_signal_handler = refusal  # type: ignore[method-assign]
