"""A graph that nobody holds any more goes with what it had saved: that is a step, where the program let it go."""

from __future__ import annotations

import json
import subprocess
from bisect import bisect_left
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.story.recording import Recording
from app.story.sentences import sentence
from engine.dynamic.nodes import GradNode
from engine.recording import record

BEGIN = "import torch\nw = torch.tensor(2.0, requires_grad=True)\ndef cost(x):\n    return (w * x).exp() ** 2\n"
CASES: dict[str, tuple[str, list[tuple[int, int]]]] = {
    "a loop variable that is bound again": ("for x in (1., 2., 3.):\n    loss = cost(x)\n", [(6, 3), (6, 3)]),
    "a number is taken out of it": ("total = 0.0\nfor x in (1., 2.):\n    total += cost(x).item()\n", [(7, 3), (7, 3)]),
    "a sum that holds them all": ("total = 0.0\nfor x in (1., 2.):\n    total += cost(x)\n", []),
    "del": ("loss = cost(1.0)\ndel loss\nprint('after')\n", [(6, 3)]),
    "the last statement": ("loss = cost(1.0)\nloss = None\n", [(6, 3)]),
    "a call ends": ("def f():\n    h = cost(1.0)\n    return h.item()\nx = f()\nprint(x)\n", [(8, 3)]),
    "a list that is emptied": ("kept = [cost(x) for x in (1., 2.)]\nkept.clear()\nprint()\n", [(6, 6)]),
    "two that hold it": ("a = b = cost(1.0)\ndel a\nprint()\ndel b\nprint()\n", [(8, 3)]),
    "backward had freed it": ("for x in (1., 2.):\n    loss = cost(x)\n    loss.backward()\n", [(7, 3), (7, 3)]),
    "retain_graph": ("loss = cost(1.0)\nloss.backward(retain_graph=True)\nloss = None\nprint()\n", [(7, 3)]),
    "nothing saved": ("y = w + 1.0\ny = w + 2.0\nprint()\n", []),
    "what the end of the program drops": ("loss = cost(1.0)\n", []),
    "an uncaught error is the last step": ("def f():\n    h = cost(1.0)\n    1 / 0\nf()\n", []),
    "a caught one": ("try:\n    cost(1.0) + [1, 2]\nexcept TypeError as error:\n    pass\nprint()\n", [(6, 3)]),
    "a hand-written gradient": (
        "class F(torch.autograd.Function):\n    @staticmethod\n    def forward(c, x):\n        c.save_for_backward(x)\n"
        "        return x * 2\n    @staticmethod\n    def backward(c, g):\n        return g\ny = F.apply(w)\ny = None\n"
        "import gc\ngc.collect()\nprint()\n",
        [(16, 1)],
    ),
}  # fmt: skip


def freed_steps(recording: Recording) -> list[int]:
    return [step for step in range(recording.count) if recording.text(recording.steps["kind"][step]) == "freed"]


@pytest.mark.parametrize("name", CASES)
def test_where_it_goes(name: str) -> None:
    program, expected = CASES[name]
    recording = Recording(record(BEGIN + program))
    steps, lists = recording.steps, recording.events.get("freed", {"nodes": []})["nodes"]
    found = [
        (steps["line"][k], len(recording.list_at(lists[steps["row"][k]]))) for k in freed_steps(recording)
    ]  # fmt: skip
    assert found == expected


def test_it_belongs_to_no_backward(in_the_page: Callable[[list[dict[str, Any]]], None]) -> None:
    trace = record(BEGIN + "for x in (1., 2., 3.):\n    loss = cost(x)\nloss.backward()\nprint()\n")
    in_the_page([trace])
    recording = Recording(trace)
    freed = freed_steps(recording)
    assert ["".join(sentence(recording, step)) for step in freed] == [
        *["The graph is held by nobody any more: 3 gradient ops go with what they had saved."] * 2,
        "The graph is freed: 3 gradient ops let go of what they saved.",
    ]
    phases = recording.phases
    names = [recording.text(phases["name"][bisect_left(phases["last"], step)]) for step in freed]
    assert names == ["forward", "forward", "backward"]


def test_a_long_graph_goes_at_once() -> None:
    recording = Recording(record(BEGIN + "y = w\nfor i in range(5_000):\n    y = y * w\ny = None\nprint('on')\n"))
    assert recording.trace["stdout"] == "on\n"
    assert [len(recording.list_at(nodes)) for nodes in recording.events["freed"]["nodes"]] == [5_000]


def test_nobody_is_told_after_a_recording() -> None:
    record(BEGIN)
    assert not hasattr(GradNode, "__del__")


ALIVE = """
const { decodeTrace } = await import("${ROOT}/static/js/trace/decode.js");
const { TraceIndex } = await import("${ROOT}/static/js/trace/index.js");
const { sceneAt } = await import("${ROOT}/static/js/trace/scene.js");
const { readFileSync } = await import("node:fs");
const alive = JSON.parse(readFileSync(0, "utf-8")).map((document) => {
  const index = new TraceIndex(decodeTrace(document));
  const drawn = [...sceneAt(index, index.stepCount - 1).slots.values()];
  const name = (node) => index.text(index.trace.nodes.variable[node]);
  return drawn.filter(({ node, state }) => name(node) === "loss" && state === "value").length;
});
console.log(JSON.stringify(alive));
"""
LOOPS = [
    (cost, use, alive)
    # The last op may have had nothing to let go of; what it came from has.
    for cost in ("cost(x)", "cost(x) + 1.0", "-(cost(x) + 1.0)")
    for use, alive in (("total += loss.item()", 1), ("total = loss.detach()", 1), ("kept.append(loss)", 3))
]


def test_the_page_draws_what_is_gone_as_gone(in_the_page: Callable[[list[dict[str, Any]]], None]) -> None:
    loop = "total, kept = 0.0, []\nfor x in (1., 2., 3.):\n    loss = {}\n    {}\nprint()\n"
    traces = [record(BEGIN + loop.format(cost, use)) for cost, use, _ in LOOPS]
    script = ALIVE.replace("${ROOT}", Path(__file__).parents[2].as_uri())
    done = subprocess.run(
        ["node", "--input-type=module", "-e", script],
        input=json.dumps(traces),
        capture_output=True,
        check=True,
        text=True,
    )
    assert json.loads(done.stdout) == [alive for _, _, alive in LOOPS]
