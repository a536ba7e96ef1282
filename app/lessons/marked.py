"""YAML whose errors name the line of the file that it stands in."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from app.lessons.model import LessonError, Place


class Fields:
    """A mapping from a file, read key by key; what is left over at the end is a mistake.

    Every reader raises :class:`LessonError` with the line where the value stands.
    """

    def __init__(self, file: Path, node: yaml.MappingNode, offset: int, what: str) -> None:
        self._file, self._offset, self._what = file, offset, what
        self.place = Place(file, offset + node.start_mark.line)
        self._values: dict[str, yaml.Node] = {}
        for key, value in node.value:
            name = str(key.value)
            if name in self._values:
                raise self._at(key).error(f"{name} is there twice")
            self._values[name] = value
        self._left = dict.fromkeys(self._values)
        self._known: set[str] = set()

    def _at(self, node: yaml.Node) -> Place:
        return Place(self._file, self._offset + node.start_mark.line)

    def where(self, key: str) -> Place:
        return self._at(self._values[key]) if key in self._values else self.place

    def has(self, key: str) -> bool:
        return key in self._values

    def any(self, key: str, default: Any = None) -> Any:
        """A value of any kind, as plain Python."""
        self._take(key)
        if key not in self._values:
            return default
        return _plain(self._values[key])

    def text(self, key: str, default: str | None = None) -> str:
        found = self.any(key, default)
        if found is None:
            raise self.place.error(f"{self._what} needs {key}: …")
        if isinstance(found, (dict, list)):
            raise self.where(key).error(f"{key} is a text")
        if isinstance(found, bool):
            raise self.where(key).error(f'{key} is a text: quote words that YAML takes for true and false, "No"')
        return str(found).strip()

    def number(self, key: str, default: float | None = None) -> float:
        found = self.any(key, default)
        if found is None:
            raise self.where(key).error(f"{self._what} needs {key}: a number")
        if isinstance(found, bool) or not isinstance(found, (int, float)):
            raise self.where(key).error(f"{key} is a number")
        return found

    def flag(self, key: str) -> bool:
        found = self.any(key, False)
        if not isinstance(found, bool):
            raise self.where(key).error(f"{key} is true or false")
        return found

    def texts(self, key: str) -> tuple[str, ...]:
        found = self.any(key, [])
        if not isinstance(found, list) or any(isinstance(item, (dict, list)) for item in found):
            raise self.where(key).error(f"{key} is a list of texts: [a, b], or one a line with a dash")
        return tuple(str(item).strip() for item in found)

    def rows(self, key: str) -> list[Fields]:
        """A list of mappings."""
        self._take(key)
        node = self._values.get(key)
        if node is None or node.tag == "tag:yaml.org,2002:null":
            return []
        if not isinstance(node, yaml.SequenceNode) or any(not isinstance(row, yaml.MappingNode) for row in node.value):
            raise self._at(node).error(f"{key} is a list; each entry begins with a dash and has keys of its own")
        return [Fields(self._file, row, self._offset, f"an entry of {key}") for row in node.value]

    def done(self) -> None:
        """Nothing but what was asked for may be there."""
        for key in self._left:
            raise self.where(key).error(f"{self._what} has no {key!r}; it may have {', '.join(sorted(self._known))}")

    def _take(self, key: str) -> None:
        self._known.add(key)
        self._left.pop(key, None)


def read(file: Path, text: str, line: int, what: str) -> Fields:
    """The mapping in ``text``, whose first line is line ``line`` of ``file``. Raises :class:`LessonError`."""
    try:
        node = yaml.compose(text, Loader=yaml.SafeLoader)
    except yaml.MarkedYAMLError as error:
        at = error.problem_mark.line if error.problem_mark else 0
        raise LessonError(
            file, line + at, f"{error.problem or 'this is no YAML'} (quote texts that hold a colon)"
        ) from None
    except yaml.YAMLError as error:
        raise LessonError(file, line, str(error)) from None
    if not isinstance(node, yaml.MappingNode):
        raise LessonError(file, line, f"{what} is made of lines like 'key: value'")
    return Fields(file, node, line, what)


def _plain(node: yaml.Node) -> Any:
    return yaml.constructor.SafeConstructor().construct_document(node) if node is not None else None
