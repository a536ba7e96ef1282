"""What every layout must keep: nothing overlaps, no edge runs through a foreign box."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import combinations, pairwise
from typing import Any

import pytest

from app.layout import layout
from app.layout.curves import Box, Place, points

NAME, NOTE = 18, 16
Programs = dict[str, Callable[[], Any]]


def edges_of(graph: dict[str, Any]) -> Iterator[tuple[int, int, str, str, list[list[float]]]]:
    e = graph["edges"]
    yield from zip(e["source"], e["target"], e["kind"], e["sides"], e["via"], strict=True)


def lines_of(graph: dict[str, Any], boxes: dict[int, Box]) -> Iterator[tuple[int, int, list[Place]]]:
    for source, target, _, sides, via in edges_of(graph):
        yield source, target, points(boxes[source], boxes[target], sides, via)


def test_passes_notices_what_it_is_for(geometry: Any) -> None:
    box = (0.0, 0.0, 88.0, 58.0)
    assert geometry.passes([(-10, 20), (100, 20)], box)
    assert not geometry.passes([(-10, 58), (100, 58)], box)
    assert not geometry.passes([(-10, 70), (100, 70)], box)
    assert geometry.overlap(box, (0, 70, 88, 58), above=NAME)
    assert not geometry.overlap(box, (0, 76, 88, 58), above=NAME)


def test_boxes_and_their_labels_do_not_overlap(program: dict[str, Any], geometry: Any) -> None:
    for graph in layout(program)["graphs"]:
        for a, b in combinations(geometry.boxes(graph).values(), 2):
            assert not geometry.overlap(a, b, NAME, NOTE)


def test_edges_keep_clear_of_foreign_boxes(program: dict[str, Any], geometry: Any) -> None:
    for graph in layout(program)["graphs"]:
        boxes = geometry.boxes(graph)
        for source, target, line in lines_of(graph, boxes):
            for slot, box in boxes.items():
                if slot not in (source, target):
                    assert not geometry.passes(line, box), (source, target, slot)
                else:
                    inside = (box[0] + 2, box[1] + 2, box[2] - 4, box[3] - 4)
                    assert not geometry.passes(line, inside), "an edge runs through its own box"


def test_all_places_are_finite_and_inside(program: dict[str, Any], geometry: Any) -> None:
    for graph in layout(program)["graphs"]:
        boxes = geometry.boxes(graph)
        numbers = [n for box in boxes.values() for n in box]
        numbers += [n for _, _, _, _, via in edges_of(graph) for corner in via for n in corner]
        assert all(isinstance(n, int | float) and math.isfinite(n) for n in numbers)
        for x, y, width, height in boxes.values():
            assert 0 <= x <= graph["width"] - width
            assert NAME <= y <= graph["height"] - height
        for _, _, line in lines_of(graph, boxes):
            assert all(0 <= x <= graph["width"] and 0 <= y <= graph["height"] for x, y in line)


def test_sizes_and_distances_are_those_of_the_contract(program: dict[str, Any], geometry: Any) -> None:
    for graph in layout(program)["graphs"]:
        s = graph["slots"]
        for form, width, height in zip(s["form"], s["width"], s["height"], strict=True):
            assert (64 if form == "const" else 88) <= width <= 176
            assert height == 58 or (form == "const" and height == 36)
        centres = [(x + w / 2, y + h / 2) for x, y, w, h in geometry.boxes(graph).values()]
        assert all(b - a >= 104 for a, b in pairwise(sorted({round(x, 1) for x, _ in centres})))
        assert all(b - a >= 96 for a, b in pairwise(sorted({round(y, 1) for _, y in centres})))


def test_ways_with_corners_are_rectangular(program: dict[str, Any], geometry: Any) -> None:
    for graph in layout(program)["graphs"]:
        boxes = geometry.boxes(graph)
        for source, target, _, sides, via in edges_of(graph):
            if via:
                for (x1, y1), (x2, y2) in pairwise(points(boxes[source], boxes[target], sides, via)):
                    assert min(abs(x1 - x2), abs(y1 - y2)) < 0.06, (source, target)


def test_every_shown_slot_has_one_place_and_plumbing_none(program: dict[str, Any], geometry: Any) -> None:
    nodes = program["nodes"]
    shown = [
        slot
        for graph in range(len(program["graphs"]["mode"]))
        for slot in dict.fromkeys(
            s for s, g, v in zip(nodes["slot"], nodes["graph"], nodes["serves"], strict=True) if g == graph and v < 0
        )
    ]
    placed = [slot for graph in layout(program)["graphs"] for slot in graph["slots"]["slot"]]
    assert sorted(placed) == sorted(shown)


@pytest.mark.parametrize(
    "name", ["linear_tf1", "two_losses", "two_branches_static", "second_order_tf1", "initial_values"]
)
def test_the_wall_keeps_variables_and_fed_inputs_outside(name: str, programs: Programs, geometry: Any) -> None:
    graph = layout(programs[name]().trace())["graphs"][0]
    wall = graph["wall"]
    frame = (wall["x"], wall["y"], wall["width"], wall["height"])
    forms = dict(zip(graph["slots"]["slot"], graph["slots"]["form"], strict=True))
    for slot, box in geometry.boxes(graph).items():
        if forms[slot] in ("variable", "input"):
            assert not geometry.overlap(box, frame), slot
        else:
            assert box[0] > frame[0]
            assert box[1] > frame[1] + NAME
            assert box[0] + box[2] < frame[0] + frame[2]
            assert box[1] + box[3] + NOTE < frame[1] + frame[3]
    doors = graph["doors"]
    assert {d["slot"] for d in doors if d["kind"] == "variable"} == {s for s, f in forms.items() if f == "variable"}
    assert {d["slot"] for d in doors if d["kind"] == "feed"} == {s for s, f in forms.items() if f == "input"}
    for door in doors:
        on_top = abs(door["y"] - frame[1]) < 0.1
        on_side = min(abs(door["x"] - frame[0]), abs(door["x"] - frame[0] - frame[2])) < 0.1
        assert on_top or on_side
    for a, b in combinations(doors, 2):
        assert math.dist((a["x"], a["y"]), (b["x"], b["y"])) >= 14, (a, b)
