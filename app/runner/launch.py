"""How the zygote is started: through bubblewrap, in namespaces of its own making, or bare."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

KINDS = ("auto", "bwrap", "namespaces", "bare", "strict", "plain")

_NEUTRAL = "/stepgraph"
"""Where bubblewrap shows the packages, wherever they are installed."""

_COME_ALONG = "matplotlib mpl_toolkits pylab PIL contourpy cycler dateutil fontTools kiwisolver packaging pyparsing six"
_EXTRAS = "pandas pytz tzdata sklearn scipy joblib threadpoolctl seaborn"
PACKAGES = (*_COME_ALONG.split(), *_EXTRAS.split())
"""What a program may import beside NumPy, with what that needs: the extras are used where they are installed."""
_MENTIONED = re.compile(r"\b(matplotlib|mpl_toolkits|pylab|PIL|pandas|sklearn|scipy|seaborn|torchvision|IPython)\b")
LIBRARIES = {"PIL": "pillow", "sklearn": "scikit_learn"}
"""Packages whose libraries go by another name."""

NO_BWRAP = "bubblewrap: install the package bubblewrap"
NO_NAMESPACES = (
    "namespaces: allow unprivileged user namespaces (sysctl user.max_user_namespaces, kernel.unprivileged_userns_clone)"
)


@dataclass(frozen=True)
class Way:
    """One way to start: ``bwrap`` wraps it; ``namespaces``: the zygote makes its own; ``landlock``: it may use
    Landlock."""

    name: str
    bwrap: bool = False
    namespaces: bool = False
    landlock: bool = True
    user_namespace: bool = True

    @property
    def layers(self) -> list[str]:
        """What this way adds."""
        if self.bwrap:
            return ["bubblewrap (own file system, processes, network)"]
        return ["namespaces (own processes, network)"] if self.namespaces else []

    @property
    def missing(self) -> list[str]:
        """What this way goes without, and how to get it."""
        if self.bwrap:
            return []
        return [NO_BWRAP] if self.namespaces else [NO_BWRAP, NO_NAMESPACES]


_ROOT_BWRAP = Way("bwrap", bwrap=True, user_namespace=False)
_BWRAP = Way("bwrap", bwrap=True)
_NAMESPACES = Way("namespaces", namespaces=True)
_BARE = Way("bare")
_STRICT = Way("strict", landlock=False)


def ways(kind: str) -> tuple[Way, ...]:
    """The ways to try for a backend's name, best first."""
    wrapped = (_ROOT_BWRAP, _BWRAP) if hasattr(os, "geteuid") and os.geteuid() == 0 else (_BWRAP,)
    return {
        "auto": (*wrapped, _NAMESPACES, _BARE),
        "bwrap": wrapped,
        "namespaces": (_NAMESPACES,),
        "bare": (_BARE,),
        "strict": (_STRICT,),
    }[kind]


@dataclass(frozen=True)
class Places:
    """The folders and files that a process for programs needs, all absolute and resolved."""

    python: str
    base: str
    inside: str
    engine: str
    numpy: str
    numpy_libraries: str | None
    packages: tuple[tuple[str, str], ...] = ()
    """(name, folder or file) of what else a program may import."""

    @classmethod
    def find(cls, *, packages: bool = True) -> Places:
        """Where they are for this process; those of ``packages`` only if they are wanted. Raises
        ``ModuleNotFoundError`` without NumPy or the engine."""
        numpy = _package("numpy")
        libraries = os.path.join(os.path.dirname(numpy), "numpy.libs")
        return cls(
            python=os.path.realpath(getattr(sys, "_base_executable", None) or sys.executable),
            base=os.path.realpath(sys.base_prefix),
            inside=str(Path(__file__).resolve().parent / "inside"),
            engine=_package("engine"),
            numpy=numpy,
            numpy_libraries=libraries if os.path.isdir(libraries) else None,
            packages=tuple(_others()) if packages else (),
        )

    def neutral(self) -> Places:
        """The same under names that say nothing of this machine, for a file system where they are mounted so."""
        libraries = f"{_NEUTRAL}/numpy.libs" if self.numpy_libraries else None  # NumPy looks for it beside itself
        return replace(
            self,
            inside=f"{_NEUTRAL}/inside",
            engine=f"{_NEUTRAL}/engine",
            numpy=f"{_NEUTRAL}/numpy",
            numpy_libraries=libraries,
            packages=tuple((name, f"{_NEUTRAL}/packages/{os.path.basename(path)}") for name, path in self.packages),
        )


