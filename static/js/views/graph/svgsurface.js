/**
 * The picture as SVG: a group for each box and each edge, of which a step touches only those that changed.
 * @typedef {import("./looks.js").Dressed} Dressed
 * @typedef {import("./folding.js").Folded} Folded
 * @typedef {import("./folding.js").FoldedWire} FoldedWire
 */
import { s } from "../dom.js";
import { WORDS } from "./decoration.js";
import { nodeParts } from "./node.js";
import { bead, dressWire, wire } from "./wires.js";

/** A box's group with its present look. @param {SVGGElement | null} old @param {Dressed} look @param {number} id */
export function nodeGroup(old, look, id) {
  const closed = look.bundle !== null;
  const group = old ?? s("g", { transform: `translate(${look.box.x} ${look.box.y})`, tabindex: 0, role: closed ? "button" : "img", "data-slot": id, "aria-expanded": closed ? "false" : null });
  group.setAttribute("class", look.dress?.mark ? `${look.style} mark-${look.dress.mark}` : look.style);
  group.setAttribute("aria-label", [look.spoken, look.dress && WORDS[look.dress.mark], look.dress?.label].filter(Boolean).join(", "));
  group.replaceChildren(...nodeParts(look));
  return group;
}

export class SvgSurface {
  /** @param {SVGGElement} wires @param {SVGGElement} nodes */
  constructor(wires, nodes) {
    this.wires = wires;
    this.nodes = nodes;
    /** @type {Map<number, SVGGElement>} */
    this.groups = new Map();
    /** @type {SVGGElement[]} */
    this.edges = [];
    /** @type {FoldedWire[]} */
    this.kinds = [];
  }

  clear() {
    this.groups.clear();
    this.edges = [];
    this.wires.replaceChildren();
    this.nodes.replaceChildren();
  }

  /** @param {Folded} plan @param {FoldedWire[]} wires */
  stage(plan, wires) {
    this.clear();
    this.kinds = wires;
    for (const one of wires) {
      const from = plan.boxes.get(one.source);
      const to = plan.boxes.get(one.target);
      const group = from && to ? wire(one.kind, from, to, one.sides, one.via) : s("g");
      group.setAttribute("visibility", "hidden");
      this.edges.push(group);
    }
    this.wires.append(...this.edges);
  }

  /**
   * @param {number} id @param {Dressed} look @param {{before: number | null, motion: string}} how `before`: the box that comes before it for the Tab key
   */
  node(id, look, { before, motion }) {
    const old = this.groups.get(id) ?? null;
    const group = nodeGroup(old, look, id);
    if (motion) group.classList.add(motion);
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
  }

  /** @param {number} i @param {string} state @param {boolean} runs whether a bead runs along it @param {Required<import("./decoration.js").Dress>} dress */
  wire(i, state, runs, dress) {
    const group = this.edges[i];
    group.setAttribute("visibility", state ? "visible" : "hidden");
    group.setAttribute("class", `edge e-${this.kinds[i].kind} is-${state || "off"}`);
    group.querySelector(".token")?.remove();
    dressWire(group, dress);
    if (runs) bead(group);
  }

  flush() {}

  moved() {}

  /** @param {number} id */
  focus(id) {
    this.groups.get(id)?.focus({ preventScroll: true });
  }
}
