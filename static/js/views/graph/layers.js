/**
 * The pane's layers, from the back: ground, hulls, canvas; halos, edges, ports, words; beads; nodes, titles of regions.
 * Each line of these is a picture of its own, so that the browser need not look at the others when something moves in one.
 */
import { h, s } from "../dom.js";

export class Layers {
  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.behind = s("g", { "aria-hidden": "true" });
    this.hulls = s("g");
    this.halos = s("g", { class: "halos", "aria-hidden": "true" });
    this.wires = s("g", { class: "wires", "aria-hidden": "true" });
    this.ports = s("g", { class: "ports", "aria-hidden": "true" });
    this.words = s("g", { "aria-hidden": "true" });
    this.nodes = s("g", { class: "nodes" });
    this.titles = s("g", { class: "region-titles" });
    this.under = s("g", { class: "world" }, this.behind, this.hulls);
    this.lines = s("g", { class: "world" }, this.halos, this.wires, this.ports, this.words);
    this.beads = s("g", { class: "world" });
    this.world = s("g", { class: "world" }, this.nodes, this.titles);
    const hatch = s("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path", { class: "hatchline", d: "M0 0V5" }));
    this.canvas = h("canvas", { class: "paint", "aria-hidden": "true", hidden: true });
    this.svg = s("svg", { class: "g", role: "group", "aria-label": "Graph" }, s("defs", {}, hatch), this.world);
    const ground = /** @param {SVGGElement} world */ (world) => s("svg", { class: "g ground", "aria-hidden": "true" }, world);
    pane.append(ground(this.under), this.canvas, ground(this.lines), ground(this.beads), this.svg);
  }

  /** What the camera moves. */
  get worlds() {
    return [this.under, this.lines, this.beads, this.world];
  }

  /** Empties what belongs to one picture; boxes and edges are the surface's. */
  clear() {
    for (const layer of [this.behind, this.hulls, this.words, this.halos, this.ports, this.titles]) layer.replaceChildren();
  }
}
