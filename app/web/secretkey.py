"""The key that signs session cookies, kept beside the stored data: a server that starts again knows its browsers."""

from __future__ import annotations

import contextlib
import os
import secrets
from pathlib import Path

_BYTES = 32


def kept_key(folder: Path) -> bytes:
    """The key in ``folder``, made with the first call; only this user can read it. Where nothing can be kept, one for
    this process alone.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     kept_key(Path(name)) == kept_key(Path(name)), len(kept_key(Path(name)))
    (True, 32)
    """
    file = folder / "session.key"
    fresh = secrets.token_bytes(_BYTES)
    with contextlib.suppress(OSError):
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
    return fresh
