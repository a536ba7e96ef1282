"""Just enough of an assembler for the classic BPF programs that seccomp takes."""

from __future__ import annotations

import ctypes
import struct

from . import kernel

_LOAD_WORD, _JUMP_EQUAL, _JUMP_GREATER_EQUAL, _JUMP_ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW = 0x7FFF0000
KILL_PROCESS = 0x80000000
_NUMBER_OFFSET, _ARCH_OFFSET, _ARGUMENTS_OFFSET = 0, 4, 16

Instruction = tuple[int, int, int, int]
"""``(code, jump if true, jump if false, constant)``; jumps count instructions to skip."""


def refuse(number: int) -> int:
    """The verdict that makes a call fail with ``number`` of :mod:`errno`.

    >>> hex(refuse(1))
    '0x50001'
    """
    return 0x00050000 | (number & 0xFFFF)


def load_number() -> Instruction:
    """Load the number of the system call."""
    return _LOAD_WORD, 0, 0, _NUMBER_OFFSET


def load_arch() -> Instruction:
    """Load the AUDIT_ARCH constant of the caller."""
    return _LOAD_WORD, 0, 0, _ARCH_OFFSET


def load_argument(index: int, *, high: bool = False) -> Instruction:
    """Load one half of argument ``index`` (both machines with a table are little-endian)."""
    return _LOAD_WORD, 0, 0, _ARGUMENTS_OFFSET + 8 * index + (4 if high else 0)


def equal(value: int, then: int = 0, otherwise: int = 0) -> Instruction:
    """Skip ``then`` instructions if what is loaded equals ``value``, else ``otherwise``."""
    return _JUMP_EQUAL, then, otherwise, value & 0xFFFFFFFF


def at_least(value: int, then: int = 0, otherwise: int = 0) -> Instruction:
    """Skip by whether what is loaded is at least ``value`` (unsigned)."""
    return _JUMP_GREATER_EQUAL, then, otherwise, value


def any_bit(mask: int, then: int = 0, otherwise: int = 0) -> Instruction:
    """Skip by whether what is loaded shares a bit with ``mask``."""
    return _JUMP_ANY_BIT, then, otherwise, mask


def verdict(value: int) -> Instruction:
    """End with :data:`ALLOW`, :data:`KILL_PROCESS` or :func:`refuse`."""
    return _RETURN, 0, 0, value


class _Program(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("filter", ctypes.c_void_p))


def assemble(program: list[Instruction]) -> bytes:
    """The bytes of ``struct sock_filter[]``. Raises ``struct.error`` if a jump is longer than 255."""
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in program)


def install(code: bytes) -> None:
    """Put ``code`` on this process, its threads and all it may start, for good. Raises ``OSError``."""
    buffer = ctypes.create_string_buffer(code, len(code))
    program = _Program(len(code) // 8, ctypes.addressof(buffer))
    kernel.filter_calls(ctypes.byref(program))
