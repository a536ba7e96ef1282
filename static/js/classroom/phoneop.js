/** This phone is an op of the graph: its inputs, its sign, and a button that fires it. */
import { button, h } from "../views/dom.js";
import { tile } from "../views/graph/glyphs.js";

/** @typedef {{slot: number, name: string, symbol: string, category: string, inputs: number[], holders: number, called: boolean, ready: boolean, fired: number | null}} HallOp */
/** @typedef {{mode: "static" | "dynamic", ops: HallOp[], makespan: number, work: number, critical: number[], chain: number}} Hall */

export class PhoneOp {
  /** @param {HTMLElement} pane @param {(op: number) => Promise<void>} fire */
  constructor(pane, fire) {
    this.pane = pane;
    this.fire = fire;
    /** @type {Hall | null} */
    this.hall = null;
    /** @type {number[]} */
    this.mine = [];
  }

  /** @param {Hall | null} hall */
  show(hall) {
    this.hall = hall;
    this.draw();
  }

  /** @param {number[]} mine the ops that this phone is */
  hold(mine) {
    this.mine = mine;
    this.draw();
  }

  draw() {
    const { hall, pane, mine } = this;
    pane.hidden = !hall || !mine.length;
    if (!hall || !mine.length) return pane.replaceChildren();
    const done = hall.ops.filter((op) => op.fired !== null).length;
    pane.replaceChildren(
      h("p", { class: "hall-mode" }, hall.mode === "static" ? "Static: fire as soon as your inputs have arrived." : "Dynamic: fire when the teacher calls you."),
      ...mine.filter((at) => hall.ops[at]).map((at) => this.#op(hall, at)),
      h("p", { class: "muted", role: "status" }, `${done} of ${hall.ops.length} ops have fired.`),
    );
  }

  /** @param {Hall} hall @param {number} at */
  #op(hall, at) {
    const op = hall.ops[at];
    const inputs = op.inputs.map((source) => h("li", { class: hall.ops[source].fired === null ? "waiting" : "arrived" }, hall.ops[source].fired === null ? "○ " : "● ", hall.ops[source].name));
    const state = op.fired !== null ? `fired after ${op.fired.toFixed(1)} s` : op.ready ? "ready" : op.inputs.some((source) => hall.ops[source].fired === null) ? "waiting for inputs" : "waiting for the call";
    const press = button(op.fired !== null ? "Fired" : "Fire", { class: "fire", disabled: !op.ready }, () => void this.fire(at));
    return h("section", { class: `phone-op ${op.fired !== null ? "has-fired" : op.ready ? "is-ready" : ""}`, "aria-label": `Your op: ${op.name}` }, h("p", { class: "op-sign", "aria-hidden": "true" }, tile(op.symbol, op.category)), h("h2", {}, op.name), inputs.length ? h("ul", { class: "op-inputs", "aria-label": "Inputs" }, ...inputs) : h("p", { class: "muted" }, "needs no input"), press, h("p", { class: "op-state" }, op.holders > 1 ? `${state}; ${op.holders} phones hold this op` : state));
  }
}
