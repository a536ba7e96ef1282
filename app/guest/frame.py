"""The page that plays a recording, in a frame inside another page."""

from __future__ import annotations

from html import escape

HEIGHT = 560
"""Pixels; the player's panes become tabs below 1000 of width, and fit into this height."""


def frame(page: str, title: str, height: int = HEIGHT) -> str:
    """Markup that holds all of ``page``.

    The frame is sandboxed: its scripts run in an origin of their own, so that nothing in a recording reaches the page
    around it; saving files is all that it may do.

    >>> frame('<p title="a">&amp;</p>', "A & B")
    '<iframe class="stepgraph-player" title="A &amp; B" srcdoc="&lt;p title=&quot;a&quot;&gt;&amp;amp;&lt;/p&gt;" ...
    """
    return _frame("srcdoc", page, title, height)


def frame_of(address: str, title: str, height: int = HEIGHT) -> str:
    """The same for a page that lies at ``address``.

    >>> frame_of("_stepgraph/1.html", "train.py")
    '<iframe class="stepgraph-player" title="train.py" src="_stepgraph/1.html" ...
    """
    return _frame("src", address, title, height)


def _frame(attribute: str, value: str, title: str, height: int) -> str:
    return (
        f'<iframe class="stepgraph-player" title="{escape(title)}" {attribute}="{escape(value)}" '
        'sandbox="allow-scripts allow-downloads" allow="fullscreen" loading="lazy" '
        f'style="width: 100%; height: {int(height)}px; border: 1px solid #c6c2b6; border-radius: 6px"></iframe>'
    )
