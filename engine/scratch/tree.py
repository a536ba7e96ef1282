"""Files and folders in memory: names, contents, one quota for all."""

from __future__ import annotations

import errno
import os
import posixpath
import time
from collections.abc import Iterator, Mapping

QUOTA = 16 << 20
"""Bytes for all files of a run together."""
ENTRY_BYTES = 256
"""What a file or folder counts besides its contents, so that there cannot be too many."""
HOME = "/home/student"
"""The folder in which a program starts."""
TEMPORARY = "/tmp"
NULL = "/dev/null"


class File:
    """A file: its bytes, how many names it has, and how many have it open."""

    __slots__ = ("data", "handles", "links", "mode", "modified", "number", "sink")

    def __init__(self, number: int, *, sink: bool = False) -> None:
        self.data = bytearray()
        self.number = number
        self.sink = sink
        self.mode = 0o666 if sink else 0o644
        self.links = 1
        self.handles = 0
        self.modified = time.time_ns()


class Folder:
    """A folder: what is in it, by name."""

    __slots__ = ("entries", "mode", "modified", "number")

    def __init__(self, number: int) -> None:
        self.entries: dict[str, File | Folder] = {}
        self.number = number
        self.mode = 0o755
        self.modified = time.time_ns()


def failure(number: int, shown: object = None, second: object = None) -> OSError:
    """The exception that the system would raise, with its message.

    >>> failure(errno.ENOENT, "a.txt")
    FileNotFoundError(2, 'No such file or directory')
    """
    if number == errno.ENOSPC:
        words = f"No space left on device (the files of a run may hold {QUOTA >> 20} MB in all)"
    else:
        words = os.strerror(number)
    if shown is None:
        return OSError(number, words)
    shown, second = (os.fspath(path) if hasattr(path, "__fspath__") else path for path in (shown, second))
    return OSError(number, words, shown) if second is None else OSError(number, words, shown, None, second)


def _climbed(path: str) -> str:
    """An absolute ``path`` without ``..``, none of which leads out of HOME."""
    parts: list[str] = []
    home = HOME.strip("/").split("/")
    for part in path.split("/"):
        if part != "..":
            parts += [part] if part not in ("", ".") else []
        elif parts and parts != home:
            parts.pop()
    return "/" + "/".join(parts)


