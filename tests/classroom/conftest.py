"""Classes in both set-ups, and an application whose programs run at once."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType


def _module(name: str, path: Path) -> ModuleType:
    """A conftest of another folder: its fixtures and helpers are wanted here too."""
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


_tests = Path(__file__).parents[1]
_web = _module("classroom_web_fixtures", _tests / "web" / "conftest.py")

real_runner, finisher, trace, runner, make = _web.real_runner, _web.finisher, _web.trace, _web.runner, _web.make
