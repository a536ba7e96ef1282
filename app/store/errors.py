"""What can go wrong with what is stored; every message says what to do."""

from __future__ import annotations


class StoreError(Exception):
    """Something about the store that somebody must put right: an address, a driver, a version."""


class UnavailableError(StoreError):
    """The database cannot be reached now. The next call tries again: nothing has to be restarted."""


class FullError(StoreError):
    """There is no room for more."""
