"""The few kernel calls that Python 3.11 does not offer, through ``ctypes``."""

from __future__ import annotations

import ctypes
import os

PR_SET_PDEATHSIG = 1
PR_SET_DUMPABLE = 4
PR_CAPBSET_DROP = 24
PR_SET_NO_NEW_PRIVS = 38
_SECCOMP_SET_MODE_FILTER = 1
_SECCOMP_FILTER_FLAG_TSYNC = 1
_M_ARENA_MAX = -8
CLONE_NEWUTS = 0x04000000
CLONE_NEWIPC = 0x08000000
CLONE_NEWUSER = 0x10000000
CLONE_NEWPID = 0x20000000
CLONE_NEWNET = 0x40000000
_CAPABILITY_VERSION_3 = 0x20080522
_CAPSET = {"x86_64": 126, "aarch64": 91}
_SECCOMP = {"x86_64": 317, "aarch64": 277}

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long


def _check(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: int | ctypes.Array[ctypes.c_char] | None) -> int:
    """Call the kernel by number; integers are passed as 64 bits. Raises ``OSError``."""
    passed = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    return _check(int(_libc.syscall(ctypes.c_long(number), *passed)), f"system call {number}")


def prctl(option: int, value: int = 0, third: object = 0) -> None:
    """``prctl(2)``. ``third`` is a number or something ``ctypes`` can pass as a pointer. Raises ``OSError``."""
    last = ctypes.c_ulong(third) if isinstance(third, int) else third
    zero = ctypes.c_ulong(0)
    _check(_libc.prctl(option, ctypes.c_ulong(value), last, zero, zero), f"prctl {option}")


def filter_calls(program: object) -> None:
    """Put the filter ``program`` (a pointer to ``struct sock_fprog``) on every thread of this process. ``OSError``."""
    number = _SECCOMP[os.uname().machine]
    flags = ctypes.c_ulong(_SECCOMP_FILTER_FLAG_TSYNC)
    result = _libc.syscall(ctypes.c_long(number), ctypes.c_ulong(_SECCOMP_SET_MODE_FILTER), flags, program)
    if _check(int(result), "seccomp") > 0:
        raise OSError(f"seccomp: thread {result} has a filter of its own")


def one_arena() -> None:
    """Let all threads allocate from one arena: glibc would reserve 64 MB of limited address space
    for each. Other C libraries have no such arenas."""
    if hasattr(_libc, "mallopt"):
        _libc.mallopt(_M_ARENA_MAX, 1)


def unshare(flags: int) -> None:
    """``unshare(2)``: leave the namespaces named by ``flags``. Raises ``OSError``."""
    _check(_libc.unshare(flags), "unshare")


def drop_capabilities() -> None:
    """Give up every capability for good. Raises ``OSError`` where the kernel refuses."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one the kernel knows, or none of ours to drop
    number = _CAPSET.get(os.uname().machine)
    if number is None:
        raise OSError(f"the number of capset on {os.uname().machine} is not known")
    header = ctypes.create_string_buffer(_CAPABILITY_VERSION_3.to_bytes(4, "little") + bytes(4), 8)
    syscall(number, header, ctypes.create_string_buffer(24))