class Tree:
    """A file system of its own. Paths are absolute and normal here (:meth:`absolute`); errors carry no file name.

    ``mounts`` are the folders in which a program may write; everything else that is here may be read.

    >>> tree = Tree({"data.csv": b"1,2"})
    >>> tree.names(HOME), bytes(tree.file(HOME + "/data.csv").data)
    (['data.csv'], b'1,2')
    """

    def __init__(self, files: Mapping[str, bytes] | None = None, quota: int = QUOTA) -> None:
        self.left = quota
        self.quota = quota
        self._numbers = 1
        self.root = Folder(1)
        self.mounts: list[str] = []
        self.cwd = HOME
        self._given: dict[int, int] = {}
        for mount in (HOME, TEMPORARY):
            self.mount(mount)
        self._parents(NULL).entries["null"] = File(self._number(), sink=True)
        for name, data in (files or {}).items():
            self.put(posixpath.join(HOME, name), data)

    def mount(self, path: str) -> None:
        """Make ``path`` a folder in which a program may write."""
        self._parents(posixpath.join(path, "."))
        if path not in self.mounts:
            self.mounts.append(path)

    def put(self, path: str, data: bytes) -> File:
        """A file, with the folders that lead to it, whether a program may write there or not."""
        parent, name = self._parents(path), posixpath.basename(path)
        file = parent.entries[name] = File(self._number())
        self.take(ENTRY_BYTES + len(data))
        file.data[:] = data
        self._given[file.number] = file.modified
        return file

    def lend(self, path: str, data: bytes) -> None:
        """A file that may be read, of which there is one copy for all: it counts nothing."""
        file = self._parents(path).entries[posixpath.basename(path)] = File(self._number())
        file.data = data  # type: ignore[assignment]

    def _parents(self, path: str) -> Folder:
        here = self.root
        for part in posixpath.dirname(path).strip("/").split("/"):
            if not part:
                continue
            there = here.entries.get(part)
            if there is None:
                there = here.entries[part] = Folder(self._number())
            if isinstance(there, File):
                raise failure(errno.ENOTDIR)
            here = there
        return here

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    # -- paths -------------------------------------------------------------------------------------------------------
    def absolute(self, path: str) -> str:
        """``path`` from the root, without ``.`` and ``..``.

        Where a program starts is the top of its world: ``..`` leads no further up, as at the root of a disk. So what
        keeps its data at ``../../data``, beside all lessons of a course, has a place for it.

        >>> Tree().absolute("../../data/mnist"), Tree().absolute("a/../b")
        ('/home/student/data/mnist', '/home/student/b')
        """
        if os.sep == "\\":
            path = os.path.splitdrive(path)[1].replace("\\", "/")
        joined = posixpath.join(self.cwd, path)
        found = posixpath.normpath(_climbed(joined) if ".." in path else joined)
        return found[1:] if found.startswith("//") else found

    def owns(self, path: str) -> bool:
        """Whether this path is answered here, be there something or not."""
        return self.writable(path) or self.find(path) is not None

    def writable(self, path: str) -> bool:
        """Whether a program may make something under this path."""
        return any(path == mount or path.startswith(mount + "/") for mount in self.mounts)

    def find(self, path: str) -> File | Folder | None:
        """What is at ``path``, or ``None``."""
        try:
            return self.look(path)
        except OSError:
            return None

    def look(self, path: str) -> File | Folder:
        """What is at ``path``. :raises OSError: nothing is."""
        here: File | Folder = self.root
        for part in path.split("/"):
            if not part:
                continue
            if isinstance(here, File):
                raise failure(errno.ENOTDIR)
            there = here.entries.get(part)
            if there is None:
                raise failure(errno.ENOENT)
            here = there
        return here

    def folder(self, path: str) -> Folder:
        """The folder at ``path``. :raises OSError: there is none."""
        found = self.look(path)
        if isinstance(found, File):
            raise failure(errno.ENOTDIR)
        return found

    def file(self, path: str) -> File:
        """The file at ``path``. :raises OSError: there is none."""
        found = self.look(path)
        if isinstance(found, Folder):
            raise failure(errno.EISDIR)
        return found

    def names(self, path: str) -> list[str]:
        """What is in the folder ``path``, in the order in which it came there."""
        return list(self.folder(path).entries)

    def files(self) -> Iterator[tuple[str, File]]:
        """Every file under a mount, with its path."""
        for mount in self.mounts:
            folders = [(mount, self.find(mount))]
            while folders:
                path, folder = folders.pop()
                if isinstance(folder, Folder):
                    for name, node in folder.entries.items():
                        if isinstance(node, File):
                            yield f"{path}/{name}", node
                        else:
                            folders.append((f"{path}/{name}", node))

    def written(self) -> Iterator[tuple[str, bytes]]:
        """What the program itself has left, the oldest first: (name, contents), names relative to where it started.

        >>> tree = Tree({"data.csv": b"1,2"})
        >>> list(tree.written())
        []
        """
        found = {file.number: (path, file) for path, file in self.files() if "/__pycache__/" not in path}
        for number, (path, file) in sorted(found.items(), key=lambda one: one[1][1].modified):
            if self._given.get(number) != file.modified and not file.sink:
                yield path.removeprefix(f"{HOME}/").lstrip("/"), bytes(file.data)

    # -- changes -----------------------------------------------------------------------------------------------------
    def _place(self, path: str) -> tuple[Folder, str]:
        """Where a name stands that may be changed."""
        parent, name = posixpath.split(path)
        if not self.writable(path):
            raise failure(errno.EACCES)
        if path in self.mounts:
            raise failure(errno.EBUSY)
        if len(name.encode("utf-8", "surrogateescape")) > 255:
            raise failure(errno.ENAMETOOLONG)
        return self.folder(parent), name

    def create(self, path: str) -> File:
        """A new, empty file."""
        parent, name = self._place(path)
        if name in parent.entries:
            raise failure(errno.EEXIST)
        self.take(ENTRY_BYTES)
        file = parent.entries[name] = File(self._number())
        parent.modified = file.modified
        return file

    def make_folder(self, path: str) -> None:
        """A new folder."""
        if self.find(path) is not None:
            raise failure(errno.EEXIST)
        parent, name = self._place(path)
        self.take(ENTRY_BYTES)
        made = parent.entries[name] = Folder(self._number())
        parent.modified = made.modified

    def remove(self, path: str) -> None:
        """Take a file's name away; its contents go when nobody has it open any more."""
        file = self.file(path)
        parent, name = self._place(path)
        del parent.entries[name]
        parent.modified = time.time_ns()
        file.links -= 1
        self.take(-ENTRY_BYTES)
        self.release(file)

    def remove_folder(self, path: str) -> None:
        """Take an empty folder away."""
        if self.folder(path).entries:
            raise failure(errno.ENOTEMPTY)
        parent, name = self._place(path)
        del parent.entries[name]
        parent.modified = time.time_ns()
        self.take(-ENTRY_BYTES)

    def rename(self, old: str, new: str) -> None:
        """Move a file or folder; a file takes the place of a file, a folder that of an empty folder."""
        moved = self.look(old)
        parent, name = self._place(old)
        if old == new:
            return
        if new.startswith(old + "/"):
            raise failure(errno.EINVAL)
        there, target = self._place(new)
        found = there.entries.get(target)
        if found is moved:
            return
        if isinstance(found, Folder):
            if isinstance(moved, File):
                raise failure(errno.EISDIR)
            self.remove_folder(new)
        elif found is not None:
            if isinstance(moved, Folder):
                raise failure(errno.ENOTDIR)
            self.remove(new)
        del parent.entries[name]
        there.entries[target] = moved
        parent.modified = there.modified = time.time_ns()

    def link(self, path: str, new: str) -> None:
        """A second name for a file."""
        file = self.file(path)
        parent, name = self._place(new)
        if name in parent.entries:
            raise failure(errno.EEXIST)
        self.take(ENTRY_BYTES)
        parent.entries[name] = file
        file.links += 1

    def resize(self, file: File, size: int) -> None:
        """Cut a file off, or fill it up with zeros."""
        if file.sink:
            return
        if size < 0:
            raise failure(errno.EINVAL)
        more = size - len(file.data)
        self.take(more)
        if more > 0:
            file.data.extend(bytes(more))
        else:
            del file.data[size:]
        file.modified = time.time_ns()

    def release(self, file: File) -> None:
        """Let go of the contents of a file that has no name and is not open."""
        if not file.links and not file.handles and file.data:
            self.take(-len(file.data))
            file.data.clear()

    def take(self, count: int) -> None:
        """Count bytes (or give them back). :raises OSError: there is no room."""
        if count > self.left:
            raise failure(errno.ENOSPC)
        self.left -= count
