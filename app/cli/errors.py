"""What a command refuses."""

from __future__ import annotations


class CommandError(Exception):
    """The command cannot be carried out as it was given (exit status 2): says why, and what to do."""
