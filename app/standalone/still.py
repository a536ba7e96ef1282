"""A recording as a picture of its graph, for print: boxes where the layout has put them, what existed at one step.

matplotlib draws it, so that it becomes a PNG, an SVG or a PDF by its name. All text is the program's and is drawn
letter by letter: nothing in it is markup or mathematics.
"""

from __future__ import annotations

import io
import re
from functools import cache
from typing import Any

from app import places
from app.layout import curves, measure
from app.story.recording import Recording

KINDS = ("png", "svg", "pdf")
MOST_SLOTS = 400
"""A larger graph is no picture that anybody could read."""
_UNIT = 1 / 96
"""Inches of a graph unit, which is one CSS pixel."""
_COLOURS = {"variable": "variable", "storage": "gradient", "grad": "gradient", "input": "input", "const": "shape"}
_STYLES = {"grad": ("gradient", "-"), "saved": ("gradient", ":"), "control": ("control", "--"), "update": ("line", ":")}


class NoPictureError(ValueError):
    """There is nothing that could be drawn: says why."""


def picture(trace: dict[str, Any], step: int, kind: str = "png") -> bytes:
    """The graph at ``step`` (from 0), of a trace with its layout. Raises :class:`NoPictureError`.

    Of several graphs, that which got the last node until then; of a static graph, as it was built.
    """
    look = Recording(trace)
    graph, shown = _shown(look, step)
    placed = next((one for one in trace["layout"]["graphs"] if one["graph"] == graph), None)
    if placed is None:
        raise NoPictureError(trace["layout"].get("note") or "at this step there is no graph yet")
    if len(shown) > MOST_SLOTS:
        raise NoPictureError(f"a graph of {len(shown)} nodes is too large for a picture")
    return _drawn(look, placed, shown, kind)


def _shown(look: Recording, step: int) -> tuple[int, dict[int, int]]:
    """The graph, and the newest node of each of its slots."""
    seqs = look.steps["seq"]
    until = seqs[step + 1] if step + 1 < len(seqs) else max([*look.nodes["seq"], *seqs], default=0) + 1
    nodes = look.nodes
    there = [n for n, seq in enumerate(nodes["seq"]) if seq < until and nodes["plan"][n] < 0 and nodes["serves"][n] < 0]
    if not there:
        return -1, {}
    graph = nodes["graph"][there[-1]]
    return graph, {nodes["slot"][n]: n for n in there if nodes["graph"][n] == graph and nodes["slot"][n] >= 0}


def _drawn(look: Recording, placed: dict[str, Any], shown: dict[int, int], kind: str) -> bytes:
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    slots = placed["slots"]
    at = {slot: i for i, slot in enumerate(slots["slot"]) if slot in shown}
    boxes = {s: (slots["x"][i], slots["y"][i], slots["width"][i], slots["height"][i]) for s, i in at.items()}
    if not boxes:
        raise NoPictureError("at this step there is no graph yet")
    colour, margin = _palette(), 24.0
    left, top = (min(box[k] for box in boxes.values()) - margin for k in (0, 1))
    right, foot = (max(box[k] + box[k + 2] for box in boxes.values()) + margin for k in (0, 1))
    with rc_context({"svg.fonttype": "none", "pdf.fonttype": 42, "font.family": "sans-serif", "svg.hashsalt": "still"}):
        figure = Figure(figsize=((right - left) * _UNIT, (foot - top) * _UNIT), facecolor="white")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set_xlim(left, right)
        axes.set_ylim(foot, top)
        axes.set_axis_off()
        edges = placed["edges"]
        for source, target, sort, sides, via in zip(
            *(edges[key] for key in ("source", "target", "kind", "sides", "via")), strict=True
        ):
            if source in boxes and target in boxes and sort in ("data", *_STYLES):
                _edge(axes, curves.points(boxes[source], boxes[target], sides, via), *_STYLES.get(sort, ("ink", "-")))
        for slot, box in boxes.items():
            _box(axes, look, shown[slot], box, colour[_COLOURS.get(slots["form"][at[slot]], "arith")])
        out = io.BytesIO()
        # No date: the same program gives the same file.
        dated = {"svg": "Date", "pdf": "CreationDate"}.get(kind)
        figure.savefig(out, format=kind, dpi=192, metadata={dated: None} if dated else None)
    return out.getvalue()


def _edge(axes: Any, line: list[curves.Place], ink: str, style: str) -> None:
    colour = _palette()[ink]
    arrow = {"arrowstyle": "-|>", "color": colour, "linestyle": "-", "linewidth": 0.9, "shrinkA": 0, "shrinkB": 0}
    axes.plot(*zip(*line, strict=True), color=colour, linewidth=0.9, linestyle=style, solid_capstyle="butt", zorder=1)
    axes.annotate("", line[-1], line[-2], arrowprops={**arrow, "mutation_scale": 7}, zorder=1)


def _box(axes: Any, look: Recording, node: int, box: curves.Box, colour: str) -> None:
    from matplotlib.patches import FancyBboxPatch

    x, y, width, height = box
    axes.add_patch(
        FancyBboxPatch(
            (x, y), width, height, boxstyle="round,pad=0,rounding_size=7", facecolor="white", edgecolor=colour,
            linewidth=1.3, zorder=2,
        )
    )  # fmt: skip
    middle = x + width / 2
    kind = look.nodes["type"][node]
    shape = measure.shape_text(look.trace["types"][kind].get("shape")) if kind >= 0 else ""
    label = look.constant(node) or look.label(node)
    lines = [label] if 7.2 * len(label) + 16 <= width else measure.lines(label)
    written = [*lines, *([shape] if shape and height >= 50 else [])]
    for i, text in enumerate(written):
        place = y + height / 2 + (i - (len(written) - 1) / 2) * 15
        faint = bool(shape) and i == len(written) - 1 and height >= 50
        _words(axes, middle, place, text, 7.5 if faint else 8.5, _palette()["line" if faint else "ink"], width / 6)
    if name := look.variable(node):
        # Not over the middle, where edges come in.
        _words(axes, x + 5, y - 9, name, 8.5, colour, width / 12, ha="left", family="monospace")


def _words(axes: Any, x: float, y: float, text: str, size: float, colour: str, room: float, **more: Any) -> None:
    text = "".join(letter if letter.isprintable() else "\ufffd" for letter in text)
    text = text if len(text) <= room else f"{text[: max(1, int(room) - 1)]}…"
    look = {"ha": "center", "va": "center", "parse_math": False, "zorder": 3, **more}
    axes.text(x, y, text, size=size, color=colour, **look)


@cache
def _palette() -> dict[str, str]:
    """The light theme's colours, from the style sheet that the page takes them from."""
    css = (places.static_folder() / "css" / "tokens.css").read_text("utf-8")
    light = css[css.index('[data-theme="light"]') : css.index('[data-theme="dark"]')]
    found = dict(re.findall(r"--(?:k-)?([\w-]+): (#[0-9a-f]{6})", light))
    return {**found, "ink": found["ink-2"], "line": found["ink-3"]}
