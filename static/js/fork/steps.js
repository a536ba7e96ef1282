/**
 * Two runs of a program and of what was made of it: which steps correspond, and where they begin to differ. Pure.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {{before: number, now: number, words: string}} Difference   steps of both runs, -1 where one has none; code in `words` stands in backticks
 * @typedef {{toNow: (step: number) => number, toBefore: (step: number) => number, first: Difference | null, node: (node: number) => number}} Fork
 *   `toNow`, `toBefore`: the step that corresponds, else the last one before that does; `node`: the node of the new run, -1 if it has none
 */
import { align } from "../trace/align.js";
import { focus } from "../trace/focus.js";
import { brief, count } from "../trace/format.js";
import { called, label } from "../trace/names.js";
import { pairing } from "../trace/pairing.js";
import { asText } from "../trace/parts.js";
import { sentence } from "../trace/sentences.js";

/** Whether a text is an edit of another one: at least half of its lines are still there. @param {string} before @param {string} now */
export function isEdit(before, now) {
  const lines = /** @param {string} text */ (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
  const [a, b] = [lines(before), lines(now)];
  const kept = align(a, b, (x, y) => x === y).filter(([i, j]) => i >= 0 && j >= 0).length;
  return before !== now && kept * 2 >= Math.max(a.length, b.length) && kept > 0;
}

/** The line of the old text for each line of the new one; a line that was edited is still that line. @param {string} before @param {string} now @returns {Map<number, number>} */
export function lineMap(before, now) {
  const out = new Map();
  /** @type {number[]} */
  let left = [];
  /** @type {number[]} */
  let right = [];
  const close = () => {
    // As many lines for as many lines: each was edited. Otherwise the first ones were, and the rest came or went.
    for (let k = 0; k < Math.min(left.length, right.length); k++) out.set(right[k] + 1, left[k] + 1);
    left = [];
    right = [];
  };
  for (const [i, j] of align(before.split("\n"), now.split("\n"), (x, y) => x.trimEnd() === y.trimEnd())) {
    if (i >= 0 && j >= 0) {
      close();
      out.set(j + 1, i + 1);
    } else if (i >= 0) left.push(i);
    else right.push(j);
  }
  close();
  return out;
}

/** What a step does, apart from its numbers. @param {TraceIndex} index @param {number} step @param {(line: number) => number} line */
function deed(index, step, line) {
  const at = focus(index, step);
  const node = at.nodes[0] ?? -1;
  return `${at.kind} ${line(index.trace.steps.line[step])} ${node >= 0 ? label(index, node) : ""}`;
}

/** What came of a step: the numbers of its value, or what it printed. @param {TraceIndex} index @param {number} step */
function outcome(index, step) {
  const { steps, events, document } = index.trace;
  const kind = index.text(steps.kind[step]);
  const rows = events[kind];
  const row = steps.row[step];
  if (!rows) return "";
  if (kind === "output") return [...document.stdout].slice(rows.offset[row], rows.offset[row] + rows.length[row]).join("");
  const values = kind === "gradient" ? document.lists[rows.values[row]] ?? [] : rows.value ? [rows.value[row]] : [];
  return values.map((value) => summary(document.values[value])).join("|");
}

/** @param {import("../trace/types.js").Value | undefined} value */
function summary(value) {
  if (!value) return "";
  const { dtype, shape, min, max, mean, nan, inf, zeros, data, head, text } = value;
  return JSON.stringify(data ? [dtype, shape, data] : [dtype, shape, min, max, mean, nan, inf, zeros, head, text]);
}

/** @param {TraceIndex} before @param {TraceIndex} now @returns {Fork} */
export function forkOf(before, now) {
  const lines = lineMap(before.trace.document.program.source, now.trace.document.program.source);
  const all = /** @param {TraceIndex} index @param {(line: number) => number} line */ (index, line) => Array.from({ length: index.stepCount }, (_, step) => deed(index, step, line));
  const pairs = align(all(before, (line) => line), all(now, (line) => lines.get(line) ?? -line), (x, y) => x === y);
  const forward = new Int32Array(before.stepCount).fill(-1);
  const back = new Int32Array(now.stepCount).fill(-1);
  let [i, j] = [0, 0];
  for (const [a, b] of pairs) {
    if (a >= 0 && b >= 0) [i, j] = [a, b];
    if (a >= 0) forward[a] = j;
    if (b >= 0) back[b] = i;
  }
  const slots = pairing(before, now);
  return {
    toNow: (step) => forward[Math.min(step, before.stepCount - 1)],
    toBefore: (step) => back[Math.min(step, now.stepCount - 1)],
    first: firstDifference(before, now, pairs),
    node(node) {
      const slot = slots.ab.get(before.trace.nodes.slot[before.host(node)]);
      if (slot === undefined) return -1;
      const place = before.slotNodes[before.trace.nodes.slot[before.host(node)]].indexOf(before.host(node));
      return now.slotNodes[slot][place] ?? now.slotNodes[slot].at(-1) ?? -1;
    },
  };
}

/** @param {TraceIndex} before @param {TraceIndex} now @param {[number, number][]} pairs @returns {Difference | null} */
function firstDifference(before, now, pairs) {
  const at = pairs.findIndex(([a, b]) => a < 0 || b < 0 || outcome(before, a) !== outcome(now, b));
  if (at < 0) return null;
  const [a, b] = pairs[at];
  const line = b >= 0 ? now.trace.steps.line[b] : before.trace.steps.line[a];
  const where = line > 0 ? `In line ${line}` : "There";
  if (a >= 0 && b >= 0) {
    const node = focus(now, b).nodes[0] ?? -1;
    const name = node >= 0 ? `\`${called(now, node)}\`` : "the output";
    const [was, is] = [shortly(before, a), shortly(now, b)];
    return { before: a, now: b, words: was && is && was !== is ? `${where} ${name} was ${was} and is now ${is}.` : `${where} ${name} holds other numbers than before.` };
  }
  // Up to the next step that both have: what one did instead of what the other did.
  const end = pairs.findIndex(([x, y], i) => i > at && x >= 0 && y >= 0);
  const apart = pairs.slice(at, end < 0 ? undefined : end);
  const [old, fresh] = [apart.find(([x]) => x >= 0)?.[0] ?? -1, apart.find(([, y]) => y >= 0)?.[1] ?? -1];
  if (old >= 0 && fresh >= 0) return { before: old, now: fresh, words: `Before, this happened here: ${told(before, old)} Now this does: ${told(now, fresh)}` };
  if (a >= 0) {
    const gone = pairs.slice(at).findIndex(([x, y]) => x < 0 || y >= 0);
    return { before: a, now: -1, words: `Before, this happened here: ${told(before, a)} Now ${gone === 1 || gone < 0 ? "it does not" : `${count(gone, "step")} of that time are missing`}.` };
  }
  return { before: -1, now: b, words: `This is new: ${told(now, b)}` };
}

/** @param {TraceIndex} index @param {number} step */
const told = (index, step) => asText(sentence(index, step));

/** A step's value in a few words, "" if it has none that are short. @param {TraceIndex} index @param {number} step */
function shortly(index, step) {
  const { steps, events, document } = index.trace;
  if (index.text(steps.kind[step]) === "output") return `\`${outcome(index, step).trim().slice(0, 40)}\``;
  const value = document.values[events[index.text(steps.kind[step])]?.value?.[steps.row[step]] ?? -1];
  if (!value) return "";
  if (value.size === 1) return `\`${brief(value)}\``;
  const first = value.data?.[0] ?? value.head?.[0];
  return first === undefined ? "" : `${value.shape?.join(" × ")}, mean \`${Number(Number(value.mean).toPrecision(4))}\``;
}
