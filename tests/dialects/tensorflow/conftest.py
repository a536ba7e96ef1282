"""The programs are run by test_tensorflow_programs.py, not collected."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import pytest

from engine.dialects.importer import install, uninstall

collect_ignore_glob = ["programs/*", "eager_programs/*", "keras_programs/*"]
_ROOTS = {"tensorflow", "tensorflow_fold"}


@contextmanager
def _served(dialect: str) -> Iterator[Any]:
    install(dialect)
    try:
        yield sys.modules.get("tensorflow") or __import__("tensorflow")
    finally:
        uninstall(_ROOTS)
        for name in [n for n in sys.modules if n.partition(".")[0] in _ROOTS]:
            del sys.modules[name]


@pytest.fixture
def serving() -> Callable[[str], AbstractContextManager[Any]]:
    """``with serving("tf1") as tf:``: ``import tensorflow`` means that version inside."""
    return _served
