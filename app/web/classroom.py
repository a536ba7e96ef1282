"""``/api/classes``: open a class, join it, follow it, send to it. Only the key in ``X-Class-Key`` steers."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import partial
from typing import Any

from flask import Blueprint, Response, jsonify, request, session

from app.classroom import ClassroomError, Program, Room
from app.classroom.events import MOST_NAME, MOST_TEXT, PASSING, TEACHER, maybe, text
from app.classroom.export import to_csv
from app.classroom.live import Live
from app.classroom.secrets import read_code
from app.classroom.views import Audience, me
from app.documents import BadTraceError, Document
from app.sharing.qr import qr_svg
from app.store import FullError, UnavailableError
from app.web import submission
from app.web.answers import document_response, event_stream
from app.web.classstream import class_events, heartbeat
from app.web.errors import ApiError
from app.web.reach import class_base
from app.web.services import services
from app.web.sessions import Caller, session_id
from app.web.streams import offset

blueprint = Blueprint("classroom", __name__, url_prefix="/api/classes")

_STATUS = {"missing": 404, "forbidden": 403, "bad": 422, "refused": 409, "often": 429}
_HINTS = {
    "missing": "Look at the code again. A class that has ended is gone.",
    "forbidden": "Only the teacher's link steers a class.",
    "bad": "Send the request as docs/classroom.md describes it.",
    "refused": "Nothing was changed.",
    "often": "Wait a few seconds.",
}
_MEMBERSHIPS = 5
"""Classes that one browser remembers to be in."""


def problem(error: ClassroomError) -> Response:
    """The answer to a request that the classroom refuses."""
    after = 3 if error.problem == "often" else None
    return ApiError(_STATUS[error.problem], str(error), _HINTS[error.problem], retry_after=after).response()


blueprint.register_error_handler(ClassroomError, problem)


@blueprint.errorhandler(UnavailableError)
def away(error: UnavailableError) -> Response:
    """The store cannot be reached."""
    return ApiError(503, str(error), "What was sent has not been kept: send it again.", retry_after=3).response()


@blueprint.errorhandler(FullError)
def full(error: FullError) -> Response:
    """The store has no room."""
    return ApiError(507, str(error), "What was sent has not been kept: send it again when there is room.").response()


def find(code: str) -> Live:
    """The class of an address. Raises :class:`ClassroomError` (missing)."""
    return services().classes.live(read_code(code), request.headers.get("X-Class-Key"))


def member_of(code: str) -> str | None:
    """The caller's id in a class, if they are in it."""
    known = session.get("classes")
    id = known.get(code) if isinstance(known, dict) else None
    return id if isinstance(id, str) else None


def is_teacher(live: Live) -> bool:
    """Whether the request carries the class's key. One that carries another is refused rather than taken as none."""
    key = request.headers.get("X-Class-Key")
    if key is None:
        return False
    if not live.is_key(key):
        raise ClassroomError("forbidden", "This is not the key of this class.")
    return True


@blueprint.post("")
def create() -> Response:
    """Open a class on a program, which is recorded: 201 with its code and its key."""
    found = services()
    body = submission.read_object(request, '{"source": "print(1)", "name": "main.py"}')
    program = _read_program(body)
    title = text(MOST_TEXT)("title", body.get("title", ""))
    notes = text(20_000, lines=True)("notes", body.get("notes", ""))
    caller = Caller.now()
    session_id()
    document = _recorded(caller, program)
    opened = found.classes.open(program, title=title, notes=notes)
    found.class_recordings.keep(opened.code, 1, document)
    response = jsonify(code=opened.code, key=opened.key, links=_links(opened.code))
    response.status_code = 201
    return response


@blueprint.get("/<code>")
def show(code: str) -> dict[str, Any]:
    """What anybody may know of a class."""
    live = find(code)
    room = live.room
    return {"code": live.code, "title": room.title, "closed": room.closed, "following": room.following}


@blueprint.post("/<code>/members")
def join(code: str) -> dict[str, str]:
    """Join under a name or none; come back; or take another name."""
    live = find(code)
    body = submission.read_object(request, '{"name": "Ada"}')
    name = maybe(text(MOST_NAME))("name", body.get("name"))
    session_id()
    member = services().classes.join(live, member_of(live.code), name)
    others = {key: id for key, id in (session.get("classes") or {}).items() if key != live.code}
    session["classes"] = dict([*others.items(), (live.code, member)][-_MEMBERSHIPS:])
    return {"id": member}


