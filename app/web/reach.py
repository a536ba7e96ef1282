"""Under which address others reach this server."""

from __future__ import annotations

import socket

from flask import request

from app.web.security import host_name, is_loopback
from app.web.services import services


def public_base() -> str:
    """The start of addresses for other people's devices.

    It is the one that the caller used, unless that names the caller's own machine and the server listens beyond it:
    then this machine's address in the network.

    A server that listens on loopback only cannot be reached at all; see :func:`is_reachable`.
    """
    if not is_loopback(host_name(request.host)) or not is_reachable():
        return request.host_url.rstrip("/")
    port = request.host.rpartition(":")[2] if ":" in request.host else ""
    return f"{request.scheme}://{_own_address()}{f':{port}' if port.isdigit() else ''}"


def class_base() -> str:
    """The same for a class: at the relay, if one keeps it."""
    return services().config.relay or public_base()


def is_reachable() -> bool:
    """Whether other devices can reach the server as the caller does: not if it listens on loopback without a proxy."""
    return not is_loopback(services().config.host) or not is_loopback(host_name(request.host))


def _own_address() -> str:
    """This machine's address towards the rest of the network now; nothing is sent to find it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # an address that nobody has (RFC 5737)
            return str(probe.getsockname()[0])
        except OSError:
            return socket.gethostname()
