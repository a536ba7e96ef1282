"""Where the folders of data lie. The one place that knows, for the checkout and for the installed wheel alike.

In both, ``app`` stands beside ``static``, ``templates`` and ``lessons``: in the checkout's root, or in
``site-packages/stepgraph``.
"""

from __future__ import annotations

from importlib import metadata
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
"""The folder that holds ``app`` and ``engine``: what must be on ``sys.path``."""


def static_folder() -> Path:
    """Styles, scripts and what set-up builds from them."""
    return ROOT / "static"


def templates_folder() -> Path:
    """The pages' templates."""
    return ROOT / "templates"


def lessons_folder() -> Path:
    """The lessons, a folder each, and the example programs."""
    return ROOT / "lessons"


def examples_folder() -> Path:
    """The example programs.

    >>> examples_folder().name
    'examples'
    """
    return lessons_folder() / "examples"


def version() -> str:
    """The version of Stepgraph that is installed, or ``"unknown"`` in a checkout without set-up."""
    try:
        return metadata.version("stepgraph")
    except metadata.PackageNotFoundError:
        return "unknown"
