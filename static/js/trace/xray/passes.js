/**
 * What was differentiated: each backward of a dynamic graph, each gradient of a static one, and the loss that nothing was differentiated from.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {{loss: number, from: number, to: number, ran: boolean, fixed: boolean, reach: Set<number>, run: number, plan: number}} Pass
 *   `loss`: the forward node it starts at; `from`, `to`: sequence numbers; `ran`: whether gradients were computed;
 *   `reach`: of a static graph: the nodes that depend on the first gradient; `run`, `plan`: whose values are shown, -1 for none
 */
import { lastBefore } from "../index.js";
import { lineText, namesIn } from "./text.js";

const NEVER = Number.MAX_SAFE_INTEGER;

/** All passes, in order. @param {TraceIndex} index @returns {Pass[]} */
export function passesOf(index) {
  const found = [...backwards(index), ...seeds(index)].sort((a, b) => a.from - b.from);
  const loose = looseLoss(index, found);
  return loose ? [...found, loose] : found;
}

/** The pass that a step means: the last that began before, else the first. @param {TraceIndex} index @param {Pass[]} passes @param {number} step */
export function passAt(index, passes, step) {
  const limit = index.limit(step);
  const pass = passes.findLast((one) => one.from < limit) ?? passes[0] ?? null;
  return pass?.fixed ? { ...pass, ...runAt(index, pass, limit) } : pass;
}

/** @param {TraceIndex} index @returns {Pass[]} */
function backwards(index) {
  const { events, nodes } = index.trace;
  const begun = events.backward ?? { seq: [] };
  return begun.seq.map((from, row) => {
    const root = begun.node[row];
    const to = index.backwardEnds?.find((end) => end.seq > from)?.seq ?? NEVER;
    return { loss: nodes.mirrors[root], from, to, ran: true, fixed: false, reach: new Set(), run: -1, plan: -1 };
  }).filter((pass) => pass.loss >= 0);
}

/** A static graph's gradients begin at a constant that belongs to the loss. @param {TraceIndex} index @returns {Pass[]} */
function seeds(index) {
  const { nodes, edges, count } = index.trace;
  /** @type {Pass[]} */
  const out = [];
  for (let node = 0; node < count.nodes; node++) {
    if (!index.isStatic(nodes.graph[node]) || index.definition(node).role !== "gradient" || nodes.mirrors[node] < 0 || nodes.plan[node] >= 0) continue;
    const named = /(?:^|\/)grad_ys_\d+$/.test(index.text(nodes.name[node]));
    if (!named && index.inputs[node].some((e) => index.definition(edges.source[e]).role === "gradient" || nodes.mirrors[edges.source[e]] >= 0)) continue;
    if (!named && !["constant", "ones_like", "fill"].includes(index.definition(node).op)) continue;
    const loss = nodes.mirrors[node];
    if (!named && hasNamed(index, nodes.graph[node])) continue;
    if (out.some((pass) => pass.loss === loss && pass.reach.has(node))) continue;
    out.push({ loss, from: nodes.seq[node], to: NEVER, ran: false, fixed: true, reach: downstream(index, node), run: -1, plan: -1 });
  }
  // A constant inside a gradient is no beginning: what others lead to is one of theirs.
  return out.filter((pass) => index.mirrors[pass.loss].length && !out.some((other) => other !== pass && other.loss !== pass.loss && forwardOf(index, other.loss).has(pass.loss) && other.from < pass.from && sameCall(index, other, pass)));
}

/** Whether the beginnings of a graph's gradients are called so, as TensorFlow does. @param {TraceIndex} index @param {number} graph */
const hasNamed = (index, graph) => index.trace.nodes.name.some((name, node) => index.trace.nodes.graph[node] === graph && /(?:^|\/)grad_ys_\d+$/.test(index.text(name)));

/** @param {TraceIndex} index @param {Pass} a @param {Pass} b */
const sameCall = (index, a, b) => index.stepOf(a.from) <= index.stepOf(b.from) && [...a.reach].some((node) => b.reach.has(node));

/** @param {TraceIndex} index @param {number} loss */
function forwardOf(index, loss) {
  const { edges } = index.trace;
  const seen = new Set([loss]);
  const queue = [loss];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const e of index.inputs[at]) {
      if (index.text(edges.kind[e]) !== "data" || seen.has(edges.source[e])) continue;
      seen.add(edges.source[e]);
      queue.push(edges.source[e]);
    }
  }
  return seen;
}

/** @param {TraceIndex} index @param {number} from */
function downstream(index, from) {
  const { edges, nodes } = index.trace;
  const seen = new Set([from]);
  const queue = [from];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const e of index.outputs[at]) {
      const target = edges.target[e];
      if (index.text(edges.kind[e]) !== "data" || seen.has(target) || nodes.plan[target] >= 0) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return seen;
}

/** The last run before `limit` that computed gradients of this pass, else the first. @param {TraceIndex} index @param {Pass} pass @param {number} limit */
function runAt(index, pass, limit) {
  const updates = [...pass.reach].flatMap((node) => index.values[node].filter((one) => one.table === "ran"));
  updates.sort((a, b) => a.seq - b.seq);
  const ran = lastBefore(updates, limit) ?? updates[0] ?? null;
  return { ran: ran !== null, run: ran?.run ?? -1, plan: ran ? index.runPlan?.get(ran.run) ?? -1 : -1 };
}

/**
 * The loss that no gradient was made from, where the program ended at it, or where there is no other.
 * @param {TraceIndex} index @param {Pass[]} passes @returns {Pass | null}
 */
function looseLoss(index, passes) {
  const { document, nodes, count } = index.trace;
  const { error } = document.end;
  const after = passes.at(-1)?.from ?? -1;
  if (passes.length && !error) return null;
  const { source } = document.program;
  const line = error?.line ?? -1;
  const asking = error ? [lineText(source, line)] : source.split("\n");
  const words = asking.flatMap((text) => [.../([A-Za-z_]\w*)\.backward\s*\(|\b(?:gradient|gradients|minimize|grad)\s*\(\s*([A-Za-z_]\w*)/g[Symbol.matchAll](text)].map((match) => match[1] ?? match[2]));
  const named = new Set([...words, ...(error ? [] : source.split("\n").flatMap((text) => namesIn(text).filter((name) => /loss|cost/i.test(name))))]);
  let best = -1;
  for (let node = 0; node < count.nodes; node++) {
    const isOp = index.definition(node).role === "op" && nodes.plan[node] < 0 && index.inputs[node].length > 0;
    if (isOp && nodes.seq[node] > after && (index.bindings.held.get(node) ?? []).some((life) => named.has(life.name))) best = node;
  }
  if (best < 0 || index.isStatic(nodes.graph[best]) && passes.length) return null;
  return { loss: best, from: nodes.seq[best], to: NEVER, ran: false, fixed: index.isStatic(nodes.graph[best]), reach: new Set(), run: -1, plan: -1 };
}
