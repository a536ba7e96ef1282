"""A finished document on its way from a worker."""

from __future__ import annotations

import json

from app.documents import Document


def pack_document(document: Document) -> bytes:
    """
    >>> unpack_document(pack_document(Document(b"zip", 9, "tag", "exit"))).end
    'exit'
    """
    head = {"size": document.size, "etag": document.etag, "end": document.end}
    return json.dumps(head).encode("ascii") + b"\n" + document.compressed


def unpack_document(packed: bytes) -> Document:
    """What :func:`pack_document` packed."""
    head, _, compressed = packed.partition(b"\n")
    return Document(compressed, **json.loads(head))
