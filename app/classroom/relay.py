"""A class that is kept by another instance, the relay, and followed from here (docs/classroom.md).

To the relay this instance is what one more web process is to a class in the store: it reads the same log and writes to
it, with the teacher's key. Every connection begins here, so that a network which lets nobody reach this machine does
not matter; and the relay needs to know nothing of this instance.
"""

from __future__ import annotations

import hmac
import http.client
import json
import logging
import random
import threading
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

from app.classroom.errors import ClassroomError
from app.classroom.events import TEACHER, Event
from app.store import UnavailableError

log = logging.getLogger(__name__)

PATIENCE = 10.0
"""Seconds that an answer may take."""
SILENCE = 15.0
"""Seconds without a sign of life until the line is taken for lost; the relay gives one every 5 s."""
_PAUSE, _MOST_PAUSE = 0.25, 8.0
"""Seconds between two tries, the first and the longest."""

Tell = Callable[[str, Any], None]
"""Is told what has come: ``log`` and an :class:`Event`, or what passes by its own name and its data."""


class Relay:
    """The instance at ``address`` (``https://class.example.org``). Thread-safe."""

    def __init__(self, address: str) -> None:
        self.address = address

    def open(self, program: Mapping[str, Any]) -> tuple[str, str]:
        """A new class there: its code and its key. Raises :class:`ClassroomError`,
        :class:`app.store.UnavailableError`."""
        opened = self.ask("/api/classes", program)
        return opened["code"], opened["key"]

    def log(self, code: str, key: str) -> RelayedLog | None:
        """The log of a class there; None if this is not the key of a class there. Raises
        :class:`app.store.UnavailableError`."""
        try:
            self.ask(f"/api/classes/{code}/log?keep=0", key=key)
        except ClassroomError:
            return None
        return RelayedLog(self, code, key)

    def ask(self, path: str, body: Any = None, *, key: str = "") -> Any:
        """What the relay answers. Raises :class:`ClassroomError` if it refuses, :class:`app.store.UnavailableError` if
        it cannot be reached."""
        try:
            with urllib.request.urlopen(self.request(path, body, key), timeout=PATIENCE) as answer:
                return json.load(answer) if answer.status != 204 else None
        except urllib.error.HTTPError as error:
            with error:
                raise _refusal(error) from None
        except (OSError, http.client.HTTPException, ValueError):
            raise UnavailableError(f"The relay {self.address} cannot be reached") from None

    def request(self, path: str, body: Any = None, key: str = "") -> urllib.request.Request:
        headers = {"Content-Type": "application/json", **({"X-Class-Key": key} if key else {})}
        data = None if body is None else json.dumps(body).encode()
        return urllib.request.Request(f"{self.address}{path}", data, headers)


