"""Decorations: what others lay over the graph shows on nodes and edges, moves nothing, and goes away."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

pytestmark = pytest.mark.browser
OpenPage = Callable[..., Page]

# A second graph pane with a player of its own, over the recording of an example.
PANE = """async () => {
  const [{ GraphView }, { Player }, { decodeTrace }, { TraceIndex }] = await Promise.all(
    ["views/graph/graph", "player/player", "trace/decode", "trace/index"].map((m) => import(`/static/js/${m}.js`)));
  const document_ = await (await fetch("/api/examples/linear-regression-torch/trace")).json();
  const pane = document.createElement("div");
  pane.className = "graph";
  pane.style.cssText = "position: fixed; inset: 0; z-index: 9; background: var(--surface-paper)";
  document.body.append(pane);
  const player = new Player();
  const graph = new GraphView(pane, player);
  player.follow((p, change) => graph.render(p, change));
  player.load(new TraceIndex(decodeTrace(document_)));
  player.last();
  Object.assign(window, { pane, graph, player });
}"""
LOOK = """() => Object.fromEntries([...window.pane.querySelectorAll('.nodes .node')].map((n) => [n.dataset.slot, {
  place: n.getAttribute('transform'), style: n.getAttribute('class'),
  words: n.textContent, spoken: n.getAttribute('aria-label'),
}]))"""
DECORATE = """() => {
  const first = [...window.graph.scene.slots.values()].map((s) => s.node).sort((a, b) => a - b);
  const marks = ['critical', 'added', 'removed', 'changed', 'cut', 'path'];
  window.graph.decorate({
    node: (node) => {
      const i = first.indexOf(node);
      return i < marks.length ? {mark: marks[i], label: `slack ${i}`} : {mark: 'dim'};
    },
    edge: (source, target, kind) => kind === 'data' ? {mark: 'critical', label: '0.5'} : null,
  });
}"""


def test_marks_and_labels_show_and_go(open_page: OpenPage) -> None:
    page = open_page("linear-regression-torch")
    page.evaluate(PANE)
    before: dict[str, Any] = page.evaluate(LOOK)
    page.evaluate(DECORATE)
    after: dict[str, Any] = page.evaluate(LOOK)
    for slot, look in before.items():
        assert after[slot]["place"] == look["place"]
    styles = " ".join(look["style"] for look in after.values())
    for mark in ("critical", "added", "removed", "changed", "cut", "path", "dim"):
        assert f"mark-{mark}" in styles, mark
    cut = next(look for look in after.values() if "mark-cut" in look["style"])
    assert "slack 4" in cut["words"]
    assert cut["spoken"].endswith("cut here, slack 4")
    assert page.locator("body > .graph .e-data.mark-critical .edgelabel").count() > 2
    page.evaluate("() => window.player.move(-1)")
    assert page.locator("body > .graph .mark-critical").count() > 2
    page.evaluate("() => { window.player.last(); window.graph.decorate(null); }")
    assert page.evaluate(LOOK) == before
    assert page.locator("body > .graph .edgelabel").count() == 0
