"""What a state of the page looks like, in a form that survives another machine's fonts: for visual regression.

Two parts. ``structure`` says exactly where each box of the graph stands and which state it is drawn in: places come
from the layout and not from the browser, so that they are compared to the pixel. ``image`` is a coarse picture of the
program, the graph and the sentence, a grey for each cell of a grid: letters blur away in it, a pane that is gone or a
theme that broke does not. What depends on measured times (lanes, inspector) is no part of it.
"""

from __future__ import annotations

import base64
from typing import Any

from playwright.sync_api import Page

COLUMNS, ROWS = 32, 20
MOST_MEAN = 5.0
"""How far the greys (0 to 255) of two pictures may lie apart on average."""
MOST_CELL = 64
"""How far one cell may: a line of text that wraps elsewhere moves some cells a little, a lost pane moves many a lot."""

# Times differ from run to run: what shows them is hidden while the picture is taken.
HIDE = """(on) => document.querySelectorAll('#lanes, #inspector').forEach((pane) => {
  pane.style.visibility = on ? 'hidden' : '';
})"""
STRUCTURE = """() => [...document.querySelectorAll('.nodes .node')]
  .map((node) => {
    const lasting = (one) => one.startsWith('is-') && one !== 'is-fresh' && one !== 'is-changed';
    return [node.dataset.slot, node.getAttribute('transform'), ...[...node.classList].filter(lasting).sort()].join(' ');
  })
  .sort()"""
GREYS = """async ([url, columns, rows]) => {
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = new OffscreenCanvas(columns, rows);
  const pen = canvas.getContext('2d');
  pen.imageSmoothingQuality = 'high';
  pen.drawImage(image, 0, 0, columns, rows);
  const {data} = pen.getImageData(0, 0, columns, rows);
  return Array.from({length: columns * rows}, (_, i) =>
    Math.round(0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2]));
}"""


def look(page: Page, blank: Page) -> dict[str, Any]:
    """The look of the page as it stands; ``blank`` is a page without a policy of its own, which reads the picture."""
    page.evaluate("() => document.fonts.ready.then(() => true)")
    page.evaluate(HIDE, True)
    picture = page.screenshot(animations="disabled", caret="hide")
    page.evaluate(HIDE, False)
    url = f"data:image/png;base64,{base64.b64encode(picture).decode()}"
    greys = blank.evaluate(GREYS, [url, COLUMNS, ROWS])
    return {"structure": page.evaluate(STRUCTURE), "image": base64.b64encode(bytes(greys)).decode()}


def differences(known: dict[str, Any], seen: dict[str, Any]) -> list[str]:
    """What is not as it was, in words; empty if nothing is.

    >>> white = {"structure": ["0 translate(1 2) is-value"], "image": base64.b64encode(bytes([255] * 640)).decode()}
    >>> differences(white, white)
    []
    >>> differences(white, {**white, "structure": ["0 translate(9 2) is-value"]})
    ['gone: 0 translate(1 2) is-value', 'new: 0 translate(9 2) is-value']
    >>> differences(white, {**white, "image": base64.b64encode(bytes([240] * 640)).decode()})
    ['the picture differs by 15.0 of 255 on average, at most 5.0 is noise']
    """
    before, after = known["structure"], seen["structure"]
    words = [f"gone: {one}" for one in before if one not in after] + [
        f"new: {one}" for one in after if one not in before
    ]
    pairs = list(zip(base64.b64decode(known["image"]), base64.b64decode(seen["image"]), strict=True))
    apart = [abs(one - other) for one, other in pairs]
    mean = sum(apart) / len(apart)
    if mean > MOST_MEAN:
        words.append(f"the picture differs by {mean:.1f} of 255 on average, at most {MOST_MEAN} is noise")
    if max(apart) > MOST_CELL:
        row, column = divmod(apart.index(max(apart)), COLUMNS)
        words.append(f"the picture differs by {max(apart)} of 255 at row {row}, column {column} of its grid")
    return words
