"""Open files of the scratch, and ``open`` for them."""

from __future__ import annotations

import errno
import io
import os
import time
from typing import IO, Any

from engine.scratch.tree import File, Folder, Tree, failure

_LARGEST = 1 << 62


class ScratchFile(io.RawIOBase):
    """An open file without a buffer: what :class:`io.FileIO` is for a real one."""

    def __init__(self, tree: Tree, file: File, flags: int, name: Any = "", descriptor: int = -1) -> None:
        super().__init__()
        self._tree = tree
        self._file = file
        access = flags & (os.O_RDONLY | os.O_WRONLY | os.O_RDWR)
        self._reads, self._writes = access != os.O_WRONLY, access != os.O_RDONLY
        self._appends = bool(flags & os.O_APPEND)
        self._at = 0
        self._descriptor = descriptor
        self.name = name
        self.closed_by: Any = None
        file.handles += 1
        if flags & os.O_TRUNC and self._writes:
            tree.resize(file, 0)
        if self._appends:
            self._at = len(file.data)

    @property
    def mode(self) -> str:
        """As for a real file: ``rb``, ``wb``, ``ab``, ``rb+`` …"""
        if self._appends:
            return "ab+" if self._reads else "ab"
        return ("rb+" if self._writes else "rb") if self._reads else "wb"

    def readable(self) -> bool:
        self._check()
        return self._reads

    def writable(self) -> bool:
        self._check()
        return self._writes

    def seekable(self) -> bool:
        self._check()
        return True

    def isatty(self) -> bool:
        self._check()
        return False

    def fileno(self) -> int:
        """A number that ``os`` knows inside a run; to the system it means nothing."""
        self._check()
        if self._descriptor < 0:
            raise io.UnsupportedOperation("fileno: files of a run live in memory")
        return self._descriptor

    def _check(self) -> None:
        if self.closed:
            raise ValueError("I/O operation on closed file")

    def readinto(self, buffer: Any, /) -> int:
        self._check()
        if not self._reads:
            raise io.UnsupportedOperation("File not open for reading")
        view = memoryview(buffer).cast("B")
        piece = bytes(self._file.data[self._at : self._at + len(view)])
        view[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)

    def readall(self) -> bytes:
        self._check()
        if not self._reads:
            raise io.UnsupportedOperation("File not open for reading")
        piece = bytes(self._file.data[self._at :])
        self._at += len(piece)
        return piece

    def write(self, data: Any, /) -> int:
        self._check()
        if not self._writes:
            raise io.UnsupportedOperation("File not open for writing")
        piece = bytes(memoryview(data).cast("B"))
        file = self._file
        if file.sink or not piece:
            return len(piece)
        if self._appends:
            self._at = len(file.data)
        end = self._at + len(piece)
        if end > len(file.data):
            self._tree.resize(file, end)
        file.data[self._at : end] = piece
        file.modified = time.time_ns()
        self._at = end
        return len(piece)

    def seek(self, offset: int, whence: int = 0, /) -> int:
        self._check()
        if whence not in (0, 1, 2):
            raise failure(errno.EINVAL)
        target = int(offset) + (0, self._at, len(self._file.data))[whence]
        if not 0 <= target < _LARGEST:
            raise failure(errno.EINVAL)
        self._at = target
        return target

    def tell(self) -> int:
        self._check()
        return self._at

    def truncate(self, size: int | None = None, /) -> int:
        self._check()
        if not self._writes:
            raise io.UnsupportedOperation("File not open for writing")
        wanted = self._at if size is None else int(size)
        self._tree.resize(self._file, wanted)
        return wanted

    def close(self) -> None:
        if self.closed:
            return
        super().close()
        if self.closed_by is not None:
            self.closed_by(self._descriptor)
        self._file.handles -= 1
        self._tree.release(self._file)

    @property
    def file(self) -> File:
        """What is open."""
        return self._file

    def __repr__(self) -> str:
        if self.closed:
            return "<_io.FileIO [closed]>"
        return f"<_io.FileIO name={self.name!r} mode={self.mode!r} closefd=True>"


