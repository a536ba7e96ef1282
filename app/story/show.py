"""The story on a terminal, with ``rich``: phases, lines of the program, sentences, and at the end what went wrong.

Everything that a program produced is hostile: no markup is read from it, and control characters are shown, not sent.
"""

from __future__ import annotations

import sys
from typing import Any, TextIO

from rich.console import Console, Group
from rich.padding import Padding
from rich.panel import Panel
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from app.story.durations import duration
from app.story.longest import longest
from app.story.recording import Recording, unpacked
from app.story.sentences import sentence

WIDTH = 100
"""Columns where the output is no terminal."""
FIRST_PASSES, LAST_PASSES = 2, 1
"""Passes of a loop that are told step by step."""


def visible(text: str) -> str:
    """``text`` with control characters made visible, so that a terminal does not obey them.

    >>> visible("a\\x1b[31m\\x9b")
    'a␛[31m\ufffd'
    """
    shown = (chr(0x2400 + ord(c)) if c < " " else "\ufffd" if "\x7f" <= c <= "\x9f" else c for c in text.expandtabs(4))
    return "".join(shown)


def show(trace: dict[str, Any], *, every_pass: bool = False, file: TextIO | None = None) -> None:
    """Print the story of a valid trace to ``file`` (default: standard output)."""
    file = file or sys.stdout
    terminal = file.isatty()
    console = Console(file=file, highlight=False, markup=False, emoji=False, width=None if terminal else WIDTH)
    story = Story(Recording(trace), every_pass)
    story.head(console)
    story.steps(console)
    story.longest(console)
    story.end(console)


class Story:
    """One recording on its way to a console."""

    def __init__(self, recording: Recording, every_pass: bool) -> None:
        self._recording = recording
        self._trace = recording.trace
        self._told = [True] * recording.count if every_pass else _told(recording)

    def head(self, console: Console) -> None:
        """What this is: the program, the dialect and why, what was left out."""
        program, steps = self._trace["program"], self._recording.count
        console.print(Text.assemble((visible(program["name"]), "bold"), f"  {steps} steps, {_seconds(self._trace)}"))
        for sentence_ in (program["reason"], *program["notes"]):
            console.print(Text(visible(sentence_), style="dim"))

    def steps(self, console: Console) -> None:
        """Every step that is told: its number, its line where that changes, its sentence."""
        recording = self._recording
        phases = recording.phases
        begins = {step: index for index, step in enumerate(phases["first"])}
        digits = len(str(recording.numbers[-1] if recording.count else 0))
        line, skipped = -1, 0
        for step in range(recording.count):
            if not self._told[step]:
                skipped += 1
                continue
            if skipped:
                console.print(Text(f"{' ' * digits}  … {skipped} steps of passes like these", style="dim italic"))
                skipped, line = 0, -1
            if step in begins:
                label = visible(recording.text(phases["label"][begins[step]]))
                console.print(Rule(Text(label, style="bold cyan"), align="left", style="cyan"))
                line = -1
            if recording.steps["line"][step] != line:
                line = recording.steps["line"][step]
                text = visible(recording.line_text(line).strip())
                if text:
                    console.print(
                        Text(f"{' ' * digits}  {line}: {text}", style="blue"), no_wrap=True, overflow="ellipsis"
                    )
            actor, rest = sentence(recording, step)
            body = Text.assemble((visible(actor), "bold"), visible(rest))
            console.print(
                Group(_numbered(recording.numbers[step], digits, body, recording.text(recording.steps["kind"][step])))
            )
        if skipped:
            console.print(Text(f"{' ' * digits}  … {skipped} steps of passes like these", style="dim italic"))

    def longest(self, console: Console) -> None:
        """Where the time of its kernels went."""
        found, total = longest(self._recording)
        if not found:
            return
        console.print(Rule(Text("Longest, all runs together", style="bold cyan"), align="left", style="cyan"))
        table = Table(box=None, pad_edge=False, show_header=False)
        for justify in ("left", "left", "right", "right", "right"):
            table.add_column(justify=justify)
        for one in found:
            where, runs = f"line {one.line}" if one.line > 0 else "", f"{one.runs:,} run{'' if one.runs == 1 else 's'}"
            share = f"{one.ns / total:.0%} of all ops"
            table.add_row(Text(visible(one.label), style="bold"), where, runs, duration(one.ns), share)
        console.print(table)

    def end(self, console: Console) -> None:
        """How it ended, with the card of an error and hints."""
        end = self._trace["end"]
        error = end["error"]
        if error is not None:
            console.print(_error_panel(error))
        elif end["kind"] == "limit":
            where = f" in line {end['line']}" if end["line"] else ""
            how = "stopped" if end["limit"] == "stopped" else f"ended by a limit ({end['limit']})"
            console.print(Text(f"The run was {how}{where}. What came before is recorded.", style="red"))
        else:
            console.print(Rule(Text("End"), align="left", style="dim"))
        for card in end.get("hints", []):
            console.print(
                Panel(_card(card), title="Probably not what you meant", title_align="left", border_style="yellow")
            )


def _told(recording: Recording) -> list[bool]:
    """Which steps are told: of the passes of one loop the first few and the last."""
    told = [True] * recording.count
    episodes = unpacked(recording.trace["episodes"])
    groups: dict[tuple[int, int], list[int]] = {}
    for index, key in enumerate(zip(episodes["loop"], episodes["parent"], strict=True)):
        groups.setdefault(key, []).append(index)
    for passes in groups.values():
        for index in passes[FIRST_PASSES : max(len(passes) - LAST_PASSES, FIRST_PASSES)]:
            for step in range(max(episodes["first"][index], 0), min(episodes["last"][index] + 1, recording.count)):
                told[step] = False
    # What the program printed, and what went wrong, is always told.
    for step, kind in enumerate(recording.steps["kind"]):
        if recording.text(kind) in ("error", "failed"):
            told[step] = True
    return told


def _numbered(step: int, digits: int, body: Text, kind: str) -> Text:
    style = "red" if kind in ("error", "failed") else "green" if kind in ("output", "asked") else ""
    line = Text.assemble((f"{step:>{digits}}", "dim"), "  ")
    body.stylize(style)
    line.append_text(body)
    return line


def _card(card: dict[str, Any]) -> Group:
    tries = [Text(f"• {visible(one)}") for one in card["tries"]]
    return Group(Text(visible(card["title"]), style="bold"), Text(visible(card["explanation"])), *tries)


def _error_panel(error: dict[str, Any]) -> Panel:
    parts: list[Any] = []
    card = error.get("card")
    if card:
        parts += [_card(card), Text("")]
    parts.append(Text(f"{visible(error['type'])}: {_lines(error['message'])}", style="red"))
    for operand in error["operands"]:
        parts.append(Text(f"  {visible(operand['name']) or 'a value without a name'}: {visible(operand['type'])}"))
    if error["defined_line"] and error["defined_line"] != error["line"]:
        asked = f", asked for in line {error['line']}" if error["line"] else ""
        parts.append(Text(f"The op was defined in line {error['defined_line']} and failed when it ran{asked}."))
    if error["traceback"]:
        parts.append(Padding(Text(_lines(error["traceback"].rstrip()), style="dim"), (1, 0, 0, 0)))
    where = f"Stopped in line {error['line']}" if error["line"] else "Stopped"
    return Panel(Group(*parts), title=where, title_align="left", border_style="red")


def _lines(text: str) -> str:
    return "\n".join(visible(line) for line in text.split("\n"))


def _seconds(trace: dict[str, Any]) -> str:
    return f"{trace['seconds']['program'] * 1e3:.3g} ms of the program's own time"
