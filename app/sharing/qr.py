"""QR codes as SVG."""

from __future__ import annotations

import io

import segno

QUIET = 4
"""Modules of white around the code: readers need them."""


def qr_svg(text: str) -> bytes:
    """A QR code that holds ``text``: black on white in every theme, since many readers take no other.

    Raises :class:`ValueError` for more text than the largest code takes.

    >>> qr_svg("https://school.example/s/mfrggzdfmztw").startswith(b"<svg")
    True
    """
    out = io.BytesIO()
    # Half of the classes read it from a projector at an angle: 15 % of the modules may be misread.
    code = segno.make(text, error="m", micro=False)
    code.save(out, kind="svg", border=QUIET, dark="#000", light="#fff", xmldecl=False, svgns=True, omitsize=True)
    return out.getvalue()
