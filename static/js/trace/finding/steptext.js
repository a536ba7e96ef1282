/**
 * Searching steps by text: what their sentence says, the op and the framework's name of their nodes, the names they bind and what to, what they print.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 */
import { brief } from "../format.js";
import { focus } from "../focus.js";
import { countBefore } from "../index.js";
import { label } from "../names.js";
import { asText } from "../parts.js";
import { sentence } from "../sentences.js";

/** Characters of one step's output that are searched. */
const MOST_OUTPUT = 4000;

/** @type {WeakMap<TraceIndex, string[]>} */
const TEXTS = new WeakMap();

/** Small letters, and a hyphen for a minus: what one types. @param {string} text */
const typed = (text) => text.toLowerCase().replaceAll("−", "-").replaceAll("×", "x");

/** Everything that is searched of a step. @param {TraceIndex} index @param {number} step */
function textOf(index, step) {
  const { document, events, nodes, strings, steps } = index.trace;
  const at = focus(index, step);
  const parts = [asText(sentence(index, step))];
  for (const node of at.nodes.slice(0, 8)) parts.push(label(index, node), index.definition(node).op, index.text(nodes.name[node]), index.text(nodes.variable[node]));
  const value = document.values[events[at.kind]?.value?.[at.row] ?? -1];
  if (value) parts.push(brief(value), (value.data ?? value.head ?? []).slice(0, 16).join(" "), value.dtype ?? "", value.nan ? "nan" : "", value.inf ? "inf" : "");
  if (at.kind === "output") parts.push(document.stdout.slice(events.output.offset[at.row], events.output.offset[at.row] + Math.min(MOST_OUTPUT, events.output.length[at.row])));
  const { assigned } = events;
  if (assigned?.seq) {
    const to = countBefore(assigned.seq, index.limit(step), (s) => s);
    for (let row = countBefore(assigned.seq, steps.seq[step], (s) => s); row < to; row++) {
      const held = document.values[assigned.value[row]];
      parts.push(strings[assigned.name[row]], held ? brief(held).slice(0, 200) : "");
    }
  }
  return typed(parts.join(" \n "));
}

/** The texts that have been made so far, from the first step on. @param {TraceIndex} index @returns {string[]} */
function texts(index) {
  let all = TEXTS.get(index);
  if (!all) TEXTS.set(index, (all = []));
  return all;
}

/**
 * Reads on in a recording until it is all read, or `ms` have passed: a long one is read in pieces, so that the page does not stand still.
 * @param {TraceIndex} index @param {number} [ms] @returns {boolean} whether all is read
 */
export function readSteps(index, ms = Infinity) {
  const all = texts(index);
  const end = performance.now() + ms;
  while (all.length < index.stepCount) {
    for (let n = 0; n < 100 && all.length < index.stepCount; n++) all.push(textOf(index, all.length));
    if (performance.now() > end) break;
  }
  return all.length >= index.stepCount;
}

/** @type {WeakMap<TraceIndex, {query: string, steps: number[]}>} */
const LAST = new WeakMap();

/** The steps that a few words fit: every word stands somewhere in the step. @param {TraceIndex} index @param {string} query @returns {number[]} in order */
export function searchSteps(index, query) {
  const last = LAST.get(index);
  if (last?.query === query) return last.steps;
  readSteps(index);
  const words = typed(query).trim().split(/\s+/).filter(Boolean);
  const steps = words.length ? texts(index).flatMap((text, step) => (words.every((word) => text.includes(word)) ? [step] : [])) : [];
  LAST.set(index, { query, steps });
  return steps;
}
