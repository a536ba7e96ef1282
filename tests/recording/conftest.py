"""What the programs of these tests do when nobody watches, and how the page reads their recordings."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from app.story.recording import Recording
from app.story.sentences import sentence
from engine.trace.reading import value

ROOT = Path(__file__).resolve().parent.parent.parent / "static" / "js" / "trace"
WALK = """
import fs from "node:fs";
const { decodeTrace } = await import(`${ROOT}/decode.js`);
const { TraceIndex } = await import(`${ROOT}/index.js`);
const { sentence } = await import(`${ROOT}/sentences.js`);
const { visibleVariables } = await import(`${ROOT}/variables.js`);
const { sceneAt } = await import(`${ROOT}/scene.js`);
const many = (value) => value instanceof Map || value instanceof Set;
const plain = (key, value) => many(value) ? [...value] : value === Infinity ? "inf" : value;
const words = (index, k) => sentence(index, k).map((part) => part.text).join("");
const MOST = 120;
function state(index, k) {
  const view = { graph: index.stepGraph[k], plan: index.stepPlan[k] };
  const scene = view.graph < 0 ? null : sceneAt(index, k, view);
  return JSON.stringify([visibleVariables(index, k, k - 1), scene, words(index, k), index.number(k)], plain);
}
const told = JSON.parse(fs.readFileSync(0, "utf-8")).map((document) => {
  const trace = () => new TraceIndex(decodeTrace(structuredClone(document)));
  const index = trace();
  const stride = Math.max(1, Math.ceil(index.stepCount / MOST));
  const steps = Array.from({ length: Math.ceil(index.stepCount / stride) }, (_, k) => k * stride);
  const forwards = steps.map((k) => state(index, k));
  const backwards = steps.toReversed().map((k) => state(index, k)).toReversed();
  const other = trace();
  const alone = steps.toReversed().map((k) => state(other, k)).toReversed();
  const differs = steps.filter((_, k) => forwards[k] !== backwards[k] || forwards[k] !== alone[k]);
  const sentences = steps.map((k) => words(index, k));
  const numbers = steps.map((k) => index.number(k) - 1);
  return { differs, steps, sentences, numbers, values: index.trace.document.values };
});
console.log(JSON.stringify(told));
"""


def run_plain(path: Path) -> subprocess.CompletedProcess[bytes]:
    # As at a terminal in UTF-8: what is printed comes out at once, in order.
    environment = {"PYTHONIOENCODING": "utf-8:strict", "PYTHONUNBUFFERED": "1"}
    command = [sys.executable, "-P", "-s", "-B", str(path)]
    return subprocess.run(command, input=b"", capture_output=True, timeout=30, check=False, env=environment)


@pytest.fixture(scope="session")
def plain() -> Callable[[Path], subprocess.CompletedProcess[bytes]]:
    """Runs the program in a file by Python itself."""
    return run_plain


def walked(traces: list[dict[str, Any]]) -> list[dict[str, Any]]:
    script = WALK.replace("${ROOT}", ROOT.as_uri())
    command = ["node", "--input-type=module", "-e", script]
    done = subprocess.run(command, input=json.dumps(traces).encode(), capture_output=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr.decode()[-2000:]
    told: list[dict[str, Any]] = json.loads(done.stdout)
    return told


def checked(traces: list[dict[str, Any]]) -> None:
    for trace, page in zip(traces, walked(traces), strict=True):
        assert page["differs"] == []
        recording = Recording(trace)
        assert ["".join(sentence(recording, step)) for step in page["steps"]] == page["sentences"]
        assert [recording.numbers[step] for step in page["steps"]] == page["numbers"]
        for index, told in enumerate(page["values"]):
            expected = value(trace, index)
            assert {key: told[key] for key in expected} == expected


@pytest.fixture(scope="session")
def in_the_page() -> Callable[[list[dict[str, Any]]], None]:
    """Checks that the page's own code shows the same at a step however one came to it, and what the story tells."""
    if shutil.which("node") is None:
        pytest.skip("the page's own code runs in node")
    return checked