@blueprint.get("/<code>/events")
def events(code: str) -> Response:
    """The class as server-sent events (see :mod:`app.web.classstream`)."""
    found = services()
    live = find(code)
    member: str | None = None
    audience: Audience = "projector"
    if is_teacher(live):
        audience = "teacher"
    elif request.args.get("as") != "projector":
        audience, member = "follower", member_of(live.code)
        if member not in live.room.members:
            raise ClassroomError("forbidden", "You have not joined this class.")
    seen = offset(request.headers.get("Last-Event-ID"))
    body = class_events(found.classes, live, audience, member, seen, heartbeat(found.config), found.closing)
    response = event_stream(body)
    if member is not None:
        live.enter(member)
        response.call_on_close(partial(found.classes.left, live, member))
    return response


@blueprint.post("/<code>/events")
def send(code: str) -> Response:
    """An event of the teacher or of a follower: 200 with its number; what passes is told and not kept: 204."""
    found = services()
    live = find(code)
    body = submission.read_object(request, '{"kind": "hand", "data": {"up": true}}')
    kind, data = body.get("kind"), body.get("data", {})
    teacher = is_teacher(live)
    who = TEACHER if teacher else member_of(live.code)
    if who is None:
        raise ClassroomError("forbidden", "You have not joined this class.")
    if teacher and kind in PASSING:
        found.classes.tell(live, kind, data)
        return Response(status=204)
    document = None
    if kind in ("code", "offered") and isinstance(data, dict):
        program = _read_program(data)
        if teacher:
            document = _recorded(Caller.now(), program)
        data = program.data()
    number = found.classes.send(live, who, kind, data)
    if document is not None:
        found.class_recordings.keep(live.code, number, document)
    if kind == "closed":
        found.class_recordings.forget(live.code)
    # Followers are not woken by what only one of them did: the one who did it is told here.
    mine = {"me": me(live.room, who)} if who in live.room.members else {}
    return jsonify(number=number, **mine)


@blueprint.get("/<code>/programs/<int:number>/trace")
def trace(code: str, number: int) -> Response:
    """The recording of the program that the class is shown; with the key, of any that is on offer."""
    live = find(code)
    program = _program(live.room, number, any_one=is_teacher(live))
    try:
        document = services().class_recordings.get(live.code, number, program)
    except BadTraceError as error:
        raise ApiError(422, str(error), "Ask for another program.") from None
    return document_response(document, cache="private, max-age=3600")


@blueprint.get("/<code>/programs/<int:number>/files")
def files(code: str, number: int) -> Response:
    """The files beside that program, for whoever wants to run it too."""
    live = find(code)
    program = _program(live.room, number, any_one=is_teacher(live))
    return jsonify(files=program.data()["files"] or [])


def _program(room: Room, number: int, *, any_one: bool) -> Program:
    program = room.programs.get(number)
    if program is None or not (any_one or number == room.program):
        raise ClassroomError("missing", "The class is not shown this program now.")
    return program


@blueprint.get("/<code>/export.csv")
def export(code: str) -> Response:
    """Polls and votes as CSV, for the teacher."""
    live = find(code)
    if not is_teacher(live):
        raise ClassroomError("forbidden", "This needs the teacher's key.")
    with live.lock:
        table = to_csv(live.room)
    response = Response("\ufeff" + table, mimetype="text/csv")
    response.headers["Content-Disposition"] = f'attachment; filename="class-{live.code}.csv"'
    return response


@blueprint.get("/<code>/qr.svg")
def qr(code: str) -> Response:
    """The join link as a QR code."""
    live = find(code)
    return Response(qr_svg(_links(live.code)["join"]), mimetype="image/svg+xml")


def _read_program(data: Mapping[str, Any]) -> Program:
    read = submission.read_program(dict(data), services().config)
    files = tuple((name, b64encode(content).decode("ascii")) for name, content in read.files)
    return Program(read.source, read.name, stdin=read.stdin, files=files)


def _recorded(caller: Caller, program: Program) -> Document:
    """A recording for a class, out of the caller's share of runs."""
    ended = services().desk.admit(caller)
    try:
        return services().class_recordings.record(program)
    except BadTraceError as error:
        raise ApiError(422, str(error), "Run the program by itself first.") from None
    finally:
        ended()


def _links(code: str) -> dict[str, str]:
    page = f"{class_base()}/class/{code}"
    return {"join": page, "teach": f"/class/{code}/teach", "events": f"/api/classes/{code}/events"}
