"""What teaching files use around a framework: charts, stand-in data, files, progress bars. Each program runs in the
sandbox, and the first line of its text says what its recording must hold."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.runner import Limits, Request, Runner
from engine.trace.reading import printed, table
from engine.trace.validate import validate

PROGRAMS = sorted((Path(__file__).parent / "programs").glob("*.py"))
BESIDE = (("numbers.csv", b"a,b\n1,1\n2,3\n"), ("helper.py", b"def double(x):\n    return 2 * x\n"))


@pytest.fixture(scope="module")
def runner() -> Iterator[Runner]:
    made = Runner(spares=1, workers=1)
    yield made
    made.close()


def recorded(runner: Runner, source: str) -> dict[str, Any]:
    run = runner.submit(Request(source, limits=Limits(seconds=60), files=BESIDE))
    run.wait()
    assert run.trace is not None
    trace: dict[str, Any] = json.loads(run.trace)
    validate(trace)
    return trace


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.stem)
def test_the_program_runs_and_its_recording_holds_what_it_shows(runner: Runner, path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    wanted = dict(word.split("=", 1) for word in re.findall(r"\w+=\S+(?: \d+\\\))?", source.split("\n", 1)[0]))
    trace = recorded(runner, source)
    assert trace["end"]["kind"] == "ok", trace["end"]["error"] or trace["end"]
    assert len(table(trace, "events.picture")) == int(wanted.get("pictures", len(table(trace, "events.picture"))))
    assert len(trace.get("charts", [])) == int(wanted.get("charts", 0))
    left = {file["name"]: file["data"] for file in trace.get("files", [])}
    assert all(left.get(name) for name in wanted.get("files", "").split(",") if name)
    assert re.search(wanted.get("prints", ""), printed(trace), re.DOTALL)
    if "notice" in wanted:
        assert any(wanted["notice"] in note for note in trace["program"]["notes"])
        assert f"stepgraph: {wanted['notice']}" in printed(trace, 2) or wanted["notice"] in printed(trace, 2)
    assert "stepgraph" not in printed(trace)


def test_a_hundred_frames_stay_small(runner: Runner) -> None:
    trace = recorded(
        runner,
        "import matplotlib.pyplot as plt\nplt.ion()\nfor k in range(100):\n    plt.cla()\n"
        "    plt.plot(range(k + 2))\n    plt.pause(0.01)\n",
    )
    assert trace["end"]["kind"] == "ok"
    assert len(trace["pictures"]) == 100
    assert len(json.dumps(trace)) < 1_500_000


def test_equal_pictures_are_kept_once(runner: Runner) -> None:
    trace = recorded(
        runner, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nfor _ in range(3):\n    plt.savefig('a.png')\n"
    )
    assert (len(trace["pictures"]), len(table(trace, "events.picture"))) == (1, 3)


def test_what_cannot_be_had_says_so(runner: Runner) -> None:
    trace = recorded(runner, "import torchvision\nmodel = torchvision.models.resnet18(pretrained=True)\n")
    assert "programs have no network here" in trace["end"]["error"]["message"]
