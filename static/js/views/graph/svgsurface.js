/**
 * The picture as SVG: a group for each box and each edge, of which a step touches only those that changed. In a large
 * picture a group is empty while it lies far outside of the pane: it keeps its place, its name and its turn for the Tab key.
 * @typedef {import("./looks.js").Dressed} Dressed
 * @typedef {import("./folding.js").Folded} Folded
 * @typedef {import("./folding.js").FoldedWire} FoldedWire
 */
import { s } from "../dom.js";
import { WORDS } from "./decoration.js";
import { nodeParts } from "./node.js";
import { dressWire, wire } from "./wires.js";

/** Whether two frames meet. @param {import("./geometry.js").Frame} a @param {import("./geometry.js").Frame} b */
const near = (a, b) => a.x <= b.x + b.width && a.x + a.width >= b.x && a.y <= b.y + b.height && a.y + a.height >= b.y;

/** A box's group with its present look; empty if it is not to be drawn. @param {SVGGElement | null} old @param {Dressed} look @param {number} id */
export function nodeGroup(old, look, id, drawn = true) {
  const closed = look.bundle !== null;
  const group = old ?? s("g", { transform: `translate(${look.box.x} ${look.box.y})`, tabindex: 0, role: closed ? "button" : "img", "data-slot": id, "aria-expanded": closed ? "false" : null });
  group.setAttribute("class", look.dress?.mark ? `${look.style} mark-${look.dress.mark}` : look.style);
  group.setAttribute("aria-label", [look.spoken, look.dress && WORDS[look.dress.mark], look.dress?.label].filter(Boolean).join(", "));
  group.replaceChildren(...(drawn ? nodeParts(look) : []));
  return group;
}

/** With fewer boxes than this all are drawn. */
const FEW = 120;
/** What lies within so many panes of the pane is drawn: whoever pans soon sees it. */
const NEAR = 0.6;

/** From this length on an edge is not dashed: each dash of it is worked out anew for every tile of the screen. In the picture's pixels. */
const LONG = 2500;

export class SvgSurface {
  /** @param {SVGGElement} wires @param {SVGGElement} nodes @param {import("./beads.js").Beads} beads @param {import("./camera.js").Camera} camera */
  constructor(wires, nodes, beads, camera) {
    this.wires = wires;
    this.nodes = nodes;
    this.beads = beads;
    this.camera = camera;
    /** Whether only what is near the pane is drawn. */
    this.sparing = false;
    /** Whether all is drawn even in a large picture: for a file. */
    this.whole = false;
    /** @type {Map<number, {look: Dressed, drawn: boolean}>} */
    this.looks = new Map();
    /** @type {import("./geometry.js").Frame[]} where each edge lies */
    this.spans = [];
    /** @type {Map<number, SVGGElement>} */
    this.groups = new Map();
    /** @type {SVGGElement[]} */
    this.edges = [];
    /** @type {FoldedWire[]} */
    this.kinds = [];
  }

  clear() {
    this.groups.clear();
    this.looks.clear();
    this.spans = [];
    this.edges = [];
    this.beads.clear();
    this.wires.replaceChildren();
    this.nodes.replaceChildren();
  }

  /** @param {Folded} plan @param {FoldedWire[]} wires */
  stage(plan, wires) {
    this.clear();
    this.kinds = wires;
    this.sparing = plan.boxes.size > FEW && !this.whole;
    for (const one of wires) {
      const from = plan.boxes.get(one.source);
      const to = plan.boxes.get(one.target);
      const group = from && to ? wire(one.kind, from, to, one.sides, one.via) : s("g");
      group.setAttribute("visibility", "hidden");
      this.edges.push(group);
      const xs = [from, to].flatMap((box) => (box ? [box.x, box.x + box.width] : [])).concat(one.via.map(([x]) => x));
      const ys = [from, to].flatMap((box) => (box ? [box.y, box.y + box.height] : [])).concat(one.via.map(([, y]) => y));
      const [x, y] = [Math.min(...xs), Math.min(...ys)];
      this.spans.push({ x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y });
    }
    this.wires.append(...this.edges);
    this.moved();
  }

  /**
   * @param {number} id @param {Dressed} look @param {{before: number | null, motion: string}} how `before`: the box that comes before it for the Tab key
   */
  node(id, look, { before, motion }) {
    const old = this.groups.get(id) ?? null;
    const drawn = !this.sparing || near(look.box, this.#seen());
    this.looks.set(id, { look, drawn });
    const group = nodeGroup(old, look, id, drawn);
    if (motion && drawn) group.classList.add(motion);
    if (old) return;
    const place = before === null ? null : this.groups.get(before);
    if (place) place.after(group);
    else this.nodes.prepend(group);
    this.groups.set(id, group);
  }

  /** @param {number} id */
  remove(id) {
    this.groups.get(id)?.remove();
    this.groups.delete(id);
    this.looks.delete(id);
  }

  /** @param {number} i @param {string} state @param {boolean} runs whether a bead runs along it @param {Required<import("./decoration.js").Dress>} dress */
  wire(i, state, runs, dress) {
    const group = this.edges[i];
    group.setAttribute("visibility", state ? "visible" : "hidden");
    const { width, height } = this.spans[i];
    group.setAttribute("class", `edge e-${this.kinds[i].kind} is-${state || "off"}${width + height > LONG ? " long" : ""}`);
    dressWire(group, dress);
    if (runs) this.beads.run(i, group);
    else this.beads.stop(i);
  }

  flush() {}

  /** The part of the picture that is drawn: the pane and what lies round it. @returns {import("./geometry.js").Frame} */
  #seen() {
    const { x, y, scale, size } = this.camera;
    const [width, height] = [size.width / scale, size.height / scale];
    return { x: -x / scale - width * NEAR, y: -y / scale - height * NEAR, width: width * (1 + 2 * NEAR), height: height * (1 + 2 * NEAR) };
  }

  /** The view moved: what came near is drawn, what went away is not any more. */
  moved() {
    if (!this.sparing) return;
    const seen = this.#seen();
    for (const [id, one] of this.looks) {
      const drawn = near(one.look.box, seen);
      if (drawn === one.drawn) continue;
      one.drawn = drawn;
      this.groups.get(id)?.replaceChildren(...(drawn ? nodeParts(one.look) : []));
    }
    this.spans.forEach((span, i) => {
      const shown = near(span, seen) ? "" : "none";
      if (this.edges[i].style.display !== shown) this.edges[i].style.display = shown;
    });
  }

  /** @param {number} id */
  focus(id) {
    this.groups.get(id)?.focus({ preventScroll: true });
  }
}
