/** On paper the graph is whole and the theme is light, whatever the screen shows (css/print.css does the rest). */

/** Pixels left around the picture; its labels stand at the pane's left edge. */
const ROOM = 14;

/** @param {import("./graph/graph.js").GraphView} graph */
export function attachPrinting(graph) {
  const root = document.documentElement;
  /** @type {SVGSVGElement | null} a picture of this moment: the pane's own would follow the size of the paper */
  let paper = null;
  addEventListener("beforeprint", () => {
    root.dataset.theme = "light";
    const { content, scale, x, y } = graph.camera;
    const left = Math.min(0, content.x * scale + x), right = (content.x + content.width) * scale + x + ROOM;
    const top = content.y * scale + y - ROOM, bottom = (content.y + content.height) * scale + y + ROOM;
    paper?.remove();
    paper = /** @type {SVGSVGElement} */ (graph.svg.cloneNode(true));
    paper.setAttribute("viewBox", `${left} ${top} ${right - left} ${bottom - top}`);
    paper.classList.add("paper");
    graph.svg.after(paper);
  });
  addEventListener("afterprint", () => {
    paper?.remove();
    paper = null;
    root.dispatchEvent(new Event("stepgraph-theme"));
  });
}
