"""Short links: kept in the store under an id that follows from what they hold."""

from __future__ import annotations

import re

from app.sharing import link
from app.sharing.link import Link
from app.store import Programs

ID = re.compile(r"[a-z2-7]{12,52}")
"""What an id looks like; people who type one may write capitals."""


class Links:
    """The short links of a server.

    >>> from app.store import Database
    >>> links = Links(Programs(Database("sqlite://")))
    >>> id = links.put(Link("print(1)", place={"step": 3}))
    >>> links.get(id.upper()).place
    {'step': 3}
    """

    def __init__(self, programs: Programs) -> None:
        self._programs = programs

    def put(self, wanted: Link) -> str:
        """The id of ``wanted``, the same for everybody. Raises :class:`app.store.StoreError`."""
        return self._programs.put(wanted.source, wanted.options())

    def get(self, id: str) -> Link | None:
        """What is behind an id; None if nothing is. Raises :class:`LinkError`, :class:`app.store.StoreError`."""
        id = id.lower()
        found = self._programs.get(id) if ID.fullmatch(id) else None
        return None if found is None else link.stored(found.source, found.options)
