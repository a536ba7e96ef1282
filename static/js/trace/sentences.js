/**
 * One sentence for each step: the actor first and marked, what happened, then what is new.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 * @typedef {(index: TraceIndex, rows: import("./types.js").Table, row: number, step: number) => Part[]} Teller
 */
import { count, inWords, num, ordinal, time } from "./format.js";
import { called, constantText, label, variable } from "./names.js";
import { operation } from "./operations.js";
import { said } from "./parts.js";
import { batched, cut, rewritten, stop } from "./rewrites.js";
import { WORDING } from "./wording.js";

/** @param {TraceIndex} index @param {number} value index into values */
const valueOf = (index, value) => index.trace.document.values[value];

/** @param {TraceIndex} index @param {number} value index into values */
const newValue = (index, value) => inWords(valueOf(index, value));

/** Which run of its plan it is; 0 where the plan runs once. @param {TraceIndex} index @param {number} run */
function runNumber(index, run) {
  const runs = index.planRuns?.get(index.runPlan?.get(run) ?? -1) ?? [];
  return runs.length > 1 ? (runs.find((r) => r.run === run)?.ordinal ?? 1) : 0;
}

/** @param {TraceIndex} index @param {number} run */
const runWords = (index, run) => (runNumber(index, run) ? `run ${runNumber(index, run)}` : "this run");

