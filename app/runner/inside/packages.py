"""Packages of others that a program may import beside NumPy: found by name where the server says, imported once by the
zygote, so that a child needs no file of them. What they open later (fonts) lies in the program's scratch."""

from __future__ import annotations

import importlib
import importlib.util
import os
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.machinery import ModuleSpec
from typing import Any

MATPLOTLIB = (
    "matplotlib.pyplot", "matplotlib.animation", "matplotlib.backends.backend_svg",
    "matplotlib.backends.backend_pdf", "matplotlib.gridspec",
    "matplotlib.tri", "matplotlib.widgets", "mpl_toolkits.mplot3d", "mpl_toolkits.axes_grid1", "pylab",
    "PIL.Image", "PIL.ImageDraw", "PIL.ImageOps", "PIL.ImageFilter", "PIL.PngImagePlugin", "PIL.JpegImagePlugin",
    "contourpy._contourpy", "matplotlib._qhull", "matplotlib._tri", "PIL.ImageFont", "PIL.ImageMath",
    "PIL.WebPImagePlugin", "PIL.TiffImagePlugin", "PIL.PpmImagePlugin", "PIL.ImageChops", "PIL.ImageColor",
    "PIL.GifImagePlugin", "PIL.BmpImagePlugin", "PIL.ImageEnhance",
)  # fmt: skip
OPTIONAL = ("pandas", "sklearn.datasets", "sklearn.model_selection", "sklearn.preprocessing", "seaborn")
"""Imported too where they are installed (an extra)."""
FONTS: dict[str, bytes] = {}
"""The fonts of matplotlib by path."""


class Lent:
    """The finder of these packages; their own parts are found as ever."""

    def __init__(self, places: Mapping[str, str]) -> None:
        self._places = dict(places)

    def find_spec(self, name: str, path: object = None, target: object = None) -> ModuleSpec | None:
        """The package or module called ``name``, if it is one of them."""
        place = self._places.get(name)
        if place is None:
            return None
        if not os.path.isdir(place):
            return importlib.util.spec_from_file_location(name, place)
        start = os.path.join(place, "__init__.py")
        if os.path.exists(start):
            return importlib.util.spec_from_file_location(name, start, submodule_search_locations=[place])
        spec = ModuleSpec(name, None, is_package=True)  # a namespace
        spec.submodule_search_locations = [place]
        return spec


def preload(places: Mapping[str, str]) -> list[str]:
    """Import what is there; returns what could not be, as ``"name: why"``. Needs the engine."""
    import sys

    if not places:
        return []
    sys.meta_path.append(Lent(places))
    problems: list[str] = []
    wanted = [*(MATPLOTLIB if "matplotlib" in places else ()), *(n for n in OPTIONAL if n.partition(".")[0] in places)]
    scratch: Any = importlib.import_module("engine.scratch")
    # matplotlib wants a folder to write to, and its fonts listed by a thread and a subprocess.
    settings = {"MPLCONFIGDIR": "/tmp/matplotlib", "MPL_IGNORE_SYSTEM_FONTS": "1"}
    with (
        scratch.installed(scratch.Tree()),
        _timers_that_never_ring(),
        _environment(settings),
    ):
        for name in wanted:
            try:
                importlib.import_module(name)
            except Exception as error:
                problems.append(f"{name}: {type(error).__name__}: {error}")
        if "PIL.ImageFile" in sys.modules:
            _write_through_python(sys.modules["PIL.ImageFile"])
        if "matplotlib.pyplot" in sys.modules:
            importlib.import_module("engine.adapters.matplotlib_backend").install()
            _warm()
    return problems


class _NoTimer:
    """Stands for a timer that would warn of a slow font list: a zygote must not start threads."""

    def __init__(self, *_: object) -> None: ...

    def start(self) -> None:
        """Does not."""

    def cancel(self) -> None:
        """Nothing to cancel."""


@contextmanager
def _timers_that_never_ring() -> Iterator[None]:
    real = threading.Timer
    threading.Timer = _NoTimer  # type: ignore[assignment, misc]
    try:
        yield
    finally:
        threading.Timer = real  # type: ignore[misc]


@contextmanager
def _environment(settings: Mapping[str, str]) -> Iterator[None]:
    """These variables for as long as the packages are imported; none of them was set before."""
    os.environ.update(settings)
    try:
        yield
    finally:
        for name in settings:
            os.environ.pop(name, None)


def _write_through_python(image_file: Any) -> None:
    """PIL would write to descriptors; those of files in memory mean nothing to the system."""
    encode = image_file._encode_tile

    def encode_tile(im: Any, fp: Any, tile: Any, bufsize: int, fh: Any, exc: Any = None) -> None:
        encode(im, fp, tile, bufsize, None, exc or OSError("a file in memory"))

    image_file._encode_tile = encode_tile


def _warm() -> None:
    """Draw once, so that everything that is made lazily is there, and keep the fonts."""
    import io

    import matplotlib
    import matplotlib.font_manager as fonts
    import matplotlib.pyplot as plt

    for entry in fonts.fontManager.ttflist:
        path = os.path.realpath(entry.fname)
        if path not in FONTS:
            with open(path, "rb") as file:
                FONTS[path] = file.read()
    folder = os.path.join(matplotlib.get_data_path(), "fonts", "ttf")
    for name in os.listdir(folder):
        path = os.path.realpath(os.path.join(folder, name))
        if path not in FONTS:
            with open(path, "rb") as file:
                FONTS[path] = file.read()
    figure, axes = plt.subplots()
    axes.plot([0, 1], [0, 1], label="$x^2$")
    axes.set_title("title")
    axes.legend()
    figure.savefig(io.BytesIO())
    plt.close("all")


__all__ = ["FONTS", "preload"]
