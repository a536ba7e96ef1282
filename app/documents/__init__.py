"""From the bytes that come out of a run to the document that goes to the player: checked, laid out, compressed.

That is work for a processor, and on data that a stranger made; so it is done by :class:`Finisher` in processes of its
own, with a deadline, and a server that streams to 300 browsers does not stop for it.
"""

from __future__ import annotations

from app.documents.document import BadTraceError, Document, measurement
from app.documents.finisher import Finisher

__all__ = ["BadTraceError", "Document", "Finisher", "measurement"]
