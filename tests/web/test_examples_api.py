"""The example programs: their files, their recordings, and that each does what its note says."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient

from app.examples import ExampleError, load, parse
from app.runner import Request, Runner
from engine.trace.columns import decode

EXAMPLES = {example.id: example for example in load()}


def test_the_list_has_everything_the_picker_needs(client: FlaskClient) -> None:
    listed = client.get("/api/examples").get_json()["examples"]
    assert [entry["id"] for entry in listed] == list(EXAMPLES)
    assert 8 <= len(listed) <= 16
    assert len({entry["id"] for entry in listed}) == len(listed)
    for entry in listed:
        assert set(entry) == {"id", "title", "group", "note", "name", "source", "links"}
        assert len(entry["source"].splitlines()) <= 30
        assert not entry["source"].startswith(("#", "\n"))
        assert entry["source"].endswith("\n")


def test_a_recording_is_made_once(client: FlaskClient, runner: Any) -> None:
    runner.instant = True
    first = client.get("/api/examples/plain-python/trace")
    second = client.get("/api/examples/plain-python/trace", headers={"If-None-Match": first.headers["ETag"]})
    assert first.status_code == 200
    assert first.get_json()["layout"]["version"] == 1
    assert second.status_code == 304
    assert [run.request.source for run in runner.runs] == [EXAMPLES["plain-python"].source]


def test_a_recording_that_failed_is_tried_again(client: FlaskClient, runner: Any) -> None:
    runner.instant = True
    good, runner.trace = runner.trace, b"broken"
    failed = client.get("/api/examples/plain-python/trace")
    assert failed.status_code == 503
    assert "could not be recorded" in failed.get_json()["error"]["message"]
    runner.trace = good
    assert client.get("/api/examples/plain-python/trace").status_code == 200


def test_all_are_recorded_in_the_background(make: Callable[..., Flask], runner: Any, until: Any) -> None:
    runner.instant = True
    app = make()
    app.extensions["stepgraph"].examples.record_all().join(10)
    assert [run.request.name for run in runner.runs] == [example.name for example in EXAMPLES.values()]


@pytest.mark.parametrize("text", ["import torch\n", "# title: A\n# group: B\n\nx\n", "# title: A\n# oops\n\nx\n"])
def test_a_header_that_is_not_complete_is_named(tmp_path: Path, text: str) -> None:
    file = tmp_path / "01_bad.py"
    file.write_text(text)
    with pytest.raises(ExampleError, match=r"01_bad\.py: the header"):
        parse(file)


def recorded(runner: Runner, id: str) -> tuple[int, dict[str, Any]]:
    run = runner.submit(Request(EXAMPLES[id].source, name=EXAMPLES[id].name))
    assert run.wait(30)
    assert run.trace is not None, run.error
    return run.exit_status, json.loads(run.trace)


# What real torch 2.14 and TensorFlow 2.21 print for these programs.
OUTPUT = {
    "linear-regression-torch": (
        "step 0  loss 40.7250\nstep 1  loss 1.1587\nstep 2  loss 0.0810\nstep 3  loss 0.0508\ny = 2.08 x + 0.74\n"
    ),
    "data-decides-torch": ("doubled 5 times: [9.600000381469727, 12.800000190734863]\neach x counts [32.0, 32.0]\n"),
    "xor-torch": "step 0  loss 0.4769\nstep 1  loss 0.3649\nstep 2  loss 0.3045\n",
    "linear-regression-tf1": (
        "step 0  loss 40.7250\nstep 1  loss 1.1587\nstep 2  loss 0.0810\nstep 3  loss 0.0508\n"
        "weight and bias: [array([[2.0791328]], dtype=float32), array([0.7358563], dtype=float32)]\n"
    ),
}


@pytest.mark.parametrize("id", OUTPUT)
def test_examples_print_the_frameworks_own_figures(real_runner: Runner, id: str) -> None:
    status, trace = recorded(real_runner, id)
    assert (status, trace["end"]["kind"]) == (0, "ok")
    assert trace["stdout"] == OUTPUT[id]


def names(trace: dict[str, Any], table: Any, column: str) -> list[str]:
    return [trace["strings"][index] for index in decode(table[column]).tolist()]


@pytest.mark.parametrize("id", ["linear-regression-torch", "linear-regression-tf1"])
def test_a_training_loop_of_four_passes_is_four_episodes(real_runner: Runner, id: str) -> None:
    status, trace = recorded(real_runner, id)
    assert status == 0
    assert len(decode(trace["episodes"]["loop"])) == 4
    assert trace["program"]["dialect"] == id.rpartition("-")[2]


def test_the_data_decides_how_many_nodes_there_are(real_runner: Runner) -> None:
    _, trace = recorded(real_runner, "data-decides-torch")
    labels = [trace["definitions"][index]["label"] for index in decode(trace["nodes"]["definition"]).tolist()]
    assert labels.count("mul") == labels.count("MulBackward0") == 5


def test_the_shape_mismatch_is_found_while_running_or_while_building(real_runner: Runner) -> None:
    status, running = recorded(real_runner, "shape-mismatch-torch")
    assert status == 1
    error = running["end"]["error"]
    assert (error["type"], error["line"]) == ("RuntimeError", 10)
    assert error["message"] == "mat1 and mat2 shapes cannot be multiplied (4x3 and 4x2)"
    assert [operand["name"] for operand in error["operands"]] == ["hidden", "second"]
    assert len(decode(running["events"]["ran"]["seq"])) >= 2
    status, building = recorded(real_runner, "shape-mismatch-tf1")
    assert status == 1
    error = building["end"]["error"]
    assert (error["type"], error["line"], error["defined_line"]) == ("ValueError", 10, 10)
    assert error["message"].startswith("Dimensions must be equal, but are 3 and 4 for ")
    assert "ran" not in building["events"] or not len(decode(building["events"]["ran"]["seq"]))


def test_the_optimiser_folds_merges_and_removes(real_runner: Runner) -> None:
    status, trace = recorded(real_runner, "optimiser-tf1")
    assert status == 0
    assert {"folded", "merged", "removed"} <= set(names(trace, trace["events"]["rewrite"], "action"))
    lines = [line.split() for line in trace["stdout"].splitlines()]
    assert [[round(float(number), 5) for number in line] for line in lines] == [
        [0, 0.01, 0.1], [1, 0.16, 0.4], [2, 0.01, 0.1],
    ]  # fmt: skip


def test_gradients_of_gradients_are_right(real_runner: Runner) -> None:
    status, trace = recorded(real_runner, "gradients-tf1")
    assert status == 0
    lines = trace["stdout"].splitlines()
    assert lines[0].startswith("slope is a handle: Tensor(")
    assert [[float(number) for number in line.split(": ")[1].split()] for line in lines[1:]] == [
        [1, 1, -6], [0, -2, 0], [4, 10, 12],
    ]  # fmt: skip


def test_a_program_without_tensors_has_no_graph(real_runner: Runner) -> None:
    status, trace = recorded(real_runner, "plain-python")
    assert (status, trace["program"]["dialect"]) == (0, "python")
    assert len(decode(trace["graphs"]["mode"])) == 0
    assert trace["stdout"].endswith("from 9 it takes 19 steps\n")
