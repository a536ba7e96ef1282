"""The functions of ``os`` that know the scratch. What is not there goes to the real one if it only reads."""

from __future__ import annotations

import errno
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from engine.scratch.status import Entries, ScratchEntry, status_of
from engine.scratch.tree import File, Folder, Tree, failure


class PathFunctions:
    """``os`` functions that take a path, by name in :meth:`table`."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree
        names = ("stat", "lstat", "listdir", "scandir", "access", "readlink")
        self._real: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in names if hasattr(os, name)}

    def table(self) -> dict[str, Callable[..., Any]]:
        """What to put into the module ``os``, where the system has such a function."""
        found: dict[str, Callable[..., Any]] = {
            "stat": self.stat, "lstat": self.lstat, "listdir": self.listdir, "scandir": self.scandir,
            "access": self.access, "readlink": self.readlink, "mkdir": self.mkdir, "rmdir": self.rmdir,
            "remove": self.remove, "unlink": self.remove, "rename": self.rename, "replace": self.rename,
            "link": self.link, "symlink": self.symlink, "chmod": self.chmod, "utime": self.utime,
            "getcwd": self.getcwd, "getcwdb": self.getcwdb, "chdir": self.chdir, "listxattr": self.listxattr,
            "chown": self.chown,
        }  # fmt: skip
        return {name: function for name, function in found.items() if hasattr(os, name)}

    # -- whose path it is --------------------------------------------------------------------------------------------
    def absolute(self, path: Any) -> str:
        """The absolute path. :raises TypeError: it is no path."""
        text = os.fsdecode(path)
        if "\0" in text:
            raise ValueError("embedded null byte")
        return self.tree.absolute(text)

    def mine(self, path: Any, dir_fd: Any = None) -> str | None:
        """The absolute path if it is answered here."""
        if isinstance(path, int) or dir_fd is not None:
            return None
        try:
            found = self.absolute(path)
        except (TypeError, ValueError):
            return None
        if not path or len(found) > 4096:
            return None
        return found if self.tree.owns(found) else None

    def theirs(self, path: Any) -> Any:
        """The path as the real function needs it: the real working directory is another one."""
        if isinstance(path, int) or not path:
            return path
        text = os.fspath(path)
        if os.path.isabs(text):
            return path
        found = self.tree.absolute(os.fsdecode(text))
        return os.fsencode(found) if isinstance(text, bytes) else found

    def refuse(self, path: Any, second: Any = None) -> OSError:
        """What a write to a path that is not here gets."""
        try:
            parent = os.path.dirname(self.absolute(path))
            if not self.tree.owns(parent):
                self._real["stat"](parent)
        except FileNotFoundError:
            return failure(errno.ENOENT, path, second)
        except OSError:
            pass
        return failure(errno.EACCES, path, second)

    def target(self, path: Any, dir_fd: Any = None) -> str:
        """The absolute path of something that will be changed."""
        if dir_fd is not None:
            raise failure(errno.EBADF, path)
        text = self.absolute(path)
        if not path:
            raise failure(errno.ENOENT, path)
        if not self.tree.writable(text):
            raise self.refuse(path)
        return text

    @contextmanager
    def named(self, shown: Any, second: Any = None) -> Iterator[None]:
        """Errors inside get the name that the program gave."""
        try:
            yield
        except OSError as error:
            if error.filename is None and error.errno is not None:
                raise failure(error.errno, shown, second) from None
            raise

    # -- looking -----------------------------------------------------------------------------------------------------
    def stat(self, path: Any, *, dir_fd: Any = None, follow_symlinks: bool = True) -> os.stat_result:
        found = self.mine(path, dir_fd)
        if found is None:
            return self._real["stat"](  # type: ignore[no-any-return]
                self.theirs(path) if dir_fd is None else path, dir_fd=dir_fd, follow_symlinks=follow_symlinks
            )
        with self.named(path):
            return status_of(self.tree.look(found))

    def lstat(self, path: Any, *, dir_fd: Any = None) -> os.stat_result:
        return self.stat(path, dir_fd=dir_fd, follow_symlinks=False)

    def listdir(self, path: Any = None) -> list[Any]:
        found = self.mine("." if path is None else path)
        if found is None:
            return self._real["listdir"](self.theirs("." if path is None else path))  # type: ignore[no-any-return]
        with self.named(path):
            names = self.tree.names(found)
        return [os.fsencode(name) for name in names] if isinstance(path, bytes) else names

    def scandir(self, path: Any = None) -> Any:
        shown = "." if path is None else path
        found = self.mine(shown)
        if found is None:
            return self._real["scandir"](self.theirs(shown))
        with self.named(shown):
            entries = list(self.tree.folder(found).entries.items())
        text = os.fspath(shown)
        if isinstance(text, bytes):
            named = [(os.fsencode(name), node) for name, node in entries]
            return Entries([ScratchEntry(name, os.path.join(text, name), node) for name, node in named])
        return Entries([ScratchEntry(name, os.path.join(text, name), node) for name, node in entries])

    def access(
        self, path: Any, mode: int, *, dir_fd: Any = None, effective_ids: bool = False, follow_symlinks: bool = True
    ) -> bool:
        found = self.mine(path, dir_fd)
        if found is None:
            return not mode & os.W_OK and bool(self._real["access"](self.theirs(path), mode, dir_fd=dir_fd))
        node = self.tree.find(found)
        if node is None or (mode & os.R_OK and not node.mode & 0o400):
            return False
        if mode & os.X_OK and isinstance(node, File) and not node.mode & 0o100:
            return False
        return not mode & os.W_OK or (self.tree.writable(found) and bool(node.mode & 0o200))

    def readlink(self, path: Any, *, dir_fd: Any = None) -> Any:
        found = self.mine(path, dir_fd)
        if found is None:
            return self._real["readlink"](self.theirs(path), dir_fd=dir_fd)
        with self.named(path):
            self.tree.look(found)
        raise failure(errno.EINVAL, path)

    # -- changing ----------------------------------------------------------------------------------------------------
    def mkdir(self, path: Any, mode: int = 0o777, *, dir_fd: Any = None) -> None:
        found = self.mine(path, dir_fd)
        if found is not None and self.tree.find(found) is not None:
            raise failure(errno.EEXIST, path)
        with self.named(path):
            self.tree.make_folder(self.target(path, dir_fd))

    def rmdir(self, path: Any, *, dir_fd: Any = None) -> None:
        with self.named(path):
            self.tree.remove_folder(self.target(path, dir_fd))

    def remove(self, path: Any, *, dir_fd: Any = None) -> None:
        with self.named(path):
            self.tree.remove(self.target(path, dir_fd))

    def rename(self, src: Any, dst: Any, *, src_dir_fd: Any = None, dst_dir_fd: Any = None) -> None:
        with self.named(src, dst):
            self.tree.rename(self.target(src, src_dir_fd), self.target(dst, dst_dir_fd))

    def link(self, src: Any, dst: Any, **_options: Any) -> None:
        with self.named(src, dst):
            self.tree.link(self.target(src), self.target(dst))

    def symlink(self, src: Any, dst: Any, target_is_directory: bool = False, *, dir_fd: Any = None) -> None:
        raise failure(errno.EPERM, src, dst)

    def chmod(self, path: Any, mode: int, *, dir_fd: Any = None, follow_symlinks: bool = True) -> None:
        with self.named(path):
            self.tree.look(self.target(path, dir_fd)).mode = mode & 0o7777

    def chown(self, path: Any, uid: int, gid: int, *, dir_fd: Any = None, follow_symlinks: bool = True) -> None:
        with self.named(path):
            self.tree.look(self.target(path, dir_fd))

    def utime(
        self, path: Any, times: Any = None, *, ns: Any = None, dir_fd: Any = None, follow_symlinks: bool = True
    ) -> None:
        with self.named(path):
            node = self.tree.look(self.target(path, dir_fd))
        if ns is not None:
            node.modified = int(ns[1])
        else:
            node.modified = time.time_ns() if times is None else int(times[1] * 1_000_000_000)

    def listxattr(self, path: Any = None, *, follow_symlinks: bool = True) -> list[str]:
        raise failure(errno.ENOTSUP, path)

    # -- the working directory ---------------------------------------------------------------------------------------
    def getcwd(self) -> str:
        return self.tree.cwd

    def getcwdb(self) -> bytes:
        return os.fsencode(self.tree.cwd)

    def chdir(self, path: Any) -> None:
        if isinstance(path, int):
            raise failure(errno.ENOTDIR, path)
        found = self.absolute(path)
        with self.named(path):
            if not path:
                raise failure(errno.ENOENT)
            if self.tree.owns(found):
                self.tree.folder(found)
            elif not isinstance(self.tree.find(found), Folder):
                self._real["listdir"](found)
        self.tree.cwd = found
