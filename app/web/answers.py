"""Answers that are no small JSON: a finished document, compressed where the client takes it, unchanged where it knows
it already; a stream of events."""

from __future__ import annotations

from collections.abc import Iterator

from flask import Response, request

from app.documents import Document
from app.web.errors import ApiError
from app.web.services import services


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


def event_stream(body: Iterator[str], *, hint: str = "Try again in a few seconds.") -> Response:
    """``body`` as server-sent events, out of the places that there are for streams. Raises :class:`ApiError` (503) with
    that hint when none is free."""
    free = services().streams
    if not free.acquire(blocking=False):
        raise ApiError(503, "Too many pages follow this server.", hint, retry_after=5)
    response = Response(body, mimetype="text/event-stream")
    # Not in a `finally` of the stream: a client that leaves before the first event never starts it.
    response.call_on_close(free.release)
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Accel-Buffering"] = "no"
    return response
