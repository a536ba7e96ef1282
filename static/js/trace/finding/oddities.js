/**
 * Where NaN and infinity come from: the first value that holds any, and what its op was given.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {{step: number, node: number, name: string, value: number, clean: {node: number, value: number}[], spoilt: {node: number, value: number}[]}} Oddity
 *   `node` -1 and `name` for a Python number; `clean`, `spoilt`: operands without and with such numbers
 */
import { inputsOf } from "../names.js";
import { lastBefore } from "../index.js";
import { inPlan } from "../replacements.js";

/** Whether a value holds NaN or infinity. @param {import("../types.js").Value | undefined} value */
export function isOdd(value) {
  if (!value) return false;
  if (value.python !== undefined) return value.python === "float" && /^-?(?:nan|inf)$/.test(value.text ?? "");
  return (value.nan ?? 0) + (value.inf ?? 0) > 0;
}

/** @type {WeakMap<TraceIndex, Oddity | null>} */
const FIRST = new WeakMap();

/** The first NaN or infinity of a recording, null if there is none. @param {TraceIndex} index @returns {Oddity | null} */
export function firstOdd(index) {
  let first = FIRST.get(index);
  if (first === undefined) FIRST.set(index, (first = lookForOdd(index)));
  return first;
}

/** @param {TraceIndex} index @returns {Oddity | null} */
function lookForOdd(index) {
  const { document, events, strings } = index.trace;
  const odd = document.values.map(isOdd);
  if (!odd.includes(true)) return null;
  let best = { seq: Infinity, node: -1, value: -1, name: "", run: -1 };
  /** @param {number} seq @param {number} node @param {number} value @param {string} [name] @param {number} [run] */
  const offer = (seq, node, value, name = "", run = -1) => {
    if (value >= 0 && odd[value] && seq < best.seq) best = { seq, node, value, name, run };
  };
  for (const table of ["fed", "ran", "written", "accumulated", "backward"]) events[table]?.seq?.forEach((seq, row) => offer(seq, events[table].node[row], events[table].value[row], "", events[table].run?.[row]));
  events.gradient?.seq?.forEach((seq, row) => document.lists[events.gradient.values[row]]?.forEach((value) => offer(seq, events.gradient.node[row], value)));
  events.assigned?.seq?.forEach((seq, row) => {
    if (events.assigned.node[row] < 0) offer(seq, -1, events.assigned.value[row], strings[events.assigned.name[row]]);
  });
  if (best.seq === Infinity) return null;
  const given = best.node >= 0 ? operands(index, best.node, best.seq, index.runPlan?.get(best.run) ?? -1) : [];
  return {
    step: index.stepOf(best.seq), node: best.node, name: best.name, value: best.value,
    clean: given.filter((one) => !odd[one.value]), spoilt: given.filter((one) => odd[one.value]),
  };
}

/**
 * What a node was given before `seq`. A gradient node of the tape has no inputs of its own: those of its forward op stand for them. What a plan
 * fused reads what its chain reads, and what reads a fused op reads the result of the whole.
 * @param {TraceIndex} index @param {number} node @param {number} seq @param {number} plan
 */
function operands(index, node, seq, plan) {
  const forward = index.trace.nodes.mirrors[node];
  const of = index.definition(node).role === "gradient" && forward >= 0 && !index.isStatic(index.trace.nodes.graph[node]) ? forward : node;
  const chain = index.rewrites?.get(plan)?.find((change) => change.action === "fused" && change.new.includes(node))?.old ?? [of];
  const read = chain.flatMap((one) => inputsOf(index, one)).filter((input) => !chain.includes(input)).map((input) => ({ input, doer: inPlan(index, plan, input) }));
  return read.map(({ input, doer }) => ({ node: input, value: lastBefore(index.values[doer], seq)?.value ?? -1 })).filter((one) => one.value >= 0);
}
