"""Grouping calls by depth and cell, and running one group after the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine import events
from engine.bridges.batching.expression import Call, Cell, Expression, MultiCall, Part
from engine.bridges.batching.pools import Constants, Pools, stack_constants
from engine.bridges.facades import native
from engine.dynamic.facade import Facade
from engine.dynamic.tensor import Tensor
from engine.errors import DtypeError, ShapeError, StateError

Numbers = NDArray[np.int64]
Column = Numbers | Constants | list[Any]
_number, _cell = attrgetter("number"), attrgetter("cell")


@dataclass(slots=True)
class Group:
    """Calls of ``cell`` at ``depth`` that run together; ``rows`` of them. ``columns`` has what each argument reads:
    numbers of values, or the constants and (in mixed columns) calls themselves."""

    depth: int
    cell: Cell
    calls: list[Call]
    first: int = -1
    columns: list[Column] = field(default_factory=list)

    @property
    def rows(self) -> int:
        """How many calls run as one."""
        return len(self.calls)

    def __repr__(self) -> str:
        return f"<depth {self.depth}: {self.cell.name} x {self.rows}>"


class Schedule:
    """The groups in which ``roots`` will run. A call that several expressions share runs once.

    >>> import engine
    >>> square = Cell(lambda x: x * x, name="square")
    >>> schedule = Schedule([square(1.0), square(square(2.0)), square(3.0)])
    >>> schedule.groups
    [<depth 1: square x 3>, <depth 2: square x 1>]
    >>> schedule.calls, schedule.calls_saved
    (4, 2)
    >>> schedule.run()
    tensor([ 1., 16.,  9.])
    """

    def __init__(self, roots: Sequence[Expression]) -> None:
        self.roots = list(roots)
        if not self.roots:
            raise ShapeError("there are no expressions to evaluate; give a list of at least one call of a cell")
        for root in self.roots:
            if not isinstance(root, Call | Part):
                raise DtypeError(
                    f"an expression is a call of a cell, not {type(root).__name__}; wrap constants in a cell"
                )
            if isinstance(root, MultiCall):
                raise ShapeError(f"{root!r} has {root.cell.outputs} outputs; evaluate one of them, such as call[0]")
        self.groups, self._values, self._roots = _number_all(self.roots)

    @property
    def calls(self) -> int:
        """How many calls of cells there are, one by one."""
        return sum(group.rows for group in self.groups)

    @property
    def calls_saved(self) -> int:
        """How many fewer calls of cells run."""
        return self.calls - len(self.groups)

    def explain(self) -> str:
        """The groups as text, one line each, and what batching saved."""
        lines = [f"depth {g.depth}: {g.cell.name} on {g.rows} rows at once" for g in self.groups]
        lines.append(f"{len(self.groups)} calls instead of {self.calls}: {self.calls_saved} saved")
        return "\n".join(lines)

    def run(self, facade: Facade | None = None) -> Any:
        """The values of the roots, stacked: row ``i`` is that of root ``i``. ``facade`` says what kind of tensors
        cells get (default: native ones).

        :raises ShapeError: a cell gave another number of rows than it got, or the roots differ in shape or dtype.
        """
        facade = facade or native()
        last = self._last_uses()
        pools = Pools(facade, self._values)
        depth = 0
        for group in self.groups:
            if group.depth > depth:
                pools.advance(last, depth)
                depth = group.depth
            _run(group, pools, facade)
        pools.advance(last, depth)
        return pools.gather(self._roots, "the results; evaluate expressions of one type at a time")

    def _last_uses(self) -> Numbers:
        """The depth at which each value is read for the last time."""
        last = np.zeros(self._values, np.int64)
        for group in self.groups:
            for column in group.columns:
                if isinstance(column, np.ndarray):
                    last[column] = group.depth
                elif column.__class__ is not Constants:
                    last[[x for x, is_value in column if is_value]] = group.depth
        last[self._roots] = self.groups[-1].depth + 1
        return last


def evaluate(roots: Sequence[Expression], facade: Facade | None = None) -> Any:
    """Run many expressions, batched; row ``i`` of the result is the value of ``roots[i]``. See :meth:`Schedule.run`."""
    return Schedule(roots).run(facade)


def _number_all(roots: Sequence[Expression]) -> tuple[list[Group], int, Numbers]:
    """The groups, by depth; how many values there are; and the values that are the roots.

    From the deepest level up: when a level is reached, all that reads it has been seen.
    """
    levels: list[list[Call]] = [[] for _ in range(1 + max(root.depth for root in roots))]
    for root in roots:
        levels[root.depth].append(root.call if isinstance(root, Part) else root)
    groups: list[Group] = []
    columns: list[list[tuple[Any, ...]]] = []
    following = 0
    for depth in range(len(levels) - 1, 0, -1):
        for group in _by_cell(depth, list(dict.fromkeys(levels[depth]))):
            group.first, step = following, group.cell.outputs
            for call in group.calls:
                call.number = following
                following += step
            read = list(zip(*[call.arguments for call in group.calls], strict=True))
            groups.append(group)
            columns.append(read)
            if depth > 1:
                for column in read:
                    _send_up(column, levels)
    for group, read in zip(groups, columns, strict=True):
        group.columns = [_column(column) for column in read]
    return sorted(groups, key=attrgetter("depth")), following, np.fromiter(map(_number, roots), np.int64, len(roots))


def _send_up(column: Sequence[Any], levels: list[list[Call]]) -> None:
    """The calls among some arguments, to their levels."""
    if set(map(type, column)) == {Call}:
        for call in column:
            levels[call.depth].append(call)
        return
    for x in column:
        kind = x.__class__
        if kind is Call:
            levels[x.depth].append(x)
        elif kind is Part:
            levels[x.call.depth].append(x.call)


def _by_cell(depth: int, calls: list[Call]) -> list[Group]:
    """The calls of one depth, by cell and number of arguments."""
    cells = list(dict.fromkeys(map(_cell, calls)))
    groups = []
    for cell in cells:
        own = calls if len(cells) == 1 else [call for call in calls if call.cell is cell]
        counts = sorted({len(call.arguments) for call in own})
        if len(counts) == 1:
            groups.append(Group(depth, cell, own))
        else:
            groups += [Group(depth, cell, [call for call in own if len(call.arguments) == n]) for n in counts]
    return groups


def _column(arguments: Sequence[Any]) -> Column:
    """What one argument of all calls of a group reads: numbers of values, constants, or a list of ``(either,
    is_value)``."""
    kinds = set(map(type, arguments))
    if kinds <= {Call, Part}:
        return np.fromiter(map(_number, arguments), np.int64, len(arguments))
    if Call not in kinds and Part not in kinds:
        return Constants(arguments)
    return [(x.number, True) if isinstance(x, Call | Part) else (x, False) for x in arguments]


def _run(group: Group, pools: Pools, facade: Facade) -> None:
    """Run the calls of one group: at once where their arguments agree in shape and dtype, else one part after the
    other."""
    numbers = group.first + group.cell.outputs * np.arange(group.rows)
    for rows in pools.alike(group.columns, group.rows):
        columns = group.columns if rows is None else [_rows(column, rows) for column in group.columns]
        taken = numbers if rows is None else numbers[rows]
        arguments = [_gather(column, pools, facade, group.cell.name) for column in columns]
        result = group.cell.function(*arguments)
        outputs = result if isinstance(result, tuple) else (result,)
        _check(group.cell, outputs, len(taken))
        for i, output in enumerate(outputs):
            pools.add(taken + i, output)
        if events.listener is not None:
            pools.tell(events.listener, group.depth, group.cell.name, len(taken), [*arguments, *outputs])


def _rows(column: Column, rows: Numbers) -> Column:
    if isinstance(column, np.ndarray):
        return column[rows]
    return type(column)(column[i] for i in rows)


def _gather(column: Column, pools: Pools, facade: Facade, name: str) -> Tensor:
    if isinstance(column, np.ndarray):
        return pools.gather(column, f"an argument of {name}")
    if isinstance(column, Constants):
        return stack_constants(column, facade)
    stacked = stack_constants([x for x, is_value in column if not is_value], facade)
    values = np.array([x for x, is_value in column if is_value], np.int64)
    order = np.argsort(np.argsort([not is_value for _, is_value in column], kind="stable"), kind="stable")
    joined: Tensor = facade.tape.concat(pools.gather(values, f"an argument of {name}"), stacked, axis=0)
    taken: Tensor = facade.tape.take(joined, order, 0)
    return taken


def _check(cell: Cell, outputs: Sequence[Any], rows: int) -> None:
    if len(outputs) != cell.outputs:
        raise StateError(f"{cell.name} returned {len(outputs)} tensors and was declared with outputs={cell.outputs}")
    for output in outputs:
        if not isinstance(output, Tensor):
            raise DtypeError(f"{cell.name} returned {type(output).__name__}; a cell returns tensors")
        if output._array.ndim < 1 or output._array.shape[0] != rows:
            raise ShapeError(
                f"{cell.name} got {rows} rows and returned a tensor of shape {output._array.shape}; the first "
                "dimension counts "
                "rows: work on the others (sum over axis 1, not 0)",
                op=cell.name,
                shapes=(output._array.shape,),
            )
