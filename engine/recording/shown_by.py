"""Who shows a recording in a notebook. The engine knows nobody who could: it is put here from outside."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

as_html: Callable[[dict[str, Any]], str] | None = None
"""Makes HTML of a trace document; ``None`` while nobody is there who could."""
