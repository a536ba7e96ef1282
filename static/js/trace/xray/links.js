/**
 * The way from a loss back to everything it was made from, link by link: does a gradient go this way, how large is it?
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./passes.js").Pass} Pass
 * @typedef {"flows" | "zero" | "silent" | "detached" | "unrecorded" | "unasked" | "copied"} LinkState
 *   flows: a gradient went this way; zero: all of it was 0; silent: nothing behind it asks for one; detached: both ends are on a tape, and not joined;
 *   unrecorded: the reader was not recorded; unasked: recorded, never computed; copied: the value was taken out of the graph and put back as a number
 * @typedef {{reader: number, source: number, state: LinkState, size: number | null, odd: boolean}} Link   from a node to one that it reads; `size`: the largest entry
 *   of the gradient that was sent; null where no number is kept; `odd`: NaN or infinite
 */
import { lastBefore } from "../index.js";
import { inPlan } from "../replacements.js";
import { leaving, lineText, namesIn, wholeSpan } from "./text.js";

/** A detour costs one, a gradient of 0 more than any detour, a cut more than all of these. */
const COSTS = /** @type {Record<LinkState, number>} */ ({ flows: 1, silent: 1.5, zero: 1e4, unasked: 1e7, detached: 1e8, unrecorded: 1e8, copied: 1.5e8 });

/** The largest size of a value; null if it is none or not known. @param {TraceIndex} index @param {number} value @returns {{size: number | null, odd: boolean}} */
export function sizeOf(index, value) {
  const held = index.trace.document.values[value];
  if (!held || held.python !== undefined) return { size: null, odd: false };
  const odd = (held.nan ?? 0) + (held.inf ?? 0) > 0;
  if (typeof held.min !== "number" || typeof held.max !== "number") return { size: null, odd };
  return { size: Math.max(Math.abs(held.min), Math.abs(held.max)), odd };
}

/** Whether a value asks for a gradient: it is a parameter, or has a gradient node. @param {TraceIndex} index @param {number} node */
export const asks = (index, node) => index.definition(node).role === "variable" || index.mirrors[node].some((mirror) => ["gradient", "accumulate"].includes(index.definition(mirror).role));

/** @param {TraceIndex} index @param {number} node */
const gradientNode = (index, node) => index.mirrors[node].find((mirror) => index.definition(mirror).role === "gradient") ?? -1;

/** What a node reads, each once. @param {TraceIndex} index @param {number} node */
function reads(index, node) {
  const { edges } = index.trace;
  return [...new Set(index.inputs[node].filter((e) => index.text(edges.kind[e]) === "data").map((e) => edges.source[e]))];
}

/** @param {TraceIndex} index @param {Pass} pass @param {number} reader @param {number} source @returns {Link} */
function dynamicLink(index, pass, reader, source) {
  const { edges, document, events } = index.trace;
  /** @param {LinkState} state @param {number | null} [size] @param {boolean} [odd] @returns {Link} */
  const is = (state, size = null, odd = false) => ({ reader, source, state, size, odd });
  if (!asks(index, source)) return is("silent");
  const from = gradientNode(index, reader);
  if (from < 0) return is("unrecorded");
  const mirrors = new Set(index.mirrors[source]);
  const joints = index.outputs[from].filter((e) => index.text(edges.kind[e]) === "data" && mirrors.has(edges.target[e]));
  if (!joints.length) return is("detached");
  if (!pass.ran) return is("flows");
  const ran = index.gradients[from].find((one) => one.seq > pass.from && one.seq < pass.to);
  if (!ran) return is("unasked");
  const sent = document.lists[events.gradient.values[ran.row]] ?? [];
  const values = joints.map((e) => sent[edges.port[e]] ?? -1).filter((value) => value >= 0);
  if (!values.length) return is("unasked");
  const sizes = values.map((value) => sizeOf(index, value));
  const size = sizes.some((one) => one.size === null) ? null : Math.max(...sizes.map((one) => one.size ?? 0));
  const odd = sizes.some((one) => one.odd);
  return is(size === 0 && !odd ? "zero" : "flows", size, odd);
}

