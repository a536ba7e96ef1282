"""Puts the player's script, styles and fonts and a recording into one file.

The recording is data in the page, never markup: JSON in a script element that no browser runs, with every ``<`` written
as an escape. A policy in the page forbids everything but its own script (by hash) and its own styles (by nonce): the
file can load nothing and talk to nobody.
"""

from __future__ import annotations

import base64
import hashlib
import re
import secrets
from html import escape
from pathlib import Path

from app import places

PLACE = "__STEPGRAPH_RECORDING__"
"""Stands where the recording goes; ``static/js/export/document.js`` knows it too."""
STYLES = (
    *("tokens", "base", "frame", "code", "graph", "caption", "timeline", "charts", "timings", "xray", "inspector"),
    *("error", "dialog", "finding", "file", "fork", "small", "projector", "print"),
)
"""The player's style sheets in their order, without their ending."""

_SKELETON = """\
<!doctype html>
<html lang="en" data-theme="light" data-nonce="{nonce}" data-step="{step}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Stepgraph {version}">
<title>{title}</title>
<style nonce="{nonce}">{styles}</style>
</head>
<body>
<section class="sr" aria-label="Stepgraph"><h1>A recording of Stepgraph</h1></section>
<div class="app" id="app" data-tab="graph">
<header class="bar"><span class="brand">Stepgraph</span>
<span class="file" id="file"></span><span class="mode" id="mode"></span>
<div class="end"><span class="progress" id="progress" role="status"></span>
<button type="button" id="find-button" aria-expanded="false" title="Find (Ctrl K)">Find</button>
<button type="button" id="file-button" aria-haspopup="menu" aria-expanded="false">File</button>
<button type="button" id="theme-button" aria-haspopup="menu" aria-expanded="false">Theme</button>
<button type="button" id="keys-button">Keys</button></div></header>
<div class="message" id="message" role="status" hidden></div>
{panes}</div>
<noscript><p class="teach">This recording is played with JavaScript. Switch it on and reload the page.</p></noscript>
<script type="application/json" id="recording">{place}</script>
<script>{script}</script>
</body>
</html>
"""


_POLICY = (
    "default-src 'none'; script-src '{hash}'; style-src 'nonce-{nonce}'; font-src data:; img-src data:; "
    "base-uri 'none'; form-action 'none'"
)


class NotBuiltError(Exception):
    """The player's bundle is not there; the message says what to do."""


def shell(title: str = "A recording of Stepgraph", step: int = 0) -> str:
    """The page without a recording: :data:`PLACE` stands where it goes. It opens at ``step``, from 0.

    Raises :class:`NotBuiltError`.
    """
    static = places.static_folder()
    bundle = static / "build" / "standalone.js"
    if not bundle.is_file():
        raise NotBuiltError("The player for saved pages is not built: run `make setup`.")
    # What ends a script element inside a string of the bundle would end the bundle.
    script = bundle.read_text("utf-8").strip().replace("</script", "<\\/script").replace("<!--", "<\\!--")
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    styles = "\n".join((static / "css" / f"{name}.css").read_text("utf-8") for name in STYLES)
    nonce = secrets.token_hex(12)
    return _SKELETON.format(
        nonce=nonce,
        step=step,
        policy=_POLICY.format(hash=f"sha256-{digest}", nonce=nonce),
        version=escape(places.version()),
        title=escape(title),
        styles=_fonts(static / "build") + styles,
        panes=(places.templates_folder() / "panes.html").read_text("utf-8"),
        place=PLACE,
        script=script,
    )


def page(recording: str, title: str, step: int = 0) -> str:
    """The page that plays ``recording`` (the JSON text of a trace with its layout), opened at ``step`` (from 0).

    Raises :class:`NotBuiltError`.
    """
    return shell(title, step).replace(PLACE, embedded(recording), 1)


def embedded(json_text: str) -> str:
    r"""JSON as the text of a script element: nothing in it ends the element or begins a comment.

    >>> embedded('{"stdout": "</script><!--"}')
    '{"stdout": "\\u003c/script>\\u003c!--"}'
    """
    return json_text.replace("<", "\\u003c").replace("\u2028", "\\u2028").replace("\u2029", "\\u2029")


def _fonts(build: Path) -> str:
    """The fonts' Latin letters as data; of other letters the reader's own fonts are taken."""
    rules: list[str] = []
    for rule in re.findall(r"@font-face\{[^}]*\}", (build / "fonts.css").read_text("utf-8")):
        file = re.search(r'url\("?\./([\w-]+-latin-wght-(?:normal|italic)\.woff2)"?\)', rule)
        if file and "italic" not in file[1]:
            data = base64.b64encode((build / file[1]).read_bytes()).decode()
            rules.append(rule.replace(file[0], f"url(data:font/woff2;base64,{data})"))
    return "".join(rules)
