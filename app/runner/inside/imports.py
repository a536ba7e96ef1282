"""What a program can import: part of the standard library, NumPy, the engine and its dialects. ``app`` does not
exist here."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

from .denials import hide

_PRELOADED = """
abc argparse array ast base64 binascii bisect calendar cmath codecs collections collections.abc colorsys
configparser contextlib contextvars copy copyreg csv dataclasses datetime decimal difflib dis email.message enum
errno fileinput fnmatch fractions functools gc getopt getpass gettext glob graphlib gzip hashlib heapq hmac html
html.parser importlib.metadata importlib.resources inspect io ipaddress itertools json keyword linecache locale
logging logging.handlers math mimetypes mmap numbers operator os os.path pathlib pickle pickletools pkgutil platform
plistlib pprint profile pstats queue random re reprlib sched secrets select selectors shelve shlex shutil signal
socket stat statistics string struct subprocess symtable tarfile tempfile textwrap threading time timeit token
tokenize tomllib traceback tracemalloc types typing unicodedata unittest unittest.mock urllib.parse uuid warnings
weakref xml.dom.minidom xml.etree.ElementTree zipfile zlib zoneinfo doctest concurrent.futures asyncio
multiprocessing wave code codeop cmd bdb pdb pydoc trace mailbox netrc urllib.request urllib.error http.client
http.cookies html.entities ssl imghdr sndhdr uu quopri rlcompleter tabnanny zipapp zipimport crypt cgi optparse
logging.config importlib.util importlib.machinery importlib.abc xml.sax json.tool ctypes.util resource fcntl
faulthandler encodings.utf_8 encodings.ascii encodings.latin_1 encodings.utf_16 encodings.idna encodings.cp1252
ctypes cProfile sqlite3 bz2 lzma
"""
PRELOADED = tuple(_PRELOADED.split())
"""Imported once by the zygote. A missing one (a Python built without SQLite) is no error."""

_HIDDEN = "antigravity ensurepip idlelib lib2to3 pip pydoc_data site test tkinter turtle turtledemo venv"
HIDDEN = frozenset(_HIDDEN.split())
"""Parts of the standard library that make no sense in a run: windows, installers, Python's own tests."""

_ADAPTERS = "engine.adapters."
"""Formats of others, which need packages that a run does not have."""

_NUMPY = (
    "numpy", "numpy.random", "numpy.linalg", "numpy.fft", "numpy.polynomial", "numpy.ma", "numpy.testing",
    "numpy.typing", "numpy.lib.stride_tricks",
)  # fmt: skip

FRAMEWORKS = ("torch", "tensorflow")


class Gate:
    """The last finder: says in one sentence why a module is not there.

    ``importlib.util.find_spec`` must still answer ``None``, so only a real import is refused with words.
    """

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Raise ``ModuleNotFoundError`` for an import of anything nobody before has found."""
        if "." in name or sys._getframe(2).f_code.co_name == "find_spec":
            return None
        why = (
            "a Stepgraph run has one framework: the one that the program itself imports, of two the first; a comment "
            "`# stepgraph: torch`, `tf1` or `tf2` at the top chooses"
            if name in FRAMEWORKS
            else "a Stepgraph run has Python's standard library, numpy, torch and tensorflow, matplotlib, and parts of "
            "torchvision, scikit-learn and tqdm; nothing else can be imported"
        )
        raise ModuleNotFoundError(f"No module named {name!r} ({why})", name=name)


class Hider:
    """The first finder: hides the parts of the standard library named in :data:`HIDDEN`."""

    @staticmethod
    def find_spec(name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """Pass everything on, except what is hidden."""
        if name.partition(".")[0] not in HIDDEN:
            return None
        return Gate.find_spec(name.partition(".")[0])


def load_package(name: str, folder: str) -> ModuleType:
    """Import the package in ``folder`` under ``name`` without putting the folder it lies in on ``sys.path``."""
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
    )
    if spec is None or spec.loader is None:
        raise ImportError(f"no package {name} in {folder}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def preload(engine_folder: str, numpy_folder: str) -> list[str]:
    """Import all that a program may want. Returns what could not be, as ``"name: why"``.

    Raises whatever hinders NumPy or the engine's own entry point.
    """
    load_package("numpy", numpy_folder)
    for name in _NUMPY:
        importlib.import_module(name)
    problems: list[str] = []
    for name in PRELOADED:
        try:
            importlib.import_module(name)
        except ImportError as error:
            problems.append(f"{name}: {error}")
    engine = load_package("engine", engine_folder)
    for found in pkgutil.walk_packages(engine.__path__, "engine."):
        if found.name.startswith(_ADAPTERS):
            continue
        try:
            importlib.import_module(found.name)
        except Exception as error:
            problems.append(f"{found.name}: {type(error).__name__}: {error}")
    importlib.import_module("engine.recording.entry")
    importlib.import_module("engine.trace.build")
    return problems


def standard_library() -> list[str]:
    """The folders of the standard library, as they are on ``sys.path`` of an isolated Python."""
    return [entry for entry in sys.path if os.path.exists(entry)]


def close_gate(forget: Sequence[str]) -> None:
    """Install the finders and take the modules whose names begin with one of ``forget`` out of ``sys.modules``."""
    for finder in (Gate, Hider):  # Python leaves the frames of its import system out of tracebacks
        hide(finder.find_spec, "<frozen importlib._bootstrap>")
    sys.meta_path.insert(0, Hider)
    sys.meta_path.append(Gate)
    for name in [name for name in sys.modules if name.partition(".")[0] in forget]:
        del sys.modules[name]
