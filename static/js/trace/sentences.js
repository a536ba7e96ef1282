/**
 * One sentence for each step: the actor first and marked, what happened, then what is new.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 * @typedef {(index: TraceIndex, rows: import("./types.js").Table, row: number, step: number) => Part[]} Teller
 */
import { count, inWords, ordinal, time } from "./format.js";
import { called, constantText, label, variable } from "./names.js";
import { operation } from "./operations.js";
import { code, mark, plain } from "./parts.js";
import { batched, cut, rewritten, stop } from "./rewrites.js";

/** @param {TraceIndex} index @param {number} value index into values */
const valueOf = (index, value) => index.trace.document.values[value];

/** @param {TraceIndex} index @param {number} value index into values */
const newValue = (index, value) => inWords(valueOf(index, value));

/** @param {TraceIndex} index @param {number} run */
function runWords(index, run) {
  const plan = index.runPlan?.get(run) ?? -1;
  const runs = index.planRuns?.get(plan) ?? [];
  const ordinal = runs.find((r) => r.run === run)?.ordinal ?? 1;
  return runs.length > 1 ? `run ${ordinal}` : "this run";
}

/** @type {Record<string, Teller>} */
const TELLERS = {
  node(index, rows, row) {
    const node = rows.node[row];
    const { role } = index.definition(node);
    const place = index.trace.nodes.plan[node] >= 0 ? "the plan" : "the graph";
    const host = index.host(node);
    const name = variable(index, node);
    const tail = name && label(index, node) !== name ? [plain(" Its name is "), code(name), plain(".")] : [];
    const number = constantText(index, node);
    if (host !== node) return [mark(label(index, node)), plain(` joins ${place}${number ? `, the number ${number}` : ""}: a helper of `), code(called(index, host)), plain(".")];
    if (role === "constant") return [mark(name || label(index, node)), plain(` joins ${place}: a constant${number ? `, ${number}` : ""}.`)];
    if (role === "variable") return [mark(name || label(index, node)), plain(" joins the graph: a variable, without a value yet.")];
    if (role === "input") return [mark(name || label(index, node)), plain(" joins the graph: a door for data. It holds no value.")];
    if (role === "update") return [mark(label(index, node)), plain(" joins the graph. When it runs, it writes a variable.")];
    if (role === "gradient" && index.trace.nodes.mirrors[node] >= 0) return [mark(label(index, node)), plain(" joins the graph: part of the gradient of "), code(called(index, index.trace.nodes.mirrors[node])), plain(".")];
    return [mark(label(index, node)), plain(` joins ${place}. It has no value yet.`), ...tail];
  },
  ran(index, rows, row) {
    return operation(index, rows.node[row], rows.value[row], index.runPlan?.get(rows.run[row]) ?? -1);
  },
  fed(index, rows, row) {
    const v = valueOf(index, rows.value[row]);
    const rowsOf = v?.shape?.length ? `: ${v.shape.length > 1 ? `${count(v.shape[0], "row")} of ${v.shape.slice(1).join(" × ")}` : count(v.shape[0], "number")}` : `: ${newValue(index, rows.value[row])}`;
    return [mark(called(index, rows.node[row])), plain(` is fed its value for ${runWords(index, rows.run[row])}${rowsOf}.`)];
  },
  fetched(index, rows, row) {
    return [mark(called(index, rows.node[row])), plain(` leaves through its door: ${newValue(index, rows.value[row])}.`)];
  },
  written(index, rows, row) {
    const name = called(index, rows.node[row]);
    const how = index.text(rows.how[row]);
    const value = newValue(index, rows.value[row]);
    const lasts = index.isStatic(index.trace.nodes.graph[rows.node[row]]);
    if (how === "initial") return [mark(name), plain(rows.run[row] >= 0 || lasts ? ` gets its start value, ${value}, and keeps it between runs.` : ` holds its start value: ${value}.`)];
    if (how === "in-place") return [mark(name), plain(` is changed in place. Now it holds ${value}.`)];
    return [mark(name), plain(` takes a new value: ${value}.${lasts ? " It keeps it for the next run." : ""}`)];
  },
  run(index, rows, row) {
    const fetches = index.trace.document.lists[rows.fetches[row]] ?? [];
    const feeds = index.trace.document.lists[rows.feeds[row]] ?? [];
    const run = runWords(index, rows.run[row]);
    return [mark(run === "this run" ? "The run" : `Run ${run.slice(4)}`), plain(` of the plan starts: ${count(feeds.length, "feed")}, ${count(fetches.length, "fetch", "fetches")}.`)];
  },
  optimise(index, rows, row) {
    const { plans, document } = index.trace;
    const fetches = document.lists[plans.fetches[rows.plan[row]]] ?? [];
    return [mark("The optimiser"), plain(" copies the graph for this call's "), code(fetches.map((n) => called(index, n)).slice(0, 3).join(", ") || "fetches"), plain(". The graph itself stays whole.")];
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
    const changes = made.length;
    if (made.some((one) => one.action === "skipped")) return [mark(name.charAt(0).toUpperCase() + name.slice(1)), plain(` was skipped: ${count(before, "node")} ${before === 1 ? "stays" : "stay"}.`)];
    return [mark(name.charAt(0).toUpperCase() + name.slice(1)), plain(before === after && changes ? ` is done: ${count(changes, "change")}, still ${count(before, "node")}. None has run.` : before === after ? ` found nothing: ${count(before, "node")} ${before === 1 ? "stays" : "stay"}.` : ` is done: ${count(before, "node")} became ${after}. None has run.`)];
  },
  compiled(index, rows, row) {
    return [mark("The plan"), plain(` is compiled: ${count(rows.nodes[row], "node")} in ${count(rows.calls[row], "call")}, ${count(rows.buffers[row], "buffer")}. This took ${time(rows.duration[row])}.`)];
  },
  backward(index, rows, row) {
    const node = rows.node[row];
    const forward = index.trace.nodes.mirrors[node];
    return [mark("backward"), plain(" starts at "), code(called(index, forward >= 0 ? forward : node)), plain(` with a gradient of ${newValue(index, rows.value[row])}.`)];
  },
  gradient(index, rows, row) {
    const node = rows.node[row];
    const sent = (index.trace.document.lists[rows.values[row]] ?? []).filter((v) => v >= 0);
    const forward = index.trace.nodes.mirrors[node];
    const to = sent.length === 1 ? `sends ${newValue(index, sent[0])} back` : `sends ${count(sent.length, "gradient")} back`;
    return [mark(label(index, node)), plain(` ${to} through `), code(forward >= 0 ? called(index, forward) : "the graph"), plain(".")];
  },
  accumulated(index, rows, row) {
    const name = label(index, rows.node[row]);
    return rows.existed[row] ? [mark(name), plain(" already held a value. The new one is added to it.")] : [mark(name), plain(` exists now: ${newValue(index, rows.value[row])}.`)];
  },
  cleared(index, rows, row) {
    const zero = index.text(rows.how?.[row] ?? -1) === "zero";
    return [mark(label(index, rows.node[row])), plain(zero ? " is set to zero. The next backward adds to these zeros." : " is cleared. The next backward starts from nothing.")];
  },
  freed(index, rows, row) {
    const nodes = index.trace.document.lists[rows.nodes[row]] ?? [];
    if (nodes.length === 1) return [mark(label(index, nodes[0])), plain(" lets go of what it had saved.")];
    return [mark("The graph"), plain(` is freed: ${count(nodes.length, "gradient op")} let go of what they saved.`)];
  },
  failed(index, rows, row) {
    return [mark(label(index, rows.node[row])), plain(because(" failed", index.text(rows.message[row])))];
  },
  error(index, rows, row) {
    const kind = index.text(rows.type[row]);
    return rows.caught?.[row] === 1 ? [mark(kind), plain(" was raised, and the program caught it.")] : [mark(kind), plain(because(" ended the program", index.text(rows.message[row])))];
  },
  output(index, rows, row) {
    const who = mark(rows.stream?.[row] === 2 ? "The error stream" : "The program");
    const lines = index.trace.document.stdout.slice(rows.offset[row], rows.offset[row] + rows.length[row]).replace(/\n$/, "").split("\n");
    const at = lines.findIndex((line) => line.trim());
    if (at < 0) return [who, plain(lines.length === 1 ? (lines[0] ? ` prints ${count(lines[0].length, "space")}.` : " prints an empty line.") : ` prints ${count(lines.length, "empty line")}.`)];
    const first = cut(lines[at].trim(), 60);
    if (lines.length === 1) return [who, plain(" prints "), code(first), plain(first.endsWith("…") ? "" : ".")];
    return [who, plain(` prints ${count(lines.length, "line")}, the ${ordinal(at + 1)}: `), code(first), plain(first.endsWith("…") ? "" : ".")];
  },
  asked(index, rows, row) {
    const text = index.trace.document.stdout.slice(rows.offset[row], rows.offset[row] + rows.length[row]).trim();
    return [mark("input"), plain(" gets the answer "), code(cut(text, 60)), plain(".")];
  },
  line(index, _rows, _row, step) {
    const { end } = index.trace.document;
    if (step === index.stepCount - 1 && end.kind === "limit") return [mark(LIMITS[end.limit ?? ""] ?? "A limit"), plain(end.limit === "steps" ? " ends here: it is full." : " ended the program in this line.")];
    const kept = gradientKept(index, step);
    if (kept) return [mark("Python"), plain(" stores another tensor as "), code(kept), plain(".")];
    return [mark("Python"), plain(" runs this line. No node is made.")];
  },
};