/** @param {TraceIndex} index @param {Pass} pass @param {number} reader @param {number} source @returns {Link} */
function staticLink(index, pass, reader, source) {
  const { edges, nodes } = index.trace;
  /** @param {LinkState} state @param {number | null} [size] @param {boolean} [odd] @returns {Link} */
  const is = (state, size = null, odd = false) => ({ reader, source, state, size, odd });
  // What reads a variable is a part of it.
  if (index.host(reader) === source && index.definition(source).role === "variable") return is("flows");
  if (index.definition(source).role === "constant" || index.definition(source).role === "input") return is("silent");
  if (!pass.reach.size) return is("unasked");
  const mine = index.mirrors[reader].filter((node) => pass.reach.has(node));
  const theirs = new Set(index.mirrors[source].filter((node) => pass.reach.has(node)));
  const host = index.host(source);
  const variable = index.definition(host).role === "variable" ? host : -1;
  if (!reached(index, pass, reader) || (variable < 0 && !reached(index, pass, source))) return is(index.definition(reader).op === "stop_gradient" || index.definition(source).op === "stop_gradient" ? "unrecorded" : "unasked");
  const updates = variable < 0 ? new Set() : updatesOf(index, pass, variable);
  const anyUpdate = [...pass.reach].some((node) => index.definition(node).role === "update");
  const sends = mine.filter((node) => index.outputs[node].some((e) => theirs.has(edges.target[e])) || (variable >= 0 && (updates.size ? leadsTo(index, node, updates) : !anyUpdate && !index.outputs[node].some((e) => index.definition(edges.target[e]).role === "gradient"))));
  if (!sends.length && !(variable < 0 ? reached(index, pass, source) : updates.size)) return is("unasked");
  const values = (sends.length ? sends : [...theirs]).map((node) => valueIn(index, pass, node)).filter((value) => value >= 0);
  if (!values.length || nodes.plan[reader] >= 0) return is("flows");
  const sizes = values.map((value) => sizeOf(index, value));
  const size = sizes.some((one) => one.size === null) ? null : Math.max(...sizes.map((one) => one.size ?? 0));
  return is(size === 0 ? "zero" : "flows", size, sizes.some((one) => one.odd));
}

/**
 * Whether a gradient of this pass gets to a node of a graph: it has a gradient node, or passes what arrives on as it is to one that is reached.
 * @param {TraceIndex} index @param {Pass} pass @param {number} node @param {Set<number>} [seen] @returns {boolean}
 */
function reached(index, pass, node, seen = new Set()) {
  if (node === pass.loss || index.mirrors[node].some((mirror) => pass.reach.has(mirror))) return true;
  const { role, op } = index.definition(node);
  if (role === "variable") return updatesOf(index, pass, node).size > 0;
  if (role !== "op" || op === "stop_gradient" || seen.has(node)) return false;
  seen.add(node);
  return reads(index, node).some((source) => reached(index, pass, source, seen));
}

/** What writes a variable after gradients of this pass. @param {TraceIndex} index @param {Pass} pass @param {number} variable */
export function updatesOf(index, pass, variable) {
  const { edges } = index.trace;
  return new Set(index.outputs[variable].map((e) => edges.target[e]).filter((node) => index.definition(node).role === "update" && pass.reach.has(node)));
}

/** Whether a gradient goes to an update and through no other gradient of a forward node. @param {TraceIndex} index @param {number} from @param {Set<number>} goals */
function leadsTo(index, from, goals) {
  const { edges } = index.trace;
  const seen = new Set([from]);
  const queue = [from];
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    for (const e of index.outputs[at]) {
      const target = edges.target[e];
      if (goals.has(target)) return true;
      if (seen.has(target) || index.text(edges.kind[e]) !== "data") continue;
      const mirrored = index.trace.nodes.mirrors[target];
      if (mirrored >= 0 && mirrored !== index.trace.nodes.mirrors[from]) continue;
      seen.add(target);
      queue.push(target);
    }
  }
  return false;
}

/** What a node held in the run of a pass, or what stands for it there. @param {TraceIndex} index @param {Pass} pass @param {number} node */
function valueIn(index, pass, node) {
  const there = inPlan(index, pass.plan, node);
  const hull = index.rewrites?.get(pass.plan)?.find((change) => change.action === "fused" && change.old[change.old.length - 1] === there)?.new[0] ?? there;
  const history = [...index.values[hull], ...(hull === there ? [] : index.values[there])];
  return history.findLast((one) => one.run === pass.run)?.value ?? (index.definition(there).role === "constant" ? index.values[there][0]?.value ?? -1 : -1);
}

