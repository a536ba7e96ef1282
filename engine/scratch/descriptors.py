"""``open``, and the functions of ``os`` that take a descriptor: those of the scratch are numbers of its own."""

from __future__ import annotations

import errno
import io
import os
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from engine.scratch.functions import PathFunctions
from engine.scratch.raw import ScratchFile, check, flags_of, open_node, wrap
from engine.scratch.status import status_of
from engine.scratch.tree import File, Folder, failure

FIRST = 1 << 20
"""Descriptors from here on are ours: a run may have 16 real ones."""
_WRITES = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
_FOLDER = getattr(os, "O_DIRECTORY", 0)


class Descriptors:
    """``open`` and ``os.open`` … over a tree, with the real ones behind them."""

    def __init__(self, paths: PathFunctions) -> None:
        self._paths = paths
        self._tree = paths.tree
        self._next = FIRST
        self._open: WeakValueDictionary[int, ScratchFile] = WeakValueDictionary()
        self._bare: dict[int, ScratchFile] = {}
        self._real_open = io.open
        self._real_code = io.open_code
        self._real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in self.table() | {"open": 0}}

    def table(self) -> dict[str, Callable[..., Any]]:
        """What to put into the module ``os``, where the system has such a function."""
        found: dict[str, Callable[..., Any]] = {
            "open": self.os_open, "close": self.close, "read": self.read, "write": self.write, "lseek": self.lseek,
            "fstat": self.fstat, "ftruncate": self.ftruncate, "truncate": self.truncate, "fsync": self.fsync,
            "fdatasync": self.fsync, "isatty": self.isatty, "dup": self.dup,
        }  # fmt: skip
        return {name: function for name, function in found.items() if hasattr(os, name)}

    def open(
        self,
        file: Any,
        mode: str = "r",
        buffering: int = -1,
        encoding: str | None = None,
        errors: str | None = None,
        newline: str | None = None,
        closefd: bool = True,
        opener: Any = None,
    ) -> Any:
        """What a program finds as ``open``."""
        if hasattr(file, "__fspath__"):
            file = os.fspath(file)
        rest = (mode, buffering, encoding, errors, newline)
        if opener is not None:
            check(mode, buffering, encoding, errors, newline)
            descriptor = opener(file, flags_of(mode))
            if isinstance(descriptor, int) and descriptor >= FIRST:
                return self._over(descriptor, rest, file)
            if not isinstance(descriptor, int):
                raise TypeError("expected integer from opener")
            if descriptor < 0:
                raise ValueError(f"opener returned {descriptor}")
            return self._real_open(descriptor, *rest, True)
        if isinstance(file, int):
            if file >= FIRST:
                check(mode, buffering, encoding, errors, newline)
                return self._over(file, rest, file)
            return self._real_open(file, *rest, closefd)
        found = self._paths.mine(file)
        if found is None:
            if isinstance(mode, str) and set(mode) & set("wax+") and isinstance(file, str | bytes | os.PathLike):
                check(mode, buffering, encoding, errors, newline)
                raise self._paths.refuse(file) if file else failure(errno.ENOENT, file)
            return self._real_open(self._paths.theirs(file), *rest, closefd)
        if not closefd:
            raise ValueError("Cannot use closefd=False with file name")
        check(mode, buffering, encoding, errors, newline)
        with self._paths.named(file):
            raw = open_node(self._tree, found, flags_of(mode), file, self._new())
        self._open[raw.fileno()] = raw
        return wrap(raw, *rest)

    def open_code(self, path: str) -> Any:
        """``io.open_code``: reads a module's file."""
        return self._real_code(path) if self._paths.mine(path) is None else self.open(path, "rb")

    def _new(self) -> int:
        self._next += 1
        return self._next

    def _over(self, descriptor: int, rest: tuple[Any, ...], name: Any) -> Any:
        raw = self._raw(descriptor)
        self._open[descriptor] = raw
        self._bare.pop(descriptor, None)
        raw.name = name
        return wrap(raw, *rest)

    def _raw(self, descriptor: int) -> ScratchFile:
        raw = self._bare.get(descriptor) or self._open.get(descriptor)
        if raw is None or raw.closed:
            raise failure(errno.EBADF)
        return raw

    # -- os ----------------------------------------------------------------------------------------------------------
    def os_open(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: Any = None) -> int:
        found = self._paths.mine(path, dir_fd)
        if found is None:
            if flags & _WRITES:
                raise self._paths.refuse(path)
            return self._real["open"](self._paths.theirs(path), flags, mode, dir_fd=dir_fd)  # type: ignore[no-any-return]
        with self._paths.named(path):
            if flags & _FOLDER and isinstance(self._tree.find(found), File):
                raise failure(errno.ENOTDIR)
            raw = open_node(self._tree, found, flags, path, self._new())
        descriptor = raw.fileno()
        self._bare[descriptor] = raw
        return descriptor

    def close(self, fd: int) -> None:
        if not isinstance(fd, int) or fd < FIRST:
            self._real["close"](fd)
            return
        raw = self._raw(fd)
        self._bare.pop(fd, None)
        raw.close()

    def read(self, fd: int, length: int, /) -> bytes:
        if not isinstance(fd, int) or fd < FIRST:
            return self._real["read"](fd, length)  # type: ignore[no-any-return]
        raw = self._raw(fd)
        if not raw.readable():
            raise failure(errno.EBADF)
        buffer = bytearray(min(length, len(raw.file.data)))
        return bytes(buffer[: raw.readinto(buffer)])

    def write(self, fd: int, data: Any, /) -> int:
        if not isinstance(fd, int) or fd < FIRST:
            return self._real["write"](fd, data)  # type: ignore[no-any-return]
        raw = self._raw(fd)
        if not raw.writable():
            raise failure(errno.EBADF)
        return raw.write(data)

    def lseek(self, fd: int, position: int, whence: int, /) -> int:
        if not isinstance(fd, int) or fd < FIRST:
            return self._real["lseek"](fd, position, whence)  # type: ignore[no-any-return]
        return self._raw(fd).seek(position, whence)

    def fstat(self, fd: int) -> os.stat_result:
        if not isinstance(fd, int) or fd < FIRST:
            return self._real["fstat"](fd)  # type: ignore[no-any-return]
        return status_of(self._raw(fd).file)

    def ftruncate(self, fd: int, length: int, /) -> None:
        if not isinstance(fd, int) or fd < FIRST:
            self._real["ftruncate"](fd, length)
            return
        self._tree.resize(self._raw(fd).file, length)

    def truncate(self, path: Any, length: int) -> None:
        if isinstance(path, int):
            self.ftruncate(path, length)
            return
        with self._paths.named(path):
            found = self._tree.look(self._paths.target(path))
            if isinstance(found, Folder):
                raise failure(errno.EISDIR)
            self._tree.resize(found, length)

    def fsync(self, fd: Any) -> None:
        number = fd if isinstance(fd, int) else fd.fileno()
        if number >= FIRST:
            self._raw(number)
        else:
            self._real["fsync"](number)

    def isatty(self, fd: int, /) -> bool:
        return bool(self._real["isatty"](fd)) if not isinstance(fd, int) or fd < FIRST else False

    def dup(self, fd: int, /) -> int:
        if not isinstance(fd, int) or fd < FIRST:
            return self._real["dup"](fd)  # type: ignore[no-any-return]
        self._raw(fd)
        raise OSError(
            errno.ENOTSUP,
            "the files of a run live in memory, where the system cannot write to them directly; "
            "np.save(file, array) does the same as array.tofile(file)",
        )
