/**
 * What two recordings have done by a moment, in one sentence.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 */
import { count, time } from "./format.js";
import { mark, plain } from "./parts.js";
import { isCall, timeOf } from "./moments.js";

const DOING = /** @type {Record<string, string>} */ ({ build: "building", init: "preparing", optimise: "optimising", compile: "compiling", run: "running", forward: "computing", backward: "in its backward pass", update: "updating" });

/** @typedef {{calls: number, calling: boolean, phase: string, values: boolean, over: boolean, begun: boolean}} Standing   `calling`: in the middle of a call */

/** How far one side is at a step. @param {TraceIndex} index @param {number} step -1 before the first @returns {Standing} */
export function standing(index, step) {
  const { phases, count: counts, steps } = index.trace;
  const at = step < 0 ? -1 : index.phaseOf(step);
  let calls = 0;
  for (let p = 0; p < counts.phases; p++) if (isCall(index, p) && (phases.last[p] < step || (phases.last[p] === step && index.stepCount - 1 === step))) calls++;
  const limit = step < 0 ? -1 : index.limit(step);
  const ran = index.trace.events.ran;
  const values = (ran?.seq ?? []).some((seq, row) => seq < limit && index.definition(ran.node[row]).role === "op" && !isPrepared(index, ran.node[row]));
  return { calls, calling: at >= 0 && isCall(index, at), phase: at >= 0 ? index.text(phases.name[at]) : "", values, over: step >= index.stepCount - 1, begun: step >= 0 && (steps.seq?.length ?? 0) > 0 };
}

/** Helpers of variables run when those get their start values. @param {TraceIndex} index @param {number} node */
const isPrepared = (index, node) => index.definition(index.host(node)).role === "variable";

/** @param {Standing} side @param {string} name @returns {Part[]} */
function clause(side, name) {
  if (!side.begun) return [plain(`${name} has not begun`)];
  if (side.over) return [plain(`${name} is `), mark("done"), plain(side.calls ? ` after ${count(side.calls, "call")}` : "")];
  if (!side.calls && !side.values) return [plain(`${name} is still `), mark(DOING[side.phase] ?? "at work"), plain(" and has computed nothing")];
  const done = side.calls ? [plain(`${name} has finished `), mark(count(side.calls, "call"))] : [plain(`${name} is `), mark(DOING[side.phase] ?? "at work")];
  return side.calls && side.phase && !side.calling ? [...done, plain(` and is ${DOING[side.phase] ?? "at work"}`)] : done;
}

/**
 * @param {TraceIndex} a @param {TraceIndex} b @param {import("./moments.js").Moment} moment @param {import("./moments.js").Lock} lock @param {[string, string]} names how the sides are called
 * @returns {Part[]}
 */
export function together(a, b, moment, lock, names) {
  const left = clause(standing(a, moment.a), names[0]);
  const right = clause(standing(b, moment.b), names[1]);
  const opening = lock === "clock" ? `After ${time(timeOf(a, b, moment))} ` : "";
  const [first, ...rest] = left;
  const start = opening || !first ? left : [{ ...first, text: first.text.replace(/^./, (c) => c.toUpperCase()) }, ...rest];
  return [plain(opening), ...start, plain(". "), ...capital(right), plain(".")];
}

/** @param {Part[]} parts @returns {Part[]} */
const capital = ([first, ...rest]) => [{ ...first, text: first.text.replace(/^./, (c) => c.toUpperCase()) }, ...rest];
