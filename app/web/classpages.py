"""The pages of a class: joining, following, teaching, presenter's view, remote, projector.

None of them holds the key: it stands in the part of the teacher's address after ``#``, which no browser sends.
"""

from __future__ import annotations

from flask import Blueprint, render_template, request

from app.classroom import ClassroomError
from app.classroom.secrets import read_code
from app.web.classroom import find, member_of
from app.web.errors import ApiError
from app.web.reach import class_base, is_reachable
from app.web.services import services
from app.web.sessions import session_id

blueprint = Blueprint("classpages", __name__, url_prefix="/class")


@blueprint.get("")
def enter() -> str:
    """Where a code is typed in; a class that is known by its code asks for a name."""
    return _page("classjoin.html", code="", title="", wrong=request.args.get("code", ""))


@blueprint.get("/<code>")
def follow(code: str) -> str:
    """The class for a follower: first the question for a name, then the player."""
    try:
        live = find(code)
    except ClassroomError:
        return _page("classjoin.html", code="", title="", wrong=code[:20])
    room = live.room
    if room.closed or member_of(live.code) not in room.members:
        return _page("classjoin.html", code=live.code, title=room.title, wrong="", closed=room.closed)
    return _page("classfollow.html", code=live.code, title=room.title)


@blueprint.get("/<code>/<any(teach, present, remote, screen):view>")
def view(code: str, view: str) -> str:
    """The teacher's page, the presenter's, the remote's and the projector's."""
    try:
        live = find(code)
    except ClassroomError as error:
        if services().config.relay and read_code(code):  # the key, which the page has, takes it up again
            return _page(f"class{view}.html", code=read_code(code), title="")
        raise ApiError(404, str(error), "Open a new class from the player's File menu.") from None
    return _page(f"class{view}.html", code=live.code, title=live.room.title)


def _page(template: str, **values: object) -> str:
    session_id()
    join = f"{class_base()}/class"
    return render_template(
        template,
        join=join,
        reachable=bool(services().config.relay) or is_reachable(),
        max_source_bytes=services().config.max_source_bytes,
        **values,
    )
