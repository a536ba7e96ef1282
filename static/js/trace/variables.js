/**
 * Which variables exist at a step, in the order in which the program made them.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{name: string, node: number, value: number, changed: boolean}} VisibleVariable
 */
import { lastBefore } from "./index.js";

const DULL = new Set(["module", "function", "type", "builtin_function_or_method"]);

/** The call whose variables a step shows: an error that ends the program is reported outside, but happened in the call before it. @param {TraceIndex} index @param {number} step */
export function frameOf(index, step) {
  const { steps } = index.trace;
  const uncaught = step > 0 && step === index.stepCount - 1 && index.text(steps.kind[step]) === "error";
  return steps.frame[uncaught ? step - 1 : step] ?? 0;
}

/** Those of the step's function, and outside a function those of the module. @param {TraceIndex} index @param {number} step @returns {VisibleVariable[]} */
export function visibleVariables(index, step) {
  const limit = index.limit(step);
  const start = index.trace.steps.seq[step] ?? 0;
  const frame = frameOf(index, step);
  /** @type {VisibleVariable[]} */
  const out = [];
  for (const variable of index.bindings.byFrame.get(frame) ?? []) {
    const last = lastBefore(variable.history, limit);
    if (!last || last.gone) continue;
    if (last.node < 0 && DULL.has(index.trace.document.values[last.value]?.python ?? "")) continue;
    out.push({ name: variable.name, node: last.node, value: last.value, changed: last.seq >= start });
  }
  return out;
}

/** Where the gradient of a leaf is kept: its last accumulate node, -1 if it has none. @param {TraceIndex} index @param {number} node */
export function storageOf(index, node) {
  return index.mirrors[node].findLast((mirror) => index.definition(mirror).role === "accumulate") ?? -1;
}
