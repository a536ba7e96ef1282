"""What a short link holds: a program and a place in its recording, never a recording.

The place has the keys of the addresses that hold everything (``static/js/link.js``), so that the page reads both in one
way. What is stored says its version, and older ones are read for ever.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from app.sharing.errors import LinkError

VERSION = 1
MOST_ENTRIES = 20
MOST_TEXT = 200
GRAINS = ("step", "line", "call", "iteration", "phase")
"""How far a press of a key goes: those of `static/js/player/transport.js`."""
_KINDS: dict[str, str] = {
    "step": "number", "node": "number", "view": "view", "by": "text",
    "breakpoints": "list", "watches": "list", "selected": "text", "find": "text",
}  # fmt: skip
_NAME = re.compile(r"[\w. ()-]{1,100}")
_VIEW = re.compile(r"\d{1,6}(\.\d{1,6})?", re.ASCII)
_EXAMPLE = 'Send for example {"source": "print(1)", "step": 3, "breakpoints": ["7"]}.'


@dataclass(frozen=True)
class Link:
    """``name``: what the program's file is called, "" for the usual. ``place``: checked in kind and size only; what of
    it makes sense in a recording is the page's to say.

    >>> Link("print(1)", place={"step": 3}).options()
    {'v': 1, 'step': 3}
    """

    source: str
    name: str = ""
    place: dict[str, Any] = field(default_factory=dict)

    def options(self) -> dict[str, Any]:
        """What is stored beside the source."""
        return {"v": VERSION, **({"name": self.name} if self.name else {}), **self.place}

    def document(self) -> dict[str, Any]:
        """What the page gets."""
        return {"source": self.source, **self.options()}


def read(body: Mapping[str, Any], most_bytes: int) -> Link:
    """The link that a request asks for. Raises :class:`LinkError`.

    >>> read({"source": "print(1)", "trace": {}}, 100)
    Traceback (most recent call last):
    app.sharing.errors.LinkError: Unknown key "trace".
    """
    known = ("v", "source", "name", *_KINDS)
    if unknown := sorted(set(body) - set(known)):
        raise LinkError(f'Unknown key "{unknown[0][:40]}".', f"The keys are {', '.join(known)}.")
    if type(version := body.get("v", VERSION)) is not int or version != VERSION:
        raise LinkError(f'"v" must be {VERSION}.', "Leave it out.")
    source, name = body.get("source"), body.get("name", "")
    if not isinstance(source, str) or not source.strip():
        raise LinkError('"source" must be a program.', _EXAMPLE)
    size = _size(source, "program")
    if size > most_bytes:
        raise LinkError(
            f"The program is {size:,} bytes long; at most {most_bytes:,} are taken.", "Send it as a file instead."
        )
    if not isinstance(name, str) or (name and not _NAME.fullmatch(name)):
        raise LinkError('"name" must be a file name of at most 100 letters and digits.', "Leave it out.")
    return Link(source, name, {key: _value(key, body[key]) for key in _KINDS if key in body})


def stored(source: str, options: Mapping[str, Any]) -> Link:
    """The link that was stored, in whatever version. Raises :class:`LinkError` for one from the future."""
    version = options.get("v")
    if type(version) is not int or not 1 <= version <= VERSION:
        raise LinkError(
            "This link was made by a newer Stepgraph.", "Ask for the program itself, or for a newer server."
        )
    return Link(source, options.get("name", ""), {key: options[key] for key in _KINDS if key in options})


def _value(key: str, value: Any) -> Any:
    match _KINDS[key]:
        case "number" if type(value) is int and 0 <= value < 10**9:
            return value
        case "view" if isinstance(value, str) and _VIEW.fullmatch(value):
            return value
        case "text" if isinstance(value, str) and len(value) <= MOST_TEXT and (key != "by" or value in GRAINS):
            _size(value, key)
            return value
        case "list" if isinstance(value, list) and len(value) <= MOST_ENTRIES:
            if all(isinstance(one, str) and len(one) <= 2 * MOST_TEXT for one in value):
                _size("".join(value), key)
                return value
    raise LinkError(f'"{key}" is not as it should be.', f"docs/sharing.md says what it may hold. {_EXAMPLE}")


def _size(text: str, what: str) -> int:
    """Bytes of UTF-8. What cannot be written as UTF-8 cannot be stored either."""
    if "\0" in text:
        raise LinkError(f"The {what} holds a NUL character.", "Delete it; Python cannot read it.")
    try:
        return len(text.encode())
    except UnicodeEncodeError:
        raise LinkError(
            f"The {what} holds half a character (a lone surrogate).", "Delete it and type the character again."
        ) from None