class RelayedLog:
    """The log of a class at the relay, as :class:`app.classroom.log.Log` is that of one in the store.

    A thread follows it from :meth:`follow` to :meth:`close`. What has come is kept here, so that this class goes on
    being shown while the line is down.
    """

    def __init__(self, relay: Relay, code: str, key: str) -> None:
        self.code = code
        self._relay = relay
        self._key = key
        self._path = f"/api/classes/{code}/log"
        self._events: list[Event] = []
        self._come = threading.Condition()
        self._over = threading.Event()
        self._line = True
        """Whether the relay was there when it was last tried."""

    def opens_with(self, key: str) -> bool:
        """Whether ``key`` is the teacher's."""
        return hmac.compare_digest(self._key.encode(), key.encode())

    def append(self, kind: str, who: str, data: Mapping[str, Any]) -> Event:
        """The event as it stands in the log. Raises :class:`ClassroomError` where the
        relay refuses it, :class:`app.store.UnavailableError` while that cannot be reached."""
        if not self._line:  # whoever has to wait for it waits once
            raise UnavailableError(f"The relay {self._relay.address} cannot be reached")
        answer = self._relay.ask(self._path, {"kind": kind, "who": who, "data": dict(data)}, key=self._key)
        number: int = answer["number"]
        with self._come:
            if not self._come.wait_for(lambda: len(self._events) >= number or self._over.is_set(), PATIENCE):
                raise UnavailableError(f"The relay {self._relay.address} has not told what it was sent")
            # Of a class that has just ended nothing is left but that, whatever its number was.
            event: Event = self._events[min(number, len(self._events)) - 1]
            return event

    def read(self, after: int) -> list[Event]:
        """The events after number ``after`` that have come."""
        with self._come:
            return self._events[after:]

    def delete(self) -> None:
        """The relay has done so, with the event that ended the class."""

    def pass_on(self, kind: str, data: Any) -> bool:
        """Have the relay tell what passes; it comes back from there."""
        self._relay.ask(f"/api/classes/{self.code}/events", {"kind": kind, "data": data}, key=self._key)
        return True

    def follow(self, tell: Tell) -> None:
        """Follow it from now on; returns when the events so far have come, or the line is down."""
        arrived = threading.Event()
        threading.Thread(target=self._follow, args=(tell, arrived), name=f"relay-{self.code}", daemon=True).start()
        arrived.wait(PATIENCE)

    def close(self) -> None:
        """Follow it no longer."""
        self._over.set()

    def _follow(self, tell: Tell, arrived: threading.Event) -> None:
        pause = _PAUSE
        while not self._over.is_set():
            before = len(self._events)
            try:
                self._read_stream(tell, arrived)
            except urllib.error.HTTPError as error:
                error.close()
                if error.code in (403, 404):  # it has ended, and nothing is left of it
                    self._end(tell)
            except (OSError, http.client.HTTPException, ValueError):
                pass  # tried again
            self._line = False
            arrived.set()
            pause = _PAUSE if len(self._events) > before else min(_MOST_PAUSE, 2 * pause)
            if not self._over.wait(pause * (0.5 + random.random())):
                log.info("the relay is asked again for class %s", self.code)

    def _read_stream(self, tell: Tell, arrived: threading.Event) -> None:
        request = self._relay.request(f"{self._path}?after={len(self._events)}", key=self._key)
        name = ""
        with urllib.request.urlopen(request, timeout=SILENCE) as stream:
            self._line = True
            for line in stream:
                if self._over.is_set():
                    return
                if line.startswith(b"event: "):
                    name = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    self._hear(name, json.loads(line[6:]), tell)
                elif line.startswith(b":"):
                    arrived.set()

    def _hear(self, name: str, data: Any, tell: Tell) -> None:
        if name != "log":
            tell(name, data)
            return
        event = Event(data["number"], data["time"], data["kind"], data["who"], data["data"])
        with self._come:
            if event.number != len(self._events) + 1:
                return  # told twice
            self._events.append(event)
            if event.kind == "closed":
                self._over.set()
            self._come.notify_all()
        tell("log", event)

    def _end(self, tell: Tell) -> None:
        number = len(self._events) + 1
        self._hear("log", {"number": number, "time": 0.0, "kind": "closed", "who": TEACHER, "data": {}}, tell)


def read_address(text: str) -> str:
    """The address of an instance, without what comes after its host. Raises :class:`ValueError`.

    >>> read_address("https://class.example.org/")
    'https://class.example.org'
    >>> read_address("class.example.org")
    Traceback (most recent call last):
    ValueError: 'class.example.org' is no address of an instance: use for example https://class.example.org
    """
    found = urlsplit(text.strip())
    if found.scheme not in ("http", "https") or not found.hostname or found.path.strip("/") or found.query:
        raise ValueError(f"{text!r} is no address of an instance: use for example https://class.example.org")
    return f"{found.scheme}://{found.netloc}"


def _refusal(error: urllib.error.HTTPError) -> Exception:
    """What the relay said, as this instance would have said it."""
    try:
        said = json.load(error)["error"]["message"]
    except (ValueError, KeyError, TypeError):
        said = f"The relay answered {error.code}."
    problem = {403: "forbidden", 404: "missing", 409: "refused", 422: "bad", 429: "often"}.get(error.code)
    if problem is None:
        return UnavailableError(said)
    return ClassroomError(problem, said)  # type: ignore[arg-type]
