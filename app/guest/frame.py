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
    return (
        f'<iframe class="stepgraph-player" title="{escape(title)}" srcdoc="{escape(page)}" '
        'sandbox="allow-scripts allow-downloads" allow="fullscreen" loading="lazy" '
        f'style="width: 100%; height: {int(height)}px; border: 1px solid #c6c2b6; border-radius: 6px"></iframe>'
    )
