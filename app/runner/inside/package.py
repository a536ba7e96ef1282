"""Loads this package under a name of its own, from a script that was started by its path."""

from __future__ import annotations

import importlib
import importlib.util
import os
import sys
from types import ModuleType

NAME = "stepgraph_zygote"
"""What this package is called where ``app`` must not exist. It is forgotten before a program runs."""


def load(folder: str, module: str) -> ModuleType:
    """Import ``module`` of the package in ``folder``."""
    if NAME not in sys.modules:
        spec = importlib.util.spec_from_file_location(
            NAME, os.path.join(folder, "__init__.py"), submodule_search_locations=[folder]
        )
        assert spec is not None
        assert spec.loader is not None
        package = importlib.util.module_from_spec(spec)
        sys.modules[NAME] = package
        spec.loader.exec_module(package)
    return importlib.import_module(f"{NAME}.{module}")
