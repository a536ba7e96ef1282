"""The player in other people's pages: what an embed may show, the frame that holds it, and oEmbed's answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import escape
from typing import Any
from urllib.parse import SplitResult, parse_qs, urlencode, urlsplit

from app.sharing.errors import LinkError
from app.sharing.links import ID

FEATURES = ("code", "graph", "words", "transport", "node", "variables", "output", "times")
"""What an embed can show, by the names of ``show``."""
USUAL = ("code", "graph", "words", "transport")
THEMES = ("auto", "light", "dark", "contrast")
WIDTH, HEIGHT = 900, 560


@dataclass(frozen=True)
class Embed:
    """How an embed looks. What it plays stands in its address: after ``#``, or as ``link``, the id of a short link."""

    show: tuple[str, ...] = USUAL
    theme: str = "auto"
    link: str = ""

    @classmethod
    def read(cls, query: Mapping[str, str]) -> Embed:
        """From the parameters of an address. Raises :class:`LinkError`: an author sees at once what is misspelt.

        >>> Embed.read({"show": "graph,words", "theme": "dark"}).show
        ('graph', 'words')
        >>> Embed.read({"show": "grpah"})
        Traceback (most recent call last):
        app.sharing.errors.LinkError: There is no "grpah" to show.
        """
        show = tuple(dict.fromkeys(part.strip() for part in query.get("show", ",".join(USUAL)).split(",")))
        for part in show:
            if part not in FEATURES:
                raise LinkError(f'There is no "{part[:40]}" to show.', f"show takes {', '.join(FEATURES)}.")
        theme = query.get("theme", "auto")
        if theme not in THEMES:
            raise LinkError(f'There is no theme "{theme[:40]}".', f"theme is one of {', '.join(THEMES)}.")
        link = query.get("link", "").lower()
        if link and not ID.fullmatch(link):
            raise LinkError('"link" is no id of a short link.', "It is what stands after /s/ in a short link.")
        return cls(show, theme, link)


def frame(address: str, width: int = WIDTH, height: int = HEIGHT) -> str:
    """The markup that shows ``address``, of ours or not, in a frame.

    >>> frame('https://school.example/embed?a"b', 640, 400)
    '<iframe src="https://school.example/embed?a&quot;b" width="640" height="400" title="Stepgraph player"...
    """
    return (
        f'<iframe src="{escape(address)}" width="{width}" height="{height}" title="Stepgraph player" loading="lazy" '
        'style="border: 1px solid #ccc; border-radius: 6px; max-width: 100%" '
        'allow="clipboard-write; fullscreen"></iframe>'
    )


def oembed(
    query: Mapping[str, str], root: str, is_ours: Callable[[str], bool], link_exists: Callable[[str], bool]
) -> dict[str, Any] | None:
    """oEmbed's answer (type ``rich``) for one of our addresses; None if nothing of ours is there.

    ``root`` is the address of this server, with ``/`` at its end; ``is_ours`` says whether a host is this server.
    Raises :class:`LinkError` for parameters that are none.
    """
    given = query.get("url", "")
    if not given:
        raise LinkError('The parameter "url" is missing.', "Ask for example /oembed?url=ADDRESS.")
    try:
        found = urlsplit(given)
        ours = found.scheme in ("http", "https") and is_ours(found.netloc)
    except ValueError:
        return None
    address = _embedded(found, root, link_exists) if ours else None
    if address is None:
        return None
    width, height = (_at_most(query, key, usual) for key, usual in (("maxwidth", WIDTH), ("maxheight", HEIGHT)))
    return {
        "version": "1.0",
        "type": "rich",
        "provider_name": "Stepgraph",
        "provider_url": root,
        "title": "A program and its graph, step by step",
        "width": width,
        "height": height,
        "html": frame(address, width, height),
    }


def _embedded(found: SplitResult, root: str, link_exists: Callable[[str], bool]) -> str | None:
    """The address of the embed that shows what a page of ours shows."""
    place = f"#{found.fragment}" if found.fragment else ""
    if found.path.startswith("/s/"):
        id = found.path[3:].lower()
        known = ID.fullmatch(id) and link_exists(id)
        return f"{root}embed?{urlencode({'link': id})}{place}" if known else None
    if found.path == "/embed":
        return f"{root}embed{'?' if found.query else ''}{found.query}{place}"
    if found.path != "/play":
        return None
    # Without a fragment, which most consumers leave out, only an example in the query says which program is meant.
    example = parse_qs(found.query).get("example", [""])[0]
    place = place or (f"#{urlencode({'example': example})}" if example else "")
    return f"{root}embed{place}" if place else None


def _at_most(query: Mapping[str, str], key: str, usual: int) -> int:
    text = query.get(key, "")
    if not text:
        return usual
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:7]) < 10**6:
        raise LinkError(f'"{key}" must be a whole number of pixels.', f"Leave it out for {usual}.")
    return min(usual, int(text))
