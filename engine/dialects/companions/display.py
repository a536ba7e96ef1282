"""``IPython.display`` outside a notebook: things are printed, figures become pictures."""

from __future__ import annotations

from typing import Any


class _Shown:
    """Something that a notebook would render: here its text is what there is."""

    def __init__(self, data: Any = None, *_: Any, **__: Any) -> None:
        self.data = data

    def __repr__(self) -> str:
        return f"<IPython.core.display.{type(self).__name__} object>"


class HTML(_Shown):
    """A piece of a page."""


class Markdown(_Shown):
    """A piece of text with marks."""


class Latex(_Shown):
    """A formula."""


class SVG(_Shown):
    """A drawing."""


class Image(_Shown):
    """A picture."""


class Audio(_Shown):
    """A sound."""


class Video(_Shown):
    """A film."""


class Math(_Shown):
    """A formula."""


def display(*objects: Any, **_: Any) -> None:
    """Print objects; show figures."""
    for one in objects:
        look = getattr(getattr(one, "canvas", None), "look", None)
        if look is not None:
            look("show")
        print(repr(one))


def clear_output(wait: bool = False) -> None:
    """Nothing: a recording keeps what was there."""


NAMES = "HTML Markdown Latex SVG Image Audio Video Math display clear_output"