/**
 * Where a new tensor got its numbers, though no edge says so: the nodes that the names in its expression hold, through Python numbers too.
 * @param {TraceIndex} index @param {number} node @returns {number[]}
 */
export function copiedFrom(index, node) {
  const { nodes } = index.trace;
  const text = wholeSpan(index, nodes.span[node]);
  const { role } = index.definition(node);
  const leaf = role === "input" || role === "variable" || (role === "constant" && nodes.serves[node] < 0);
  if (!leaf && role !== "op") return [];
  const known = new Set(reads(index, node));
  // An op reads its tensors by edges: only Python numbers come another way.
  return [...originsOf(index, namesIn(text), nodes.seq[node], 3, leaf || leaving(text) !== "")].filter((one) => one !== node && !known.has(one) && nodes.seq[one] < nodes.seq[node] && !nearer(index, one, known));
}

/** Whether a node is only the value that another one, read anyway, was made from. @param {TraceIndex} index @param {number} node @param {Set<number>} known */
const nearer = (index, node, known) => [...known].some((one) => reads(index, one).includes(node));

/** @param {TraceIndex} index @param {string[]} names @param {number} limit @param {number} hops through so many Python numbers @param {boolean} direct whether tensors count that are named themselves @returns {Set<number>} */
function originsOf(index, names, limit, hops, direct) {
  /** @type {Set<number>} */
  const out = new Set();
  const { steps, document } = index.trace;
  for (const list of index.bindings.byFrame.values()) {
    for (const { name, history } of list) {
      if (!names.includes(name)) continue;
      const binding = lastBefore(history, limit);
      if (!binding || binding.gone) continue;
      if (binding.node >= 0) {
        if (direct) out.add(binding.node);
      } else if (hops > 0) {
        const [, right] = /^[^=]*[^=!<>]=(?!=)([^]*)$/.exec(lineText(document.program.source, steps.line[index.stepOf(binding.seq)])) ?? [];
        if (right && (direct || leaving(right))) for (const node of originsOf(index, namesIn(right), binding.seq, hops - 1, true)) out.add(node);
      }
    }
  }
  return out;
}

/**
 * The best way from the loss to each node behind it: first with the fewest cuts, then with a gradient, then the shortest.
 * @param {TraceIndex} index @param {Pass} pass
 * @returns {{way: (node: number) => Link[] | null, links: Link[]}} `way`: from the loss on; null if the loss was not made from it
 */
export function waysFrom(index, pass) {
  const link = pass.fixed ? staticLink : dynamicLink;
  /** @type {Map<number, {cost: number, link: Link | null}>} */
  const best = new Map([[pass.loss, { cost: 0, link: null }]]);
  const queue = [pass.loss];
  /** @type {Link[]} */
  const links = [];
  const known = new Map();
  while (queue.length) {
    let at = 0;
    for (let i = 1; i < queue.length; i++) if ((best.get(queue[i])?.cost ?? 0) < (best.get(queue[at])?.cost ?? 0)) at = i;
    const [reader] = queue.splice(at, 1);
    let out = known.get(reader);
    if (!out) {
      out = [...reads(index, reader).map((source) => link(index, pass, reader, source)), ...copiedFrom(index, reader).map((source) => /** @type {Link} */ ({ reader, source, state: "copied", size: null, odd: false }))];
      known.set(reader, out);
      links.push(...out);
    }
    for (const one of out) {
      const cost = (best.get(reader)?.cost ?? 0) + COSTS[/** @type {LinkState} */ (one.state)];
      if (cost >= (best.get(one.source)?.cost ?? Infinity)) continue;
      best.set(one.source, { cost, link: one });
      if (!queue.includes(one.source)) queue.push(one.source);
    }
  }
  return {
    links,
    way(node) {
      if (!best.has(node)) return null;
      const out = [];
      for (let link_ = best.get(node)?.link; link_; link_ = best.get(link_.reader)?.link) out.unshift(link_);
      return out;
    },
  };
}
