"""Which system calls a program may make: an allow-list; everything else fails with ``EPERM``, and a few kill.

``strict`` also denies every call that takes a path. It is what keeps files unread where the kernel has no Landlock
and nothing hides the file system.
"""

from __future__ import annotations

import errno
import os
from functools import cache

from . import bpf
from .syscalls import ARCHITECTURES, NUMBERS


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


# The frequent ones first: the kernel walks the list from the top.
_FREE = _words("""
futex read write clock_gettime munmap brk madvise mremap close fstat lseek getrandom gettimeofday time rt_sigaction
rt_sigprocmask rt_sigreturn sigaltstack rt_sigpending rt_sigtimedwait restart_syscall poll ppoll select pselect6
nanosleep clock_nanosleep clock_getres times getitimer setitimer alarm getpid gettid getppid getuid geteuid getgid
getegid getgroups getresuid getresgid getpgrp getsid getpriority getrusage getrlimit uname sysinfo sched_yield
sched_getaffinity pread64 readv writev dup dup2 dup3 recvmsg getcwd set_robust_list rseq membarrier exit exit_group
""")

_BY_PATH = _words("""
newfstatat statx stat lstat readlink readlinkat access faccessat faccessat2 getdents64
""")

_KILL = _words("""
ptrace process_vm_readv process_vm_writev unshare setns mount umount2 pivot_root chroot open_tree fsopen
mount_setattr bpf io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key perf_event_open
userfaultfd init_module finit_module kexec_load swapon reboot quotactl pidfd_getfd
""")

_REFUSALS = {
    "clone": errno.EAGAIN,  # what Python turns into "can't start new thread"
    "clone3": errno.ENOSYS,  # so that libc falls back to clone
    "openat2": errno.ENOSYS,
    "socket": errno.EACCES,
    "chdir": errno.EACCES,
}

_PROT_EXEC = 0x4
_AT_EMPTY_PATH = 0x1000
_X32_BIT = 0x40000000
_FCNTL_COMMANDS = (0, 1, 2, 3, 1030)  # F_DUPFD, F_GETFD, F_SETFD, F_GETFL, F_DUPFD_CLOEXEC
_IOCTL_COMMANDS = (0x5401, 0x5451, 0x5450)  # TCGETS (isatty), FIOCLEX, FIONCLEX


def supported() -> bool:
    """Whether this machine has a table."""
    return os.uname().machine in NUMBERS


def _writing_flags() -> int:
    return (
        os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND | os.O_PATH | os.O_TMPFILE
    ) & ~os.O_DIRECTORY


def _one_of(index: int, values: tuple[int, ...], otherwise: int) -> list[bpf.Instruction]:
    checks = [bpf.equal(value, then=len(values) - place) for place, value in enumerate(values)]
    return [bpf.load_argument(index), *checks, bpf.verdict(bpf.refuse(otherwise)), bpf.verdict(bpf.ALLOW)]


def _without_bits(index: int, mask: int, otherwise: int) -> list[bpf.Instruction]:
    return [
        bpf.load_argument(index),
        bpf.any_bit(mask, then=1),
        bpf.verdict(bpf.ALLOW),
        bpf.verdict(bpf.refuse(otherwise)),
    ]


def _only_reading_limits() -> list[bpf.Instruction]:
    """``prlimit64``: of this process, with no new limit."""
    return [
        bpf.load_argument(0),
        bpf.equal(0, otherwise=5),
        bpf.load_argument(2),
        bpf.equal(0, otherwise=3),
        bpf.load_argument(2, high=True),
        bpf.equal(0, otherwise=1),
        bpf.verdict(bpf.ALLOW),
        bpf.verdict(bpf.refuse(errno.EPERM)),
    ]


def _only_of_a_descriptor() -> list[bpf.Instruction]:
    """``newfstatat`` as the C library calls it for ``fstat``. The filter cannot see whether the path is empty, so
    what is
    left is that a program can find out whether a file exists, and its size; never what is in it."""
    return [
        bpf.load_argument(3),
        bpf.equal(_AT_EMPTY_PATH, then=1),
        bpf.verdict(bpf.refuse(errno.EACCES)),
        bpf.verdict(bpf.ALLOW),
    ]


def _checked(strict: bool, pid: int) -> dict[str, list[bpf.Instruction]]:
    """Calls whose arguments matter. Each block ends in a verdict whatever it finds."""
    blocks = {
        "mmap": _without_bits(2, _PROT_EXEC, errno.EPERM),
        "mprotect": _without_bits(2, _PROT_EXEC, errno.EPERM),
        "fcntl": _one_of(1, _FCNTL_COMMANDS, errno.EPERM),
        "ioctl": _one_of(1, _IOCTL_COMMANDS, errno.ENOTTY),
        # What os.closerange is from Python 3.13 on: with flags it could give the process a table of its own.
        "close_range": _one_of(2, (0,), errno.EINVAL),
        "prlimit64": _only_reading_limits(),
        "kill": _one_of(0, (pid,), errno.EPERM),
        "tgkill": _one_of(0, (pid,), errno.EPERM),
    }
    if strict:
        blocks["openat"] = [bpf.verdict(bpf.refuse(errno.EACCES))]
        blocks["newfstatat"] = _only_of_a_descriptor()
    else:
        blocks["openat"] = _without_bits(2, _writing_flags(), errno.EROFS)
    return blocks


@cache
def _program(machine: str, strict: bool) -> bytes:
    numbers = NUMBERS[machine]
    code = [
        bpf.load_arch(),
        bpf.equal(ARCHITECTURES[machine], then=1),
        bpf.verdict(bpf.KILL_PROCESS),
        bpf.load_number(),
    ]
    if machine == "x86_64":
        code += [bpf.at_least(_X32_BIT, otherwise=1), bpf.verdict(bpf.KILL_PROCESS)]
    verdicts: dict[str, int] = dict.fromkeys(_FREE, bpf.ALLOW)
    verdicts |= dict.fromkeys(_BY_PATH, bpf.refuse(errno.EACCES) if strict else bpf.ALLOW)
    verdicts |= dict.fromkeys(_KILL, bpf.KILL_PROCESS)
    verdicts |= {name: bpf.refuse(number) for name, number in _REFUSALS.items()}
    blocks = {name: [bpf.verdict(value)] for name, value in verdicts.items()} | _checked(strict, _PID_MARK)
    for name, block in blocks.items():
        if name in numbers:
            code += [bpf.equal(numbers[name], otherwise=len(block)), *block]
    code.append(bpf.verdict(bpf.refuse(errno.EPERM)))
    return bpf.assemble(code)


_PID_MARK = 0x5147_0BAD
"""Stands for the process's own number in the program that all children share."""


def program(*, strict: bool, pid: int, machine: str | None = None) -> bytes:
    """The filter for the process ``pid``, as bytes. Raises ``KeyError`` for a machine without a table."""
    shared = _program(machine or os.uname().machine, strict)
    return shared.replace(_PID_MARK.to_bytes(4, "little"), pid.to_bytes(4, "little"))


def lock(*, strict: bool) -> None:
    """Put the filter on this process. Needs ``no_new_privs``. Raises ``OSError`` where the kernel refuses."""
    bpf.install(program(strict=strict, pid=os.getpid()))
