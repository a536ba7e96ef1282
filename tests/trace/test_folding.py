"""Folding: passes of long training keep their steps, and of their values ranges and means."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.recording import record
from engine.trace.columns import ColumnError, decode, encode, encode_table
from engine.trace.reading import table, value
from engine.trace.validate import validate

TRAINING = """
import torch
torch.manual_seed(0)
x, y = torch.randn(64, 8), torch.randn(64, 1)
w = torch.randn(8, 64, requires_grad=True)
v = torch.randn(64, 1, requires_grad=True)
for step in range({passes}):
    loss = ((torch.relu(x @ w) @ v - y) ** 2).mean()
    loss.backward()
    if step == {odd}:
        print("half way", loss.item() > 0)
    with torch.no_grad():
        for p in (w, v):
            p -= 1e-3 * p.grad
            p.grad = None
"""


@pytest.fixture(scope="module")
def long() -> dict[str, Any]:
    trace = record(TRAINING.format(passes=80, odd=40))
    validate(json.loads(json.dumps(trace, allow_nan=False)))
    return trace


def passes_with(trace: dict[str, Any], whole: bool) -> list[int]:
    """The passes of the outer loop whose first product is kept whole, or is not."""
    episodes = table(trace, "episodes")
    nodes = table(trace, "nodes")
    products = [
        row
        for row in table(trace, "events.ran")
        if trace["definitions"][nodes[row["node"]]["definition"]]["op"] == "relu"
    ]
    chosen = [row for row in products if isinstance(trace["values"][row["value"]], dict) is whole]
    return [episodes[nodes[row["node"]]["episode"]]["index"] for row in chosen]


def test_first_last_and_unusual_passes_are_whole(long: dict[str, Any]) -> None:
    assert passes_with(long, True) == [0, 1, 2, 3, 40, 79]  # the first is of a kind of its own: nothing led back to it
    assert passes_with(long, False) == [one for one in range(4, 79) if one != 40]
    (note,) = long["program"]["notes"]
    assert "passes of the loop in line 7 are folded" in note or "loops in lines 7, 12 are folded" in note


def test_every_step_stays(long: dict[str, Any]) -> None:
    episodes = [row for row in table(long, "episodes") if row["parent"] == -1]
    assert len(episodes) == 80
    assert {row["last"] - row["first"] for row in episodes[1:] if row["index"] != 40} == {
        episodes[1]["last"] - episodes[1]["first"]
    }


def test_losses_are_numbers_to_the_last_digit(long: dict[str, Any]) -> None:
    nodes = table(long, "nodes")
    losses = [
        value(long, row["value"])["data"]
        for row in table(long, "events.ran")
        if long["definitions"][nodes[row["node"]]["definition"]]["op"] == "mean"
    ]
    assert len(losses) == 80
    assert all(len(one) == 1 for one in losses)
    assert [np.float32(one[0]) for one in losses] == sorted([np.float32(one[0]) for one in losses], reverse=True)


def test_short_values_tell_what_whole_ones_do(long: dict[str, Any]) -> None:
    short = next(index for index, one in enumerate(long["values"]) if isinstance(one, list) and len(one) == 7)
    told = value(long, short)
    assert told["min"] <= told["mean"] <= told["max"]
    assert told["size"] == np.prod(told["shape"])
    assert told["bytes"] == 4 * told["size"]


def test_short_programs_are_whole() -> None:
    trace = record(TRAINING.format(passes=20, odd=-1))
    assert all(isinstance(one, dict) for one in trace["values"])
    assert trace["program"]["notes"] == []


def test_what_is_not_finite_stays_whole() -> None:
    trace = record(TRAINING.format(passes=80, odd=-1).replace("1e-3", "1e30"))
    odd = [one for one in trace["values"] if isinstance(one, dict) and (one.get("nan") or one.get("inf"))]
    assert 5 < len(odd) <= 100
    assert not [one for one in trace["values"] if isinstance(one, list) and len(one) == 7 and (one[4] or one[5])]


def test_a_hundred_thousand_events_are_small() -> None:
    trace = record(TRAINING.format(passes=400, odd=-1))
    events = sum(len(decode(one["seq"])) for one in trace["events"].values())
    size = len(json.dumps(trace, separators=(",", ":")))
    assert events > 20_000
    assert size / events < 40  # 4 MB for 100,000


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.integers(-9, 99), min_size=2, max_size=40),
    st.lists(st.integers(-3, 9), min_size=1, max_size=40),
    st.integers(1, 12),
    st.lists(st.integers(0, 5), max_size=30),
)
def test_periods_come_back(first: list[int], growth: list[int], rounds: int, tail: list[int]) -> None:
    grown = np.resize(growth, len(first))
    numbers = [*(np.array(first) + grown * turn for turn in range(rounds))]
    column = np.concatenate([*numbers, tail]).astype(np.int64)
    assert decode(encode(column, [len(first)])).tolist() == column.tolist()


def test_a_period_of_one_column_serves_the_others() -> None:
    turns = np.arange(3000)
    packed = encode_table({"kind": turns % 30, "row": turns // 30 * (turns % 30) + turns % 30})
    assert all(isinstance(one, dict) and one.keys() == {"period"} for one in packed.values())
    assert len(json.dumps(packed)) < 700


@pytest.mark.parametrize(
    "numbers", [[], [3], [0, 1, 2], [3, 1, 2, 3], [2, 1, 2, 3, 4, 5], [2, 1, 2, 3, 4, 1, -5], [1, 1, 1, 1, 1 << 40]]
)
def test_bad_periods_are_refused(numbers: list[int]) -> None:
    with pytest.raises(ColumnError):
        decode({"period": numbers})
