"""The words of all sentences: the page's own table, ``static/js/trace/wording.js``."""

from __future__ import annotations

import json
import re
from typing import Any

from app import places

_PLACE = re.compile(r"<(\w+)>|\{(\w+)\}")


def _read() -> dict[str, dict[str, str]]:
    text = (places.static_folder() / "js" / "trace" / "wording.js").read_text(encoding="utf-8")
    table: dict[str, dict[str, str]] = json.loads(text.partition("WORDING = ")[2].rstrip().removesuffix(";"))
    return table


WORDING = _read()


def say(key: str, **values: Any) -> list[str]:
    """The actor and the rest of a sentence.

    >>> say("accumulated.first", name="w.grad", value="5")
    ['w.grad', ' exists now: 5.']
    """
    actor, _, rest = WORDING["sentences"][key].removeprefix("[").partition("]")
    told = _PLACE.sub(lambda found: str(values[found[1] or found[2]]), rest)
    return [str(values.get(actor, actor)), told]
