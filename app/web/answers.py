"""Sending a finished document: compressed where the client takes it, unchanged where it knows it already."""

from __future__ import annotations

from flask import Response, request

from app.documents import Document


def document_response(document: Document, *, cache: str = "no-store") -> Response:
    """``document`` as a JSON response to the current request."""
    packed = request.accept_encodings.quality("gzip") > 0
    response = Response(document.compressed if packed else document.text(), mimetype="application/json")
    response.headers["Vary"] = "Accept-Encoding"
    response.headers["Cache-Control"] = cache
    if packed:
        response.headers["Content-Encoding"] = "gzip"
    # Two encodings of one document are two representations, each with a tag of its own.
    response.set_etag(f"{document.etag}-{'gzip' if packed else 'plain'}")
    response.make_conditional(request)
    return response
