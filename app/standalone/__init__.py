"""A recording as one HTML page that plays without a server, or as a picture of one step. Knows the player's built
files, no Flask and no run."""

from app.standalone.page import STYLES, NotBuiltError, page, shell
from app.standalone.still import KINDS, NoPictureError, picture

__all__ = ["KINDS", "STYLES", "NoPictureError", "NotBuiltError", "page", "picture", "shell"]
