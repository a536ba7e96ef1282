"""What ``os.stat`` and ``os.scandir`` say of files in memory."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from types import TracebackType
from typing import Any

from engine.scratch.tree import File, Folder

_DEVICE = 77


def status_of(node: File | Folder) -> os.stat_result:
    """The answer of ``os.stat``.

    >>> status_of(Folder(5)).st_ino
    5
    """
    nanoseconds = node.modified
    whole, seconds = nanoseconds // 1_000_000_000, nanoseconds / 1e9
    if isinstance(node, File):
        kind = (stat.S_IFCHR if node.sink else stat.S_IFREG) | node.mode
        size, links = len(node.data), node.links
    else:
        kind, size, links = stat.S_IFDIR | node.mode, 4096, 2
    user = os.getuid() if hasattr(os, "getuid") else 0
    group = os.getgid() if hasattr(os, "getgid") else 0
    times = {f"st_{letter}time": seconds for letter in "amc"} | {f"st_{letter}time_ns": nanoseconds for letter in "amc"}
    head = (kind, node.number, _DEVICE, links, user, group, size, whole, whole, whole)
    return os.stat_result(head, {**times, "st_blksize": 4096, "st_blocks": -(-size // 512), "st_rdev": 0})


class ScratchEntry:
    """What ``os.scandir`` gives for each name: an ``os.DirEntry``."""

    __slots__ = ("_node", "name", "path")

    def __init__(self, name: Any, path: Any, node: File | Folder) -> None:
        self.name = name
        self.path = path
        self._node = node

    def __fspath__(self) -> Any:
        return self.path

    def __repr__(self) -> str:
        return f"<DirEntry {self.name!r}>"

    def is_dir(self, *, follow_symlinks: bool = True) -> bool:
        return isinstance(self._node, Folder)

    def is_file(self, *, follow_symlinks: bool = True) -> bool:
        return isinstance(self._node, File) and not self._node.sink

    def is_symlink(self) -> bool:
        return False

    def is_junction(self) -> bool:
        return False

    def inode(self) -> int:
        return self._node.number

    def stat(self, *, follow_symlinks: bool = True) -> os.stat_result:
        return status_of(self._node)


class Entries:
    """The iterator that ``os.scandir`` returns; it is a context manager too."""

    def __init__(self, entries: list[ScratchEntry]) -> None:
        self._rest = iter(entries)

    def __iter__(self) -> Iterator[ScratchEntry]:
        return self

    def __next__(self) -> ScratchEntry:
        return next(self._rest)

    def close(self) -> None:
        self._rest = iter(())

    def __enter__(self) -> Entries:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()
