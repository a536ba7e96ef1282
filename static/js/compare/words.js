/** What the head of a side says: whose program, in which mode, where it is. */
import { dialectName, isStaticProgram } from "../trace/dialects.js";
import { ordinal } from "../trace/format.js";
import { phaseLabel } from "../trace/where.js";
import { standing } from "../trace/together.js";

/** @typedef {import("../trace/index.js").TraceIndex} TraceIndex */

/** Names of both sides that tell them apart. @param {TraceIndex} a @param {TraceIndex} b @returns {[string, string]} */
export function sideNames(a, b) {
  const [one, two] = [dialectName(a.trace.document.program), dialectName(b.trace.document.program)];
  if (one !== two) return [one, two];
  // One model in both modes: compiled, and without the decorators that compile it.
  const modes = [isStaticProgram(a), isStaticProgram(b)];
  if (modes[0] !== modes[1]) return modes[0] ? ["compiled", "eager"] : ["eager", "compiled"];
  const [first, second] = [a.trace.document.program.name, b.trace.document.program.name];
  return first === second ? ["left", "right"] : [first, second];
}

/** @param {TraceIndex} index @param {number} step -1 before the first */
export function sideWords(index, step) {
  const kind = isStaticProgram(index) ? "static graph" : index.trace.count.graphs ? "dynamic graph" : "no graph";
  if (step < 0) return `${kind}, not begun`;
  const phase = index.phaseOf(step);
  const { calls, calling, over } = standing(index, step);
  if (over) return `${kind}, at its end`;
  if (calling) return `${kind}, in its ${ordinal(calls + 1)} call`;
  return phase >= 0 ? `${kind}, ${phaseLabel(index, phase).toLowerCase()}` : kind;
}
