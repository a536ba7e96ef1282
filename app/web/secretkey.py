"""The key that signs session cookies: ``STEPGRAPH_SECRET_KEY``, or one that is kept beside the stored data, so that a
server that starts again knows its browsers."""

from __future__ import annotations

import contextlib
import logging
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from app.store import data_folder

log = logging.getLogger(__name__)

_BYTES = 32


def session_key(environ: Mapping[str, str] = os.environ) -> bytes:
    """The key that the environment holds, else the one in its folder for data.

    >>> session_key({"STEPGRAPH_SECRET_KEY": "of all machines"})
    b'of all machines'
    """
    given = environ.get("STEPGRAPH_SECRET_KEY")
    return given.encode() if given else kept_key(data_folder(environ))


def kept_key(folder: Path) -> bytes:
    """The key in ``folder``, made with the first call; only this user can read it. Where nothing can be kept, one for
    this process alone, and a warning.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     kept_key(Path(name)) == kept_key(Path(name)), len(kept_key(Path(name)))
    (True, 32)
    """
    file = folder / "session.key"
    fresh = secrets.token_bytes(_BYTES)
    try:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        with contextlib.suppress(FileExistsError):
            # Whole or not at all, even if two servers start at once: written under another name, then linked.
            own = folder / f".session.key.{os.getpid()}"
            descriptor = os.open(own, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            try:
                os.write(descriptor, fresh)
                os.close(descriptor)
                os.link(own, file)
            finally:
                own.unlink(missing_ok=True)
        kept = file.read_bytes()
        if len(kept) == _BYTES:
            return kept
        problem = f"it is not of {_BYTES} bytes; remove it"
    except OSError as error:
        problem = str(error.strerror)
    log.warning("sessions end with this server: %s cannot be used (%s)", file, problem)
    return fresh
