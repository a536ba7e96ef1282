"""docs/dialects.md lists what a program can import."""

from __future__ import annotations

import pytest

from engine.dialects.importer import modules_of
from tools import dialects


def test_page_is_current() -> None:
    assert dialects.PAGE.read_text(encoding="utf-8") == dialects.page(), "run python tools/dialects.py"


@pytest.mark.parametrize(
    ("dialect", "module", "name"),
    [("torch", "torch.nn", "Linear"), ("torch", "torch", "cat"), ("tf1", "tensorflow", "placeholder"),
     ("tf2", "tensorflow", "GradientTape")],
)  # fmt: skip
def test_names_are_there(dialect: str, module: str, name: str) -> None:
    (line,) = [text for text in dialects.section(dialect) if text.startswith(f"**{module}**")]
    assert f"`{name}`" in line
    assert hasattr(modules_of(dialect)[module], name)
