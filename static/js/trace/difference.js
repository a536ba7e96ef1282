/**
 * What differs between two graphs: two recordings, a graph and the plan made from it, two passes of a loop.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./pairing.js").Pairing} Pairing
 * @typedef {{kind: "added" | "removed" | "changed", left: number, right: number, name: string, why: string}} Entry   nodes, -1 where there is none
 * @typedef {{entries: Entry[], same: number}} Difference
 */
import { brief, shapeText } from "./format.js";
import { called, label } from "./names.js";
import { fate, shownNodes } from "./pairing.js";

/** Two recordings. @param {TraceIndex} a @param {TraceIndex} b @param {Pairing} pairs @returns {Difference} */
export function ofRecordings(a, b, pairs) {
  /** @type {Entry[]} */
  const entries = [];
  let same = 0;
  const has = { a: opsOf(a), b: opsOf(b) };
  for (const left of shownNodes(a)) {
    const slot = pairs.ab.get(a.trace.nodes.slot[left]);
    if (slot === undefined) {
      entries.push({ kind: "removed", left, right: -1, name: called(a, left), why: alone(a, left, has.b) });
      continue;
    }
    const right = b.slotNodes[slot][0];
    const why = changes(a, left, b, right);
    if (why) entries.push({ kind: "changed", left, right, name: called(a, left), why });
    else same++;
  }
  for (const right of shownNodes(b)) if (!pairs.ba.has(b.trace.nodes.slot[right])) entries.push({ kind: "added", left: -1, right, name: called(b, right), why: alone(b, right, has.a) });
  return { entries, same };
}

/** The ops of a recording, by name. @param {TraceIndex} index */
const opsOf = (index) => new Set(shownNodes(index).map((node) => index.definition(node).op));

/** Why a node has no counterpart. @param {TraceIndex} index @param {number} node @param {Set<string>} others ops of the other recording */
export function alone(index, node, others) {
  const { role, op } = index.definition(node);
  const lost = fate(index, node);
  if (lost) return `no counterpart, and ${lost} in a plan`;
  if (role === "gradient") return "no counterpart: the other side has no gradient step of this kind";
  if (role === "accumulate") return "no counterpart: the other side keeps no .grad";
  if (role === "update" || role === "control") return "no counterpart: a step that the other side does not have as a node";
  return others.has(op) ? "no counterpart: the other side has no further op of this kind here" : `no counterpart: the other side has no op ${op}`;
}

/** What differs between counterparts: op, shape. "" if nothing does. @param {TraceIndex} a @param {number} left @param {TraceIndex} b @param {number} right */
function changes(a, left, b, right) {
  const [one, two] = [a.definition(left), b.definition(right)];
  const words = [];
  if (one.op !== two.op && one.role === "op") words.push(`${label(a, left)}, there ${label(b, right)}`);
  if (one.role !== two.role && one.role !== "op") words.push(`${roleWords(one.role)}, there ${roleWords(two.role)}`);
  const [from, to] = [knownShape(a, left), knownShape(b, right)];
  if (from && to && !agree(from, to)) words.push(`shape ${shapeText(from)}, there ${shapeText(to)}`);
  return words.join("; ");
}

/** @param {string} role */
const roleWords = (role) => /** @type {Record<string, string>} */ ({ input: "data", variable: "a variable", constant: "a constant", op: "computed" })[role] ?? role;

/** @param {TraceIndex} index @param {number} node */
function knownShape(index, node) {
  const { values, types } = index.trace.document;
  return values[index.values[node]?.[0]?.value ?? -1]?.shape ?? types[index.trace.nodes.type[node]]?.shape ?? null;
}

/** Unknown dimensions agree with any. @param {(number | null)[]} x @param {(number | null)[]} y */
const agree = (x, y) => x.length === y.length && x.every((d, i) => d === null || y[i] === null || d === y[i]);

/** A graph and the plan that a session made from it. @param {TraceIndex} index @param {number} plan @returns {Difference} */
export function ofPlan(index, plan) {
  const { nodes, plans } = index.trace;
  /** @type {Map<number, Entry>} */
  const entries = new Map();
  for (const change of index.rewrites?.get(plan) ?? []) {
    if (change.action === "fused") {
      for (const old of change.old) entries.set(old, { kind: "changed", left: old, right: old, name: called(index, old), why: `fused into one step with ${change.old.filter((n) => n !== old).map((n) => called(index, n)).join(", ")}` });
      continue;
    }
    if (change.action === "moved") {
      for (const old of change.old) entries.set(old, { kind: "changed", left: old, right: old, name: called(index, old), why: `moved out of the loop: ${change.reason}` });
      continue;
    }
    for (const old of change.old) if (!change.new.includes(old)) entries.set(old, { kind: "removed", left: old, right: -1, name: called(index, old), why: `${fate(index, old, plan)}${change.reason ? `: ${change.reason}` : ""}` });
    for (const fresh of change.new) if (nodes.plan[fresh] === plan && !entries.has(fresh)) entries.set(fresh, { kind: "added", left: -1, right: fresh, name: called(index, fresh), why: change.old.length ? `made from ${change.old.map((n) => called(index, n)).slice(0, 4).join(", ")}` : change.reason });
  }
  const list = [...entries.values()].filter((entry) => nodes.serves[entry.left >= 0 ? entry.left : entry.right] < 0);
  const whole = shownNodes(index).filter((node) => nodes.graph[node] === plans.graph[plan]).length;
  return { entries: list, same: whole - list.filter((entry) => entry.left >= 0).length };
}

/** Two passes of a loop: which places they share, and where the values differ. Where `.grad` is kept belongs to all passes. @param {TraceIndex} index @param {number} from episode @param {number} to episode @returns {Difference} */
export function ofPasses(index, from, to) {
  const { nodes, document } = index.trace;
  /** @param {number} episode @returns {Map<number, number>} */
  const held = (episode) => new Map(index.slotNodes.flatMap((members, slot) => members.filter((n) => nodes.episode[n] === episode && nodes.serves[n] < 0 && index.definition(n).role !== "accumulate").slice(0, 1).map((n) => /** @type {[number, number]} */ ([slot, n]))));
  const left = held(from);
  const right = held(to);
  /** @type {Entry[]} */
  const entries = [];
  let same = 0;
  for (const [slot, node] of left) {
    const other = right.get(slot);
    if (other === undefined) {
      entries.push({ kind: "removed", left: node, right: -1, name: called(index, node), why: "not in the later pass" });
      continue;
    }
    const [x, y] = [valueOf(index, node), valueOf(index, other)];
    if (x !== y && x >= 0 && y >= 0) {
      const [one, two] = [document.values[x], document.values[y]];
      const shapes = shapeText(one.shape) !== shapeText(two.shape);
      entries.push({ kind: "changed", left: node, right: other, name: called(index, node), why: shapes ? `shape ${shapeText(one.shape)}, then ${shapeText(two.shape)}` : one.size === 1 ? `${brief(one)}, then ${brief(two)}` : `other values, mean ${short(one.mean)}, then ${short(two.mean)}` });
    } else same++;
  }
  for (const [slot, node] of right) if (!left.has(slot)) entries.push({ kind: "added", left: -1, right: node, name: called(index, node), why: "not in the earlier pass" });
  return { entries, same };
}

/** The last value that a node had. @param {TraceIndex} index @param {number} node */
const valueOf = (index, node) => index.values[node].at(-1)?.value ?? index.gradients[node].at(-1)?.value ?? -1;
/** @param {number | null | undefined} x */
const short = (x) => (x === null || x === undefined ? "none" : String(Number(x.toPrecision(4))).replace("-", "−"));
