"""The wheel, in an environment of its own that has other people's ``app`` and ``engine``: one name, and it works."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
import urllib.error
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]
HOSTILE = "raise RuntimeError('this is not the module that Stepgraph means')\n"
PROGRAM = """\
import torch

w = torch.ones(2, requires_grad=True)
(w * 3.0).sum().backward()
print(w.grad)
"""


def _environment() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}


def run(*command: str | Path, cwd: Path, status: int | None = 0) -> subprocess.CompletedProcess[str]:
    """Run a command without anything of this environment that could lead it back to the checkout."""
    done = subprocess.run(
        [str(word) for word in command],
        cwd=cwd,
        env=_environment(),
        capture_output=True,
        text=True,
        timeout=300,
        input="",
    )
    assert status is None or done.returncode == status, f"{command}:\n{done.stdout}\n{done.stderr}"
    return done


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    run(sys.executable, "-m", "pip", "wheel", ROOT, "--no-deps", "--no-build-isolation", "-q", "-w", folder, cwd=folder)
    [found] = folder.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory, wheel: Path) -> tuple[Path, set[str]]:
    """The folder of the environment's commands, and what installing the wheel added to its site-packages."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=True)
    commands = home / ("Scripts" if os.name == "nt" else "bin")
    python = commands / ("python.exe" if os.name == "nt" else "python")
    said = run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home)
    packages = Path(said.stdout.strip())
    for name in ("app", "engine"):
        (packages / name).mkdir()
        (packages / name / "__init__.py").write_text(HOSTILE)
    run(python, "-m", "pip", "install", "-q", "-r", ROOT / "requirements" / "run.txt", cwd=home)
    before = {entry.name for entry in packages.iterdir()}
    run(python, "-m", "pip", "install", "-q", "--no-deps", wheel, cwd=home)
    run(python, "-m", "pip", "check", cwd=home)
    return commands, {entry.name for entry in packages.iterdir()} - before


@pytest.fixture
def elsewhere(tmp_path: Path) -> Path:
    """A folder of a user, with files named as our packages are."""
    for name in ("app.py", "engine.py", "stepgraph.py", "static.py"):
        (tmp_path / name).write_text(HOSTILE)
    (tmp_path / "prog.py").write_text(PROGRAM)
    return tmp_path


def test_nothing_but_one_name_is_installed(environment: tuple[Path, set[str]]) -> None:
    _, added = environment
    assert {re.sub(r"-[\d.]+\.dist-info$", ".dist-info", name) for name in added} == {
        "stepgraph",
        "stepgraph.dist-info",
    }


def test_the_packages_of_others_are_untouched(environment: tuple[Path, set[str]], tmp_path: Path) -> None:
    commands, _ = environment
    for name in ("app", "engine"):
        done = run(commands / "python", "-c", f"import stepgraph, {name}", cwd=tmp_path, status=1)
        assert "not the module that Stepgraph means" in done.stderr


def test_a_program_runs_from_another_folder(environment: tuple[Path, set[str]], elsewhere: Path) -> None:
    commands, _ = environment
    done = run(
        commands / "stepgraph", "run", "--summary", "summary.json", "--json", "trace.json", "prog.py", cwd=elsewhere
    )
    assert (done.stdout, done.stderr) == ("tensor([3., 3.])\n", "")
    summary = json.loads((elsewhere / "summary.json").read_text())
    assert summary["end"] == "ok"
    assert summary["nodes"] >= 3
    assert json.loads((elsewhere / "trace.json").read_text())["program"]["dialect"] == "torch"


def test_the_story_has_its_words(environment: tuple[Path, set[str]], elsewhere: Path) -> None:
    commands, _ = environment
    done = run(commands / "stepgraph", "run", "--story", "prog.py", cwd=elsewhere)
    assert "The program prints tensor([3., 3.])" in done.stdout, "static/js/trace/wording.js is part of the wheel"


def test_doctor(environment: tuple[Path, set[str]], elsewhere: Path) -> None:
    commands, _ = environment
    # Status 1 says that something is missing on this machine (isolation, Graphviz): no failure of the installation.
    done = run(commands / "stepgraph", "doctor", cwd=elsewhere, status=None)
    assert done.returncode in (0, 1)
    assert "Traceback" not in done.stderr
    for words in ("isolation", "numpy", "flask"):
        assert words in done.stdout.lower()
    assert "make setup" not in done.stdout, "the editor's bundle is part of the wheel"


