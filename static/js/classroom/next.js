/**
 * What a question about the next step has for an answer: found in the recording.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 */
import { focus } from "../trace/focus.js";
import { called, label } from "../trace/names.js";
import { brief, shapeText } from "../trace/format.js";

/** The next step at which a node takes a value or a gradient, -1 if there is none. @param {TraceIndex} index @param {number} step */
export function nextRun(index, step) {
  for (let k = step + 1; k < index.stepCount; k++) {
    const { kind, nodes } = focus(index, k);
    if (nodes.length && (kind === "ran" || kind === "gradient" || kind === "batched")) return k;
  }
  return -1;
}

/**
 * The right answer to a question of this type at this step; null if the recording gives none.
 * @param {TraceIndex} index @param {number} step @param {string} type
 * @returns {number | string | null}
 */
export function rightAnswer(index, step, type) {
  const next = nextRun(index, step);
  if (next < 0) return null;
  const node = index.host(focus(index, next).nodes[0]);
  if (type === "node") return index.trace.nodes.slot[node];
  const history = [...index.values[node], ...index.gradients[node]].filter((one) => index.stepOf(one.seq) >= next)[0];
  const value = history && history.value >= 0 ? index.trace.document.values[history.value] : undefined;
  if (!value) return null;
  if (type === "shape") return value.shape ? shapeText(value.shape) : null;
  return type === "value" && value.size === 1 ? brief(value) : null;
}

/** Names for a choice: the next op, then others of this recording, at most four in all. @param {TraceIndex} index @param {number} step @returns {string[] | null} null where there is nothing to choose from */
export function choicesFor(index, step) {
  const next = nextRun(index, step);
  if (next < 0) return null;
  const right = label(index, index.host(focus(index, next).nodes[0]));
  /** @type {Set<string>} */
  const names = new Set([right]);
  // Neighbours in time mislead best: what ran just before, what comes after.
  for (let away = 1; names.size < 4 && away < 60; away++) {for (const k of [next + away, next - away]) {
    const nodes = k >= 0 && k < index.stepCount ? focus(index, k).nodes : [];
    if (nodes.length && names.size < 4) names.add(label(index, index.host(nodes[0])).slice(0, 40));
  }}
  return names.size > 1 ? [...names] : null;
}

/** What a node is called in the class. @param {TraceIndex} index @param {number} node */
export function nodeName(index, node) {
  const [own, op] = [called(index, node), label(index, node)];
  return own && own !== op ? `${own} (${op})` : op;
}
