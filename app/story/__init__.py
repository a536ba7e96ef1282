"""A recording as a story in the terminal: the sentences of the page, step by step."""

from __future__ import annotations
