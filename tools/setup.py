"""Set up a checkout: the virtual environment, the pinned packages, the command, the editor's bundle.

Run by ``make setup``; on machines without make: ``python tools/setup.py``. Needs Python 3.11 or newer and nothing else.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")


def run(*command: str | Path) -> None:
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True)


def main() -> int:
    if sys.version_info < (3, 11):  # noqa: UP036 - this file is what tells people so
        print(f"Stepgraph needs Python 3.11 or newer; this is {sys.version.split()[0]}.", file=sys.stderr)
        print("Say which to use with: make setup PYTHON=python3.12", file=sys.stderr)
        return 1
    try:
        if not PYTHON.exists():
            print("Making .venv ...", flush=True)
            venv.create(VENV, with_pip=True, clear=VENV.exists(), symlinks=sys.platform != "win32")
        print("Installing the pinned Python packages ...", flush=True)
        pip = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
        run(*pip, "--require-hashes", "-r", "requirements/scale.txt", "-r", "requirements/dev.txt")
        run(*pip, "--no-deps", "--no-build-isolation", "--editable", ".")
        print("Bundling the editor ...", flush=True)
        run(PYTHON, "tools/frontend.py", "build")
    except subprocess.CalledProcessError as problem:
        print(f"Set-up stopped: {' '.join(problem.cmd)} ended with status {problem.returncode}.", file=sys.stderr)
        print("Is the network there? Running the same command again goes on where it stopped.", file=sys.stderr)
        return 1
    except Exception as problem:  # venv's own failures (a Debian without python3-venv) come in many types
        print(f"Set-up stopped: {problem}", file=sys.stderr)
        print("On Debian and Ubuntu, `apt install python3-venv` may be what is missing.", file=sys.stderr)
        return 1
    (VENV / ".ready").touch()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
