"""The learning X-ray over real recordings: the cut is where it is, is said in words, and healthy programs learn."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.recording import record

sys.path[:0] = [str(Path(__file__).parent)]

from broken import CASES, HEALTHY, NOTES, Case  # noqa: E402 - found by the line above

pytestmark = [
    pytest.mark.xdist_group("xray"),  # the programs are recorded once, for all of them
    pytest.mark.skipif(shutil.which("node") is None, reason="the X-ray is a part of the page; node runs it"),
]

SOURCES = {
    **{case.name: case.source for case in CASES},
    **HEALTHY,
    **{name: source for name, (source, *_) in NOTES.items()},
}


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What the X-ray finds in every program."""
    folder = tmp_path_factory.mktemp("recordings")
    files = []
    for i, source in enumerate(SOURCES.values()):
        file = folder / f"{i}.json"
        file.write_text(json.dumps(record(source)))
        files.append(str(file))
    script = Path(__file__).with_name("findings.mjs")
    done = subprocess.run(["node", script, *files], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    return dict(zip(SOURCES, json.loads(done.stdout), strict=True))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_cut_is_found_and_said(found: dict[str, Any], case: Case) -> None:
    finding = found[case.name]["findings"][case.parameter]
    assert (finding["verdict"], finding["kind"], finding["line"]) == (case.verdict, case.kind, case.line), finding
    text = f"{finding['title']} {finding['words']}"
    for words in case.words:
        assert words in text
    assert finding["tries"]
    assert case.tries in " ".join(finding["tries"])
    assert text.count("`") % 2 == 0


@pytest.mark.parametrize("name", HEALTHY)
def test_healthy_programs_learn(found: dict[str, Any], name: str) -> None:
    findings = found[name]["findings"]
    assert findings
    for parameter, finding in findings.items():
        assert finding["verdict"] == "learns", (parameter, finding)
        assert all(link["state"] == "flows" for link in finding["path"])
        sizes = [link["size"] for link in finding["path"] if link["size"] is not None]
        assert sizes
        assert all(size > 0 for size in sizes)
    assert found[name]["notes"] == []


@pytest.mark.parametrize("name", NOTES)
def test_what_else_keeps_a_loss_up(found: dict[str, Any], name: str) -> None:
    _, kind, line, words = NOTES[name]
    notes = {note["kind"]: note for note in found[name]["notes"]}
    assert kind in notes, notes
    assert notes[kind]["line"] == line
    assert words in notes[kind]["words"]
    assert notes[kind]["tries"]


def test_sizes_are_those_of_the_gradients(found: dict[str, Any]) -> None:
    """By hand: d/dw mean((Xw - y)²) at w = 0 is -2/8 Xᵀy."""
    source = SOURCES["torch, by hand"].replace("range(5)", "range(1)") + "print(w.grad)\n"
    trace = record(source.replace("        w.grad.zero_()\n", ""))
    printed = trace["stdout"]
    entries = [
        abs(float(x)) for x in printed.replace("tensor(", "").strip(" )\n[]").replace("],\n        [", " ").split()
    ]
    # The page's first pass of the same program sends the same gradient.
    file = Path(__file__).with_name("findings.mjs")
    import tempfile

    with tempfile.NamedTemporaryFile("w", suffix=".json") as kept:
        json.dump(trace, kept)
        kept.flush()
        done = subprocess.run(["node", file, kept.name], capture_output=True, text=True, check=True, timeout=60)
    path = json.loads(done.stdout)[0]["findings"]["w"]["path"]
    assert path[-1]["size"] == pytest.approx(max(entries), rel=1e-3)
