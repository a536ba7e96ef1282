"""The document, and how it is made from a trace.

The bytes are the user's data: they may be forged, cut, or nested 200,000 brackets deep. They are parsed defensively and
checked against the schema before anything reads them; only then is the layout computed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import logging
from dataclasses import dataclass
from typing import Any

from app.layout import LayoutError, layout, undrawn
from engine.trace.validate import TraceError, validate

log = logging.getLogger(__name__)

_GZIP_LEVEL = 1
"""Level 1 is eight times faster than 6 and 7 % larger."""


class BadTraceError(Exception):
    """What a run left behind is no trace: the message is for the user."""


@dataclass(frozen=True)
class Document:
    """A finished trace with its layout, kept compressed: ``size`` is that of the JSON text in bytes."""

    compressed: bytes
    size: int
    etag: str
    end: str

    def text(self) -> bytes:
        return gzip.decompress(self.compressed)


def read_trace(raw: bytes) -> dict[str, Any]:
    """Parse and check the bytes of a trace. Raises :class:`BadTraceError`.

    >>> read_trace(b"[" * 200_000)
    Traceback (most recent call last):
    app.documents.document.BadTraceError: The recording is nested too deeply to be one of ours.
    """
    try:
        trace = json.loads(raw.decode("utf-8"), parse_constant=_refuse_constant)
        validate(trace)
    except RecursionError:
        raise BadTraceError("The recording is nested too deeply to be one of ours.") from None
    except (TraceError, ValueError) as error:
        raise BadTraceError(f"The recording is not a valid trace: {str(error)[:300]}") from None
    if not isinstance(trace, dict):
        raise BadTraceError("The recording is not a valid trace: it is no JSON object.")
    return trace


def _placed(trace: dict[str, Any]) -> dict[str, Any]:
    try:
        return layout(trace)
    except LayoutError:
        return undrawn("its recording does not fit together")
    except Exception as error:
        log.exception("layout failed")
        return undrawn(f"its layout failed ({type(error).__name__})")


def _refuse_constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON")


def finish(raw: bytes, *, why_not: str = "") -> Document:
    """Check a trace, lay its graphs out, and pack both as one JSON text. Raises :class:`BadTraceError`.

    A trace can be valid and still describe a graph that nobody can draw: then it comes without one, and the layout's
    ``note`` says so. With ``why_not`` nothing is laid out, for this reason.
    """
    trace = read_trace(raw)
    placed = undrawn(why_not) if why_not else _placed(trace)
    # The trace's own text is kept: writing it anew would take longer than everything else here.
    # Should it hold a "layout" already, ours comes after it and is the one that readers take.
    own = json.dumps(placed, separators=(",", ":"), allow_nan=False).encode("ascii")
    text = raw.rstrip().removesuffix(b"}") + b',"layout":' + own + b"}"
    return _packed(text, trace["end"]["kind"])


def measurement(raw: bytes) -> Document:
    """A measurement (``docs/measurement.md``) that the server has made itself, packed."""
    return _packed(raw, json.loads(raw)["end"]["kind"])


def _packed(text: bytes, end: str) -> Document:
    etag = hashlib.sha256(text).hexdigest()[:32]
    return Document(gzip.compress(text, _GZIP_LEVEL, mtime=0), len(text), etag, end)