const LIMITS = /** @type {Record<string, string>} */ ({ time: "The time limit", memory: "The memory limit", output: "The output limit", steps: "The recording", crash: "A crash" });

/** `w.grad` where the line is `w.grad = something`, "" otherwise. @param {TraceIndex} index @param {number} step */
function gradientKept(index, step) {
  const line = index.trace.document.program.source.split("\n", index.trace.steps.line[step])[index.trace.steps.line[step] - 1] ?? "";
  const [, name, value] = /^\s*([\w.]+\.grad)\s*=\s*([^=].*)$/.exec(line) ?? [];
  return name && !/^None\b/.test(value) ? name : "";
}

/** What happened, and the first line of what Python said about it, if it said anything. @param {string} what @param {string} message */
function because(what, message) {
  const line = (message.split("\n").find((one) => one.trim()) ?? "").trim().replace(/ for '\{\{node.*$/, "").replace(/\.+$/, "");
  return line ? `${what}: ${stop(cut(line, 84))}` : `${what}.`;
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
  if (step < 0 || step >= index.stepCount) return [mark("Nothing"), plain(" happened.")];
  const kind = index.text(index.trace.steps.kind[step]);
  const teller = TELLERS[kind];
  return teller ? teller(index, index.trace.events[kind] ?? {}, index.trace.steps.row[step], step) : [mark(kind), plain(" happens.")];
}
