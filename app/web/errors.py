"""Errors that say what to do: JSON for the API, a short page for everything else."""

from __future__ import annotations

import logging

from flask import Flask, Response, jsonify, request
from werkzeug.exceptions import HTTPException

log = logging.getLogger(__name__)

_HINTS = {
    400: "Send the request as docs/http.md describes it.",
    404: "Look at the address again. Runs are forgotten after an hour; press Run to record anew.",
    405: "Use one of the methods in the Allow header.",
    413: "Send less. A program may be 100,000 bytes long.",
    415: "Send JSON with the header Content-Type: application/json.",
}


class ApiError(Exception):
    """A request that cannot be met: ``message`` says why, ``hint`` what to do."""

    def __init__(self, status: int, message: str, hint: str, *, retry_after: int | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.hint = hint
        self.retry_after = retry_after

    def response(self) -> Response:
        response = jsonify(error={"message": self.message, "hint": self.hint})
        response.status_code = self.status
        if self.retry_after is not None:
            response.headers["Retry-After"] = str(self.retry_after)
        return response


def _api_error(error: ApiError) -> Response:
    return error.response()


def _http_error(error: HTTPException) -> Response:
    """Werkzeug's own errors (unknown address, wrong method, too large) in our form."""
    status = error.code or 500
    message = {404: "There is nothing at this address."}.get(status, error.description or error.name)
    hint = _HINTS.get(status, "Try again.")
    if request.path.startswith("/api/"):
        response = ApiError(status, message, hint).response()
    else:
        response = Response(f"{status} {error.name}\n\n{message}\n{hint}\n", status, mimetype="text/plain")
    for name, value in error.get_headers():
        if name in ("Allow", "Location"):
            response.headers[name] = value
    return response


def _crash(error: Exception) -> Response:
    log.error("%s %s failed", request.method, request.path, exc_info=error)
    message = "The server made a mistake; your program is not to blame."
    hint = "Try again. If it happens again, report it with the time and what you did."
    if request.path.startswith("/api/"):
        return ApiError(500, message, hint).response()
    return Response(f"500 Internal Server Error\n\n{message}\n{hint}\n", 500, mimetype="text/plain")


def register(app: Flask) -> None:
    """Answer every error of ``app`` in this form."""
    app.register_error_handler(ApiError, _api_error)
    app.register_error_handler(HTTPException, _http_error)
    app.register_error_handler(Exception, _crash)
