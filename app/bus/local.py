"""The bus of one process: a list of the newest messages for each channel, and a condition."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict, deque
from collections.abc import Iterator

from app.bus.bus import Message

KEPT = 1000
"""Messages that a channel keeps."""
CHANNELS = 2000
"""Channels that are remembered; of those that nobody listens to, the one used longest ago is forgotten first."""


class _Channel:
    def __init__(self) -> None:
        self.changed = threading.Condition()
        self.messages: deque[Message] = deque(maxlen=KEPT)
        self.last = 0
        self.listeners = 0

    def add(self, message: Message) -> None:
        with self.changed:
            self.messages.append(message)
            self.last = message.number
            self.changed.notify_all()

    def after(self, number: int) -> list[Message]:
        """Newest first is the usual case: most readers are one message behind."""
        found: list[Message] = []
        for message in reversed(self.messages):
            if message.number <= number:
                break
            found.append(message)
        found.reverse()
        return found


class LocalBus:
    """Within one process.

    >>> bus = LocalBus()
    >>> bus.publish("a", "one"), bus.publish("a", "two"), bus.last("a"), bus.last("b")
    (1, 2, 2, 0)
    >>> next(bus.subscribe("a", 1, timeout=1))
    [Message(number=2, text='two')]
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._channels: OrderedDict[str, _Channel] = OrderedDict()
        self._closed = False

    def publish(self, channel: str, text: str) -> int:
        found = self._channel(channel)
        with found.changed:
            number = found.last + 1
            found.add(Message(number, text))
        return number

    def deliver(self, channel: str, message: Message) -> None:
        """Put in a message that has its number already: it came from elsewhere."""
        self._channel(channel).add(message)

    def last(self, channel: str) -> int:
        return self._channel(channel).last

    def subscribe(self, channel: str, after: int, *, timeout: float) -> Iterator[list[Message]]:
        found = self._channel(channel, listen=True)
        try:
            while not self._closed:
                with found.changed:
                    end = time.monotonic() + timeout
                    while not self._closed and found.last <= after and (left := end - time.monotonic()) > 0:
                        found.changed.wait(left)
                    news = found.after(after)
                if self._closed:
                    return
                if news:
                    after = news[-1].number
                yield news
        finally:
            with self._lock:
                found.listeners -= 1

    def check(self) -> None: ...

    def close(self) -> None:
        self._closed = True
        with self._lock:
            channels = list(self._channels.values())
        for channel in channels:
            with channel.changed:
                channel.changed.notify_all()

    def _channel(self, name: str, *, listen: bool = False) -> _Channel:
        with self._lock:
            found = self._channels.get(name)
            if found is None:
                if len(self._channels) >= CHANNELS:
                    idle = next((key for key, channel in self._channels.items() if not channel.listeners), None)
                    if idle is not None:
                        del self._channels[idle]
                found = self._channels[name] = _Channel()
            self._channels.move_to_end(name)
            found.listeners += listen
            return found
