"""The filter's program, carried out by a small machine of our own: so both tables are tested on any machine."""

from __future__ import annotations

import errno
import os
import re
import struct
from pathlib import Path

import pytest

from app.runner.inside import bpf, seccomp
from app.runner.inside.syscalls import ARCHITECTURES, NUMBERS

PID = 4242
FIELD = {0: 0, 4: 1}
EPERM, EACCES, ENOSYS, EAGAIN, EROFS = (
    bpf.refuse(number) for number in (errno.EPERM, errno.EACCES, errno.ENOSYS, errno.EAGAIN, errno.EROFS)
)


def carry_out(code: bytes, arch: int, number: int, arguments: tuple[int, ...]) -> int:
    """What the kernel would decide."""
    padded = (*arguments, 0, 0, 0, 0, 0, 0)[:6]
    data = struct.pack("<iIQ6Q", number, arch, 0, *padded)
    loaded, at = 0, 0
    while True:
        operation, then, otherwise, constant = struct.unpack_from("=HBBI", code, 8 * at)
        at += 1
        if operation == 0x20:
            (loaded,) = struct.unpack_from("<I", data, constant)
        elif operation == 0x06:
            return int(constant)
        else:
            holds = {0x15: loaded == constant, 0x35: loaded >= constant, 0x45: bool(loaded & constant)}[operation]
            at += then if holds else otherwise


def verdict(machine: str, name: str, *arguments: int, strict: bool = False) -> int:
    code = seccomp.program(strict=strict, pid=PID, machine=machine)
    return carry_out(code, ARCHITECTURES[machine], NUMBERS[machine][name], arguments)


@pytest.fixture(params=sorted(NUMBERS))
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize(
    "name", ["read", "write", "futex", "munmap", "brk", "exit_group", "getrandom", "clock_gettime"]
)
def test_what_every_program_needs(machine: str, name: str) -> None:
    assert verdict(machine, name) == bpf.ALLOW
    assert verdict(machine, name, strict=True) == bpf.ALLOW


@pytest.mark.parametrize(
    "name", ["ptrace", "unshare", "setns", "mount", "bpf", "keyctl", "io_uring_setup", "perf_event_open"]
)
def test_what_kills(machine: str, name: str) -> None:
    assert verdict(machine, name) == bpf.KILL_PROCESS


def test_no_processes_threads_or_sockets(machine: str) -> None:
    assert verdict(machine, "clone") == EAGAIN
    assert verdict(machine, "clone3") == ENOSYS
    assert verdict(machine, "execve") == EPERM
    assert verdict(machine, "execveat") == EPERM
    assert verdict(machine, "socket") == EACCES


def test_a_call_that_nobody_has_named_is_refused(machine: str) -> None:
    code = seccomp.program(strict=False, pid=PID, machine=machine)
    named = set(NUMBERS[machine].values())
    for number in range(600):
        if number not in named:
            assert carry_out(code, ARCHITECTURES[machine], number, ()) == EPERM


def test_another_architecture_kills(machine: str) -> None:
    code = seccomp.program(strict=False, pid=PID, machine=machine)
    assert carry_out(code, 0x40000003, NUMBERS[machine]["read"], ()) == bpf.KILL_PROCESS  # i386
    if machine == "x86_64":
        assert carry_out(code, ARCHITECTURES[machine], 0x40000000 | 1, ()) == bpf.KILL_PROCESS  # x32


def test_opening(machine: str) -> None:
    for flags in (os.O_RDONLY, os.O_RDONLY | os.O_CLOEXEC, os.O_RDONLY | os.O_DIRECTORY):
        assert verdict(machine, "openat", -100 & 0xFFFFFFFFFFFFFFFF, 1, flags) == bpf.ALLOW
        assert verdict(machine, "openat", 0, 1, flags, strict=True) == EACCES
    for flags in (os.O_WRONLY, os.O_RDWR, os.O_CREAT, os.O_TRUNC, os.O_TMPFILE | os.O_RDWR):
        assert verdict(machine, "openat", 0, 1, flags) == EROFS
    assert verdict(machine, "openat2") == ENOSYS
    assert verdict(machine, "newfstatat", 3, 1, 1, 0x1000, strict=True) == bpf.ALLOW  # fstat
    assert verdict(machine, "newfstatat", 3, 1, 1, 0, strict=True) == EACCES


def test_no_new_machine_code(machine: str) -> None:
    for name in ("mmap", "mprotect"):
        assert verdict(machine, name, 0, 4096, 0x3) == bpf.ALLOW
        assert verdict(machine, name, 0, 4096, 0x5) == EPERM
        assert verdict(machine, name, 0, 4096, 0x7) == EPERM


def test_signals_to_itself_only(machine: str) -> None:
    for name in ("kill", "tgkill"):
        assert verdict(machine, name, PID) == bpf.ALLOW
        for other in (0, 1, PID + 1, 0xFFFFFFFF):
            assert verdict(machine, name, other) == EPERM


def test_limits_can_be_read_and_not_raised(machine: str) -> None:
    assert verdict(machine, "prlimit64", 0, 7, 0, 0x7FFF) == bpf.ALLOW
    assert verdict(machine, "prlimit64", 0, 7, 0x7FFF, 0) == EPERM
    assert verdict(machine, "prlimit64", 0, 7, 1 << 32, 0) == EPERM
    assert verdict(machine, "prlimit64", 1, 7, 0, 0x7FFF) == EPERM


def test_pipes_keep_their_size_and_terminals_their_input(machine: str) -> None:
    assert verdict(machine, "fcntl", 1, 1) == bpf.ALLOW
    assert verdict(machine, "fcntl", 1, 1031) == EPERM
    assert verdict(machine, "ioctl", 1, 0x5401) == bpf.ALLOW
    assert verdict(machine, "ioctl", 1, 0x5412) == bpf.refuse(errno.ENOTTY)  # TIOCSTI


def test_descriptors_can_be_closed_and_their_table_not_copied(machine: str) -> None:
    assert verdict(machine, "close_range", 3, 0xFFFFFFFF, 0) == bpf.ALLOW
    assert verdict(machine, "close_range", 3, 0xFFFFFFFF, 2) == bpf.refuse(errno.EINVAL)  # CLOSE_RANGE_UNSHARE


HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), re.compile(r"#define __NR_(\w+) (\d+)")),
    "aarch64": (Path("/usr/include/asm-generic/unistd.h"), re.compile(r"#define __NR(?:3264)?_(\w+) (\d+)")),
}
"""Where Linux says the numbers: aarch64 has those of all newer machines."""


def test_the_numbers_are_those_of_linux(machine: str) -> None:
    header, define = HEADERS[machine]
    if not header.exists():
        pytest.skip(f"{header} is not installed")
    known = {name: int(number) for name, number in define.findall(header.read_text())}
    known.setdefault("newfstatat", known.get("fstatat", -1))
    wrong = {name: number for name, number in NUMBERS[machine].items() if known.get(name, number) != number}
    assert not wrong
    assert len(NUMBERS[machine].keys() & known.keys()) > 100
