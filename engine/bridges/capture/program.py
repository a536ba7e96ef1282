"""A captured program: entries in order, surgery on them, and what can be made of them."""

from __future__ import annotations

import linecache
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np

from engine.bridges.capture.entry import KINDS, Entry, mapped
from engine.bridges.capture.source import NAMES, write
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import GraphError
from engine.ops import TABLE
from engine.static import Graph, Node
from engine.tensor_type import TensorType

_numbers = count()


class Program:
    """What a function did, as a list of entries; ``tensors`` are those it took from outside, by name.

    Calling it runs the Python source that :attr:`code` shows, on tensors of the dialect that it was captured with.
    """

    def __init__(self, facade: Facade) -> None:
        self.facade = facade
        self.entries: list[Entry] = []
        self.tensors: dict[str, Any] = {}
        self._compiled: tuple[str, Callable[..., Any]] | None = None

    # -- looking -----------------------------------------------------------------------------------------------------
    @property
    def code(self) -> str:
        """The program as Python source: ``F`` is the op table, ``self.tensors`` what came from outside."""
        return write(self.entries)

    def find(self, name: str) -> Entry:
        """The entry of this name.

        :raises GraphError: there is none.
        """
        for entry in self.entries:
            if entry.name == name:
                return entry
        raise GraphError(f"there is no entry {name!r}; there are {', '.join(e.name for e in self.entries)}")

    def users(self, entry: Entry) -> list[Entry]:
        """The entries that read ``entry``."""
        return [user for user in self.entries if entry in user.reads]

    def table(self) -> str:
        """All entries as a table: kind, name, target, arguments."""
        rows = [("kind", "name", "target", "arguments")]
        rows += [(e.kind, e.name, e.target, ", ".join(_shown(a) for a in e.arguments)) for e in self.entries]
        widths = [max(len(row[i]) for row in rows) for i in range(3)]
        return "\n".join(
            "  ".join([*(c.ljust(w) for c, w in zip(r, widths, strict=False)), r[3]]).rstrip() for r in rows
        )

    # -- surgery -----------------------------------------------------------------------------------------------------
    def append(self, entry: Entry) -> Entry:
        """``entry`` at the end."""
        self.entries.append(entry)
        return entry

    def insert(
        self,
        op: str,
        arguments: Sequence[Any],
        *,
        before: Entry | None = None,
        after: Entry | None = None,
        **attributes: Any,
    ) -> Entry:
        """A new call of ``op``, before or after an entry (default: before the output). Nothing reads it yet.

        :raises GraphError: there is no such op, or the place is not in this program.
        """
        declared = TABLE.get(op)
        if declared is None:
            raise GraphError(f"there is no op {op!r} in the table")
        _, bound = declared.bind(tuple(arguments), attributes)
        place = len(self.entries) - 1
        if before is not None or after is not None:
            place = self._place(before if before is not None else after) + (before is None)  # type: ignore[arg-type]
        made = Entry("call", self.unique(op), op, tuple(arguments), bound)
        self.entries.insert(place, made)
        return made

    def replace(self, old: Entry, new: Any) -> int:
        """Let everything that reads ``old`` read ``new`` (an entry or a Python value) instead, ``new`` itself
        excepted; gives how many entries changed."""
        self._place(old)
        changed = 0
        for user in self.users(old):
            if user is not new:
                user.arguments = mapped(user.arguments, lambda entry: new if entry is old else entry)
                changed += 1
        return changed

    def erase(self, entry: Entry) -> None:
        """Remove an entry that nothing reads.

        :raises GraphError: something reads it, or it is the output.
        """
        place = self._place(entry)
        users = self.users(entry)
        if users:
            raise GraphError(
                f"{entry.name!r} cannot be erased: {', '.join(u.name for u in users)} read it; replace it there first"
            )
        if entry.kind == "output":
            raise GraphError("the output cannot be erased: a program returns something")
        del self.entries[place]

    def eliminate_dead_code(self) -> int:
        """Remove calls that nothing reads and that have no effect of their own; gives how many."""
        removed = 0
        for entry in reversed(list(self.entries)):
            if entry.kind in ("call", "get_attr") and not self.users(entry):
                if entry.kind == "call" and TABLE[entry.target].stateful:
                    continue
                self.entries.remove(entry)
                removed += 1
        return removed

    def lint(self) -> None:
        """Check that the program can run.

        :raises GraphError: an entry reads one that comes later or is not there, a name is taken twice, there is no
            output at the end, an op or a tensor does not exist.
        """
        seen: set[Entry] = set()
        names: set[str] = set()
        for place, entry in enumerate(self.entries):
            if entry.kind not in KINDS:
                raise GraphError(f"{entry.name!r} is of no known kind ({entry.kind!r})")
            if entry.name in names:
                raise GraphError(f"two entries are called {entry.name!r}")
            for read in entry.reads:
                if read not in seen:
                    where = "later" if read in self.entries else "which is not in this program"
                    raise GraphError(
                        f"{entry.name!r} reads {read.name!r}, {'that comes ' if where == 'later' else ''}{where}"
                    )
            if entry.kind == "call" and entry.target not in TABLE:
                raise GraphError(f"{entry.name!r} calls {entry.target!r}, which is no op")
            if entry.kind == "get_attr" and entry.target not in self.tensors:
                raise GraphError(f"{entry.name!r} reads the tensor {entry.target!r}, which the program does not have")
            if (entry.kind == "output") != (place == len(self.entries) - 1):
                raise GraphError("a program has one output, at its end")
            seen.add(entry)
            names.add(entry.name)
        if not self.entries:
            raise GraphError("a program has one output, at its end; this one is empty")

    def unique(self, base: str) -> str:
        """A name that is not taken: ``base``, ``base_1`` …"""
        taken = {"F", "np", "self", "forward", *NAMES, *(entry.name for entry in self.entries)}
        if base not in taken:
            return base
        return next(name for i in count(1) if (name := f"{base}_{i}") not in taken)

    def _place(self, entry: Entry) -> int:
        for place, known in enumerate(self.entries):
            if known is entry:
                return place
        raise GraphError(f"{entry.name!r} is not in this program")

    # -- what can be made of it --------------------------------------------------------------------------------------
    def __call__(self, *arguments: Any) -> Any:
        code = self.code
        if self._compiled is None or self._compiled[0] != code:
            self.lint()
            file = f"<captured program {next(_numbers)}>"
            linecache.cache[file] = (len(code), None, code.splitlines(True), file)
            scope: dict[str, Any] = {"F": self.facade.tape, "np": np, "self": self, **NAMES}
            exec(compile(code, file, "exec"), scope)
            self._compiled = code, scope["forward"]
        given = [x if isinstance(x, Tensor) else self.facade.tensor(np.asarray(x)) for x in arguments]
        return self._compiled[1](*given)

    def to_graph(self, *types: TensorType) -> tuple[Graph, list[Node], Any]:
        """A static graph of the program: the graph, its placeholders, and the result (nodes in the structure that is
        returned). Tensors from outside become constants. ``types`` replace those of the placeholders."""
        self.lint()
        graph = Graph()
        known: dict[Entry, Any] = {}
        given = iter(types)
        inputs: list[Node] = []
        for entry in self.entries:
            read = mapped(entry.arguments, known.__getitem__)
            if entry.kind == "placeholder":
                kind = next(given, entry.type) or TensorType(np.dtype("float32"), None)
                known[entry] = graph.placeholder(kind.shape, kind.dtype, entry.target)
                inputs.append(known[entry])
            elif entry.kind == "get_attr":
                known[entry] = graph.constant(self.tensors[entry.target]._array, name=entry.target)
            elif entry.kind == "call":
                known[entry] = graph.apply(entry.target, *read, name=entry.name, **entry.attributes)
            else:
                return graph, inputs, read[0]
        raise GraphError("the program has no output")

    def __repr__(self) -> str:
        return f"<program of {len(self.entries)} entries>"


def _shown(value: Any) -> str:
    return str(mapped(value, lambda entry: _Bare(entry.name)))


class _Bare:
    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text
