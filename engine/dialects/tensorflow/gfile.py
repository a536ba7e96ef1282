"""``tf.gfile`` of 1.x: files, by TensorFlow's names. In a run they are those in memory."""

from __future__ import annotations

import glob
import os
import shutil
from typing import Any

from engine.dialects.tensorflow import errors


def _missing(path: Any, what: str = "") -> errors.NotFoundError:
    return errors.NotFoundError(None, None, f"{what}{path}; No such file or directory")


class GFile:
    """``tf.gfile.GFile(name, mode)``: opened at the first use."""

    def __init__(self, name: Any, mode: str = "r") -> None:
        self._name, self._mode = str(os.fspath(name)), mode
        self._file: Any = None

    @property
    def name(self) -> str:
        return self._name

    @property
    def mode(self) -> str:
        return self._mode

    def _open(self) -> Any:
        if self._file is None:
            try:
                self._file = open(self._name, self._mode, encoding=None if "b" in self._mode else "utf-8")  # noqa: SIM115
            except FileNotFoundError:
                raise _missing(self._name) from None
            except PermissionError as error:
                raise errors.PermissionDeniedError(None, None, f"{self._name}; {error.strerror}") from None
        return self._file

    def read(self, n: int = -1) -> Any:
        return self._open().read(n)

    def readline(self) -> Any:
        return self._open().readline()

    def readlines(self) -> list[Any]:
        return list(self._open())

    def write(self, file_content: Any) -> None:
        self._open().write(file_content)

    def seek(self, offset: int = 0, whence: int = 0) -> None:
        self._open().seek(offset, whence)

    def tell(self) -> int:
        return int(self._open().tell())

    def size(self) -> int:
        return int(Stat(self._name).length)

    def flush(self) -> None:
        self._open().flush()

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None

    def __iter__(self) -> Any:
        return iter(self._open())

    def __enter__(self) -> GFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


FastGFile = Open = GFile


class _FileStatistics:
    def __init__(self, length: int, modified: int, is_directory: bool) -> None:
        self.length, self.mtime_nsec, self.is_directory = length, modified, is_directory


def Exists(filename: Any) -> bool:
    return os.path.exists(filename)


def IsDirectory(dirname: Any) -> bool:
    return os.path.isdir(dirname)


def ListDirectory(dirname: Any) -> list[str]:
    if not os.path.isdir(dirname):
        raise errors.NotFoundError(None, None, f"Could not find directory {dirname}")
    return os.listdir(dirname)


def MakeDirs(dirname: Any) -> None:
    os.makedirs(dirname, exist_ok=True)


def MkDir(dirname: Any) -> None:
    try:
        os.mkdir(dirname)
    except FileExistsError:
        raise errors.AlreadyExistsError(None, None, f"{dirname}; File exists") from None
    except FileNotFoundError:
        raise _missing(dirname) from None


def Remove(filename: Any) -> None:
    try:
        os.remove(filename)
    except FileNotFoundError:
        raise _missing(filename) from None


def DeleteRecursively(dirname: Any) -> None:
    if not os.path.exists(dirname):
        raise _missing(dirname)
    shutil.rmtree(dirname)


def Rename(oldname: Any, newname: Any, overwrite: bool = False) -> None:
    if os.path.exists(newname) and not overwrite:
        raise errors.AlreadyExistsError(None, None, "file already exists")
    try:
        os.replace(oldname, newname)
    except FileNotFoundError:
        raise _missing(oldname) from None


def Copy(oldpath: Any, newpath: Any, overwrite: bool = False) -> None:
    if os.path.exists(newpath) and not overwrite:
        raise errors.AlreadyExistsError(None, None, "file already exists")
    try:
        shutil.copyfile(oldpath, newpath)
    except FileNotFoundError:
        raise _missing(oldpath) from None


def Glob(filename: Any) -> list[str]:
    patterns = [filename] if isinstance(filename, str | os.PathLike) else filename
    return [path for pattern in patterns for path in sorted(glob.glob(str(pattern)))]


def Stat(filename: Any) -> Any:
    try:
        found = os.stat(filename)
    except FileNotFoundError:
        raise _missing(filename) from None
    return _FileStatistics(found.st_size, found.st_mtime_ns, os.path.isdir(filename))


def Walk(top: Any, in_order: bool = True) -> Any:
    return os.walk(top, topdown=in_order)


_OWN = [name for name, value in globals().items() if getattr(value, "__module__", "") == __name__]
EXPORTED = {name: globals()[name] for name in _OWN if name[0].isupper()}
MODERN = {
    "GFile": GFile, "exists": Exists, "isdir": IsDirectory, "listdir": ListDirectory, "makedirs": MakeDirs,
    "mkdir": MkDir, "remove": Remove, "rmtree": DeleteRecursively, "rename": Rename, "copy": Copy, "glob": Glob,
    "stat": Stat, "walk": Walk,
}  # fmt: skip
"""The names in ``tf.io.gfile``."""
