/**
 * What a place in the program is at a step: the variable that stands there, or what the op that is written there gave.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{name: string, words: string, value: import("./types.js").Value | null, text: string, old: string, node: number, line: number}} Hovered
 *   `name`: as written, or the op; `words`: what it is; `text`: the value in short; `old`: what it was one press before, "" if the same; `line`: where it was made, -1 if unknown
 */
import { frameAround, resolve } from "./asking/lexical.js";
import { scopeAt, tensorOf, thingOf } from "./asking/held.js";
import { evaluate, isTensor } from "./asking/evaluate.js";
import { ExpressionError, parse } from "./asking/grammar.js";
import { thingText } from "./asking/words.js";
import { alike } from "./changes.js";
import { lastBefore } from "./index.js";
import { label } from "./names.js";
import { valueAt } from "./variables.js";

const WORD = /[\p{L}_][\p{L}\p{N}_]*(?:\.[\p{L}_][\p{L}\p{N}_]*)*/gu;
const SHOWN = new Set(["op", "input", "variable", "constant", "update", "control"]);

/** The dotted name at a column, up to the part under it; "" if there is none, or it is in a string or comment. @param {string} text @param {number} column in characters */
export function nameAt(text, column) {
  const characters = [...text];
  const units = characters.slice(0, column).join("").length;
  const bare = text.replace(/("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|#.*)/g, (piece) => " ".repeat(piece.length));
  for (const match of bare.matchAll(WORD)) {
    if (units < match.index || units >= match.index + match[0].length) continue;
    const rest = match[0].slice(units - match.index);
    const to = rest.indexOf(".");
    return to < 0 ? match[0] : match[0].slice(0, match[0].length - rest.length + to);
  }
  return "";
}

/**
 * The node that the smallest expression round a place made last before `limit`, -1 if none.
 * @param {TraceIndex} index @param {number} line @param {number} column @param {number} limit
 */
export function nodeWritten(index, line, column, limit) {
  const { nodes, spans, count } = index.trace;
  let best = -1;
  let least = Infinity;
  for (let node = 0; node < count.nodes; node++) {
    const span = nodes.span[node];
    if (span < 0 || nodes.serves[node] >= 0 || nodes.seq[node] >= limit || !SHOWN.has(index.definition(node).role)) continue;
    const starts = spans.line[span] < line || (spans.line[span] === line && spans.column[span] <= column);
    const ends = spans.end_line[span] > line || (spans.end_line[span] === line && spans.end_column[span] >= column);
    const size = (spans.end_line[span] - spans.line[span]) * 1000 + spans.end_column[span] - spans.column[span];
    if (starts && ends && size <= least) {
      least = size;
      best = node;
    }
  }
  return best;
}

/** @param {TraceIndex} index @param {number} step @param {number} since @param {number} line @param {number} column @returns {Hovered | null} null where nothing is recorded */
export function hovered(index, step, since, line, column) {
  const text = index.trace.document.program.source.split("\n", line)[line - 1] ?? "";
  const name = nameAt(text, column);
  return (name && named(index, step, since, line, name)) || written(index, step, since, line, column, text);
}

/** @param {TraceIndex} index @param {number} step @param {number} since @param {number} line @param {string} dotted @returns {Hovered | null} */
function named(index, step, since, line, dotted) {
  const [first, ...parts] = dotted.split(".");
  /** @param {number} k */
  const at = (k) => {
    const found = resolve(index, k, first, frameAround(index, k, line));
    if (!found) return undefined;
    const thing = thingOf(index, found.binding, k);
    try {
      return parts.length ? evaluate(parse(dotted), { name: (name) => (name === first ? thing : scopeAt(index, k).name(name)) }) : thing;
    } catch (error) {
      if (error instanceof ExpressionError) return undefined;
      throw error;
    }
  };
  const now = at(step);
  if (now === undefined) {
    const known = !parts.length && [...index.bindings.byFrame.values()].some((list) => list.some((one) => one.name === first));
    return known ? { name: dotted, words: "not bound yet at this step", value: null, text: "", old: "", node: -1, line: -1 } : null;
  }
  const binding = resolve(index, step, first, frameAround(index, step, line))?.binding;
  const python = index.trace.document.values[binding && binding.node < 0 ? binding.value : -1]?.python;
  if (!parts.length && (python === "module" || python === "function" || python === "type")) return null;
  const before = since >= 0 ? at(since) : undefined;
  const node = !parts.length && binding ? binding.node : -1;
  const span = node >= 0 ? index.trace.nodes.span[node] : -1;
  return {
    name: dotted, words: isTensor(now) ? (now.tensor ? "" : "holds no value at this step") : !parts.length ? python ?? "" : "", value: isTensor(now) ? now.tensor : null, text: thingText(now),
    old: before !== undefined && !alike(before, now) ? thingText(before) : "", node, line: span >= 0 ? index.trace.spans.line[span] : -1,
  };
}

/** @param {TraceIndex} index @param {number} step @param {number} since @param {number} line @param {number} column @param {string} text @returns {Hovered | null} */
function written(index, step, since, line, column, text) {
  // Only where the op itself is written: on a blank or in a comment there is nothing to ask about.
  const under = [...text][column] ?? " ";
  if (!under.trim() || text.slice(0, [...text].slice(0, column).join("").length).includes("#")) return null;
  const node = nodeWritten(index, line, column, index.limit(step));
  if (node < 0) return null;
  const held = tensorOf(index, node, step);
  const before = since >= 0 && lastBefore(index.values[node], index.limit(since)) ? tensorOf(index, node, since) : null;
  const value = valueAt(index, node, step);
  return {
    name: label(index, node), words: value < 0 ? (index.isStatic(index.trace.nodes.graph[node]) ? "a node of the graph: no value at this step" : "gave no value") : "", value: held.tensor, text: value >= 0 ? thingText(held) : "",
    old: before?.tensor && !alike(before, held) ? thingText(before) : "", node, line: -1,
  };
}