/** @type {Record<string, Teller>} */
const TELLERS = {
  node(index, rows, row) {
    const node = rows.node[row];
    const { role } = index.definition(node);
    const place = index.trace.nodes.plan[node] >= 0 ? "the plan" : "the graph";
    const host = index.host(node);
    const own = label(index, node);
    const name = variable(index, node);
    const number = constantText(index, node) || "";
    const mirrored = index.trace.nodes.mirrors[node];
    if (host !== node) return said(number ? "node.helper number" : "node.helper", { name: own, place, number, host: called(index, host) });
    if (role === "constant") return said(number ? "node.constant number" : "node.constant", { name: name || own, place, number });
    if (role === "variable" || role === "input") return said(`node.${role}`, { name: name || own });
    if (role === "update") return said("node.update", { name: own });
    if (role === "gradient" && mirrored >= 0) return said("node.gradient", { name: own, of: called(index, mirrored) });
    return said(name && own !== name ? "node.op named" : "node.op", { name: own, place, called: name || "" });
  },
  ran(index, rows, row) {
    return operation(index, rows.node[row], rows.value[row], index.runPlan?.get(rows.run[row]) ?? -1);
  },
  fed(index, rows, row) {
    const shape = valueOf(index, rows.value[row])?.shape;
    const value = shape?.length ? (shape.length > 1 ? `${count(shape[0], "row")} of ${shape.slice(1).join(" × ")}` : count(shape[0], "number")) : newValue(index, rows.value[row]);
    return said("fed", { name: called(index, rows.node[row]), run: runWords(index, rows.run[row]), value });
  },
  fetched(index, rows, row) {
    return said("fetched", { name: called(index, rows.node[row]), value: newValue(index, rows.value[row]) });
  },
  written(index, rows, row) {
    const how = index.text(rows.how[row]);
    const lasts = index.isStatic(index.trace.nodes.graph[rows.node[row]]) || (how === "initial" && rows.run[row] >= 0);
    const key = how === "in-place" || how === "initial" ? how : "assign";
    return said(`written.${key}${lasts && key !== "in-place" ? " lasts" : ""}`, { name: called(index, rows.node[row]), value: newValue(index, rows.value[row]) });
  },
  run(index, rows, row) {
    const fetches = index.trace.document.lists[rows.fetches[row]] ?? [];
    const feeds = index.trace.document.lists[rows.feeds[row]] ?? [];
    const number = runNumber(index, rows.run[row]);
    const { sentences } = WORDING;
    return said("run", { run: number ? sentences["run.later"].replace("{number}", String(number)) : sentences["run.first"], feeds: count(feeds.length, "feed"), fetches: count(fetches.length, "fetch", "fetches") });
  },
  optimise(index, rows, row) {
    const { plans, document } = index.trace;
    const fetches = document.lists[plans.fetches[rows.plan[row]]] ?? [];
    return said("optimise", { names: fetches.map((n) => called(index, n)).slice(0, 3).join(", ") || "fetches" });
  },
  rewrite(index, rows, row) {
    const { lists } = index.trace.document;
    return rewritten(index, { action: index.text(rows.action[row]), old: lists[rows.old[row]] ?? [], new: lists[rows.new[row]] ?? [], reason: index.text(rows.reason[row]) });
  },
  batched,
  pass(index, rows, row) {
    const before = rows.before[row];
    const after = rows.after[row];
    const name = index.text(rows.name[row]).replaceAll("_", " ");
    const from = Math.max(-1, ...rows.seq.filter((seq, other) => other < row && rows.plan[other] === rows.plan[row]));
    const made = (index.rewrites?.get(rows.plan[row]) ?? []).filter((one) => one.seq > from && one.seq < rows.seq[row]);
    const key = made.some((one) => one.action === "skipped") ? "skipped" : before !== after ? "done" : made.length ? "changed" : "same";
    const nodes = count(before, "node");
    return said(`pass.${key}`, { name: name.charAt(0).toUpperCase() + name.slice(1), stay: `${nodes} ${before === 1 ? "stays" : "stay"}`, nodes, changes: count(made.length, "change"), after });
  },
  compiled(index, rows, row) {
    return said("compiled", { nodes: count(rows.nodes[row], "node"), calls: count(rows.calls[row], "call"), buffers: count(rows.buffers[row], "buffer"), time: time(rows.duration[row]) });
  },
  backward(index, rows, row) {
    const node = rows.node[row];
    const forward = index.trace.nodes.mirrors[node];
    return said("backward", { name: called(index, forward >= 0 ? forward : node), value: newValue(index, rows.value[row]) });
  },
  gradient(index, rows, row) {
    const node = rows.node[row];
    const sent = (index.trace.document.lists[rows.values[row]] ?? []).filter((v) => v >= 0);
    const forward = index.trace.nodes.mirrors[node];
    return said("gradient", { name: label(index, node), what: sent.length === 1 ? newValue(index, sent[0]) : count(sent.length, "gradient"), through: forward >= 0 ? called(index, forward) : "the graph" });
  },
  accumulated(index, rows, row) {
    return said(rows.existed[row] ? "accumulated.again" : "accumulated.first", { name: label(index, rows.node[row]), value: newValue(index, rows.value[row]) });
  },
  cleared(index, rows, row) {
    return said(index.text(rows.how?.[row] ?? -1) === "zero" ? "cleared.zero" : "cleared.none", { name: label(index, rows.node[row]) });
  },
  freed(index, rows, row) {
    const nodes = index.trace.document.lists[rows.nodes[row]] ?? [];
    const how = index.isDrop(row) ? "dropped" : "freed";
    return nodes.length === 1 ? said(`${how}.one`, { name: label(index, nodes[0]) }) : said(`${how}.many`, { ops: count(nodes.length, "gradient op") });
  },
  failed(index, rows, row) {
    return said("failed", { name: label(index, rows.node[row]), why: because(index.text(rows.message[row])) });
  },
  error(index, rows, row) {
    return said(rows.caught?.[row] === 1 ? "error.caught" : "error", { name: index.text(rows.type[row]), why: because(index.text(rows.message[row])) });
  },
  output(index, rows, row) {
    const who = rows.stream?.[row] === 2 ? "The error stream" : "The program";
    const lines = index.trace.document.stdout.slice(rows.offset[row], rows.offset[row] + rows.length[row]).replace(/\n$/, "").split("\n");
    const at = lines.findIndex((line) => line.trim());
    if (at < 0 && lines.length === 1 && !lines[0]) return said("output.empty", { who });
    if (at < 0) return said("output.spaces", { who, count: lines.length === 1 ? count(lines[0].length, "space") : count(lines.length, "empty line") });
    const text = cut(lines[at].trim(), 60);
    return said(lines.length === 1 ? "output.line" : "output.lines", { who, lines: count(lines.length, "line"), which: ordinal(at + 1), text, end: text.endsWith("…") ? "" : "." });
  },
  asked(index, rows, row) {
    const text = index.trace.document.stdout.slice(rows.offset[row], rows.offset[row] + rows.length[row]).trim();
    return said("asked", { text: cut(text, 60) });
  },
  picture(index, rows, row) {
    const { width, height } = index.trace.document.pictures?.[rows.picture[row]] ?? { width: 0, height: 0 };
    const how = index.text(rows.how[row]);
    return said(`picture.${["show", "savefig", "draw"].includes(how) ? how : "keep"}`, { name: index.text(rows.name[row]) || "A picture", size: `a picture of ${width} × ${height} pixels` });
  },
  folded(index, rows, row) {
    const told = (index.trace.document.series?.[rows.series[row]] ?? []).filter(({ points }) => points.length > 0 && points[0] !== null);
    const changes = told.slice(0, 3).map(({ name, points }) => `${index.text(name)} from ${num(points[0])} to ${num(points[points.length - 1])}`);
    return said("folded", { name: count(rows.passes[row], "pass", "passes"), steps: count(rows.steps[row], "step"), changes: changes.length ? `: ${changes.join(", ")}` : "" });
  },
  line(index, _rows, _row, step) {
    const { end } = index.trace.document;
    if (step !== index.stepCount - 1 || end.kind !== "limit") return said("line");
    const limits = /** @type {Record<string, string>} */ (WORDING.limits);
    return said(end.limit === "steps" ? "line.full" : "line.limit", { limit: limits[end.limit ?? ""] ?? limits[""] });
  },
};

/** The first line of what Python said about it, if it said anything. @param {string} message */
function because(message) {
  const line = (message.split("\n").find((one) => one.trim()) ?? "").trim().replace(/ for '\{\{node.*$/, "").replace(/\.+$/, "");
  return line ? `: ${stop(cut(line, 84))}` : ".";
}

/** Kinds of steps that have a sentence of their own. */
export const KINDS = Object.keys(TELLERS);

/**
 * The sentence of a step.
 * @param {TraceIndex} index
 * @param {number} step
 * @returns {Part[]}
 */
export function sentence(index, step) {
  if (step < 0 || step >= index.stepCount) return said("nothing");
  const kind = index.text(index.trace.steps.kind[step]);
  const teller = TELLERS[kind];
  return teller ? teller(index, index.trace.events[kind] ?? {}, index.trace.steps.row[step], step) : said("unknown", { kind });
}
