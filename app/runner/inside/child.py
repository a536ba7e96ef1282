"""A child of the zygote: locks itself down, learns what to do, does that one thing and dies."""

from __future__ import annotations

import contextlib
import mmap
import os
import socket
import traceback
from collections.abc import Callable
from typing import NoReturn

from . import builder, kernel, program, wire
from .locks import Account, die_with_parent, lock_child

BROKEN = 70
"""Exit status when our own code failed; what happened is on descriptor 2."""

OWN_TRACEBACK = "Stepgraph's own traceback: "

_CHANNEL = 3


def live(channel: socket.socket, account: Account) -> NoReturn:
    """The whole life of a child."""
    die_with_parent()
    os.dup2(0, 1)  # descriptor 0 is the null device, open both ways
    os.dup2(0, 2)
    if channel.fileno() != _CHANNEL:
        os.dup2(channel.fileno(), _CHANNEL)
        channel.detach()
        channel = socket.socket(fileno=_CHANNEL)
    os.closerange(_CHANNEL + 1, 4096)
    kernel.one_arena()
    program.start_crew()
    program.prepare()
    lock_child(account)
    try:
        order = wire.receive(channel)
    except wire.ClosedError:
        os._exit(0)
    channel.close()
    work = _run if order.data["do"] == "run" else builder.work
    _finish(work, order.descriptors)


def _finish(work: Callable[[list[int]], int], descriptors: list[int]) -> NoReturn:
    status = BROKEN
    try:
        status = work(descriptors)
    except BaseException:
        with contextlib.suppress(BaseException):
            os.write(2, (OWN_TRACEBACK + traceback.format_exc()).encode("utf-8", "replace"))
    os._exit(status & 0xFF)


def _run(descriptors: list[int]) -> int:
    """Run the program: ``descriptors`` are journal, configuration, where descriptor 0 leads (if the program may ask),
    and where descriptors 1 and 2 lead."""
    journal_file, config_file, *asks, output = descriptors
    if asks:
        os.dup2(asks[0], 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    buffer = mmap.mmap(journal_file, 0)
    config = builder.read_all(config_file)
    wire.close_all(descriptors)
    return program.run(buffer, config)
