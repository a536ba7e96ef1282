"""The state of a class: a pure function of its log. ``Room.of(events)`` reads a log, ``apply`` goes on by one event.

Whatever does not fit (a vote after the answer, an op that is not one's own) changes nothing: :meth:`Room.refusal` says
why, to whoever sends it before it is written, and to the log's reader ever after.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from app.classroom.events import TEACHER, Event
from app.classroom.hall import Hall
from app.classroom.polls import Poll

MOST_MEMBERS = 500
MOST_OFFERS = 3
"""Programs that one follower may have on offer; the oldest makes room."""
MOST_BROUGHT, MOST_BROUGHT_EACH = 32 << 20, 1 << 20
"""Characters of all programs that the teacher, and that one follower, may bring to a class, files beside them included:
the log keeps them until the class ends."""


@dataclass
class Member:
    """A follower. ``touched`` is the number of the newest event that changed what they themselves see."""

    name: str
    touched: int
    present: bool = True
    hand: float | None = None
    hidden: bool = False
    removed: bool = False


@dataclass
class Program:
    """A program of the class, by the number of the event that brought it; ``by`` the teacher or a member. ``stdin`` is
    what it reads as input; ``files`` lie beside it: name, and contents in base64."""

    source: str
    name: str
    by: str = TEACHER
    stdin: str | None = None
    files: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, data: Mapping[str, Any], by: str) -> Program:
        """From the data of an event; older logs know neither input nor files."""
        files = tuple((one["name"], one["data"]) for one in data.get("files") or ())
        return cls(data["source"], data["name"], by, data.get("stdin"), files)

    def data(self) -> dict[str, Any]:
        """As an event holds it."""
        files = [{"name": name, "data": data} for name, data in self.files]
        return {"source": self.source, "name": self.name, "stdin": self.stdin, "files": files or None}

    @property
    def size(self) -> int:
        return len(self.source) + len(self.stdin or "") + sum(len(data) for _, data in self.files)


@dataclass
class Room:
    """``touched`` holds for each section of the state the number of the newest event that changed it."""

    number: int = 0
    opened: float = 0.0
    closed: bool = False
    title: str = ""
    notes: str = ""
    programs: dict[int, Program] = field(default_factory=dict)
    brought: Counter[str] = field(default_factory=Counter)
    """Characters of all programs that somebody has brought, gone ones included."""
    program: int = 0
    place: dict[str, Any] | None = None
    members: dict[str, Member] = field(default_factory=dict)
    polls: dict[int, Poll] = field(default_factory=dict)
    poll: Poll | None = None
    offers: list[int] = field(default_factory=list)
    hall: Hall | None = None
    touched: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, events: Iterable[Event]) -> Room:
        """The room after ``events``, the first of which is number 1.

        >>> opened = Event(1, 0.0, "opened", "teacher", {"title": "Loops", "source": "x = 1", "name": "main.py"})
        >>> Room.of([opened, Event(2, 1.0, "joined", "ada", {"name": "Ada"})]).members["ada"].name
        'Ada'
        """
        room = cls()
        for event in events:
            room.apply(event)
        return room

    @property
    def following(self) -> int:
        return sum(member.present for member in self.members.values())

    @property
    def hidden(self) -> frozenset[str]:
        """Members whose name and texts are not shown."""
        return frozenset(id for id, member in self.members.items() if member.hidden or member.removed)

    def refusal(self, kind: str, who: str, data: Mapping[str, Any]) -> str:
        """Why this does not fit now; "" if it does."""
        if self.closed:
            return "This class is over."
        if not self.number:  # of a class that has ended nothing is left to read but its end
            return "" if kind in ("opened", "closed") else "This class has not been opened."
        if who != TEACHER and kind != "joined":
            member = self.members.get(who)
            if member is None or member.removed:
                return "You are not in this class."
        check = getattr(self, f"_refuse_{kind}", None)
        return str(check(who, data)) if check else ""

    def apply(self, event: Event) -> None:
        """Go on by one event, which must be the next one."""
        if event.number != self.number + 1:
            raise ValueError(f"event {event.number} does not follow event {self.number}")
        fits = not self.refusal(event.kind, event.who, event.data)
        self.number = event.number
        if fits:
            for section in getattr(self, f"_on_{event.kind}")(event, event.data):
                self.touched[section] = event.number

    # What each kind does; returns the sections that it changes.

    def _refuse_opened(self, who: str, data: Mapping[str, Any]) -> str:
        return "This class is open already."

    def _on_opened(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self.opened, self.title, self.notes = event.time, data.get("title", ""), data.get("notes", "")
        self._bring(event, data)
        return ("class", "place", "people", "poll", "tally", "offers", "hall")

    def _bring(self, event: Event, data: Mapping[str, Any], by: str = TEACHER) -> None:
        self.programs[event.number] = program = Program.of(data, by)
        self.brought[by] += program.size
        if by == TEACHER:
            self._turn_to(event.number)

    def _turn_to(self, program: int) -> None:
        self.program = program
        self.place = {"program": program, "step": 0, "node": -1, "view": None, "pane": None}

    def _refuse_code(self, who: str, data: Mapping[str, Any]) -> str:
        most = MOST_BROUGHT if who == TEACHER else MOST_BROUGHT_EACH
        if self.brought[who] + Program.of(data, who).size <= most:
            return ""
        return f"With this program more than {most >> 20} MB of programs and files would have come from you."

    _refuse_offered = _refuse_code

    def _on_code(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self._bring(event, data)
        return ("class", "place")

    def _refuse_joined(self, who: str, data: Mapping[str, Any]) -> str:
        member = self.members.get(who)
        if member is not None:
            return "The teacher has removed you from this class." if member.removed else ""
        return "This class is full." if len(self.members) >= MOST_MEMBERS else ""

    def _on_joined(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Joining, coming back, or another name (None: the one that was)."""
        name = data.get("name")
        member = self.members.get(event.who)
        if member is None:
            self.members[event.who] = Member(name or "", event.number)
        else:
            member.present = True
            member.name = member.name if name is None else name
            member.touched = event.number
        return ("people",)

    def _on_resumed(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        """The only server started again: nobody is connected until they come back."""
        for member in self.members.values():
            member.present = False
        return ("people",)

    def _on_left(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self.members[event.who].present = False
        return ("people",)

    def _refuse_place(self, who: str, data: Mapping[str, Any]) -> str:
        return "" if data["program"] == self.program else "The class shows another program now."

    def _on_place(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self.place = dict(data)
        return ("place",)

    def _on_hand(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        member = self.members[event.who]
        member.hand = (member.hand or event.time) if data["up"] else None
        member.touched = event.number
        return ("people",)

    def _on_asked(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self.poll = Poll(
            event.number,
            data["type"],
            data["question"],
            data["program"],
            data["step"],
            data.get("answer"),
            data.get("choices"),
        )
        self.polls[event.number] = self.poll
        return ("poll", "tally")

    def _refuse_voted(self, who: str, data: Mapping[str, Any]) -> str:
        if self.poll is None or self.poll.number != data["poll"]:
            return "This question is not asked any more."
        if self.poll.revealed:
            return "The answer has been shown already."
        wanted = {"truth": bool, "node": int}.get(self.poll.type, str)
        return "" if type(data["value"]) is wanted else "This is no answer to this question."

    def _on_voted(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        assert self.poll is not None
        self.poll.votes[event.who] = data["value"]
        self.members[event.who].touched = event.number
        return ("tally",)

    def _refuse_revealed(self, who: str, data: Mapping[str, Any]) -> str:
        return "" if self.poll is not None and self.poll.number == data["poll"] else "This question is not asked now."

    def _on_revealed(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        assert self.poll is not None
        self.poll.revealed = True
        return ("poll", "tally")

    _refuse_dismissed = _refuse_revealed

    def _on_dismissed(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Off the screens; it stays in the export."""
        self.poll = None
        return ("poll", "tally")

    def _on_offered(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        mine = [number for number in self.offers if self.programs[number].by == event.who]
        if len(mine) >= MOST_OFFERS:
            self.offers.remove(mine[0])
            if self.program != mine[0]:
                del self.programs[mine[0]]
        self._bring(event, data, event.who)
        self.offers.append(event.number)
        self.members[event.who].touched = event.number
        return ("offers",)

    def _refuse_shown(self, who: str, data: Mapping[str, Any]) -> str:
        return "" if data["offer"] in self.offers else "This program is not on offer any more."

    def _on_shown(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self._turn_to(data["offer"])
        return ("class", "place")

    def _refuse_hid(self, who: str, data: Mapping[str, Any]) -> str:
        return "" if data["member"] in self.members else "There is no such member."

    def _on_hid(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        self.members[data["member"]].hidden = data["hidden"]
        return ("people", "poll", "tally", "offers", "class")

    _refuse_removed = _refuse_hid

    def _on_removed(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        member = self.members[data["member"]]
        member.removed, member.present, member.hand, member.touched = True, False, None, event.number
        gone = [number for number in self.offers if self.programs[number].by == data["member"]]
        self.offers = [number for number in self.offers if number not in gone]
        return ("people", "poll", "tally", "offers", "class")

    def _on_dealt(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        present = [id for id, member in self.members.items() if member.present]
        self.hall = Hall.deal(data["mode"], event.time, data["ops"], present) if data["ops"] else None
        for member in self.members.values():
            member.touched = event.number
        return ("hall",)

    def _refuse_called(self, who: str, data: Mapping[str, Any]) -> str:
        hall, at = self.hall, data["op"]
        if hall is None or at >= len(hall.ops):
            return "There is no such op in the hall."
        if hall.mode != "dynamic":
            return "In static mode nobody is called: everything that is ready fires."
        if hall.ops[at].called is not None:
            return "This op has been called already."
        waiting = any(hall.ops[source].fired is None for source in hall.ops[at].inputs)
        return "An input of this op has not arrived yet." if waiting else ""

    def _on_called(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        assert self.hall is not None
        self.hall.ops[data["op"]].called = event.time
        return ("hall",)

    def _refuse_fired(self, who: str, data: Mapping[str, Any]) -> str:
        return self.hall.refusal(data["op"], who) if self.hall else "The hall executes nothing now."

    def _on_fired(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        assert self.hall is not None
        self.hall.ops[data["op"]].fired = event.time
        return ("hall",)

    def _on_closed(self, event: Event, data: Mapping[str, Any]) -> tuple[str, ...]:
        """Names and texts go: what is left says only that there was a class."""
        self.closed = True
        self.title = self.notes = ""
        self.program, self.place, self.poll, self.hall = 0, None, None, None
        self.programs, self.members, self.polls, self.offers = {}, {}, {}, []
        self.brought.clear()
        return ("class", "place", "people", "poll", "tally", "offers", "hall")
