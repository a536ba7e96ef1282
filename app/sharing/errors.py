"""What cannot be shared, and what to do about it."""

from __future__ import annotations


class LinkError(Exception):
    """``message`` says what is wrong, ``hint`` what to do."""

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
