/**
 * Which variables exist at a step, in the order in which the program made them.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{name: string, node: number, value: number, changed: boolean, old: number}} VisibleVariable   `value`: -1 where it holds none at this step; `old`: what it held before, -1 if that is the same or nothing
 */
import { lastBefore } from "./index.js";

const DULL = new Set(["module", "function", "type", "builtin_function_or_method"]);

/** The call whose variables a step shows: an error that ends the program is reported outside, but happened in the call before it. @param {TraceIndex} index @param {number} step */
export function frameOf(index, step) {
  const { steps } = index.trace;
  const uncaught = step > 0 && step === index.stepCount - 1 && index.text(steps.kind[step]) === "error";
  return steps.frame[uncaught ? step - 1 : step] ?? 0;
}

/** The value that a node holds at a step, -1 if none: a static node holds one only in its own run. @param {TraceIndex} index @param {number} node @param {number} step */
export function valueAt(index, node, step) {
  const limit = index.limit(step);
  const last = lastBefore(index.values[node], limit);
  if (!last) return -1;
  if (index.definition(node).role === "accumulate") {
    const cleared = lastBefore(index.cleared[node], limit);
    return cleared && cleared.seq > last.seq ? -1 : last.value;
  }
  if (!index.isStatic(index.trace.nodes.graph[node]) || last.table === "written") return last.value;
  const run = lastBefore(index.planRuns?.get(index.stepPlan?.[step] ?? -1), limit)?.run ?? -2;
  return last.run === run && run >= 0 ? last.value : -1;
}

/**
 * Those of the step's function, and outside a function those of the module.
 * @param {TraceIndex} index @param {number} step @param {number} [since] the step that they are compared with: that before, or further back
 * @returns {VisibleVariable[]}
 */
export function visibleVariables(index, step, since = step - 1) {
  return (index.bindings.byFrame.get(frameOf(index, step)) ?? []).flatMap((variable) => variableRows(index, variable, step, since));
}

/** A variable and its gradient as they are at a step; none if it is not bound. @param {TraceIndex} index @param {import("./bindings.js").Variable} variable @param {number} step @param {number} since @returns {VisibleVariable[]} */
export function variableRows(index, variable, step, since) {
  const limit = index.limit(step);
  const last = lastBefore(variable.history, limit);
  if (!last || last.gone || (last.node < 0 && DULL.has(index.trace.document.values[last.value]?.python ?? ""))) return [];
  const value = last.node < 0 ? last.value : valueAt(index, last.node, step);
  const before = since >= 0 ? lastBefore(variable.history, index.limit(since)) : null;
  const old = before && !before.gone ? (before.node < 0 ? before.value : valueAt(index, before.node, since)) : -1;
  const changed = last.seq >= (index.trace.steps.seq[since + 1] ?? 0) || (value >= 0 && value !== old);
  const storage = last.node >= 0 ? storageOf(index, last.node, limit) : -1;
  const row = { name: variable.name, node: last.node, value, changed, old: old !== value ? old : -1 };
  return storage >= 0 ? [row, gradient(index, `${variable.name}.grad`, storage, step, since)] : [row];
}

/** @param {TraceIndex} index @param {string} name @param {number} storage @param {number} step @param {number} since @returns {VisibleVariable} */
function gradient(index, name, storage, step, since) {
  const value = valueAt(index, storage, step);
  const old = since >= 0 ? valueAt(index, storage, since) : -1;
  const touched = [...index.values[storage], ...index.cleared[storage]].some(({ seq }) => seq >= (index.trace.steps.seq[since + 1] ?? 0) && seq < index.limit(step));
  return { name, node: storage, value, changed: touched, old: old !== value ? old : -1 };
}

/** Where the gradient of a leaf is kept: its last accumulate node before `limit`, -1 if it has none. @param {TraceIndex} index @param {number} node @param {number} [limit] */
export function storageOf(index, node, limit = Infinity) {
  return index.mirrors[node].findLast((mirror) => index.definition(mirror).role === "accumulate" && index.trace.nodes.seq[mirror] < limit) ?? -1;
}