NOTEBOOK = """\
from IPython.core.interactiveshell import InteractiveShell
shell = InteractiveShell.instance()
shell.run_line_magic("load_ext", "stepgraph")
shell.run_cell_magic("stepgraph", "--name prog.py", open("prog.py").read())
from stepgraph import engine
with engine.record() as recording:
    engine.sum(engine.tensor([1.0, 2.0]))
print(recording, recording._repr_html_()[:7])
"""


def test_a_notebook_beside_packages_with_our_names(
    environment: tuple[Path, set[str]], elsewhere: Path, tmp_path: Path
) -> None:
    commands, _ = environment
    run(commands / "python", "-m", "pip", "install", "-q", "ipython>=8.30", cwd=tmp_path)
    (elsewhere / "stepgraph.py").unlink()  # what stands in the user's own folder is found first, as ever
    done = run(commands / "python", "-c", NOTEBOOK, cwd=elsewhere)
    lines = done.stdout.splitlines()
    assert lines[:2] == ["tensor([3., 3.])", "A recording of prog.py"]
    assert re.fullmatch(r"<recording of \S+, \d+ steps> <iframe", lines[2])


@pytest.mark.parametrize("tool", ["pipx", "uv"])
def test_tools_that_install_commands_take_it(
    environment: tuple[Path, set[str]], wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, tool: str
) -> None:
    commands, _ = environment
    run(commands / "python", "-m", "pip", "install", "-q", tool, cwd=tmp_path)
    for name in ("PIPX_HOME", "PIPX_BIN_DIR", "UV_TOOL_DIR", "UV_CACHE_DIR"):
        monkeypatch.setenv(name, str(tmp_path / name.lower()))
    words = ["pipx", "run", "--spec", wheel] if tool == "pipx" else ["uvx", "--from", wheel]
    done = run(commands / words[0], *words[1:], "stepgraph", "--version", cwd=tmp_path)
    assert done.stdout.startswith("stepgraph 0.")


def fetch(address: str, data: bytes | None = None) -> tuple[int, str, bytes]:
    headers = {"Content-Type": "application/json"} if data else {}
    with urllib.request.urlopen(urllib.request.Request(address, data, headers), timeout=60) as response:
        return response.status, response.headers.get_content_type(), response.read()


@pytest.fixture
def server(environment: tuple[Path, set[str]], elsewhere: Path) -> Iterator[str]:
    commands, _ = environment
    # Without Node: with nothing but the environment's own commands.
    process = subprocess.Popen(
        [commands / "stepgraph", "serve"],
        env={**_environment(), "PATH": str(commands), "PORT": str(_free_port()), "HOST": "127.0.0.1"},
        cwd=elsewhere, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )  # fmt: skip
    assert process.stdout is not None
    said: list[str] = []

    def read() -> None:
        assert process.stdout is not None
        said.extend(iter(process.stdout.readline, ""))

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    try:
        end = time.monotonic() + 60
        while not (found := re.search(r"http://[\d.:]+", "".join(said))):
            assert process.poll() is None, "".join(said)
            assert time.monotonic() < end, "".join(said)
            time.sleep(0.05)
        yield found[0]
    finally:
        process.terminate()
        process.wait(20)
        reader.join(5)
        process.stdout.close()


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def test_the_page_its_files_and_runs_are_served(server: str) -> None:
    status, kind, page = fetch(f"{server}/")
    assert (status, kind) == (200, "text/html")
    links = re.findall(r'(?:href|src)="(/[^"]+\.(?:css|js|svg))"', page.decode())
    assert any(link.endswith("main.js") for link in links), links
    base = re.search(r'data-base="([^"]+)"', page.decode())
    assert base is not None
    for link in (*links, f"{base[1]}build/editor.js", f"{base[1]}js/views/ask.js"):
        status, _, content = fetch(server + link)
        assert status == 200, link
        assert content, link
    body: dict[str, Any] = json.loads(
        fetch(f"{server}/api/runs", json.dumps({"source": PROGRAM, "wait": True}).encode())[2]
    )
    assert body["stdout"] == "tensor([3., 3.])\n"
    assert body["layout"]["graphs"], body["layout"]["note"]
    examples = json.loads(fetch(f"{server}/api/examples")[2])["examples"]
    assert examples
    # The migrations are in the wheel.
    link = json.loads(fetch(f"{server}/api/links", json.dumps({"source": PROGRAM}).encode())[2])["id"]
    assert json.loads(fetch(f"{server}/api/links/{link}")[2])["source"] == PROGRAM
    with pytest.raises(urllib.error.HTTPError) as refused:
        fetch(f"{server}/static/../app/places.py")
    assert refused.value.code == 404
    refused.value.close()
