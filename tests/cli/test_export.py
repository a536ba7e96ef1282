"""``stepgraph export``: one page that holds the recording as data, and a policy that lets nothing else run."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from pathlib import Path

import pytest

from app.cli import main
from engine.recording import record

HOSTILE = "print('</script><script>alert(1)</script><!--\\u2028')\n"


def the_page(file: Path) -> tuple[str, dict[str, object]]:
    text = file.read_text("utf-8")
    data = re.search(r'<script type="application/json" id="recording">(.*?)</script>', text, re.DOTALL)
    assert data
    return text, json.loads(data[1])


def test_a_program_becomes_a_page(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "a.py"
    program.write_text(HOSTILE)
    out = tmp_path / "page.html"
    assert main(["export", str(program), "-o", str(out)]) == 0
    assert "open it in a browser" in capfd.readouterr().out
    text, trace = the_page(out)
    assert trace["stdout"] == "</script><script>alert(1)</script><!--\u2028\n"
    assert "layout" in trace
    assert text.count("<script") == 2
    assert "<!--" not in text
    script = text[text.rindex("<script>") + 8 : text.rindex("</script>")]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)
    assert policy
    assert f"script-src 'sha256-{digest}';" in policy[1]
    assert policy[1].startswith("default-src 'none'")
    assert "unsafe" not in policy[1]
    # Nothing is loaded: every address in it is data.
    styles = text[text.index("<style") : text.index("</style>")]
    assert all(address.startswith("data:") for address in re.findall(r'url\("?([^)"]*)', styles) if "#" not in address)


def test_a_recording_becomes_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept.json").write_text(json.dumps(record("print(1)")))
    assert main(["export", "kept.json"]) == 0
    assert the_page(tmp_path / "kept.html")[1]["stdout"] == "1\n"


@pytest.mark.parametrize(("name", "text"), [("a.json", "{}"), ("a.json", "nonsense"), ("a.ipynb", "{}")])
def test_what_is_no_recording(tmp_path: Path, capfd: pytest.CaptureFixture[str], name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    assert main(["export", str(file), "-o", str(tmp_path / "x.html")]) == 2
    assert capfd.readouterr().err.startswith("stepgraph: ")
    assert not (tmp_path / "x.html").exists()


GRAPH = "import torch\nw = torch.ones(2, requires_grad=True)\n(w * 3.0).sum().backward()\n"


def test_it_opens_at_a_moment_with_its_picture(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept.json").write_text(json.dumps(record(GRAPH)))
    opened = {}
    for at, picture in (("start", "a.svg"), ("{node: mul, event: value}", "b.svg"), ("end", "c.pdf")):
        assert main(["export", "kept.json", "--quiet", "--at", at, "--picture", picture]) == 0
        opened[at] = int(re.search(r'data-step="(\d+)"', Path("kept.html").read_text())[1])  # type: ignore[index]
    assert opened["start"] == 0 < opened["{node: mul, event: value}"] < opened["end"]
    whole, part = Path("a.svg").read_text(), Path("b.svg").read_text()
    assert ">Backward0<" in whole, "opened at the start, the picture is that of the end"
    assert ">mul<" in part
    assert ">sum<" not in part
    assert Path("c.pdf").read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--at", "nowhere"], "start, end, error"),
        (["--at", "999"], "there is no step 999"),
        (["--picture", "a.gif"], "its name ends with .png, .svg, .pdf"),
        (["there"], "stepgraph export COURSE DIR"),
    ],
)
def test_what_cannot_be_exported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str], words: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("kept.json").write_text(json.dumps(record("print(1)")))
    assert main(["export", "kept.json", *words]) == 2
    assert said in capfd.readouterr().err
    assert not Path("kept.html").exists()
