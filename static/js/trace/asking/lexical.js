/**
 * Which function a line belongs to, and which of its calls a step means: names are looked up where Python would look.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("../bindings.js").Variable} Variable
 */
import { countBefore, lastBefore } from "../index.js";
import { frameOf } from "../variables.js";

/** @typedef {{line: number, end: number, frames: number[]}} Body   a function of the program: its lines, and its calls in order */

/** @type {WeakMap<TraceIndex, Body[]>} */
const BODIES = new WeakMap();

/** The functions that were called, the inner ones last. @param {TraceIndex} index */
function bodies(index) {
  let all = BODIES.get(index);
  if (!all) {
    const { frames, count, document } = index.trace;
    const lines = document.program.source.split("\n");
    /** @type {Map<string, Body>} */
    const of = new Map();
    for (let frame = 1; frame < count.frames; frame++) {
      const line = frames.line[frame];
      const key = `${line} ${frames.function[frame]}`;
      const body = of.get(key);
      if (body) body.frames.push(frame);
      else of.set(key, { line, end: lastLine(lines, line), frames: [frame] });
    }
    all = [...of.values()].sort((a, b) => a.line - b.line || b.end - a.end);
    BODIES.set(index, all);
  }
  return all;
}

/** The last line that is indented deeper than the `def` in `line`. @param {string[]} lines @param {number} line */
function lastLine(lines, line) {
  const indent = /** @param {string} text */ (text) => /^\s*/.exec(text)?.[0].length ?? 0;
  const own = indent(lines[line - 1] ?? "");
  let end = line;
  // A decorator stands above, at the same depth, and belongs to it.
  let n = line;
  while (n < lines.length && /^\s*@/.test(lines[n - 1] ?? "")) n++;
  for (; n < lines.length; n++) {
    const text = lines[n];
    if (!text.trim() || /^\s*[#)\]}]/.test(text)) continue;
    if (indent(text) <= own) break;
    end = n + 1;
  }
  return Math.max(end, n === line ? line : end);
}

/** Whether a call had begun at a step. @param {TraceIndex} index @param {number} frame @param {number} limit */
const begun = (index, frame, limit) => (index.bindings.frames.get(frame)?.from ?? 0) < limit;

/**
 * The call of the function round a line that a step means: the one that is going on, else the last one before. 0: the module.
 * @param {TraceIndex} index @param {number} step @param {number} line
 */
export function frameAround(index, step, line) {
  const limit = index.limit(step);
  const here = frameOf(index, step);
  const around = bodies(index).filter((body) => body.line < line && line <= body.end || (body.line === line && body.end === line)).at(-1);
  if (!around) return 0;
  if (around.frames.includes(here)) return here;
  const n = countBefore(around.frames, limit, (frame) => index.bindings.frames.get(frame)?.from ?? 0);
  const frame = n ? around.frames[n - 1] : -1;
  return frame >= 0 && begun(index, frame, limit) ? frame : -1;
}

/** @type {WeakMap<TraceIndex, Map<number, Map<string, Variable>>>} */
const NAMES = new WeakMap();

/** @param {TraceIndex} index @param {number} frame */
function namesOf(index, frame) {
  let all = NAMES.get(index);
  if (!all) NAMES.set(index, (all = new Map()));
  let names = all.get(frame);
  if (!names) all.set(frame, (names = new Map((index.bindings.byFrame.get(frame) ?? []).map((one) => [one.name, one]))));
  return names;
}

/**
 * The frames in which a name is looked up from a call: its own, those of the functions that its function stands in, the module.
 * @param {TraceIndex} index @param {number} frame @param {number} step
 */
function lookupFrames(index, frame, step) {
  const own = bodies(index).find((body) => body.frames.includes(frame));
  const outer = own ? bodies(index).filter((body) => body !== own && body.line < own.line && own.end <= body.end).reverse() : [];
  const limit = index.limit(step);
  const calls = outer.map((body) => body.frames.findLast((one) => one <= frame && begun(index, one, limit)) ?? -1).filter((one) => one >= 0);
  return [...new Set([frame, ...calls, 0])];
}

/**
 * The variable that a name means at a step, and what it holds.
 * @param {TraceIndex} index @param {number} step @param {string} name @param {number} [frame] the call that asks; that of the step otherwise
 * @returns {{variable: Variable, binding: import("../bindings.js").Binding} | null} null if the name is not bound at this step
 */
export function resolve(index, step, name, frame = frameOf(index, step)) {
  const limit = index.limit(step);
  for (const at of frame < 0 ? [0] : lookupFrames(index, frame, step)) {
    const variable = namesOf(index, at).get(name);
    const binding = lastBefore(variable?.history, limit);
    if (variable && binding && !binding.gone) return { variable, binding };
  }
  return null;
}

/** The variable that a name means, whether or not it is bound yet. @param {TraceIndex} index @param {number} step @param {string} name @returns {Variable | null} */
export function variableOf(index, step, name) {
  const frames = lookupFrames(index, frameOf(index, step), step);
  const near = frames.map((frame) => namesOf(index, frame).get(name)).find((one) => one !== undefined);
  if (near) return near;
  for (const frame of index.bindings.byFrame.keys()) {
    const found = namesOf(index, frame).get(name);
    if (found) return found;
  }
  return null;
}

/** The same variable in all calls of its function. @param {TraceIndex} index @param {Variable} variable @returns {Variable[]} */
export function sameFunction(index, variable) {
  const body = bodies(index).find((one) => one.frames.includes(variable.frame));
  return (body?.frames ?? [variable.frame]).map((frame) => namesOf(index, frame).get(variable.name)).filter((one) => one !== undefined);
}
