"""Messages between server, zygote and children: one JSON object a datagram, with file descriptors beside it."""

from __future__ import annotations

import array
import contextlib
import json
import os
import socket
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

MESSAGE_BYTES = 1 << 16
MOST_DESCRIPTORS = 4


class ClosedError(Exception):
    """The other side has gone."""


@dataclass
class Message:
    """``data`` is what the other side said; ``descriptors`` are ours to close; ``pid`` is the sender's, -1 if
    unknown."""

    data: dict[str, Any]
    descriptors: list[int] = field(default_factory=list)
    pid: int = -1


def pair() -> tuple[socket.socket, socket.socket]:
    """Two ends of a channel that keeps message borders."""
    return socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)


def send(channel: socket.socket, data: dict[str, Any], descriptors: Sequence[int] = ()) -> None:
    """Send one message. Raises :class:`ClosedError` if nobody is there any more."""
    ancillary: list[tuple[int, int, bytes]] = []
    if descriptors:
        ancillary.append((socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", descriptors).tobytes()))
    try:
        channel.sendmsg([json.dumps(data).encode()], ancillary)
    except (BrokenPipeError, ConnectionResetError) as error:
        raise ClosedError(str(error)) from error


def receive(channel: socket.socket) -> Message:
    """Wait for one message. Raises :class:`ClosedError` at the end of the channel or if the message is not one of
    ours."""
    space = socket.CMSG_SPACE(4 * MOST_DESCRIPTORS) + socket.CMSG_SPACE(12)
    try:
        body, ancillary, flags, _ = channel.recvmsg(MESSAGE_BYTES, space)
    except ConnectionResetError as error:
        raise ClosedError(str(error)) from error
    message = Message({})
    for level, kind, content in ancillary:
        if level == socket.SOL_SOCKET and kind == socket.SCM_RIGHTS:
            usable = len(content) - len(content) % 4
            message.descriptors.extend(struct.unpack(f"{usable // 4}i", content[:usable]))
        elif level == socket.SOL_SOCKET and kind == getattr(socket, "SCM_CREDENTIALS", -1):
            message.pid = struct.unpack("3i", content[:12])[0]
    try:
        if not body or flags & (socket.MSG_TRUNC | socket.MSG_CTRUNC):
            raise ClosedError("end of channel")
        data = json.loads(body)
        if not isinstance(data, dict):
            raise ClosedError("not a message")
    except (ValueError, RecursionError, ClosedError) as error:
        close_all(message.descriptors)
        raise ClosedError(str(error)) from error
    message.data = data
    return message


def close_all(descriptors: Sequence[int]) -> None:
    """Close every one of ``descriptors``, whatever state it is in."""
    for descriptor in descriptors:
        with contextlib.suppress(OSError):
            os.close(descriptor)
