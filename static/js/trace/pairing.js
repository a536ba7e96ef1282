/**
 * Which node of one recording does what a node of another does: by the student's names, by what each gradient belongs to, by the order of ops.
 * Pairs are of slots, so that all iterations of a place share one counterpart.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{ab: Map<number, number>, ba: Map<number, number>}} Pairing   slot to slot, both ways
 */
import { align } from "./align.js";
import { variable } from "./names.js";

/** What a data input and a constant of the other program have in common: nothing computes them. */
const LEAVES = new Set(["input", "variable", "constant"]);

/** The first node of every slot that the picture shows, in the order in which they were made; nodes that only a plan has are left out. @param {TraceIndex} index */
export function shownNodes(index) {
  const { serves, plan, seq } = index.trace.nodes;
  return index.slotNodes.map((members) => members[0]).filter((node) => node !== undefined && serves[node] < 0 && plan[node] < 0).sort((a, b) => seq[a] - seq[b]);
}

/** @param {TraceIndex} a @param {TraceIndex} b @returns {Pairing} */
export function pairing(a, b) {
  /** @type {Pairing} */
  const pairs = { ab: new Map(), ba: new Map() };
  const left = shownNodes(a);
  const right = shownNodes(b);
  const slotA = a.trace.nodes.slot;
  const slotB = b.trace.nodes.slot;
  /** @param {number} x @param {number} y */
  const join = (x, y) => {
    if (pairs.ab.has(slotA[x]) || pairs.ba.has(slotB[y])) return;
    pairs.ab.set(slotA[x], slotB[y]);
    pairs.ba.set(slotB[y], slotA[x]);
  };
  const free = () => [left.filter((n) => !pairs.ab.has(slotA[n])), right.filter((n) => !pairs.ba.has(slotB[n]))];
  byName(a, b, left, right, join);
  const [restA, restB] = free();
  const ops = /** @param {TraceIndex} index @param {number[]} nodes @param {Map<number, number>} known @param {number[]} slots */ (index, nodes, known, slots) => nodes.filter((n) => index.definition(n).role === "op" && !known.has(slots[n]));
  const opsA = ops(a, restA, pairs.ab, slotA);
  const opsB = ops(b, restB, pairs.ba, slotB);
  for (const [i, j] of align(opsA, opsB, (x, y) => a.definition(x).op === b.definition(y).op)) if (i >= 0 && j >= 0) join(opsA[i], opsB[j]);
  const leaves = /** @param {TraceIndex} index @param {number[]} nodes @param {string} role */ (index, nodes, role) => nodes.filter((n) => index.definition(n).role === role);
  for (const role of LEAVES) {
    const [moreA, moreB] = free();
    const xs = leaves(a, moreA, role);
    const ys = leaves(b, moreB, role);
    for (const [i, j] of align(xs, ys, (x, y) => rank(a, x) === rank(b, y))) if (i >= 0 && j >= 0) join(xs[i], ys[j]);
  }
  mirrored(a, b, left, right, pairs, join);
  return pairs;
}

/** Number of dimensions, -1 if nothing is known of it. @param {TraceIndex} index @param {number} node */
function rank(index, node) {
  const { types } = index.trace.document;
  const shape = index.trace.document.values[index.values[node]?.[0]?.value ?? -1]?.shape ?? types[index.trace.nodes.type[node]]?.shape;
  return shape ? shape.length : -1;
}

/** The same name for the same kind of thing. @param {TraceIndex} a @param {TraceIndex} b @param {number[]} left @param {number[]} right @param {(x: number, y: number) => void} join */
function byName(a, b, left, right, join) {
  /** @param {TraceIndex} index @param {number} node */
  const key = (index, node) => {
    const { role, op } = index.definition(node);
    const name = role === "gradient" || role === "accumulate" || role === "update" ? "" : variable(index, node) || (LEAVES.has(role) ? index.text(index.trace.nodes.name[node]) : "");
    return name && `${LEAVES.has(role) ? "leaf" : op} ${name}`;
  };
  /** @type {Map<string, number>} */
  const named = new Map();
  for (const node of right) {
    const name = key(b, node);
    if (name && !named.has(name)) named.set(name, node);
  }
  for (const node of left) {
    const other = named.get(key(a, node));
    if (other !== undefined) join(node, other);
  }
}

/** Gradients, where they gather and what updates: by the forward nodes they belong to. @param {TraceIndex} a @param {TraceIndex} b @param {number[]} left @param {number[]} right @param {Pairing} pairs @param {(x: number, y: number) => void} join */
function mirrored(a, b, left, right, pairs, join) {
  /** @param {TraceIndex} index @param {number} node @param {(slot: number) => number} translate */
  const key = (index, node, translate) => {
    const mirror = index.trace.nodes.mirrors[node];
    return mirror < 0 ? "" : `${index.definition(node).role} ${translate(index.trace.nodes.slot[index.host(mirror)])}`;
  };
  /** @type {Map<string, number[]>} */
  const waiting = new Map();
  for (const node of right) {
    const name = key(b, node, (slot) => slot);
    if (name && !pairs.ba.has(b.trace.nodes.slot[node])) waiting.set(name, [...(waiting.get(name) ?? []), node]);
  }
  for (const node of left) {
    const other = pairs.ab.has(a.trace.nodes.slot[node]) ? undefined : waiting.get(key(a, node, (slot) => pairs.ab.get(slot) ?? -1))?.shift();
    if (other !== undefined) join(node, other);
  }
}

/**
 * What the optimiser did with a node in any plan, "" if it left it alone: `folded by fold_constants`.
 * @param {TraceIndex} index @param {number} node @param {number} [plan] of this plan only
 */
export function fate(index, node, plan = -1) {
  // What ran in one plan was not lost, whatever another plan had no use for.
  const ran = plan < 0 && index.values[node].some((happening) => happening.table === "ran");
  let found = "";
  for (const [of, changes] of index.rewrites ?? []) {
    if (plan >= 0 ? of !== plan : ran) continue;
    const change = changes.find((one) => one.old.includes(node) && !one.new.includes(node) && one.action !== "moved" && one.action !== "rewired");
    // That some plan had no use for it says less than what another one made of it.
    if (change && change.action !== "removed") return `${change.action} by ${passOf(index, of, change.seq)}`;
    if (change) found ||= `${change.action} by ${passOf(index, of, change.seq)}`;
  }
  return found;
}

/** The pass that a rewrite belongs to: the one that ended next. @param {TraceIndex} index @param {number} plan @param {number} seq */
function passOf(index, plan, seq) {
  const { pass } = index.trace.events;
  const row = pass?.seq?.findIndex((end, r) => pass.plan[r] === plan && end > seq) ?? -1;
  return row >= 0 ? `the pass ${index.text(pass.name[row]).replaceAll("_", " ")}` : "the optimiser";
}
