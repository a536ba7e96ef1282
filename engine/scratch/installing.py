"""Puts a scratch behind ``open`` and ``os`` for a while, or for the rest of the process."""

from __future__ import annotations

import builtins
import encodings.cp437  # noqa: F401  names in zip files; a sandbox may hide the module later
import io
import os
import posixpath
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import Any

import numpy

from engine.scratch.descriptors import FIRST, Descriptors
from engine.scratch.functions import PathFunctions
from engine.scratch.importer import ScratchFinder, ScratchLoader
from engine.scratch.tree import HOME, Tree

_MISSING = object()


def tree_for(source: str, name: str, files: Mapping[str, bytes]) -> tuple[Tree, str]:
    """A scratch with a program's source under its name and ``files`` beside it; and the folder of the program.

    ``files`` go by names relative to the program; they are in the folder in which it starts as well.

    >>> tree, folder = tree_for("print(1)", "lessons/one.py", {"a.csv": b"1"})
    >>> folder, sorted(path for path, _ in tree.files())[0]
    ('/home/student/lessons', '/home/student/a.csv')

    :raises OSError: they are too many.
    :raises ValueError: a name leads out of the folder.
    """
    tree = Tree()
    path = tree.absolute(name)
    folder = posixpath.dirname(path)
    if folder != "/":
        tree.mount(folder)
    for relative, data in files.items():
        place = posixpath.normpath(posixpath.join(folder, relative))
        if not place.startswith(folder.rstrip("/") + "/"):
            raise ValueError(f"{relative!r} does not lie beside the program")
        made = tree.put(place, data)
        start = posixpath.join(HOME, posixpath.normpath(relative))
        if start != place:
            tree.mount(posixpath.dirname(start))
            tree.folder(posixpath.dirname(start)).entries[posixpath.basename(start)] = made
            made.links += 1
    if not name.startswith("<") and tree.find(path) is None:
        tree.put(path, source.encode("utf-8", "surrogatepass"))
    return tree, folder


@contextmanager
def installed(tree: Tree, folder: str = HOME) -> Iterator[Tree]:
    """A block in which ``open``, ``os`` and what stands on them work on ``tree``; everything is put back after it.

    >>> with installed(Tree()):
    ...     with open("a.txt", "w") as file:
    ...         _ = file.write("hello")
    ...     os.path.getsize("a.txt"), os.getcwd()
    (5, '/home/student')
    >>> os.path.exists("a.txt")
    False
    """
    undo = install(tree, folder)
    try:
        yield tree
    finally:
        undo()


def install(tree: Tree, folder: str = HOME) -> Callable[[], None]:
    """Put ``tree`` behind ``open`` and ``os``; gives the function that puts everything back."""
    paths = PathFunctions(tree)
    descriptors = Descriptors(paths)
    saved: list[tuple[Any, str, Any]] = []

    def put(owner: Any, name: str, value: Any) -> None:
        saved.append((owner, name, getattr(owner, name, _MISSING)))
        setattr(owner, name, value)

    opening = descriptors.open  # one object: `open is io.open`
    put(builtins, "open", opening)
    put(io, "open", opening)
    put(io, "open_code", descriptors.open_code)
    for module in ("tokenize", "bz2", "gzip", "lzma", "tarfile"):
        for name in ("_builtin_open", "bltn_open"):  # they keep the open that they find when they are imported
            with suppress(ImportError):
                if hasattr(import_module(module), name):
                    put(sys.modules[module], name, opening)
    real_unlink = os.unlink
    for name, function in (paths.table() | descriptors.table()).items():
        put(os, name, function)
    _standard_library(put, real_unlink)
    _numpy(put, descriptors)
    finder = ScratchFinder(tree, folder)
    before = list(sys.meta_path)
    place = next((i for i, found in enumerate(before) if getattr(found, "__name__", "") == "PathFinder"), len(before))
    sys.meta_path.insert(place, finder)
    known = set(sys.modules)

    def undo() -> None:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)
        for name in [name for name in sys.modules if name not in known]:
            if isinstance(getattr(sys.modules[name], "__loader__", None), ScratchLoader):
                del sys.modules[name]
        for owner, name, value in reversed(saved):
            if value is _MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, value)

    return undo


def _standard_library(put: Callable[[Any, str, Any], None], real_unlink: Any) -> None:
    """Short cuts past ``os`` that the standard library takes on some systems."""
    for switch in ("_use_fd_functions", "_USE_CP_SENDFILE", "_USE_CP_COPY_FILE_RANGE", "_HAS_FCOPYFILE"):
        if hasattr(shutil, switch):
            put(shutil, switch, False)
    for method in vars(getattr(tempfile, "_TemporaryFileCloser", object)).values():
        defaults = getattr(method, "__defaults__", None) or ()
        if real_unlink in defaults:  # temporary files delete themselves by the function of long ago
            put(method, "__defaults__", tuple(os.unlink if value is real_unlink else value for value in defaults))
    put(tempfile, "tempdir", None)
    if hasattr(tempfile, "_O_TMPFILE_WORKS"):
        put(tempfile, "_O_TMPFILE_WORKS", False)


def _numpy(put: Callable[[Any, str, Any], None], descriptors: Descriptors) -> None:
    """NumPy hands descriptors of files to the C library; ours mean nothing there."""
    formats = sys.modules.get("numpy.lib._format_impl") or sys.modules.get("numpy.lib.format")
    real_check = getattr(formats, "isfileobj", None)
    if real_check is not None:

        def isfileobj(file: Any) -> bool:
            try:
                return bool(real_check(file)) and file.fileno() < FIRST
            except (OSError, ValueError):
                return False

        put(formats, "isfileobj", isfileobj)
    openers = getattr(sys.modules.get("numpy.lib._datasource"), "_file_openers", None)
    known = getattr(openers, "_file_openers", None)
    if isinstance(known, dict):
        put(openers, "_file_openers", {**known, None: descriptors.open})
    real_fromfile = numpy.fromfile

    def fromfile(file: Any, dtype: Any = float, count: int = -1, sep: str = "", offset: int = 0, **options: Any) -> Any:
        if not isinstance(file, str | bytes | os.PathLike) and not _is_ours(file):
            return real_fromfile(file, dtype, count, sep, offset, **options)
        with descriptors.open(file, "rb") if not _is_ours(file) else _kept(file) as opened:
            opened.seek(offset, 1)
            kind = numpy.dtype(dtype)
            data = opened.read() if sep or count < 0 else opened.read(count * kind.itemsize)
        if sep:
            return numpy.fromstring(data.decode("latin-1"), kind, count, sep=sep)
        return numpy.frombuffer(data[: len(data) - len(data) % kind.itemsize], kind).copy()

    put(numpy, "fromfile", fromfile)


def _is_ours(file: Any) -> bool:
    try:
        return hasattr(file, "fileno") and file.fileno() >= FIRST
    except (OSError, ValueError):
        return False


@contextmanager
def _kept(file: Any) -> Iterator[Any]:
    yield file
