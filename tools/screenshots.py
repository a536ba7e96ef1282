"""Pictures of every page and state, made from the running product: ``make screenshots``.

Writes into ``screenshots/`` (ignored), and the README's picture into ``docs/pictures/``. With ``--looks`` it also
writes what the states look like into ``tests/browser/looks.json``, with which the visual regression compares
(``tools/looks.py``): do so after a change that is meant, and look at the pictures first.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import browser
import looks
from playwright.sync_api import Browser, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "screenshots"
LOOKS = ROOT / "tests" / "browser" / "looks.json"
README_PICTURE = ROOT / "docs" / "pictures" / "player.png"


@dataclass(frozen=True)
class Shot:
    """One picture: an example, a step of it (a fraction of all steps), a window and a look."""

    name: str
    example: str
    at: float
    size: tuple[int, int] = (1366, 768)
    theme: str = "light"
    keys: tuple[str, ...] = field(default=())


SHOTS = (
    Shot("dynamic-backward", "xor-torch", 0.21),
    Shot("dynamic-1920", "xor-torch", 0.36, (1920, 1080)),
    Shot("dynamic-dark", "xor-torch", 0.36, theme="dark"),
    Shot("dynamic-contrast", "xor-torch", 0.36, theme="contrast"),
    Shot("dynamic-phone", "xor-torch", 0.36, (390, 844)),
    Shot("dynamic-projector", "xor-torch", 0.36, (1920, 1080), keys=("p",)),
    Shot("dynamic-freed", "linear-regression-torch", 0.3),
    Shot("data-decides", "data-decides-torch", 0.6),
    Shot("static-empty", "optimiser-tf1", 0.0),
    Shot("static-built", "optimiser-tf1", 0.2),
    Shot("static-optimised", "optimiser-tf1", 0.45),
    Shot("static-running", "optimiser-tf1", 0.7),
    Shot("static-dark", "optimiser-tf1", 0.45, theme="dark"),
    Shot("static-phone", "optimiser-tf1", 0.45, (390, 844)),
    Shot("static-training", "linear-regression-tf1", 0.5, (1920, 1080)),
    Shot("error-torch", "shape-mismatch-torch", 1.0),
    Shot("error-tf1", "shape-mismatch-tf1", 1.0),
    Shot("error-dark", "shape-mismatch-torch", 1.0, theme="dark"),
    Shot("error-phone", "shape-mismatch-torch", 1.0, (390, 844)),
    Shot("plain-python", "plain-python", 0.5),
    Shot("error-projector", "shape-mismatch-tf1", 1.0, (1920, 1080), theme="dark", keys=("p",)),
    Shot("traced-again", "traced-function-tf2", 0.7),
    Shot("keys", "xor-torch", 0.36, keys=("?",)),
)


WALK = """(steps) => {
  const press = (key) => document.dispatchEvent(new KeyboardEvent('keydown', {key, bubbles: true, cancelable: true}));
  press('Home');
  for (let i = 0; i < steps; i++) press('ArrowRight');
}"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def served() -> Iterator[str]:
    """A real server on a free port; its address."""
    environment = dict(os.environ, PORT=str(free_port()), PYTHONUNBUFFERED="1")
    command = [str(Path(sys.executable).with_name("stepgraph")), "serve"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        for line in process.stdout:
            found = re.search(r"http://\S+", line)
            if found:
                yield found[0].rstrip("/")
                break
        else:
            raise RuntimeError("the server did not start")
    finally:
        process.terminate()
        process.wait(20)


def reach(page: Page, address: str, shot: Shot) -> None:
    """Brings a page, whose motion is reduced, to a state."""
    width, height = shot.size
    page.set_viewport_size({"width": width, "height": height})
    page.goto(f"{address}/play?example={shot.example}")
    counter = page.locator("#counter")
    expect(counter).to_contain_text(" of ", timeout=30_000)
    expect(page.locator(".cm-content")).to_be_attached()
    steps = int(re.findall(r"\d+", counter.text_content() or "")[1])
    page.evaluate("theme => { document.documentElement.dataset.theme = theme }", shot.theme)
    page.evaluate(WALK, round(shot.at * (steps - 1)))
    for key in shot.keys:
        page.keyboard.press(key)
    page.evaluate("() => document.fonts.ready.then(() => true)")


def take(chromium: Browser, address: str, shot: Shot, path: Path) -> dict[str, object]:
    """Makes one picture; gives what it looks like."""
    context = chromium.new_context(reduced_motion="reduce")
    try:
        page = context.new_page()
        reach(page, address, shot)
        page.screenshot(path=path)
        return looks.look(page, context.new_page())
    finally:
        context.close()


def main() -> int:
    OUT.mkdir(exist_ok=True)
    README_PICTURE.parent.mkdir(exist_ok=True)
    seen: dict[str, dict[str, object]] = {}
    with served() as address, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(
            executable_path=browser.find(playwright) or None, args=list(browser.FLAGS)
        )
        for shot in SHOTS:
            seen[shot.name] = take(chromium, address, shot, OUT / f"{shot.name}.png")
            print(f"screenshots/{shot.name}.png", flush=True)
        chromium.close()
    README_PICTURE.write_bytes((OUT / "dynamic-backward.png").read_bytes())
    if "--looks" in sys.argv[1:]:
        LOOKS.write_text(json.dumps(seen, indent=0) + "\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
