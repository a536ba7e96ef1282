"""Objects with identity: aliases, views of one buffer, what is inside, and that looking runs nothing."""

from __future__ import annotations

import json
import textwrap
from typing import Any

import pytest

from engine.recording import record
from engine.trace.reading import printed, table, value
from engine.trace.validate import TraceError, validate


def recorded(program: str) -> dict[str, Any]:
    trace = record(textwrap.dedent(program))
    validate(trace)
    return trace


def numbers(trace: dict[str, Any]) -> dict[str, int]:
    """The object that each variable holds at the end."""
    return {trace["strings"][row["name"]]: row["object"] for row in table(trace, "events.assigned")}


def last(trace: dict[str, Any], name: str) -> dict[str, Any]:
    rows = [row for row in table(trace, "events.assigned") if trace["strings"][row["name"]] == name]
    return value(trace, rows[-1]["value"])


def test_two_names_of_one_list() -> None:
    held = numbers(recorded("a = [1]\nb = a\nc = [1]\nd = 5\n"))
    assert held["a"] == held["b"] != held["c"]
    assert held["d"] == -1


def test_views_and_copies_of_a_buffer() -> None:
    held = numbers(
        recorded(
            """
            import numpy as np
            a = np.zeros((4, 4))
            row = a[1]
            turned = a.T.reshape(2, 8, order="A")[1:]
            copy = a.copy()
            """
        )
    )
    assert held["a"] == held["row"] == held["turned"] != held["copy"]


def test_what_is_inside_is_told_once() -> None:
    trace = recorded("row = [0, 0]\ngrid = [row, row, {'r': row}]\n")
    held = numbers(trace)
    grid = last(trace, "grid")
    assert grid["items"][:2] == [["0", "[0, 0]", held["row"]], ["1", "[0, 0]", held["row"]]]
    assert [one["python"] for one in grid["inside"]] == ["list", "dict"]
    assert grid["inside"][0]["items"] == [["0", "0", -1], ["1", "0", -1]]
    assert grid["inside"][1]["items"] == [["'r'", "[0, 0]", held["row"]]]


def test_a_list_in_itself() -> None:
    trace = recorded("a = [1]\na.append(a)\n")
    assert last(trace, "a")["items"] == [["0", "1", -1], ["1", last(trace, "a")["items"][1][1], numbers(trace)["a"]]]
    assert last(trace, "a")["inside"] == []


def test_instances_show_their_attributes_and_changes() -> None:
    trace = recorded(
        """
        class Point:
            kind = "point"
            def __init__(self, x):
                self.x = x
        p = Point(1)
        p.x = 2
        q = p
        q.y = [3]
        """
    )
    told = [
        value(trace, row["value"])["items"]
        for row in table(trace, "events.assigned")
        if trace["strings"][row["name"]] == "p"
    ]
    assert told == [[["x", "1", -1]], [["x", "2", -1]], [["x", "2", -1], ["y", "[3]", told[-1][1][2]]]]
    assert numbers(trace)["p"] == numbers(trace)["q"]


def test_looking_runs_nothing() -> None:
    trace = recorded(
        """
        class Meta(type):
            def __eq__(self, other): print("eq"); return True
            def __hash__(self): print("hash"); return 1
        class Loud(metaclass=Meta):
            @property
            def __dict__(self): print("dict"); return {}
            def __getattribute__(self, name): print("get"); return 1
            def __repr__(self): print("repr"); return ""
        class Quiet(metaclass=Meta):
            def __getattribute__(self, name): print("get"); return 1
        class Slots:
            __slots__ = ("a",)
        class Items(list):
            def __iter__(self): print("iter"); return iter(())
        a = Loud()
        b = [a, Quiet(), Slots(), Items([1])]
        b.append(Quiet)
        c = {Quiet: a, 1: Quiet()}
        object.__setattr__(b[1], "hidden", 1)
        d = b[1]
        print("end")
        """
    )
    assert printed(trace).replace("hash\n", "").replace("eq\n", "") == "end\n"
    assert printed(trace).count("hash") == 1  # the program's own, of the key
    assert last(trace, "d")["items"] == [["hidden", "1", -1]]


def test_sizes_are_bounded() -> None:
    trace = recorded("a = [[i] for i in range(10_000)]\nb = {i: {} for i in range(10_000)}\n")
    assert len(last(trace, "a")["items"]) == 24
    assert len(last(trace, "a")["inside"]) == 12
    assert len(last(trace, "b")["items"]) == 24


def test_nothing_is_kept_alive() -> None:
    program = """
    import weakref
    class Node:
        def __del__(self): print("gone")
    def f():
        node = Node()
        node.next = [node.__class__]
        return weakref.ref(node)
    print(f()())
    n = Node()
    m = n
    del n
    print("m is left")
    m = None
    print("end")
    """
    assert printed(recorded(program)) == "gone\nNone\nm is left\ngone\nend\n"


