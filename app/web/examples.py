"""``/api/examples``: the example programs and their recordings."""

from __future__ import annotations

from typing import Any

from flask import Blueprint, Response

from app.documents import BadTraceError
from app.web.answers import document_response
from app.web.errors import ApiError
from app.web.services import services

blueprint = Blueprint("examples", __name__, url_prefix="/api/examples")


@blueprint.get("")
def index() -> dict[str, Any]:
    """All examples with their sources, in the order of the picker."""
    return {
        "examples": [
            {
                "id": example.id,
                "title": example.title,
                "group": example.group,
                "note": example.note,
                "name": example.name,
                "source": example.source,
                "links": {"trace": f"/api/examples/{example.id}/trace"},
            }
            for example in services().examples.all()
        ]
    }


@blueprint.get("/<id>/trace")
def trace(id: str) -> Response:
    """The recording of an example; the first request for it may have to wait until it is made."""
    examples = services().examples
    example = examples.get(id)
    if example is None:
        names = ", ".join(known.id for known in examples.all())
        raise ApiError(404, "There is no example of this name.", f"The examples are {names}.")
    try:
        document = examples.document(example)
    except BadTraceError as error:
        raise ApiError(503, f"The example could not be recorded. {error}", "Try again.", retry_after=5) from error
    return document_response(document, cache="no-cache")
