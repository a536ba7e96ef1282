"""A trace that was recorded in the kernel, as the player in a frame."""

from __future__ import annotations

import json
from typing import Any

from ..guest import export, frame


def as_html(trace: dict[str, Any]) -> str:
    """The player for ``trace``. Raises :class:`app.guest.GuestError`."""
    recorded = export(json.dumps(trace, allow_nan=False), "recording.json")
    return frame(recorded.page, f"A recording of {trace['program']['name']}")
