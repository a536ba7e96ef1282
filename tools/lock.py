"""Renew the lock files from pyproject.toml: exact versions with hashes for every platform.

make lock
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP_TOOLS = "pip-tools==7.6.2"
OPTIONS = (
    "--quiet",
    "--generate-hashes",
    "--strip-extras",
    "--allow-unsafe",
    "--no-emit-index-url",
    "--no-emit-find-links",
    "--no-emit-trusted-host",
    "--no-header",
)


def compile_lock(target: str, *sources: str) -> None:
    command = [
        sys.executable,
        "-m",
        "piptools",
        "compile",
        *OPTIONS,
        "--output-file",
        f"requirements/{target}",
        *sources,
    ]
    subprocess.run(command, cwd=ROOT, check=True)


def main() -> int:
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", PIP_TOOLS], check=True)
    compile_lock("run.txt", "pyproject.toml")
    compile_lock("scale.txt", "--extra=scale", "--constraint=requirements/run.txt", "pyproject.toml")
    compile_lock("dev.txt", "--constraint=requirements/run.txt", "requirements/dev.in")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
