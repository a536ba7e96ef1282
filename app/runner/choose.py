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


def choose(kind: str, spares: int, *, packages: bool = True) -> Backend:
    """A started backend. Raises :class:`BackendError` if ``kind`` does not work, ``ValueError`` if there is no such
    kind.

    On Linux ``auto`` never means plain: the zygote needs nothing there that can be missing, so if it does not start,
    something is broken, and running programs without isolation would be the wrong answer.
    """
    if kind not in KINDS:
        raise ValueError(f"there is no backend {kind!r}: choose one of {', '.join(KINDS)}")
    can_fork = sys.platform == "linux" and hasattr(socket, "AF_UNIX")
    if kind == "plain" or (kind == "auto" and not can_fork):
        log.warning("programs will not be isolated on this system (%s)", sys.platform)
        return _started(PlainBackend(spares, packages=packages))
    if not can_fork:
        raise BackendError(f"the backend {kind!r} needs Linux, this is {sys.platform}: choose auto or plain")
    return _started(ZygoteBackend(ways(kind), spares, packages=packages))


def _started(backend: Backend) -> Backend:
    backend.start()
    return backend
