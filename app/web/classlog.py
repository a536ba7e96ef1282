"""``/api/classes/<code>/log``: a class for another instance that follows it with the key (`app.classroom.relay`)."""

from __future__ import annotations

import re

from flask import Blueprint, Response, request

from app.classroom import ClassroomError
from app.classroom.events import TEACHER
from app.classroom.live import Live
from app.store import FullError, UnavailableError
from app.web import classroom, submission
from app.web.answers import event_stream
from app.web.classstream import heartbeat, log_events
from app.web.services import services
from app.web.streams import offset

blueprint = Blueprint("classlog", __name__, url_prefix="/api/classes")
blueprint.register_error_handler(ClassroomError, classroom.problem)
blueprint.register_error_handler(UnavailableError, classroom.away)
blueprint.register_error_handler(FullError, classroom.full)

_MEMBER = re.compile(r"[\w-]{12}", re.ASCII)


@blueprint.get("/<code>/log")
def follow(code: str) -> Response:
    """The log after number ``after`` as server-sent events; with ``keep=0`` nothing but that the key is right."""
    found = services()
    live = _steered(code)
    if request.args.get("keep") == "0":
        return Response(status=204)
    seen = offset(request.args.get("after"))
    return event_stream(log_events(found.classes, live, seen, heartbeat(found.config), found.closing))


@blueprint.post("/<code>/log")
def write(code: str) -> dict[str, int]:
    """An event of the teacher, or of a follower over there: its number."""
    live = _steered(code)
    body = submission.read_object(request, '{"kind": "hand", "who": "…", "data": {"up": true}}')
    who = body.get("who")
    if who != TEACHER and not (isinstance(who, str) and _MEMBER.fullmatch(who)):
        raise ClassroomError("bad", f'"who" must be "{TEACHER}" or the id of a follower.')
    return {"number": services().classes.write_for(live, who, body.get("kind"), body.get("data", {}))}


def _steered(code: str) -> Live:
    live = classroom.find(code)
    if not classroom.is_teacher(live):
        raise ClassroomError("forbidden", "This needs the teacher's key.")
    return live
