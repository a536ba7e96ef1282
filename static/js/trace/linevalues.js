/**
 * What is written at the right edge of source lines: the latest value that a line gave a name, or what the optimiser did to its node.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{line: number, text: string, fresh: boolean, error?: boolean}} LineValue
 */
import { brief, count, shapeText } from "./format.js";
import { countBefore, lastBefore } from "./index.js";
import { meeting } from "./meeting.js";

/** @param {TraceIndex} index @param {number} step @returns {LineValue[]} */
export function lineValues(index, step) {
  const { trace } = index;
  const limit = index.limit(step);
  const { assigned } = trace.events;
  const lines = assignmentLines(index);
  /** @type {Map<number, LineValue>} */
  const out = new Map();
  const start = trace.steps.seq[step] ?? 0;
  for (const [line, rows] of lines) {
    const made = countBefore(rows, limit, (r) => assigned.seq[r]);
    if (!made) continue;
    const row = rows[made - 1];
    const text = valueText(index, assigned.node[row], assigned.value[row], limit);
    if (text) out.set(line, { line, text, fresh: assigned.seq[row] >= start });
  }
  const plan = index.stepPlan?.[step] ?? -1;
  for (const change of index.rewrites?.get(plan) ?? []) {
    if (change.seq >= limit) break;
    for (const node of change.old) {
      const span = trace.nodes.span[node];
      if (span >= 0 && trace.nodes.serves[node] < 0) out.set(trace.spans.line[span], { line: trace.spans.line[span], text: change.action, fresh: change.seq >= start });
    }
  }
  const error = trace.document.end.error;
  if (error && error.line && step === index.stepCount - 1) {
    const operands = meeting(error.node >= 0 ? index.definition(error.node).op : "", error.operands).map((o) => /\[(.*)\]/.exec(typeof o.type === "string" ? o.type : shapeText(o.type?.shape))?.[1].replaceAll(", ", "×") ?? "").filter(Boolean).join(", ");
    out.set(error.line, { line: error.line, text: operands || error.type, fresh: false, error: true });
  }
  const kind = index.text(trace.steps.kind[step]);
  const line = trace.steps.line[step];
  if ((kind === "gradient" || kind === "accumulated") && line > 0) {
    const phase = index.phaseOf(step);
    const from = phase >= 0 ? trace.steps.seq[trace.phases.first[phase]] : 0;
    const done = (trace.events.accumulated?.seq ?? []).filter((s) => s >= from && s < limit).length;
    if (done) out.set(line, { line, text: count(done, "gradient"), fresh: true });
  }
  return [...out.values()];
}

/** @param {TraceIndex} index @param {number} node @param {number} value @param {number} limit */
function valueText(index, node, value, limit) {
  if (node >= 0) {
    const last = lastBefore(index.values[node], limit);
    const type = index.trace.document.types[index.trace.nodes.type[node]];
    if (last) return brief(index.trace.document.values[last.value]).replaceAll(" × ", "×");
    return type?.shape ? type.shape.map((d) => d ?? "?").join("×") || "no value" : "";
  }
  const held = index.trace.document.values[value];
  if (!held || held.python === "module" || held.python === "function" || held.python === "type") return "";
  const text = brief(held);
  return text.length > 14 || text.startsWith("<") ? "" : text;
}

/** @type {WeakMap<TraceIndex, Map<number, number[]>>} */
const LINES = new WeakMap();

/**
 * The assignments of each source line, in order. An assignment belongs to the line at which its own frame is, else to its node's line.
 * What a call hands over, if it is one value, belongs to the line of `def`: not to the line that calls, where another name gets the result.
 * @param {TraceIndex} index
 */
function assignmentLines(index) {
  const found = LINES.get(index);
  if (found) return found;
  const { events, frames, nodes, spans, steps } = index.trace;
  const { assigned, line } = events;
  /** @type {Map<number, number[]>} */
  const lines = new Map();
  /** @type {Map<number, number>} where each frame is */
  const at = new Map();
  /** @type {Map<number, number[]>} what each frame has before its first line */
  const handed = new Map();
  let next = 0;
  for (const [row, seq] of (assigned?.seq ?? []).entries()) {
    for (; next < (line?.seq.length ?? 0) && line.seq[next] < seq; next++) at.set(line.frame[next], line.line[next]);
    const frame = assigned.frame[row];
    const span = assigned.node[row] >= 0 ? nodes.span[assigned.node[row]] : -1;
    if (at.has(frame)) add(lines, at.get(frame) ?? 0, row);
    else if (frame > 0) add(handed, frame, row);
    else add(lines, span >= 0 ? spans.line[span] : steps.line[index.stepOf(seq)] ?? 0, row);
  }
  for (const [frame, rows] of handed) {
    if (rows.every((row) => assigned.name[row] === assigned.name[rows[0]])) for (const row of rows) add(lines, frames.line[frame], row);
  }
  for (const rows of lines.values()) rows.sort((a, b) => a - b);
  lines.delete(0);
  LINES.set(index, lines);
  return lines;
}

/** @param {Map<number, number[]>} lists @param {number} key @param {number} row */
function add(lists, key, row) {
  const list = lists.get(key);
  if (list) list.push(row);
  else lists.set(key, [row]);
}
