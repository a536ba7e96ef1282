"""What the recorder notes of branches and loops inside static graphs: which regions there are, and when each one
runs."""

from __future__ import annotations

from engine.events import clock
from engine.recording.rows import Kind
from engine.recording.writer import RowWriter


class RegionRows(RowWriter):
    """The part of a :class:`engine.events.Listener` that is about regions."""

    _regions = 0

    def region_created(self, graph: int, name: str, parent: int) -> int:
        started = clock()
        number = self._regions
        self._regions += 1
        self._row(started, Kind.REGION, a=number, b=graph, c=self.tables.string(name), d=parent)
        return number

    def region_owned(self, region: int, node: int) -> None:
        self._row(clock(), Kind.OWNED, node=node, a=region)

    def region_entered(self, node: int, region: int, iteration: int, *, run: int = -1) -> None:
        self._row(clock(), Kind.ENTERED, node=node, a=run, b=region, c=iteration)

    def _member(self, node: int, region: int) -> None:
        """Node ``node``, made just now, lies in ``region``."""
        self._row(clock(), Kind.MEMBER, node=node, a=region)


__all__ = ["RegionRows"]
