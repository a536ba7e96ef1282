/**
 * Which scopes of each graph are closed, and the picture that this makes. Knows no DOM.
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../../trace/types.js").GraphLayout} GraphLayout
 */
import { closedFor, scopesOf } from "../../trace/scopes.js";
import { fold } from "./folding.js";
import { planOf } from "./geometry.js";

/** Beyond so many boxes scopes close by themselves. */
export const READABLE = 300;

export class Folds {
  constructor() {
    /** @type {Map<number, Set<number>>} closed scopes of each graph, as the reader left them */
    this.left = new Map();
    this.leave();
  }

  /** No graph is open. */
  leave() {
    /** @type {import("./geometry.js").Plan | null} the whole picture */
    this.whole = null;
    /** @type {import("./folding.js").Folded | null} the picture with closed scopes */
    this.plan = null;
    /** @type {import("../../trace/scopes.js").ScopeTree} */
    this.tree = { scopes: [], of: new Map() };
    /** @type {Set<number>} */
    this.closed = new Set();
  }

  /** Another recording: what the reader closed in the last one means nothing. */
  forget() {
    this.left.clear();
    this.leave();
  }

  /** @param {TraceIndex} index @param {GraphLayout} layout @param {boolean} turned */
  open(index, layout, turned) {
    this.whole = planOf(layout, turned);
    this.tree = scopesOf(index, layout.graph);
    this.closed = this.left.get(layout.graph) ?? closedFor(this.tree, new Set(this.whole.boxes.keys()), READABLE);
    this.left.set(layout.graph, this.closed);
    return this.refold();
  }

  /** The picture for the scopes that are closed now. */
  refold() {
    this.plan = this.whole && fold(this.whole, this.tree, this.closed);
    return this.plan;
  }

  /** The box that shows a slot, or a box itself. @param {number} id */
  box(id) {
    return this.plan?.boxes.get(this.plan.shown.get(id) ?? id);
  }

  /** The closed scopes round a slot. @param {number} slot */
  closedRound(slot) {
    /** @type {number[]} */
    const round = [];
    for (let at = this.tree.of.get(slot) ?? -1; at >= 0; at = this.tree.scopes[at].parent) if (this.closed.has(at)) round.push(at);
    return round;
  }
}
