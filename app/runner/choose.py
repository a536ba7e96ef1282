"""Takes the best way of running programs that works on this machine."""

from __future__ import annotations

import logging
import socket
import sys

from .backend import Backend, BackendError
from .launch import KINDS, ways
from .plain import PlainBackend
from .zygote import ZygoteBackend

log = logging.getLogger(__name__)


def choose(kind: str, spares: int) -> Backend:
    """A started backend. Raises :class:`BackendError` if ``kind`` does not work, ``ValueError`` if there is no such kind."""
    if kind not in KINDS:
        raise ValueError(f"there is no backend {kind!r}: choose one of {', '.join(KINDS)}")
    problems: list[str] = []
    if kind != "plain":
        if sys.platform == "linux" and hasattr(socket, "AF_UNIX"):
            try:
                return _started(ZygoteBackend(ways(kind), spares))
            except BackendError as error:
                problems.append(str(error))
        else:
            problems.append(f"the zygote needs Linux, this is {sys.platform}")
        if kind != "auto":
            raise BackendError("; ".join(problems))
        log.warning("programs will not be isolated: %s", "; ".join(problems))
    return _started(PlainBackend(spares, tuple(problems)))


def _started(backend: Backend) -> Backend:
    backend.start()
    return backend
