/**
 * How deep in the program's own calls each step lies: stepping over a call, and out of it.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 */
import { lineStarts } from "./stops.js";

/** @type {WeakMap<TraceIndex, number[]>} */
const DEPTHS = new WeakMap();

/** @param {TraceIndex} index @returns {number[]} the depth of each frame, 0 for the module */
function depths(index) {
  let all = DEPTHS.get(index);
  if (!all) {
    all = [];
    const { parent } = index.trace.frames;
    for (let frame = 0; frame < index.trace.count.frames; frame++) all.push(parent[frame] >= 0 && parent[frame] < frame ? all[parent[frame]] + 1 : 0);
    DEPTHS.set(index, all);
  }
  return all;
}

/** @param {TraceIndex} index @param {number} step */
export const depthAt = (index, step) => depths(index)[index.trace.steps.frame[step]] ?? 0;

/**
 * The next or previous line in this call or in one that called it: calls on the way are done, not entered.
 * @param {TraceIndex} index @param {number} step @param {1 | -1} way
 */
export function overCall(index, step, way) {
  const depth = depthAt(index, step);
  const { line, frame } = index.trace.steps;
  const starts = lineStarts(index);
  const shallow = /** @param {number} k */ (k) => depthAt(index, k) <= depth;
  if (way > 0) {
    // After a call the line that made it goes on: that is no other line.
    const same = /** @param {number} k */ (k) => line[k] === line[step] && frame[k] === frame[step] && between(index, step, k);
    return starts.find((k) => k > step && shallow(k) && !same(k)) ?? index.stepCount - 1;
  }
  const at = starts.findLast((k) => k < step && shallow(k)) ?? 0;
  // Back over a call leads to where the line began that made it.
  let first = at;
  for (let k = starts.findLast((s) => s < first && shallow(s)) ?? -1; k >= 0 && line[k] === line[at] && frame[k] === frame[at] && between(index, k, at); k = starts.findLast((s) => s < k && shallow(s)) ?? -1) first = k;
  return first;
}

/** Whether all between two steps lies deeper: a call was made and came back. @param {TraceIndex} index @param {number} from @param {number} to */
function between(index, from, to) {
  const depth = depthAt(index, from);
  const { line, frame } = index.trace.steps;
  let deeper = false;
  for (let k = from + 1; k < to; k++) {
    if (depthAt(index, k) > depth) deeper = true;
    else if (line[k] > 0 && (line[k] !== line[from] || frame[k] !== frame[from])) return false;
  }
  return deeper;
}

/**
 * Out of this call: forwards to the first step after it, backwards to the step before it began.
 * @param {TraceIndex} index @param {number} step @param {1 | -1} way
 */
export function outOfCall(index, step, way) {
  const depth = depthAt(index, step);
  for (let k = step + way; k >= 0 && k < index.stepCount; k += way) if (depthAt(index, k) < depth) return k;
  return way > 0 ? index.stepCount - 1 : 0;
}
