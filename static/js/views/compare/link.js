/** Counterparts: hover or focus a node of one side, and a line leads to the node of the other side that does the same. */
import { clip, textWidth } from "../graph/measure.js";
import { s } from "../dom.js";

/** @typedef {import("../../compare/duet.js").Duet} Duet */
/** @typedef {import("../graph/graph.js").GraphView} GraphView */
/** @typedef {{a: GraphView, b: GraphView}} Graphs */

export class LinkView {
  /**
   * @param {HTMLElement} frame what holds both panes @param {Duet} duet @param {Graphs} graphs
   * @param {(side: "a" | "b", node: number) => string} words what is said of a node and its counterpart
   * @param {(words: string) => void} say
   */
  constructor(frame, duet, graphs, words, say) {
    this.frame = frame;
    this.duet = duet;
    this.graphs = graphs;
    this.words = words;
    this.say = say;
    this.svg = s("svg", { class: "links", "aria-hidden": "true" });
    frame.append(this.svg);
    /** @type {{side: "a" | "b", slot: number} | null} */
    this.hovered = null;
    for (const side of /** @type {const} */ (["a", "b"])) {
      const graph = graphs[side];
      graph.pane.addEventListener("pointermove", (event) => {
        if (!(event.buttons & 1)) this.#hover(side, graph.hit(event));
      });
      graph.pane.addEventListener("pointerleave", () => this.#hover(side, null));
      graph.pane.addEventListener("focusin", (event) => this.#hover(side, event.target instanceof Element ? Number(event.target.closest(".node")?.getAttribute("data-slot") ?? NaN) : null));
      graph.onZoom.push(() => this.later());
    }
    new ResizeObserver(() => this.later()).observe(frame);
    this.waits = 0;
  }

  later() {
    cancelAnimationFrame(this.waits);
    this.waits = requestAnimationFrame(() => this.#draw());
  }

  /** @param {"a" | "b"} side @param {number | null} id */
  #hover(side, id) {
    const next = id === null || !Number.isFinite(id) || id < 0 ? null : { side, slot: id };
    if (next?.slot === this.hovered?.slot && next?.side === this.hovered?.side) return;
    this.hovered = next;
    this.later();
  }

  /** What is linked now: what is hovered, else what is selected. */
  get linked() {
    if (this.hovered) return this.hovered;
    const { a, b } = this.duet;
    if (a.selected >= 0 && a.index) return { side: /** @type {"a" | "b"} */ ("a"), slot: a.index.trace.nodes.slot[a.index.host(a.selected)] };
    if (b.selected >= 0 && b.index) return { side: /** @type {"a" | "b"} */ ("b"), slot: b.index.trace.nodes.slot[b.index.host(b.selected)] };
    return null;
  }

  #draw() {
    const at = this.linked;
    const node = at ? this.graphs[at.side].scene?.slots.get(at.slot)?.node ?? -1 : -1;
    if (!at || node < 0) {
      this.svg.replaceChildren();
      this.say("");
      return;
    }
    const other = at.side === "a" ? "b" : "a";
    const slot = this.duet.counterpart(at.side, node);
    this.say(this.words(at.side, node));
    const from = this.#box(at.side, at.slot);
    const to = slot >= 0 && this.graphs[other].scene?.slots.has(slot) ? this.#box(other, slot) : null;
    if (!from || !to) return this.svg.replaceChildren(...(from ? [frameOf(from)] : []));
    const width = this.frame.clientWidth;
    // Where the sides stand one above the other, the line runs down; else below both boxes and across.
    const stacked = this.graphs.b.pane.getBoundingClientRect().top > this.graphs.a.pane.getBoundingClientRect().bottom - 4;
    const low = stacked ? 0 : Math.max(from.y + from.height, to.y + to.height) + 26;
    const [x1, x2] = [from.x + from.width / 2, to.x + to.width / 2];
    const d = stacked ? `M${x1} ${from.y + (to.y > from.y ? from.height + 6 : -6)}L${x2} ${to.y + (to.y > from.y ? -6 : to.height + 6)}` : `M${x1} ${from.y + from.height + 6}V${low}H${x2}V${to.y + to.height + 6}`;
    const word = clip("the same here", "label", 200);
    const wide = textWidth(word, "label") + 26;
    const cx = stacked ? (x1 + x2) / 2 : width / 2;
    const cy = stacked ? (from.y + to.y + to.height) / 2 : low;
    this.svg.replaceChildren(s("path", { d }), frameOf(from), frameOf(to), s("rect", { x: cx - wide / 2, y: cy - 12, width: wide, height: 24, rx: 12 }), s("text", { x: cx, y: cy + 4 }, word));
  }

  /** A box in pixels of the frame, null where it is not on its pane. @param {"a" | "b"} side @param {number} slot */
  #box(side, slot) {
    const graph = this.graphs[side];
    const box = graph.plan?.boxes.get(graph.plan.shown.get(slot) ?? slot);
    if (!box) return null;
    const pane = graph.pane.getBoundingClientRect();
    const frame = this.frame.getBoundingClientRect();
    const { scale, x, y } = graph.camera;
    const out = { x: pane.left - frame.left + box.x * scale + x, y: pane.top - frame.top + box.y * scale + y, width: box.width * scale, height: box.height * scale };
    const inside = out.x + out.width > pane.left - frame.left && out.x < pane.right - frame.left && out.y + out.height > pane.top - frame.top && out.y < pane.bottom - frame.top;
    return inside ? out : null;
  }
}

/** Corner ticks round a box. @param {{x: number, y: number, width: number, height: number}} box */
function frameOf({ x, y, width, height }) {
  const [l, t, r, b, k] = [x - 5, y - 5, x + width + 5, y + height + 5, 11];
  return s("path", { class: "frame", d: `M${l} ${t + k}V${t}H${l + k}M${r - k} ${t}H${r}V${t + k}M${r} ${b - k}V${b}H${r - k}M${l + k} ${b}H${l}V${b - k}` });
}
