"""The layers that zygote and children put on themselves, and the honest account of which are there."""

from __future__ import annotations

import contextlib
import mmap
import os
import resource
import signal
from collections.abc import Sequence
from dataclasses import dataclass, field

from . import kernel, landlock, seccomp

NOBODY = 65534


@dataclass
class Account:
    """``layers`` that are active, ``missing`` ones with how to get them; ``problems`` with imports; ``strict``:
    calls with a path are denied."""

    layers: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    strict: bool = False
    seccomp: bool = False


def die_with_parent() -> None:
    """Let the kernel kill this process when its parent ends."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)


def leave_namespaces() -> bool:
    """Move into namespaces of one's own: this process stays outside to wait, a child goes on as the first one inside.

    Returns False in the child that goes on; never returns in the one that waits. Raises ``OSError`` where it is not
    allowed.
    """
    flags = kernel.CLONE_NEWNET | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS
    try:
        if os.geteuid() != 0:
            raise PermissionError("only root can do without a user namespace")
        kernel.unshare(flags)
    except OSError:
        kernel.unshare(flags | kernel.CLONE_NEWUSER)
    inner = os.fork()
    if inner == 0:
        die_with_parent()
        return False
    os.closerange(0, 1024)
    status = os.waitpid(inner, 0)[1]
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def lock_zygote(account: Account, readable: Sequence[str], *, want_landlock: bool, hidden_files: bool) -> None:
    """Put on the zygote what children inherit. ``hidden_files``: a mount namespace shows the libraries only."""
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    if want_landlock:
        try:
            account.layers.append(f"Landlock (ABI {landlock.restrict(readable)})")
        except OSError as error:
            account.missing.append(
                f"Landlock: needs Linux 5.13 or newer with landlock among its security modules ({error})"
            )
    else:
        account.missing.append("Landlock: switched off by the chosen backend")
    account.strict = not hidden_files and not any(layer.startswith("Landlock") for layer in account.layers)
    _leave_root(account)
    try:
        kernel.drop_capabilities()
        account.layers.append("no capabilities")
    except OSError as error:
        account.missing.append(f"dropping capabilities: {error}")
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    die_with_parent()  # changing the user has reset it
    _try_seccomp(account)
    account.layers.append("resource limits")


def _leave_root(account: Account) -> None:
    if os.geteuid() != 0:
        return
    try:
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)
        account.layers.append("unprivileged user")
    except OSError as error:
        account.missing.append(f"an unprivileged user: start the server as one that is not root ({error})")


def _try_seccomp(account: Account) -> None:
    """Whether the filter works is found out by a child that puts it on."""
    if not seccomp.supported():
        account.missing.append(
            f"seccomp: there is no table of system calls for {os.uname().machine} (x86_64 and aarch64 have one)"
        )
        return
    child = os.fork()
    if child == 0:
        code = 1
        with contextlib.suppress(BaseException):
            seccomp.lock(strict=account.strict)
            with contextlib.suppress(PermissionError):
                os.chdir("/")
                os._exit(2)
            code = 0
        os._exit(code)
    if os.waitpid(child, 0)[1] == 0:
        account.seccomp = True
        account.layers.append("seccomp, strict (no path can be opened)" if account.strict else "seccomp")
    else:
        account.missing.append("seccomp: needs a kernel with CONFIG_SECCOMP_FILTER, and a container that allows prctl")


def lock_child(account: Account) -> None:
    """What every child puts on before it learns what it has to do. The order matters: the filter is the last."""
    for name, limit in (("NOFILE", 16), ("NPROC", 0), ("CORE", 0), ("MEMLOCK", 0), ("MSGQUEUE", 0), ("SIGPENDING", 64)):
        kind = getattr(resource, f"RLIMIT_{name}", None)
        if kind is not None:
            resource.setrlimit(kind, (limit, limit))
    if account.seccomp:
        seccomp.lock(strict=account.strict)


def address_space() -> int:
    """Bytes of address space this process has, found by probing (there may be no ``/proc`` to ask)."""
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    low, high = 0, 1 << 40
    while high - low > 1 << 20:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle, hard))
        try:
            mmap.mmap(-1, mmap.PAGESIZE).close()
            high = middle
        except (OSError, MemoryError):
            low = middle
    resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
    return high