def open_node(tree: Tree, path: str, flags: int, name: Any, descriptor: int = -1) -> ScratchFile:
    """Open (and with ``O_CREAT`` make) the file at the absolute ``path``; errors carry no file name."""
    found = tree.find(path)
    if found is None:
        if not flags & os.O_CREAT:
            tree.look(path)
        found = tree.create(path)
    elif flags & os.O_CREAT and flags & os.O_EXCL:
        raise failure(errno.EEXIST)
    writes = flags & (os.O_WRONLY | os.O_RDWR)
    if isinstance(found, Folder):
        raise failure(errno.EISDIR)
    if writes and not found.sink and not (tree.writable(path) and found.mode & 0o200):
        raise failure(errno.EACCES)
    if not found.mode & 0o400:
        raise failure(errno.EACCES)
    return ScratchFile(tree, found, flags, name, descriptor)


def flags_of(mode: str) -> int:
    """The flags that ``os.open`` wants for a mode of ``open``. :raises ValueError: it is no mode.

    >>> flags_of("a+b") == os.O_RDWR | os.O_CREAT | os.O_APPEND | getattr(os, "O_CLOEXEC", 0)
    True
    """
    if not isinstance(mode, str):
        raise TypeError(f"open() argument 'mode' must be str, not {type(mode).__name__}")
    letters = set(mode)
    if letters - set("rwaxbt+") or len(mode) > len(letters):
        raise ValueError(f"invalid mode: {mode!r}")
    if len(letters & set("rwax")) != 1 or ("t" in letters and "b" in letters):
        if "t" in letters and "b" in letters:
            raise ValueError("can't have text and binary mode at once")
        if len(letters & set("rwax")) > 1:
            raise ValueError("must have exactly one of create/read/write/append mode")
        raise ValueError("Must have exactly one of create/read/write/append mode and at most one plus")
    flags = {"r": 0, "w": os.O_CREAT | os.O_TRUNC, "a": os.O_CREAT | os.O_APPEND, "x": os.O_CREAT | os.O_EXCL}
    found = flags[next(iter(letters & set("rwax")))]
    found |= os.O_RDWR if "+" in letters else os.O_RDONLY if "r" in letters else os.O_WRONLY
    return found | getattr(os, "O_CLOEXEC", 0)


def check(mode: str, buffering: int, encoding: Any, errors: Any, newline: Any) -> None:
    """Refuse what ``open`` refuses before it opens anything."""
    flags_of(mode)
    if "b" in mode:
        for name, value in (("an encoding", encoding), ("an errors", errors), ("a newline", newline)):
            if value is not None:
                raise ValueError(f"binary mode doesn't take {name} argument")
    elif buffering == 0:
        raise ValueError("can't have unbuffered text I/O")


def wrap(raw: ScratchFile, mode: str, buffering: int, encoding: Any, errors: Any, newline: Any) -> IO[Any]:
    """Put the buffers on that ``open`` puts on a real file."""
    try:
        line_buffering = buffering == 1 and "b" not in mode
        if buffering == 0:
            return raw  # type: ignore[return-value]
        size = io.DEFAULT_BUFFER_SIZE if buffering in (-1, 1) else buffering
        buffer: Any
        if "+" in mode:
            buffer = io.BufferedRandom(raw, size)
        elif "r" in mode:
            buffer = io.BufferedReader(raw, size)
        else:
            buffer = io.BufferedWriter(raw, size)
        if "b" in mode:
            return buffer  # type: ignore[no-any-return]
        text = io.TextIOWrapper(buffer, encoding, errors, newline, line_buffering)
        text.mode = mode  # type: ignore[misc]
        return text
    except BaseException:
        raw.close()
        raise
