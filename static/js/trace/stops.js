/**
 * Breakpoints over a recording: where the program comes to a line, where a node or an op acts, if a condition holds there.
 * Since everything is recorded, all visits are known at once, forwards and backwards.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{kind: "line", line: number, when: string} | {kind: "node", node: number, when: string} | {kind: "op", op: string, when: string}} Stop
 * @typedef {{steps: number[], problem: string}} Visits   `problem`: why its condition never says anything, "" if it does
 */
import { evaluate, truth } from "./asking/evaluate.js";
import { ExpressionError, parse } from "./asking/grammar.js";
import { scopeAt } from "./asking/held.js";
import { countBefore } from "./index.js";
import { focus } from "./focus.js";
import { called, label } from "./names.js";

/** Two stops are the same if they stop at the same thing, whatever their conditions. @param {Stop} stop */
export const stopKey = (stop) => (stop.kind === "line" ? `line ${stop.line}` : stop.kind === "node" ? `node ${stop.node}` : `op ${stop.op.toLowerCase()}`);

/** @type {WeakMap<TraceIndex, number[]>} */
const LINE_STARTS = new WeakMap();

/** The steps at which the program comes to another line, or to the same one in another call. @param {TraceIndex} index */
export function lineStarts(index) {
  let starts = LINE_STARTS.get(index);
  if (!starts) {
    const { line, frame } = index.trace.steps;
    starts = [];
    let at = "";
    for (let k = 0; k < index.stepCount; k++) {
      const here = line[k] > 0 ? `${line[k]} ${frame[k]}` : at;
      if (k === 0 || here !== at) starts.push(k);
      at = here;
    }
    LINE_STARTS.set(index, starts);
  }
  return starts;
}

/** @type {WeakMap<TraceIndex, {bySlot: Map<number, number[]>, byLabel: Map<string, number[]>, byOp: Map<string, number[]>}>} */
const ACTS = new WeakMap();

/** Steps that name nodes which do nothing in them. */
const BESIDE = new Set(["freed", "rewrite"]);

/** The chains that plans run as one step, by the node that runs. @param {TraceIndex} index */
function fused(index) {
  /** @type {Map<number, number[]>} */
  const chains = new Map();
  for (const changes of index.rewrites?.values() ?? []) for (const change of changes) if (change.action === "fused" && change.new.length === 1) chains.set(change.new[0], change.old);
  return chains;
}

/** The steps about each place of the graph, and about each op, by its name in the dialect and in the engine. @param {TraceIndex} index */
function acts(index) {
  let all = ACTS.get(index);
  if (!all) {
    all = { bySlot: new Map(), byLabel: new Map(), byOp: new Map() };
    /** @template K @param {Map<K, number[]>} map @param {K} key @param {number} step */
    const put = (map, key, step) => {
      const list = map.get(key);
      if (!list) map.set(key, [step]);
      else if (list[list.length - 1] !== step) list.push(step);
    };
    const chains = fused(index);
    for (let k = 0; k < index.stepCount; k++) {
      const at = focus(index, k);
      if (at.kind === "rewrite" && at.nodes.length > 64) continue;
      const ops = !BESIDE.has(at.kind);
      for (const node of at.nodes.flatMap((one) => [one, ...(chains.get(one) ?? [])])) {
        put(all.bySlot, index.trace.nodes.slot[index.host(node)], k);
        if (!ops || index.host(node) !== node) continue;
        // A gradient node has the engine's op of what it is the gradient of.
        put(all.byLabel, label(index, node).toLowerCase(), k);
        if (index.definition(node).role !== "gradient") put(all.byOp, index.definition(node).op, k);
      }
    }
    ACTS.set(index, all);
  }
  return all;
}

