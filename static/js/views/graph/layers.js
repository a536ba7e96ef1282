/** The pane's layers, from the back: ground, canvas, hulls, halos, edges, ports, words, nodes, titles of regions. */
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
    this.world = s("g", { class: "world" }, this.halos, this.wires, this.ports, this.words, this.nodes, this.titles);
    const hatch = s("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path", { class: "hatchline", d: "M0 0V5" }));
    this.canvas = h("canvas", { class: "paint", "aria-hidden": "true", hidden: true });
    this.svg = s("svg", { class: "g", role: "group", "aria-label": "Graph" }, s("defs", {}, hatch), this.world);
    pane.append(s("svg", { class: "g ground", "aria-hidden": "true" }, this.under), this.canvas, this.svg);
  }

  /** Empties what belongs to one picture; boxes and edges are the surface's. */
  clear() {
    for (const layer of [this.behind, this.hulls, this.words, this.halos, this.ports, this.titles]) layer.replaceChildren();
  }
}
