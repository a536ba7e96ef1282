"""Programs that try to break out, in every combination of layers that this machine can show."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from app.runner import Runner
from app.runner.backend import BackendError
from app.runner.inside.syscalls import NUMBERS

BACKENDS = ("bwrap", "strict", "namespaces", "bare")
CTYPES = "import ctypes, os\nlibc = ctypes.CDLL(None, use_errno=True)\n"
FAILED = "\nif result < 0: raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))\nprint(WON)"

SHORTEN = """
import os
for descriptor in range(3, 16):
    try:
        os.ftruncate(descriptor, 0)
    except OSError:
        continue
    print(WON)
1 / 0
"""

# By the bare functions of the system: a program's own open and os work on files in memory.
ATTACKS = {
    "read a system file": "import _io\nprint(_io.open('/etc/passwd').read()[:9] and WON)",
    "read a file of the server's user": "import _io\nprint(_io.open(SECRET).read() and WON)",
    "read it by a bare descriptor": "import os, posix\nprint(os.read(posix.open(SECRET, os.O_RDONLY), 9) and WON)",
    "read it by libc": CTYPES + "result = libc.open(SECRET.encode(), 0)" + FAILED,
    "map it": CTYPES + "result = libc.syscall(CALLS['openat'], -100, SECRET.encode(), 0, 0)" + FAILED,
    "list a folder": "import os, posix\nprint(posix.listdir(os.path.dirname(SECRET)) and WON)",
    "list the root": "import os, posix\nprint(posix.listdir('/') and WON)",
    "go elsewhere": "import posix\nposix.chdir('/etc')\nprint(WON)",
    "write a file": "import _io\n_io.open(SHARED, 'w').write('x')\nprint(WON)",
    "write a new file": "import _io\n_io.open(SHARED + '.new', 'w').write('x')\nprint(WON)",
    "write into /tmp": "import _io\n_io.open('/tmp/stepgraph-attack', 'w').write('x')\nprint(WON)",
    "make a temporary file": "import os, posix\nposix.open('/tmp', os.O_TMPFILE | os.O_RDWR)\nprint(WON)",
    "append to the engine": "import _io, engine\n_io.open(engine.__file__, 'a').write('x')\nprint(WON)",
    "change a mode": "import posix\nposix.chmod(SHARED, 0o600)\nprint(WON)",
    "remove a file": "import posix\nposix.unlink(SHARED)\nprint(WON)",
    "rename a file": "import posix\nposix.rename(SHARED, SHARED + '.2')\nprint(WON)",
    "make a folder": "import posix\nposix.mkdir('/tmp/stepgraph-attack-folder')\nprint(WON)",
    "make a link": "import posix\nposix.symlink('/etc/passwd', SHARED + '.link')\nprint(WON)",
    "read the server's environment": "import _io\nprint(_io.open(f'/proc/{SERVER}/environ').read() and WON)",
    "read the zygote's memory": "import _io, os\nprint(_io.open(f'/proc/{os.getppid() or 1}/mem', 'rb') and WON)",
    "read the server's memory": CTYPES + "result = libc.process_vm_readv(SERVER, 0, 0, 0, 0, 0)" + FAILED,
    "see the environment": "import os\nassert os.environ['STEPGRAPH_TREASURE']\nprint(WON)",
    "trace the zygote": CTYPES + "result = libc.ptrace(16, os.getppid() or 1, 0, 0)" + FAILED,
    "trace the server": CTYPES + "result = libc.ptrace(16, SERVER, 0, 0)" + FAILED,
    "signal the zygote": "import os\nos.kill(os.getppid() or 1, 0)\nprint(WON)",
    "signal the server": "import os\nassert os.getpid() != SERVER  # in a namespace of its own it may be\n"
    "os.kill(SERVER, 0)\nprint(WON)",
    "signal everybody": "import os\nos.kill(-1, 0)\nprint(WON)",
    "signal the group": "import os\nos.killpg(os.getpgrp(), 0)\nprint(WON)",
    "connect": CTYPES + "result = libc.socket(2, 1, 0)" + FAILED,
    "send a datagram": CTYPES + "result = libc.socket(2, 2, 0)" + FAILED,
    "connect by the low-level module": "import _socket\n_socket.socket(2, 1).connect(('127.0.0.1', PORT))\nprint(WON)",
    "a local socket": CTYPES + "result = libc.socketpair(1, 1, 0, (ctypes.c_int * 2)())" + FAILED,
    "fork": "import posix\nif posix.fork(): print(WON)",
    "fork by libc": CTYPES + "result = libc.fork()" + FAILED,
    "a thread by libc": CTYPES
    + "result = -libc.pthread_create((ctypes.c_long * 1)(), None, libc.sleep, None)"
    + FAILED,
    "execute": "import posix\nposix.execv('/bin/sh', ['sh', '-c', 'echo ' + WON])",
    "make pipes": "import os\nfor _ in range(9): os.pipe()\nprint(WON)",
    "blow a pipe up": "import fcntl\nfcntl.fcntl(1, 1031, 1 << 20)\nprint(WON)",
    "a memory file": "import os\nos.memfd_create('x')\nprint(WON)",
    "shared memory": CTYPES + "result = libc.shmget(0, 1 << 20, 0o1600)" + FAILED,
    "raise a limit": "import resource as r\nr.setrlimit(r.RLIMIT_AS, (-1, -1))\nprint(WON)",
    "raise one softly": "import resource as r\nr.prlimit(0, r.RLIMIT_NOFILE, (64, 64))\nprint(WON)",
    "raise the priority": "import os\nos.setpriority(0, 0, -5)\nprint(WON)",
    "change the processor": "import os\nos.sched_setaffinity(0, {0})\nprint(WON)",
    "become root": CTYPES + "result = libc.setuid(0)" + FAILED,
    "mount": CTYPES + "result = libc.mount(b'none', b'/tmp', b'tmpfs', 0, 0)" + FAILED,
    "a user namespace": CTYPES + "result = libc.unshare(0x10000000)" + FAILED,
    "make machine code": "import mmap\nmmap.mmap(-1, 4096, prot=7)\nprint(WON)",
    "load a library": "import ctypes\nctypes.CDLL('libBrokenLocale.so.1')\nprint(WON)",
    "shorten the journal": SHORTEN,
    "read through a folder's descriptor": "import posix\nr = posix.open('/', 0)\n"
    "posix.open('etc/passwd', 0, dir_fd=r)\nprint(WON)",
    "read its own memory map": "import _io\nprint(_io.open('/proc/self/maps').read() and WON)",
    "read its own open files": "import posix\nprint(posix.listdir('/proc/self/fd') and WON)",
    "read the kernel's settings": "import _io\nprint(_io.open('/sys/kernel/uevent_seqnum').read() and WON)",
    "open by openat2": CTYPES
    + "how = (ctypes.c_uint64 * 3)()\nresult = libc.syscall(CALLS['openat2'], -100, SECRET.encode(), how, 24)"
    + FAILED,
    "hard-link the secret": "import posix\nposix.link(SECRET, SHARED + '.hard')\nprint(WON)",
    "cut a file off": "import posix\nposix.truncate(SHARED, 0)\nprint(WON)",
    "change a file's times": "import posix\nposix.utime(SHARED, (0, 0))\nprint(WON)",
    "set an attribute": "import os\nos.setxattr(SHARED, 'user.x', b'x')\nprint(WON)",
    "make a device": "import posix, stat\nposix.mknod('/tmp/stepgraph-device', stat.S_IFIFO | 0o600)\nprint(WON)",
    "change the root": "import posix\nposix.chroot('/tmp')\nprint(WON)",
    "clone3": CTYPES + "result = libc.syscall(CALLS['clone3'], (ctypes.c_uint64 * 11)(), 88)" + FAILED,
    "io_uring": CTYPES + "result = libc.syscall(CALLS['io_uring_setup'], 8, (ctypes.c_uint64 * 16)())" + FAILED,
    "bpf": CTYPES + "result = libc.syscall(CALLS['bpf'], 0, (ctypes.c_uint64 * 16)(), 128)" + FAILED,
    "take a descriptor of the server": CTYPES
    + "result = libc.syscall(434, SERVER, 0)\nif result >= 0: result = libc.syscall(CALLS['pidfd_getfd'], result, 0, 0)"
    + FAILED,
    "watch the faults of memory": CTYPES + "result = libc.syscall(CALLS['userfaultfd'], 0)" + FAILED,
    "watch for events of the kernel": CTYPES
    + "result = libc.syscall(CALLS['perf_event_open'], (ctypes.c_uint64 * 16)(), 0, -1, -1, 0)"
    + FAILED,
    "take keys": CTYPES + "result = libc.syscall(CALLS['keyctl'], 0, -3, 1)" + FAILED,
    "turn data into code": CTYPES
    + "page = libc.mmap\npage.restype = ctypes.c_void_p\n"
    + "where = page(None, ctypes.c_size_t(4096), 3, 34, -1, ctypes.c_long(0))\n"
    + "result = libc.mprotect(ctypes.c_void_p(where), ctypes.c_size_t(4096), 5)"
    + FAILED,
    "be dumpable again": CTYPES + "result = libc.prctl(4, 1, 0, 0, 0)" + FAILED,
    "outlive the zygote": CTYPES + "result = libc.prctl(1, 0, 0, 0, 0)" + FAILED,
    "a session of its own": "import posix\nposix.setsid()\nprint(WON)",
    "spawn": CTYPES
    + "words = (ctypes.c_char_p * 2)(b'sh', None)\n"
    + "result = -libc.posix_spawn((ctypes.c_int * 1)(), b'/bin/sh', None, None, words, words)"
    + FAILED,
    "lock all memory": CTYPES + "result = libc.mlockall(3)" + FAILED,
    "let everything be run": CTYPES + "result = libc.personality(0x400000)" + FAILED,
    "code by a key": CTYPES
    + "libc.mmap.restype = ctypes.c_void_p\n"
    + "where = libc.mmap(None, ctypes.c_size_t(4096), 3, 34, -1, ctypes.c_long(0))\n"
    + "result = libc.pkey_mprotect(ctypes.c_void_p(where), ctypes.c_size_t(4096), 5, -1)"
    + FAILED,
    "code in shared memory": "import mmap\nmmap.mmap(-1, 4096, flags=mmap.MAP_SHARED, prot=5)\nprint(WON)",
    "a queued signal": CTYPES + "result = libc.sigqueue(SERVER, 0, None)" + FAILED,
    "a signal to a thread": CTYPES + "result = libc.tgkill(SERVER, SERVER, 0)" + FAILED,
    "a poll of events": CTYPES + "result = libc.epoll_create1(0)" + FAILED,
    "watch files": CTYPES + "result = libc.inotify_init1(0)" + FAILED,
    "watch all files": CTYPES + "result = libc.fanotify_init(0, 0)" + FAILED,
    "a timer": CTYPES + "result = libc.timerfd_create(1, 0)" + FAILED,
    "signals as a file": CTYPES + "result = libc.signalfd(-1, (ctypes.c_uint64 * 16)(), 0)" + FAILED,
    "an event": CTYPES + "result = libc.eventfd(0, 0)" + FAILED,
    "pages into a pipe": CTYPES + "result = libc.vmsplice(1, (ctypes.c_uint64 * 2)(), 0, 0)" + FAILED,
    "a file into a pipe": CTYPES + "result = libc.sendfile(1, 0, None, 10)" + FAILED,
    "a file by its handle": CTYPES + "result = libc.open_by_handle_at(-100, (ctypes.c_uint64 * 20)(), 0)" + FAILED,
    "a scheduler in real time": CTYPES + "result = libc.sched_setscheduler(0, 1, (ctypes.c_int * 1)(1))" + FAILED,
    "the log of the kernel": CTYPES + "result = libc.klogctl(3, ctypes.create_string_buffer(99), 99)" + FAILED,
    "a name for the machine": CTYPES + "result = libc.sethostname(b'won', 3)" + FAILED,
    "another clock": CTYPES + "result = libc.settimeofday((ctypes.c_long * 2)(), None)" + FAILED,
    "accounts": CTYPES + "result = libc.acct(None)" + FAILED,
    "an attribute of a descriptor": CTYPES + "result = libc.fsetxattr(1, b'user.x', b'x', 1, 0)" + FAILED,
    "a lock on a file": CTYPES + "result = libc.flock(0, 2)" + FAILED,
    "room on the disk": CTYPES + "result = -libc.posix_fallocate(0, ctypes.c_long(0), ctypes.c_long(1 << 40))" + FAILED,
    "write the memory of the server": CTYPES
    + "result = libc.syscall(CALLS['process_vm_writev'], SERVER, 0, 0, 0, 0, 0)"
    + FAILED,
    "its own memory by a file": "import posix, os\nposix.open('/proc/self/mem', os.O_RDWR)\nprint(WON)",
    "a message queue": CTYPES + "result = libc.msgget(0, 0o1600)" + FAILED,
}


REPRESENTATIVES = (
    "read a file of the server's user", "list the root", "write a new file", "append to the engine", "remove a file",
    "read the zygote's memory", "read the server's memory", "see the environment", "signal the server", "connect",
    "a local socket", "fork by libc", "a thread by libc", "execute", "make pipes", "shared memory", "raise a limit",
    "become root", "a user namespace", "make machine code", "load a library", "shorten the journal",
)  # fmt: skip
"""One of each kind, with the best layers; where those are few (strict), what has to do with files. All is for the rest
of the time."""
OF_FILES = REPRESENTATIVES[:5]


OFTEN = {"bwrap": REPRESENTATIVES, "strict": OF_FILES}
ATTEMPTS = [
    pytest.param(
        backend, name, marks=() if name in OFTEN.get(backend, ()) else pytest.mark.slow, id=f"{backend}-{name}"
    )
    for backend in BACKENDS
    for name in ATTACKS
]


@dataclass
class Target:
    """What there is to be won."""

    secret: Path
    shared: Path
    port: int


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    folder = tmp_path_factory.mktemp("target")
    secret, shared = folder / "secret", folder / "shared"
    secret.write_text("treasure")
    secret.chmod(0o600)
    shared.write_text("untouched")
    shared.chmod(0o666)
    for path in (folder, *folder.parents[:2]):
        path.chmod(0o777)
    listener = socket.create_server(("127.0.0.1", 0))

    def answer() -> None:
        while True:
            try:
                listener.accept()[0].close()
            except OSError:
                return

    threading.Thread(target=answer, daemon=True).start()
    os.environ["STEPGRAPH_TREASURE"] = "treasure"
    yield Target(secret, shared, listener.getsockname()[1])
    del os.environ["STEPGRAPH_TREASURE"]
    listener.close()


@pytest.fixture(scope="module")
def layers() -> Iterator[Callable[[str], Runner]]:
    """``backend -> runner``, each started once: a fixture with a parameter is made anew for each test."""
    started: dict[str, Runner] = {}

    def layered(backend: str) -> Runner:
        if backend not in started:
            runner = Runner(backend=backend)
            try:
                isolation = runner.isolation()
            except BackendError as error:
                pytest.skip(f"this machine cannot do {backend}: {error}")
            assert isolation.isolated
            started[backend] = runner
        return started[backend]

    yield layered
    for runner in started.values():
        runner.close()


@pytest.mark.parametrize(("backend", "name"), ATTEMPTS)
def test_attack(layers: Callable[[str], Runner], backend: str, execute: Any, target: Target, name: str) -> None:
    given = {"SECRET": str(target.secret), "SHARED": str(target.shared), "PORT": target.port, "SERVER": os.getpid()}
    given |= {"CALLS": NUMBERS[os.uname().machine]}
    # "won" stands nowhere in the source, which a traceback may quote.
    source = "".join(f"{key} = {value!r}\n" for key, value in given.items()) + "WON = 'wo' + 'n'\n" + ATTACKS[name]
    outcome = execute(layers(backend), source)
    assert "won" not in outcome.output
    assert outcome.run.exit_status in (1, 124), "it went through without an error"
    assert outcome.end["kind"] == "error" or outcome.end["limit"] == "crash"
    assert target.shared.read_text() == "untouched"
    assert sorted(path.name for path in target.shared.parent.iterdir()) == ["secret", "shared"]


@pytest.mark.slow
@pytest.mark.parametrize("backend", BACKENDS)
def test_the_next_run_is_answered_normally(layers: Callable[[str], Runner], backend: str, execute: Any) -> None:
    assert execute(layers(backend), "print('next')").output == "next\n"
