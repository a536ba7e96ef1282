/**
 * Sentences for what is done to a graph before or while it runs: each action of the optimiser, an edit, a batch.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 * @typedef {{action: string, old: number[], new: number[], reason: string}} Rewrite
 */
import { count } from "./format.js";
import { called, constantText, operand } from "./names.js";
import { code, mark, plain, said } from "./parts.js";

const LONGEST = 84;

/** @param {TraceIndex} index @param {Rewrite} rewrite @returns {Part[]} */
export function rewritten(index, { action, old, new: fresh, reason }) {
  if (action === "rewired") return [mark("The program"), plain(` edits the graph: ${stop(reason)}`)];
  const actor = mark("The optimiser");
  const alone = ALONE[action];
  if (alone || !old.length) return [actor, plain(alone ? alone(reason) : ` ${action}: ${stop(reason)}`)];
  const names = old.map((n) => called(index, n));
  const what = old.length > 3 ? [plain(` ${action} ${old.length} nodes`)] : [plain(` ${action} `), ...names.flatMap((n, i) => [plain(i === 0 ? "" : i === names.length - 1 ? " and " : ", "), code(n)])];
  const why = plainReason(index, reason, old);
  return [actor, ...what, ...into(index, action, fresh), plain(why ? `: ${stop(why)}` : ".")];
}

/** What is done to the plan as such. */
const ALONE = /** @type {Record<string, (reason: string) => string>} */ ({
  planned: (reason) => ` planned the memory: ${stop(reason.replace(": ", ", "))}`,
  extended: (reason) => ` takes in what is new: ${stop(reason)}`,
  scheduled: (reason) => ` chose how the plan runs: ${stop(reason)}`,
  skipped(reason) {
    const [, name, error] = /^(\w+) was skipped, the plan is as it was before: ([^]*)$/.exec(reason) ?? [];
    if (!name) return ` skipped a pass: ${stop(reason)}`;
    const line = cut(error.split("\n")[0].trim(), LONGEST);
    return ` skipped ${name.replaceAll("_", " ")} and left the plan as it was${line ? `: ${stop(line)}` : "."}`;
  },
});

/** @param {TraceIndex} index @param {string} action @param {number[]} fresh @returns {Part[]} */
function into(index, action, fresh) {
  if (action === "fused") return [plain(" into one step")];
  if (action === "moved") return [plain(" out of the loop")];
  if (fresh.length !== 1) return [];
  const number = constantText(index, fresh[0]);
  if (action === "merged") return [plain(number ? " into the constant " : " into "), code(operand(index, fresh[0]))];
  if (action === "folded") return number ? [plain(" into the constant "), code(number)] : [plain(" into a constant")];
  return [];
}

/** The optimiser's reason without what the sentence has already said. @param {TraceIndex} index @param {string} reason @param {number[]} old */
function plainReason(index, reason, old) {
  if (/^computes the same as /.test(reason)) return "same inputs, same result";
  if (/ only depends on .*, which never changes?\.?$/.test(reason)) return "nothing that it depends on ever changes";
  const [, fused] = / are 1 plan step: (\d+ NumPy calls.*)$/.exec(reason) ?? [];
  if (fused) return fused;
  const name = old.length === 1 ? index.text(index.trace.nodes.name[old[0]]) : "";
  return name && reason.startsWith(`${name} `) ? `it ${reason.slice(name.length + 1).replace(": ", ", ")}` : reason;
}

/** Calls that ran as one. @param {TraceIndex} index @param {import("./types.js").Table} rows @param {number} row @returns {Part[]} */
export function batched(index, rows, row) {
  const nodes = index.trace.document.lists[rows.nodes[row]] ?? [];
  const calls = rows.rows[row];
  return said(calls > 1 ? "batched.many" : "batched.one", { name: index.text(rows.function[row]), depth: rows.depth[row], calls: count(calls, "call"), nodes: count(nodes.length, "node") });
}

/** What was done to a node by `limit`: by the plan that is on the stage, by edits of the graph, by batches. @param {TraceIndex} index @param {number} node @param {number} plan @param {number} limit @returns {{seq: number, parts: Part[]}[]} */
export function doneTo(index, node, plan, limit) {
  const mine = /** @param {number[]} nodes */ (nodes) => nodes.includes(node);
  const changes = [...new Set([plan, -1])].flatMap((one) => index.rewrites?.get(one) ?? []);
  const told = changes.filter((one) => one.seq < limit && (mine(one.old) || mine(one.new))).map((one) => ({ seq: one.seq, parts: rewritten(index, one) }));
  const rows = index.trace.events.batched ?? { seq: [] };
  rows.seq.forEach((seq, row) => {
    if (seq < limit && mine(index.trace.document.lists[rows.nodes[row]] ?? [])) told.push({ seq, parts: batched(index, rows, row) });
  });
  return told.sort((a, b) => a.seq - b.seq);
}

/** @param {string} text @param {number} size */
export const cut = (text, size) => (text.length > size ? `${text.slice(0, size - 1)}…` : text);

/** A text with one point at its end. @param {string} text */
export const stop = (text) => (/[.!?…]$/.test(text) ? text : `${text}.`);