/** The ops of a recording as the dialect calls them, each with the engine's name, and how many steps it acts in. @param {TraceIndex} index @returns {{op: string, engine: string, steps: number}[]} */
export function opsOf(index) {
  const { byLabel } = acts(index);
  /** @type {Map<string, {op: string, engine: string, steps: number}>} */
  const ops = new Map();
  for (let node = 0; node < index.trace.count.nodes; node++) {
    const { role, op: engine } = index.definition(node);
    const op = label(index, node);
    if (index.trace.nodes.serves[node] < 0 && role !== "accumulate" && !ops.has(op.toLowerCase())) ops.set(op.toLowerCase(), { op, engine, steps: byLabel.get(op.toLowerCase())?.length ?? 0 });
  }
  return [...ops.values()].filter((one) => one.steps > 0);
}

/** Where a stop would stop if it had no condition. @param {TraceIndex} index @param {Stop} stop @returns {number[]} */
export function places(index, stop) {
  if (stop.kind === "line") return lineStarts(index).filter((k) => index.trace.steps.line[k] === stop.line);
  const { bySlot, byLabel, byOp } = acts(index);
  return (stop.kind === "node" ? bySlot.get(index.trace.nodes.slot[index.host(stop.node)]) : byLabel.get(stop.op.toLowerCase()) ?? byOp.get(stop.op.toLowerCase())) ?? [];
}

/** Names that a condition may use besides the program's own: the step's number, its op, the value that it gave. @param {TraceIndex} index @param {number} step */
function more(index, step) {
  const at = focus(index, step);
  const node = at.nodes[0] ?? -1;
  const value = index.trace.document.values[index.trace.events[at.kind]?.value?.[at.row] ?? -1];
  return { step: step + 1, ...(node >= 0 ? { op: label(index, node) } : {}), ...(value ? { value: { tensor: value, type: null, grad: null } } : {}) };
}

/** @type {WeakMap<TraceIndex, Map<string, Visits>>} */
const VISITS = new WeakMap();
const MOST_KEPT = 60;

/** All visits of a stop. @param {TraceIndex} index @param {Stop} stop @returns {Visits} */
export function visits(index, stop) {
  let kept = VISITS.get(index);
  if (!kept) VISITS.set(index, (kept = new Map()));
  const key = `${stopKey(stop)} ${stop.when}`;
  let found = kept.get(key);
  if (!found) {
    if (kept.size > MOST_KEPT) kept.clear();
    kept.set(key, (found = stop.when.trim() ? conditional(index, stop) : { steps: places(index, stop), problem: "" }));
  }
  return found;
}

/** @param {TraceIndex} index @param {Stop} stop @returns {Visits} */
function conditional(index, stop) {
  /** @type {import("./asking/grammar.js").Tree} */
  let tree;
  try {
    tree = parse(stop.when);
  } catch (error) {
    return { steps: [], problem: words(error) };
  }
  /** @type {number[]} */
  const steps = [];
  let problem = "";
  let answers = 0;
  for (const k of places(index, stop)) {
    try {
      if (truth(evaluate(tree, scopeAt(index, k, more(index, k))))) steps.push(k);
      answers++;
    } catch (error) {
      problem ||= words(error);
    }
  }
  return { steps, problem: answers ? "" : problem };
}

/** @param {unknown} error */
function words(error) {
  if (error instanceof ExpressionError) return error.message;
  throw error;
}

/**
 * The next or previous visit of any of the stops, null if there is none.
 * @param {TraceIndex} index @param {Iterable<Stop>} stops @param {number} step @param {1 | -1} way
 */
export function byStop(index, stops, step, way) {
  /** @type {number | null} */
  let best = null;
  for (const stop of stops) {
    const { steps } = visits(index, stop);
    const at = way > 0 ? steps[countBefore(steps, step + 1, (s) => s)] : steps[countBefore(steps, step, (s) => s) - 1];
    if (at !== undefined && (best === null || (way > 0 ? at < best : at > best))) best = at;
  }
  return best;
}

/** What a stop is called. @param {TraceIndex | null} index @param {Stop} stop */
export function stopName(index, stop) {
  if (stop.kind === "line") return `line ${stop.line}`;
  if (stop.kind === "op") return `every ${stop.op}`;
  return index && stop.node < index.trace.count.nodes ? `node ${called(index, stop.node)}` : `node ${stop.node}`;
}
