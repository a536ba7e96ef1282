"""What every bus promises."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, Protocol


class BusError(Exception):
    """The bus cannot be reached now. What was to be told is not lost if it stands in the store: readers look there."""


class Message(NamedTuple):
    """``number`` grows within a channel, with gaps on some buses; ``text`` is what was published."""

    number: int
    text: str


class Bus(Protocol):
    """Channels come into being when they are used, and keep their newest messages for those who come back."""

    def publish(self, channel: str, text: str) -> int:
        """Tell everybody on ``channel``; returns the message's number. Raises :class:`BusError`."""
        ...

    def last(self, channel: str) -> int:
        """The number of the newest message; 0 if there is none. To read a state and then follow it: this first."""
        ...

    def subscribe(self, channel: str, after: int, *, timeout: float) -> Iterator[list[Message]]:
        """What was said after number ``after``, for ever: all that is there at once, else waiting for more.

        After ``timeout`` seconds without a message an empty list comes, so that the caller can show that it lives.
        Messages older than the channel keeps are left out. Ends when the bus is closed.
        """
        ...

    def check(self) -> None:
        """Raises :class:`BusError` when it cannot be reached now."""
        ...

    def close(self) -> None:
        """Let every subscriber go."""
        ...
