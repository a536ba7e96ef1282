"""``stepgraph doctor``: what this installation has and lacks."""

from __future__ import annotations

import argparse
import logging
import platform
import shutil
import subprocess
from importlib import metadata
from typing import Any

from app import places


def add_to(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="say what works here and what is missing", allow_abbrev=False)
    parser.set_defaults(perform=perform)


def perform(options: argparse.Namespace) -> int:
    """Print what there is; 1 if programs are not isolated or nothing can lay graphs out well."""
    from app.runner import Runner
    from app.runner.backend import BackendError

    print(f"stepgraph      {places.version()} in {places.ROOT}")
    print(f"system         {platform.platform()}, Python {platform.python_version()}")
    for package in ("numpy", "flask", "waitress", "graphviz", "graphviz-pure", "networkx"):
        print(f"{package:<15}{_version_of(package)}")
    dot = dot_version()
    print(f"dot            {dot or 'missing: install Graphviz or graphviz-pure; until then layouts are plain'}")
    bundle = places.static_folder() / "build"
    print(f"editor         {'built' if bundle.is_dir() else 'not built: make setup'}")
    # The runner's warnings say what the lines below say.
    logging.getLogger().addHandler(logging.NullHandler())
    runner = Runner(spares=1, workers=1)
    try:
        isolation = runner.isolation()
    except BackendError as error:
        print(f"isolation      programs cannot be run here: {error}")
        return 1
    finally:
        runner.close()
    print(f"isolation      {isolation.text}")
    for layer in isolation.layers:
        print(f"               has {layer}")
    for missing in isolation.missing:
        print(f"               lacks {missing}")
    return 0 if isolation.isolated and dot else 1


def _version_of(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return "missing"


def dot_version() -> str | None:
    """Which program draws graphs, and its version; None if there is none."""
    for command in ("dot", "graphviz-pure"):
        path = shutil.which(command)
        if path is None:
            continue
        try:
            said = subprocess.run([path, "-V"], capture_output=True, text=True, timeout=10, check=True)
        except (OSError, subprocess.SubprocessError):
            continue
        return f"{(said.stderr or said.stdout).strip()} ({path})"
    return None
