"""A recording as one HTML page that plays without a server. Knows the player's built files, no Flask and no run."""

from app.standalone.page import STYLES, NotBuiltError, page, shell

__all__ = ["STYLES", "NotBuiltError", "page", "shell"]
