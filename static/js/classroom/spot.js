/**
 * Points of the picture that mean the same on every screen: a box, and how far from its middle. A phone lays the boxes out
 * another way, and there the box alone counts.
 * @typedef {import("../views/graph/graph.js").GraphView} GraphView
 * @typedef {{slot: number, x: number, y: number}} Spot   `x`, `y` in the picture's own pixels
 */
import { h } from "../views/dom.js";

/** The spot nearest to a point of the pane; null where there is no picture. @param {GraphView} graph @param {number} px @param {number} py @returns {Spot | null} */
export function spotAt(graph, px, py) {
  const { camera, plan } = graph;
  if (!plan) return null;
  const [x, y] = [(px - camera.x) / camera.scale, (py - camera.y) / camera.scale];
  /** @type {Spot | null} */
  let best = null;
  let least = Infinity;
  for (const [slot, box] of plan.boxes) {
    const [dx, dy] = [x - (box.x + box.width / 2), y - (box.y + box.height / 2)];
    if (dx * dx + dy * dy >= least) continue;
    least = dx * dx + dy * dy;
    best = { slot, x: Math.round(dx), y: Math.round(dy) };
  }
  return best;
}

/** Where a spot lies in the picture. @param {GraphView} graph @param {Spot} spot */
function pointOf(graph, spot) {
  const plan = graph.plan;
  const box = plan?.boxes.get(plan.shown?.get(spot.slot) ?? spot.slot);
  if (!plan || !box) return null;
  const [dx, dy] = plan.turned ? [0, 0] : [spot.x, spot.y];
  return { x: box.x + box.width / 2 + dx, y: box.y + box.height / 2 + dy };
}

/** The teacher's pointer over the picture. */
export class PointerView {
  /** @param {GraphView} graph */
  constructor(graph) {
    this.graph = graph;
    /** @type {Spot | null} */
    this.spot = null;
    this.dot = h("div", { class: "class-pointer", "aria-hidden": "true", hidden: true });
    graph.pane.append(this.dot);
    graph.onZoom.push(() => this.#place());
  }

  /** @param {Spot | null} spot */
  show(spot) {
    this.spot = spot;
    this.#place();
  }

  #place() {
    const at = this.spot && pointOf(this.graph, this.spot);
    this.dot.hidden = !at;
    if (!at) return;
    const { x, y, scale } = this.graph.camera;
    this.dot.style.transform = `translate(${(at.x * scale + x).toFixed(1)}px, ${(at.y * scale + y).toFixed(1)}px)`;
  }
}

/** Looks at the picture as the teacher does. @param {GraphView} graph @param {(Spot & {scale: number}) | null} zoom null: all of it */
export function lookAt(graph, zoom) {
  if (!zoom) return graph.fit();
  const at = pointOf(graph, zoom);
  if (!at) return;
  const { camera } = graph;
  if (!graph.plan?.turned) camera.zoom(zoom.scale / camera.scale);
  camera.centre(at.x, at.y);
}

/** What the teacher looks at, null while it is all that fits. @param {GraphView} graph @returns {(Spot & {scale: number}) | null} */
export function looking(graph) {
  const { camera } = graph;
  if (!camera.touched) return null;
  const spot = spotAt(graph, camera.size.width / 2, camera.size.height / 2);
  return spot && { ...spot, scale: Number(camera.scale.toFixed(3)) };
}
