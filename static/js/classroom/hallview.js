/** The hall as the executor, projected: the ops in layers, who has fired, the critical path, what the room took. */
import { h } from "../views/dom.js";
import { tile } from "../views/graph/glyphs.js";
import { hallTimes } from "./hallpanel.js";

/** @param {import("./phoneop.js").Hall} hall */
export function hallView(hall) {
  /** @type {number[]} */
  const layer = [];
  hall.ops.forEach((op, at) => (layer[at] = 1 + Math.max(-1, ...op.inputs.map((source) => layer[source]))));
  const done = hall.ops.every((op) => op.fired !== null);
  const critical = new Set(done ? hall.critical : []);
  const columns = Array.from({ length: Math.max(0, ...layer) + 1 }, (_, column) => h("ol", { class: "hall-layer" }, ...hall.ops.map((op, at) => ({ op, at })).filter(({ at }) => layer[at] === column).map(({ op, at }) => card(op, critical.has(at)))));
  const fired = hall.ops.filter((op) => op.fired !== null).length;
  return h("section", { class: "hall", "aria-label": "The hall is the executor" }, h("header", {}, h("h2", {}, hall.mode === "static" ? "Static: everything that is ready fires at once" : "Dynamic: one op after the other, as the teacher calls"), h("p", {}, `${fired} of ${hall.ops.length} have fired`)), h("div", { class: "hall-layers" }, ...columns), h("footer", {}, ...hallTimes(hall)));
}

/** @param {import("./phoneop.js").HallOp} op @param {boolean} critical */
function card(op, critical) {
  const state = op.fired !== null ? "has-fired" : op.ready ? "is-ready" : "is-waiting";
  const words = op.fired !== null ? `${op.fired.toFixed(1)} s` : op.ready ? "ready" : "waits";
  return h("li", { class: `hall-op ${state} ${critical ? "is-critical" : ""}` }, h("span", { class: "hall-sign", "aria-hidden": "true" }, tile(op.symbol, op.category)), h("span", { class: "hall-name" }, op.name), h("span", { class: "hall-state" }, `${words}${critical ? ", critical" : ""}`));
}
