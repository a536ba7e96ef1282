"""A measurement as a table on a terminal."""

from __future__ import annotations

import sys
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from app.story.durations import duration
from app.story.show import WIDTH, visible

PARTS = {
    "total": "whole program",
    "kernel": "in kernels",
    "overhead": "framework and Python",
    "build": "build the graph",
    "optimise": "optimise",
    "compile": "compile",
    "first_run": "first run",
    "steady_run": "steady run",
    "iteration": "an iteration",
    "target": "the target",
}


def show(measurement: dict[str, Any], *, file: TextIO | None = None) -> None:
    """Print a measurement document to ``file`` (default: standard output)."""
    file = file or sys.stdout
    terminal = file.isatty()
    console = Console(file=file, highlight=False, markup=False, emoji=False, width=None if terminal else WIDTH)
    program, machine = measurement["program"], measurement["machine"]
    repeats = measurement["repeats"]
    title = f"  measured without the recorder, {repeats} repeat{'' if repeats == 1 else 's'}"
    console.print(Text.assemble((visible(program["name"]), "bold"), title))
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    for column in ("median", "middle half", "taken"):
        table.add_column(column, justify="right")
    for part, label in PARTS.items():
        figure = measurement[part] if part in measurement and part != "target" else measurement["parts"].get(part)
        if figure is not None:
            table.add_row(_label(measurement, part, label), *_cells(figure, machine["timer_ns"]))
    console.print(table)
    taken = "Taken: how many single times the median and the middle half are of."
    clock = f"The clock's resolution is {machine['timer_ns']} ns, a mark costs {machine['mark_ns']} ns."
    for note in (taken, clock, *measurement["notes"], _ending(measurement["end"])):
        if note:
            console.print(Text(visible(note), style="dim"))


def _label(measurement: dict[str, Any], part: str, label: str) -> str:
    target = measurement["target"]
    if part == "iteration" and measurement["loops"]:
        return f"{label} of the loop in line {measurement['loops'][0]['line']}"
    if part == "target" and target is not None:
        name = f" {visible(target['name'])}" if target["name"] else ""
        return f"{target['what']}{name} in line {target['line']}"
    return label


def _cells(figure: dict[str, Any], timer: int) -> tuple[str, str, str]:
    spread = f"{duration(figure['low'])} to {duration(figure['high'])}"
    median = duration(figure["median"])
    return (median if figure["resolved"] else f"{median} (under 10 x {timer} ns)"), spread, f"{figure['count']:,}"


def _ending(end: dict[str, Any]) -> str:
    if end["kind"] == "ok":
        return ""
    where = f" in line {end['line']}" if end["line"] else ""
    why = f" ({end['limit']})" if end["limit"] else f": {end['message']}" if end["message"] else ""
    return f"The program ended by {end['kind']}{where}{why}: times are of what it did until then."
