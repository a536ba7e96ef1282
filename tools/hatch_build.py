"""What a wheel holds: everything under `stepgraph/`, the built front end included, so that installing it needs no Node.

Runs when a wheel is built (``pip install .``, ``python -m build``): maps the folders (see docs/decisions/0001) and
bundles the editor into ``static/build`` unless it is there already. An editable install (``make setup``) bundles as a
step of its own.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tools"))

import frontend  # noqa: E402

BUNDLES = ("editor.js", "play.js", "standalone.js", "embed.js", "lesson.js", "fonts.css")
FOLDERS = ("app", "engine", "lessons", "static", "templates")


class FrontEnd(BuildHookInterface[Any]):
    """Builds the bundle before the files are collected."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """Node as a wheel, where PATH has none."""
        return [] if self._is_there() or frontend.node_on_path() else [frontend.NODE_WHEEL]

    def _is_there(self) -> bool:
        return all((ROOT / "static" / "build" / name).exists() for name in BUNDLES)

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":  # a path entry to the checkout is all it needs
            return
        build_data["force_include"].update({str(ROOT / name): f"stepgraph/{name}" for name in FOLDERS})
        build_data["force_include"][str(ROOT / "stepgraph.py")] = "stepgraph/__init__.py"
        if self._is_there():
            return
        try:
            frontend.build()
        except (OSError, subprocess.CalledProcessError) as problem:
            raise RuntimeError(
                "The editor's bundle could not be built (Node.js 20 or newer and npm's registry are needed for it). "
                "Install a published wheel instead: it carries the bundle."
            ) from problem
