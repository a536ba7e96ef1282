"""Landlock: from here on this process and its children may read the folders named, and no other file at all."""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence

from . import kernel

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same numbers on every machine
_EXECUTE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 2, 1 << 3
_FIRST_RIGHTS = (1 << 13) - 1
_NET_RIGHTS = 0b11  # bind and connect TCP, ABI 4
_SCOPES = 0b11  # abstract sockets and signals, ABI 6
_RULE_PATH_BENEATH = 1


def version() -> int:
    """The kernel's Landlock ABI, 0 where there is none."""
    try:
        return kernel.syscall(CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def _file_rights(abi: int) -> int:
    rights = _FIRST_RIGHTS
    if abi >= 2:
        rights |= 1 << 13  # refer: link and rename between folders
    if abi >= 3:
        rights |= 1 << 14  # truncate
    if abi >= 5:
        rights |= 1 << 15  # ioctl on devices
    return rights


def restrict(readable: Sequence[str]) -> int:
    """Allow reading below ``readable`` only; no TCP, no signals to others where the kernel can. Returns the ABI used.

    Needs ``no_new_privs``. Raises ``OSError`` where the kernel has no Landlock or refuses.
    """
    abi = version()
    if abi == 0:
        raise OSError("this kernel has no Landlock (5.13 or newer, switched on at boot)")
    attributes = struct.pack("=Q", _file_rights(abi))
    if abi >= 4:
        attributes += struct.pack("=Q", _NET_RIGHTS)
    if abi >= 6:
        attributes += struct.pack("=Q", _SCOPES)
    ruleset = kernel.syscall(
        CREATE_RULESET, ctypes.create_string_buffer(attributes, len(attributes)), len(attributes), 0
    )
    try:
        for folder in readable:
            _allow(ruleset, folder)
        kernel.syscall(RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)
    return abi


def _allow(ruleset: int, path: str) -> None:
    descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rights = _READ_FILE | (_READ_DIR if os.path.isdir(path) else 0)
        rule = struct.pack("=Qi", rights, descriptor)
        kernel.syscall(ADD_RULE, ruleset, _RULE_PATH_BENEATH, ctypes.create_string_buffer(rule, len(rule)), 0)
    finally:
        os.close(descriptor)
