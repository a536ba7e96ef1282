"""What of a room each of its audiences sees, section by section: followers, the teacher, the projector.

A page is told a section again when the room's number for it has grown, so a page that comes back after a while is
told what changed meanwhile and no more. Nobody but the teacher is told names, votes before the answer, or the answer.
"""

from __future__ import annotations

from typing import Any, Literal

from app.classroom.events import TEACHER
from app.classroom.polls import Poll
from app.classroom.room import Room

Audience = Literal["follower", "teacher", "projector"]

SECTIONS: dict[Audience, tuple[str, ...]] = {
    "follower": ("class", "place", "poll", "hall"),
    "teacher": ("class", "place", "poll", "tally", "people", "offers", "hall"),
    "projector": ("class", "place", "poll", "hall", "people"),
}


def section(room: Room, name: str, audience: Audience) -> Any:
    """One section of ``room`` as JSON data."""
    if name == "class":
        return _class(room, audience)
    if name == "place":
        return room.place
    if name == "poll":
        return _poll(room, room.poll)
    if name == "tally":
        return _tally(room)
    if name == "people":
        return _people(room) if audience == "teacher" else {"following": room.following}
    if name == "offers":
        return _offers(room)
    return _hall(room)


def me(room: Room, member: str) -> dict[str, Any]:
    """What a follower is told about themselves."""
    found = room.members[member]
    ops = [at for at, op in enumerate(room.hall.ops) if member in op.members] if room.hall else []
    vote = room.poll.votes.get(member) if room.poll else None
    offers = [number for number in room.offers if room.programs[number].by == member]
    return {
        "id": member,
        "name": found.name,
        "hand": found.hand is not None,
        "removed": found.removed,
        "ops": ops,
        "poll": room.poll.number if room.poll and vote is not None else None,
        "vote": vote,
        "offers": offers,
    }


def shown_name(room: Room, member: str) -> str:
    """The name of a member as everybody may see it."""
    found = room.members.get(member)
    return found.name if found is not None and not found.hidden and not found.removed else ""


def _class(room: Room, audience: Audience) -> dict[str, Any]:
    program = room.programs.get(room.program)
    by = program.by if program else TEACHER
    data: dict[str, Any] = {
        "title": room.title,
        "closed": room.closed,
        "program": room.program,
        "name": program.name if program else "",
        "beside": bool(program and program.files),
        "student": by != TEACHER,
        "by": "" if by == TEACHER else shown_name(room, by),
        "opened": room.opened,
    }
    if audience == "teacher":
        data["notes"] = room.notes
    return data


def _poll(room: Room, poll: Poll | None) -> dict[str, Any] | None:
    if poll is None:
        return None
    data: dict[str, Any] = {
        "number": poll.number,
        "type": poll.type,
        "question": poll.question,
        "program": poll.program,
        "step": poll.step,
        "choices": poll.choices,
        "revealed": poll.revealed,
    }
    if poll.revealed:
        data |= {"counts": poll.counts(room.hidden), "answer": poll.answer}
    return data


def _tally(room: Room) -> dict[str, Any] | None:
    poll = room.poll
    if poll is None:
        return None
    return {"number": poll.number, "votes": len(poll.votes), "counts": poll.counts(room.hidden), "answer": poll.answer}


def _people(room: Room) -> dict[str, Any]:
    return {
        "following": room.following,
        "members": [
            {
                "id": id,
                "name": member.name,
                "present": member.present,
                "hand": member.hand,
                "hidden": member.hidden,
            }
            for id, member in room.members.items()
            if not member.removed
        ],
    }


def _offers(room: Room) -> list[dict[str, Any]]:
    return [
        {
            "offer": number,
            "name": room.programs[number].name,
            "by": shown_name(room, room.programs[number].by),
            "member": room.programs[number].by,
            "lines": room.programs[number].source.count("\n") + 1,
        }
        for number in room.offers
    ]


def _hall(room: Room) -> dict[str, Any] | None:
    hall = room.hall
    if hall is None:
        return None
    ops = [
        {
            "slot": op.slot,
            "name": op.name,
            "symbol": op.symbol,
            "category": op.category,
            "inputs": op.inputs,
            "holders": len(op.members),
            "called": op.called is not None,
            "ready": hall.ready(at),
            "fired": None if op.fired is None else op.fired - hall.began,
        }
        for at, op in enumerate(hall.ops)
    ]
    return {"mode": hall.mode, "ops": ops, **hall.times()}