def wants_packages(*texts: str) -> bool:
    """Whether the texts of a program and of the modules beside it say that they might import one of :data:`PACKAGES`.

    >>> wants_packages("import torch"), wants_packages("x = 1", "from PIL import Image")
    (False, True)
    """
    return any(_MENTIONED.search(text) for text in texts)


def _others() -> Iterator[tuple[str, str]]:
    """Where the packages that programs may import are, as far as they are installed, and libraries that they need."""
    for name in PACKAGES:
        spec = importlib.util.find_spec(name)
        if spec is None:
            continue
        if spec.submodule_search_locations:
            place = os.path.realpath(next(iter(spec.submodule_search_locations)))
        else:
            place = os.path.realpath(spec.origin or "")
        if not os.path.exists(place):
            continue
        yield name, place
        libraries = os.path.join(os.path.dirname(place), f"{LIBRARIES.get(name, name)}.libs")
        if os.path.isdir(libraries):  # the loader looks for them beside the package
            yield f"{name}.libs", libraries


def _package(name: str) -> str:
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ModuleNotFoundError(f"the package {name} is not installed", name=name)
    return os.path.realpath(next(iter(spec.submodule_search_locations)))


def python_command(places: Places, script: str) -> list[str]:
    """Python, isolated from environment and site-packages, with a script of ``inside``."""
    return [places.python, "-I", "-S", "-B", "-X", "utf8", os.path.join(places.inside, script)]


def command(way: Way, places: Places, channel: int, spares: int) -> list[str]:
    """The whole command line of the zygote. Raises ``FileNotFoundError`` if bubblewrap is not installed."""
    readable = [path for path in ("/usr/share/zoneinfo",) if os.path.isdir(path)]
    seen = places.neutral() if way.bwrap else places
    settings = {
        "channel": channel, "inside": seen.inside, "engine": seen.engine, "numpy": seen.numpy,
        "packages": dict(seen.packages),
        "readable": readable, "spares": spares, "namespaces": way.namespaces, "landlock": way.landlock,
        "hidden_files": way.bwrap, "layers": way.layers, "missing": way.missing,
    }  # fmt: skip
    python = [*python_command(seen, "bootstrap.py"), json.dumps(settings)]
    return [*_bubblewrap(way, places, readable), *python] if way.bwrap else python


def _bubblewrap(way: Way, places: Places, readable: Sequence[str]) -> list[str]:
    program = shutil.which("bwrap")
    if program is None:
        raise FileNotFoundError(NO_BWRAP)
    wrapped = [program, "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    wrapped += ["--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try"]
    if way.user_namespace:
        wrapped += ["--unshare-user"]
    else:  # root needs none, and so the zygote can change to a user without rights
        wrapped += ["--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID"]
    shown = ["/usr/lib", "/usr/lib32", "/usr/lib64", "/etc/ld.so.cache", *readable, os.path.join(places.base, "lib")]
    shown.append(places.python)
    for path in ("/lib", "/lib64", "/lib32"):
        if os.path.islink(path):
            wrapped += ["--symlink", os.readlink(path), path]
        else:
            shown.append(path)
    done: list[str] = []
    for path in sorted(shown):  # an outer folder stands before what it holds
        if os.path.exists(path) and not any(path == other or path.startswith(other + "/") for other in done):
            done.append(path)
            for folder in reversed(Path(path).parents[:-1]):
                wrapped += ["--dir", str(folder)]  # named, so that everybody may pass through it
            wrapped += ["--ro-bind", path, path]
    seen = places.neutral()
    wrapped += ["--dir", _NEUTRAL]
    for name in ("inside", "engine", "numpy", "numpy_libraries"):
        path = getattr(places, name)
        if path is not None and os.path.exists(path):
            wrapped += ["--ro-bind", path, getattr(seen, name)]
    if places.packages:
        wrapped += ["--dir", f"{_NEUTRAL}/packages"]
    for (_, path), (_, shown_as) in zip(places.packages, seen.packages, strict=True):
        wrapped += ["--ro-bind", path, shown_as]
    return [*wrapped, "--hostname", "stepgraph", "--remount-ro", "/", "--chdir", "/", "--"]
