"""The state of a class is a pure function of its log: any log can be read, and reading on is reading anew."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.classroom.events import TEACHER, BadEventError, Event, read_event
from app.classroom.export import to_csv
from app.classroom.room import MOST_MEMBERS, MOST_OFFERS, Room
from app.classroom.views import SECTIONS, me, section

PEOPLE = ("ada", "bob", "cem")
PROGRAM = {"source": "x = 1\n", "name": "main.py"}
OPENED = {**PROGRAM, "title": "Loops", "notes": "Begin slowly."}
OPS = [
    {"slot": 0, "name": "a", "symbol": "a", "category": "arith", "inputs": []},
    {"slot": 1, "name": "b", "symbol": "b", "category": "arith", "inputs": []},
    {"slot": 2, "name": "a·b", "symbol": "×", "category": "arith", "inputs": [0, 1]},
]

small = st.integers(0, 12)
kinds: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "joined": st.fixed_dictionaries({"name": st.sampled_from([None, "", "Ada", "<b>Bob</b>"])}),
    "left": st.just({}),
    "resumed": st.just({}),
    "place": st.fixed_dictionaries(
        {"program": small, "step": small, "node": small, "view": st.none(), "pane": st.none()}
    ),
    "code": st.just(PROGRAM),
    "hand": st.fixed_dictionaries({"up": st.booleans()}),
    "asked": st.fixed_dictionaries(
        {
            "type": st.sampled_from(["node", "shape", "value", "truth", "text"]),
            "question": st.just("Which?"),
            "program": small,
            "step": small,
            "answer": st.sampled_from([None, 3, True, "(3, 4)"]),
            "choices": st.none(),
        }
    ),
    "voted": st.fixed_dictionaries({"poll": small, "value": st.sampled_from([3, True, "3,4", "no"])}),
    "revealed": st.fixed_dictionaries({"poll": small}),
    "dismissed": st.fixed_dictionaries({"poll": small}),
    "offered": st.just(PROGRAM),
    "shown": st.fixed_dictionaries({"offer": small}),
    "hid": st.fixed_dictionaries({"member": st.sampled_from([*PEOPLE, "nobody"]), "hidden": st.booleans()}),
    "removed": st.fixed_dictionaries({"member": st.sampled_from([*PEOPLE, "nobody"])}),
    "dealt": st.fixed_dictionaries({"mode": st.sampled_from(["static", "dynamic"]), "ops": st.sampled_from([[], OPS])}),
    "called": st.fixed_dictionaries({"op": st.integers(0, 3)}),
    "fired": st.fixed_dictionaries({"op": st.integers(0, 3)}),
}
FOLLOWERS = {"joined", "left", "hand", "voted", "offered", "fired"}


@st.composite
def logs(draw: st.DrawFn) -> list[Event]:
    events = [Event(1, 0.0, "opened", TEACHER, OPENED)]
    for number in range(2, draw(st.integers(2, 40))):
        kind = draw(st.sampled_from([*kinds, "joined", "voted", "fired"]))
        who = draw(st.sampled_from(PEOPLE)) if kind in FOLLOWERS else TEACHER
        events.append(Event(number, float(number), kind, who, draw(kinds[kind])))
    return events


@settings(max_examples=60, deadline=None)
@given(logs(), st.data())
def test_reading_on_is_reading_anew(events: list[Event], data: st.DataObject) -> None:
    cut = data.draw(st.integers(0, len(events)))
    room = Room.of(events[:cut])
    for event in events[cut:]:
        room.apply(event)
    assert room == Room.of(copy.deepcopy(events))
    assert room.number == len(events)


@settings(max_examples=60, deadline=None)
@given(logs())
def test_what_always_holds(events: list[Event]) -> None:
    room = Room.of(events)
    assert room.following <= len(room.members)
    assert not any(member.present or member.hand for member in room.members.values() if member.removed)
    assert all(set(poll.votes) <= set(room.members) for poll in room.polls.values())
    assert all(number in room.programs for number in [*room.offers, room.program])
    assert max(room.touched.values()) <= room.number
    if room.hall:
        fired = [op.fired for op in room.hall.ops]
        for op in room.hall.ops:
            if op.fired is not None:
                assert all(fired[source] is not None and fired[source] <= op.fired for source in op.inputs)
        times = room.hall.times()
        assert times["chain"] <= times["makespan"] + 1e-9
        assert times["chain"] <= times["work"] + 1e-9
    for audience, names in SECTIONS.items():
        for name in names:
            section(room, name, audience)
    for member in room.members:
        assert me(room, member)["id"] == member
    to_csv(room)


@settings(max_examples=30, deadline=None)
@given(logs())
def test_an_ended_class_holds_no_names_and_no_texts(events: list[Event]) -> None:
    room = Room.of([*events, Event(len(events) + 1, 99.0, "closed", TEACHER, {})])
    assert room.closed
    assert not any((room.members, room.programs, room.polls, room.title, room.notes, room.hall))
    assert room.refusal("joined", "dan", {"name": "Dan"}) == "This class is over."


def _room(*entries: tuple[str, str, dict[str, Any]]) -> Room:
    events = [("opened", TEACHER, OPENED), *entries]
    return Room.of(Event(n, float(n), *entry) for n, entry in enumerate(events, 1))


ASKED = {"type": "shape", "question": "?", "program": 1, "step": 4, "answer": "(3, 4)", "choices": None}


def test_votes_are_counted_by_what_they_mean_and_followers_see_neither_them_nor_the_answer() -> None:
    votes = [
        ("voted", who, {"poll": 5, "value": value}) for who, value in zip(PEOPLE, ["3x4", "[3, 4]", "4,3"], strict=True)
    ]
    room = _room(*(("joined", who, {"name": who}) for who in PEOPLE), ("asked", TEACHER, ASKED), *votes)
    assert section(room, "tally", "teacher")["counts"] == [
        {"value": "3x4", "count": 2, "right": True},
        {"value": "4,3", "count": 1, "right": False},
    ]
    assert not {"counts", "answer", "votes"} & set(section(room, "poll", "follower"))
    room.apply(Event(room.number + 1, 20.0, "revealed", TEACHER, {"poll": 5}))
    assert section(room, "poll", "follower")["answer"] == "(3, 4)"
    assert room.refusal("voted", "ada", {"poll": 5, "value": "1"}) == "The answer has been shown already."


def test_what_is_hidden_is_shown_to_nobody_but_clicks_stay() -> None:
    room = _room(
        ("joined", "ada", {"name": "Rude word"}),
        ("asked", TEACHER, {**ASKED, "type": "text"}),
        ("voted", "ada", {"poll": 3, "value": "rude"}),
        ("hid", TEACHER, {"member": "ada", "hidden": True}),
    )
    assert section(room, "tally", "teacher")["counts"] == []
    assert "ude" not in to_csv(room)


def test_a_removed_follower_may_not_come_back() -> None:
    room = _room(("joined", "ada", {"name": "Ada"}), ("removed", TEACHER, {"member": "ada"}))
    assert room.following == 0
    assert "removed" in room.refusal("joined", "ada", {"name": "Ada"})
    assert room.refusal("hand", "ada", {"up": True}) == "You are not in this class."


def test_a_class_has_a_bound_and_so_have_the_offers_of_one_follower() -> None:
    room = _room(*(("joined", f"m{n}", {"name": None}) for n in range(MOST_MEMBERS)))
    assert room.refusal("joined", "one-more", {"name": None}) == "This class is full."
    assert room.refusal("joined", "m1", {"name": None}) == ""
    for _ in range(MOST_OFFERS + 2):
        room.apply(Event(room.number + 1, 1.0, "offered", "m1", PROGRAM))
    assert len(room.offers) == MOST_OFFERS
    assert len(room.programs) == MOST_OFFERS + 1


@pytest.mark.parametrize(("mode", "first"), [("static", ""), ("dynamic", "The teacher has not called this op yet.")])
def test_the_hall_fires_when_inputs_have_arrived(mode: str, first: str) -> None:
    room = _room(*(("joined", who, {"name": who}) for who in PEOPLE), ("dealt", TEACHER, {"mode": mode, "ops": OPS}))

    def refusal(who: str, op: int) -> str:
        return room.refusal("fired", who, {"op": op})

    def then(kind: str, who: str, op: int, time: float) -> None:
        room.apply(Event(room.number + 1, time, kind, who, {"op": op}))

    assert refusal("ada", 0) == first
    assert refusal("bob", 0) == "This op is not yours."
    for op, (who, time) in enumerate(zip(PEOPLE, [7.0, 9.0, 10.0], strict=True)):
        if mode == "dynamic":
            then("called", TEACHER, op, time - 1)
        then("fired", who, op, time)
    assert room.hall is not None
    times = room.hall.times()
    # Dealt at 5 s. Static: a took 2 s, b 4 s, the product 1 s after b. Dynamic: one second each, from its call.
    expected = (5.0, 7.0, [1, 2], 5.0) if mode == "static" else (5.0, 3.0, [0, 2], 2.0)
    assert (times["makespan"], times["work"], times["critical"], times["chain"]) == expected


@pytest.mark.parametrize(
    ("kind", "data", "teacher", "message"),
    [
        ("place", {"step": 1}, False, '"kind" must be one of'),
        ("place", {"program": 1, "step": True, "node": 0}, True, '"step" must be a whole number'),
        ("place", {"program": 1, "step": 1, "node": 0, "extra": 1}, True, "Unknown key 'extra'"),
        ("hand", {"up": "yes"}, False, "must be true or false"),
        ("hand", [], False, "must be an object"),
        ("voted", {"poll": 1, "value": "x" * 201}, False, "at most 200 characters"),
        ("voted", {"poll": 1, "value": 1.5}, False, "must be text"),
        ("offered", {"source": "a\0b", "name": "main.py"}, False, "NUL"),
        ("offered", {"source": "\ud800", "name": "main.py"}, False, "must be text"),
        ("dealt", {"mode": "static", "ops": [{**OPS[0], "inputs": [0]}]}, True, "does not stand before it"),
        (["place"], {}, True, '"kind" must be one of'),
    ],
)
def test_what_is_no_event(kind: Any, data: Any, teacher: bool, message: str) -> None:
    with pytest.raises(BadEventError, match=message):
        read_event(kind, data, teacher=teacher)


def test_a_name_cannot_turn_the_line_round() -> None:
    from app.classroom.events import text

    assert text(40)("name", "Ada\u202e\u200b\n  Lovelace") == "Ada Lovelace"


def test_the_export_is_a_table_without_formulas() -> None:
    room = _room(
        ("joined", "ada", {"name": "=cmd()"}),
        ("asked", TEACHER, ASKED),
        ("voted", "ada", {"poll": 3, "value": "3,4"}),
    )
    assert to_csv(room).splitlines()[-1] == """?,shape,5,'=cmd(),"3,4",true"""
