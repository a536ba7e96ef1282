"""What the server says about itself: plain lines, or with ``STEPGRAPH_LOG=json`` one JSON object a line."""

from __future__ import annotations

import json
import logging
import logging.config
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from app.web.config import ConfigError

_FORMS: dict[str, dict[str, Any]] = {
    "plain": {"()": "app.web.logs.PlainLines"},
    "json": {"()": "app.web.logs.JsonLines"},
}


_CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160)) if code != ord("\n")}
_CONTROLS[ord("\n")] = "\n    "


class PlainLines(logging.Formatter):
    """One line a record. Nothing that a client or a program sends begins a line of its own or moves a terminal's
    cursor.

    >>> record = logging.LogRecord("app.web", logging.ERROR, "", 0, "%s failed", ("a\\nb\\x1b[2J",), None)
    >>> print(PlainLines().format(record))
    ERROR app.web: a
        b\\x1b[2J failed
    """

    def __init__(self) -> None:
        super().__init__("%(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802 - the name is logging's
        """The line of ``record``."""
        return super().formatMessage(record).translate(_CONTROLS)


class JsonLines(logging.Formatter):
    """One object a record: ``time`` (UTC), ``level``, ``logger``, ``message``, ``process``, with an exception also
    ``exception``. Line ends inside are escaped, so nothing that a client sends begins a line of its own.

    >>> record = logging.LogRecord("app.web", logging.ERROR, "", 0, "%s failed", ("a\\nb",), None)
    >>> json.loads(JsonLines().format(record))["message"]
    'a\\nb failed'
    """

    def format(self, record: logging.LogRecord) -> str:
        entry = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        if record.exc_info:
            entry["exception"] = self.formatException(record.exc_info)
        return json.dumps(entry)


def settings(environ: Mapping[str, str]) -> dict[str, Any]:
    """For :func:`logging.config.dictConfig`: warnings and worse to standard error, in the form that the environment
    asks for. Raises :class:`ConfigError`."""
    form = environ.get("STEPGRAPH_LOG") or "plain"
    if form not in _FORMS:
        raise ConfigError(f"STEPGRAPH_LOG={form!r} is no form of logs: use plain or json.")
    through: dict[str, Any] = {"level": "WARNING", "handlers": [], "propagate": True}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {"lines": _FORMS[form]},
        "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": "lines"}},
        "root": {"level": "WARNING", "handlers": ["stderr"]},
        "loggers": {"gunicorn.error": through, "gunicorn.access": through},
    }


def configure(environ: Mapping[str, str]) -> None:
    """Log so from now on."""
    logging.config.dictConfig(settings(environ))
