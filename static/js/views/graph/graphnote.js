/** A strip under the graph: what of it is not drawn, and why it is drawn as it is. */
import { h } from "../dom.js";

export class GraphNote {
  /** @param {HTMLElement} pane @param {(height: number) => void} onHeight called when it takes more or less of the pane */
  constructor(pane, onHeight) {
    this.onHeight = onHeight;
    this.element = h("p", { class: "graph-note", id: "graph-note", role: "note", hidden: true });
    this.pane = pane;
    this.height = 0;
    pane.append(this.element);
  }

  /** @param {import("../../trace/index.js").TraceIndex | null} index @param {number} graph */
  show(index, graph) {
    const layout = index?.trace.document.layout;
    const own = layout?.graphs.find((one) => one.graph === graph);
    // Where the graph has no layout at all, the document's note stands in the middle of the pane instead.
    const words = own ? [own.note, layout?.note].filter(Boolean).join(" ") : "";
    if (words === this.element.textContent) return;
    this.element.textContent = words;
    this.element.hidden = !words;
    this.measure();
  }

  /** The pane has another width. */
  measure() {
    const height = this.element.hidden ? 0 : this.element.offsetHeight;
    if (height === this.height) return;
    this.height = height;
    this.pane.style.setProperty("--note-height", `${height}px`);
    this.onHeight(height);
  }
}
