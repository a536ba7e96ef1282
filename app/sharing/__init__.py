"""Links to programs: short ones, QR codes, embedding, oEmbed. What is shared is source; who opens it runs it anew."""

from __future__ import annotations

from app.sharing.embedding import Embed, oembed
from app.sharing.errors import LinkError
from app.sharing.link import Link, read
from app.sharing.links import Links
from app.sharing.qr import qr_svg

__all__ = ["Embed", "Link", "LinkError", "Links", "oembed", "qr_svg", "read"]