def test_errors_by_name_come_and_go() -> None:
    trace = recorded(
        """
        for i in range(2):
            try:
                [][i]
            except IndexError as error:
                if i == 0:
                    continue
                i = 5
        """
    )
    rows = [row for row in table(trace, "events.assigned") if trace["strings"][row["name"]] == "error"]
    assert [value(trace, row["value"])["text"] for row in rows] == ["IndexError: list index out of range"] * 2
    assert [trace["strings"][row["name"]] for row in table(trace, "events.deleted")] == ["error", "error"]


def test_class_bodies_have_variables_of_their_own() -> None:
    trace = recorded("x = 0\nclass A:\n    x = 1\n    y = [x]\n    y.append(2)\n    del x\n")
    told = [
        (row["frame"], trace["strings"][row["name"]], value(trace, row["value"])["text"])
        for row in table(trace, "events.assigned")
    ]
    assert told == [(0, "x", "0"), (1, "x", "1"), (1, "y", "[1]"), (1, "y", "[1, 2]"), (0, "A", "class A")]


def test_texts_for_exec_have_lines_and_variables() -> None:
    trace = recorded(
        """
        exec("a = 1\\nfor i in range(2):\\n    a += i\\ndef f(n):\\n    return n + 1\\n")
        space = {}
        exec("b = 2", space)
        f(a)
        """
    )
    outer = {row["seq"]: row for row in table(trace, "events.line")}
    inner = [
        (trace["strings"][row["source"]].splitlines()[row["line"] - 1].strip(), outer[row["seq"]]["line"])
        for row in table(trace, "events.inner")
    ]
    head = "for i in range(2):"
    body = [("a = 1", 2), *[(head, 2)] * 2, ("a += i", 2), (head, 2), ("a += i", 2), ("def f(n):", 2)]
    assert inner == [*body, ("b = 2", 4), ("return n + 1", 5)]
    told = [(row["frame"], trace["strings"][row["name"]]) for row in table(trace, "events.assigned")]
    assert told == [(0, "a"), (0, "i"), (0, "i"), (0, "a"), (0, "f"), (0, "space"), (2, "b"), (0, "space"), (3, "n")]
    names = [trace["strings"][row["function"]] for row in table(trace, "frames")]
    assert names == ["<module>", "<string>", "<string>", "f"]


def test_an_exec_of_its_own_is_left_alone() -> None:
    trace = recorded("def exec(text):\n    print(type(text).__name__, text)\nexec('x = 1')\n")
    assert printed(trace) == "str x = 1\n"


def test_an_endless_text_is_ended() -> None:
    from engine.recording.config import Limits

    trace = record("exec('while True:\\n    pass')", limits=Limits(seconds=0.3))
    assert trace["end"]["limit"] in ("time", "steps")


WRITES = """
grid = [[0] * 10 for _ in range(10)]
for n in range(1000):
    grid[n % 10][n // 10 % 10] += n + 1
"""
APPENDED = """
out = []
for i in range(2000):
    out.append([i, i * i])
"""
CHAIN = """
class Node:
    def __init__(self, value, following):
        self.value, self.following, self.tags = value, following, ["a"]
head = None
for i in range(500):
    head = Node(i, head)
"""


@pytest.mark.parametrize(
    ("program", "most", "steps"), [(WRITES, 450, 1000), (APPENDED, 220, 2000), (CHAIN, 550, 500)],
)  # fmt: skip
def test_containers_are_small(program: str, most: int, steps: int) -> None:
    trace = recorded(program)
    size = len(json.dumps([trace["values"], trace["parts"]], separators=(",", ":")))
    assert size / steps < most


def test_what_is_small_is_whole_again() -> None:
    trace = recorded(WRITES)
    rows = [row for row in table(trace, "events.assigned") if trace["strings"][row["name"]] == "grid"]
    grid = [[0] * 10 for _ in range(10)]
    for n, row in enumerate(rows):
        told = value(trace, row["value"])
        assert told["text"].startswith(str(grid)[:150])
        assert [text for _, text, _ in told["items"]] == [
            str(one) if len(str(one)) <= 60 else f"{str(one)[:59]}…" for one in grid
        ]
        assert [[int(text) for _, text, _ in one["items"]] for one in told["inside"]] == grid
        grid[n % 10][n // 10 % 10] += n + 1


@pytest.mark.parametrize(
    "bad",
    [
        {"like": 1, "text": "x"}, {"like": -1, "text": "x"}, {"like": 0, "text": [0, "x"]},
        {"like": 0, "text": [-1, "", 0]},
        {"like": 0, "text": "x", "items": [[5000, ["a", "b", -1]]]},
        {"like": 0, "text": "x", "items": [[0, ["a", 1, -1]]]},
        {"like": 0, "text": "x", "inside": [[0, 7]]},
    ],
)  # fmt: skip
def test_bad_changes_are_refused(bad: dict[str, Any]) -> None:
    trace = record("a = [[1]]\na[0][0] = 2\n")
    trace["values"][1] = bad
    with pytest.raises(TraceError):
        validate(trace)
