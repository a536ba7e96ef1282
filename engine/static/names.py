"""Unique names inside a graph, with scopes: ``layer/add``, ``layer/add_1``."""

from __future__ import annotations


class Names:
    """Hands out each name once; case does not make a difference, so that names also differ as file names.

    >>> names = Names()
    >>> names.unique("add"), names.unique("add"), names.unique("Add")
    ('add', 'add_1', 'Add_2')
    """

    def __init__(self) -> None:
        self.scope = ""
        self._used: dict[str, int] = {}

    def unique(self, name: str, mark: bool = True) -> str:
        """``name`` inside the current scope, with ``_1``, ``_2`` ... if it is taken; ``mark`` takes it."""
        if self.scope:
            name = f"{self.scope}/{name}"
        key = name.lower()
        count = self._used.get(key, 0)
        if mark:
            self._used[key] = count + 1
        if count == 0:
            return name
        candidate = key
        while candidate in self._used:
            candidate = f"{key}_{count}"
            count += 1
        if mark:
            self._used[candidate] = 1
        return f"{name}_{count - 1}"

    def enter(self, name: str | None) -> str:
        """Make ``name`` the current scope (``"x/"`` re-enters exactly ``x``; ``None`` or ``""`` leaves all); returns
        the old one."""
        previous = self.scope
        if not name:
            self.scope = ""
        elif name.endswith("/"):
            self.scope = name[:-1]
        else:
            self.scope = self.unique(name)
        return previous
