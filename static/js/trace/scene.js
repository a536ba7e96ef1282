/**
 * What the graph looks like at step k: a pure function of the index, the step and the chosen view.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./types.js").GraphLayout} GraphLayout
 * @typedef {"building" | "empty" | "feeding" | "value" | "seen" | "pending" | "merged" | "folded" | "ghost" | "skipped" | "inner" | "freed" | "error"} State
 * @typedef {{node: number, state: State, value: number, arrived: boolean, note: string, alone: boolean}} SlotState   `alone`: the note deserves a line of its own
 * @typedef {{graph: number, plan: number}} View
 * @typedef {{node: number, chain: number[], slots: number[], now: boolean}} Hull   a fused step: the node that runs, and the chain that it stands for
 * @typedef {{graph: number, plan: number, run: number, ordinal: number, step: number, slots: Map<number, SlotState>, now: Set<number>,
 *   kind: string, wallNow: boolean, replaced: Map<number, number[]>, episode: number, hulls: Hull[]}} Scene
 */
import { countBefore, lastBefore } from "./index.js";
import { focus } from "./focus.js";
import { passedBy } from "./regions.js";

const GHOST = /** @type {Record<string, State>} */ ({ removed: "ghost", merged: "merged", folded: "folded", replaced: "merged" });

/**
 * The episodes that are going on, or were the last to go on, at `limit`.
 * @param {TraceIndex} index @param {number} step
 * @returns {(episode: number) => boolean}
 */
export function liveEpisodes(index, step) {
  const { episodes } = index.trace;
  const count = index.trace.count.episodes;
  /** @type {Map<number, number>} */
  const latest = new Map();
  for (let e = 0; e < count; e++) if (episodes.first[e] <= step) latest.set(episodes.loop[e], e);
  return (episode) => {
    for (let e = episode, hops = 0; e >= 0 && hops < 64; e = episodes.parent[e], hops++) if (latest.get(episodes.loop[e]) !== e) return false;
    return true;
  };
}

/**
 * @param {TraceIndex} index
 * @param {number} step
 * @param {View} [view] graph and plan to show; those of the step otherwise
 * @returns {Scene}
 */
export function sceneAt(index, step, view) {
  const { trace } = index;
  const graph = view?.graph ?? index.stepGraph?.[step] ?? -1;
  const plan = view?.plan ?? index.stepPlan?.[step] ?? -1;
  const limit = index.limit(step);
  const fixed = graph >= 0 && index.isStatic(graph);
  const live = fixed ? () => true : liveEpisodes(index, step);
  const run = lastBefore(index.planRuns?.get(plan), limit);
  const at = focus(index, step);
  /** @type {Scene} */
  const scene = { graph, plan, run: run?.run ?? -1, ordinal: run?.ordinal ?? 0, step, slots: new Map(), now: new Set(), kind: at.kind, wallNow: at.whole, replaced: new Map(), episode: -1, hulls: [] };
  const gone = planChanges(index, plan, limit, scene.replaced);
  const fused = fusedSteps(index, plan, limit, scene.hulls);
  const skipped = fixed && trace.count.regions ? passedBy(index, scene) : null;
  const focused = new Set(at.nodes.map((node) => index.host(node)));
  for (let slot = 0; slot < index.slotNodes.length; slot++) {
    const nodes = index.slotNodes[slot];
    if (!nodes.length || trace.nodes.graph[nodes[0]] !== graph) continue;
    const made = countBefore(nodes, limit, (n) => trace.nodes.seq[n]);
    const storage = index.definition(nodes[0]).role === "accumulate";
    const node = nodes[storage && !made ? 0 : made - 1];
    if (node === undefined || trace.nodes.serves[node] >= 0) continue;
    if (storage ? !leafLives(index, node, limit, live) : !live(trace.nodes.episode[node])) continue;
    const owner = trace.nodes.plan[node];
    if (owner >= 0 && owner !== plan) continue;
    if (!storage && trace.nodes.episode[node] > scene.episode) scene.episode = trace.nodes.episode[node];
    // The fused node stands where its chain stands.
    if (fused.has(node) && fused.get(node)?.node === node) continue;
    const hull = fused.get(node);
    if (hull) {
      hull.slots.push(slot);
      hull.now ||= focused.has(hull.node);
    }
    const isNow = focused.has(node) || !!(hull && focused.has(hull.node));
    if (isNow) scene.now.add(slot);
    const lost = gone.get(node);
    if (skipped?.has(trace.nodes.region[node]) && !lost) {
      scene.slots.set(slot, { node, state: "skipped", value: -1, arrived: false, note: "", alone: false });
      continue;
    }
    if (hull && !lost) {
      scene.slots.set(slot, chainState(index, node, hull, limit, scene.run));
      continue;
    }
    scene.slots.set(slot, lost
      ? { node, state: lost.state, value: -1, arrived: false, note: lost.reason, alone: lost.alone }
      : nodeState(index, node, limit, { fixed, run: scene.run, plan, isNow, kind: at.kind }));
  }
  return scene;
}

/**
 * Whether the leaf lives whose gradient a place stores: the place is there as long as the leaf, and holds None at first.
 * @param {TraceIndex} index @param {number} node @param {number} limit @param {(episode: number) => boolean} live
 */
function leafLives(index, node, limit, live) {
  const { mirrors, seq, episode } = index.trace.nodes;
  const leaf = mirrors[node];
  return leaf >= 0 ? seq[leaf] < limit && live(episode[leaf]) : seq[node] < limit && live(episode[node]);
}

/**
 * Nodes that the plan's rewrites took away, and what stands for them now.
 * @param {TraceIndex} index @param {number} plan @param {number} limit @param {Map<number, number[]>} replaced filled in
 */
function planChanges(index, plan, limit, replaced) {
  /** @type {Map<number, {state: State, reason: string, alone: boolean}>} */
  const gone = new Map();
  for (const change of index.rewrites?.get(plan) ?? []) {
    if (change.seq >= limit) break;
    if (change.action === "fused") continue;
    for (const node of change.old) {
      if (change.new.includes(node)) continue;
      gone.set(node, { state: GHOST[change.action] ?? "ghost", reason: change.reason, alone: change.old.length <= 4 });
      if (change.new.length) replaced.set(node, change.new);
    }
  }
  return gone;
}

/**
 * The fused steps of a plan, by the nodes of their chains and by the node that runs.
 * @param {TraceIndex} index @param {number} plan @param {number} limit @param {Hull[]} hulls filled in
 */
function fusedSteps(index, plan, limit, hulls) {
  /** @type {Map<number, Hull>} */
  const of = new Map();
  for (const change of index.rewrites?.get(plan) ?? []) {
    if (change.seq >= limit) break;
    if (change.action !== "fused" || change.new.length !== 1) continue;
    /** @type {Hull} */
    const hull = { node: change.new[0], chain: change.old, slots: [], now: false };
    hulls.push(hull);
    for (const node of [...change.old.map((old) => index.host(old)), hull.node]) of.set(node, hull);
  }
  return of;
}

/** A node of a fused chain: the last one has the result, the others only pass theirs on. @param {TraceIndex} index @param {number} node @param {Hull} hull @param {number} limit @param {number} run @returns {SlotState} */
function chainState(index, node, hull, limit, run) {
  const ran = lastBefore(index.values[hull.node], limit);
  const done = run >= 0 && ran?.run === run;
  const last = node === index.host(hull.chain[hull.chain.length - 1]);
  return { node, state: !done ? "empty" : last ? "value" : "inner", value: done && last ? ran?.value ?? -1 : -1, arrived: false, note: "", alone: false };
}

/**
 * @param {TraceIndex} index @param {number} node @param {number} limit
 * @param {{fixed: boolean, run: number, plan: number, isNow: boolean, kind: string}} at
 * @returns {SlotState}
 */
function nodeState(index, node, limit, at) {
  /** @param {State} state @param {number} [value] */
  const is = (state, value = -1) => ({ node, state, value, arrived: false, note: "", alone: false });
  const failure = index.failed.get(node);
  if (failure && failure.seq < limit) return is("error");
  const { role } = index.definition(node);
  if (role === "gradient" && !at.fixed) return gradientState(index, node, limit, is);
  if (role === "accumulate") return storageState(index, node, limit, is);
  const history = index.values[node];
  let last = lastBefore(history, limit);
  if (role === "variable" && last?.table !== "written") last = lastBefore(history.filter((h) => h.table === "written" || !at.fixed), limit);
  if (role === "constant" && !last && at.plan >= 0) last = history[0] ?? null;
  if (at.fixed && role !== "variable" && role !== "constant" && last && (last.run !== at.run || at.run < 0)) last = null;
  if (!last) return is(at.isNow && at.kind === "node" ? "building" : "empty");
  if (at.isNow && at.kind === "fed") return is("feeding", last.value);
  const held = at.fixed || at.isNow || isKept(index, node, limit);
  return { ...is(held ? "value" : "seen", last.value), arrived: !at.fixed && gradientArrived(index, node, limit) };
}

/** @param {TraceIndex} index @param {number} node @param {number} limit @param {(state: State, value?: number) => SlotState} is */
function gradientState(index, node, limit, is) {
  const ran = lastBefore(index.gradients[node], limit);
  const freed = index.freed[node].some((seq) => seq < limit);
  if (freed) return is("freed", ran?.value ?? -1);
  if (ran) return is("value", ran.value);
  // A backward that is over went another way: what leads only to a decision, or to nothing that was differentiated.
  const over = lastBefore(index.backwardEnds, limit);
  return over && over.seq > index.trace.nodes.seq[node] ? { ...is("pending"), note: "passed by" } : is("pending");
}

/** @param {TraceIndex} index @param {number} node @param {number} limit @param {(state: State, value?: number) => SlotState} is */
function storageState(index, node, limit, is) {
  const last = lastBefore(index.values[node], limit);
  const cleared = lastBefore(index.cleared[node], limit);
  if (cleared && (!last || cleared.seq > last.seq)) return { ...is("pending"), note: "cleared" };
  return last ? is("value", last.value) : is("pending");
}

/** Whether the gradient of a node has been computed. @param {TraceIndex} index @param {number} node @param {number} limit */
function gradientArrived(index, node, limit) {
  return index.mirrors[node].some((mirror) => index.definition(mirror).role === "accumulate"
    ? storageState(index, mirror, limit, (state, value = -1) => ({ node, state, value, arrived: false, note: "", alone: false })).state === "value"
    : lastBefore(index.gradients[mirror], limit) !== null);
}

/** The names that hold a node's value. @param {TraceIndex} index @param {number} node @param {number} limit */
export function holders(index, node, limit) {
  return (index.bindings.held.get(node) ?? []).filter((life) => life.from < limit && life.to >= limit).map((life) => life.name);
}

/** Gradient nodes that keep a node's value for backward. @param {TraceIndex} index @param {number} node @param {number} limit */
export function keepers(index, node, limit) {
  const { edges, nodes } = index.trace;
  return index.outputs[node].filter((e) => index.text(edges.kind[e]) === "saved").map((e) => edges.target[e])
    .filter((target) => nodes.seq[target] < limit && !index.freed[target].some((seq) => seq < limit) && !lastBefore(index.gradients[target], limit));
}

/** Whether anything still refers to the value of a dynamic node. @param {TraceIndex} index @param {number} node @param {number} limit */
function isKept(index, node, limit) {
  const { role } = index.definition(node);
  if (role === "variable" || role === "input" || role === "constant") return true;
  if (holders(index, node, limit).length || keepers(index, node, limit).length) return true;
  const { edges, nodes } = index.trace;
  const readers = index.outputs[node].filter((e) => index.text(edges.kind[e]) === "data").map((e) => edges.target[e]);
  // What no op reads may be in a list, or on its way to a name; but a result whose graph is gone is gone.
  if (!readers.length) return goneFrom(index, node) >= limit;
  return readers.some((reader) => nodes.seq[reader] >= limit);
}

/** What {@link goneFrom} has found: it is asked of the same nodes at every step. @type {WeakMap<TraceIndex, Map<number, number>>} */
const GONE = new WeakMap();

/** From which event on the program has let go of the graph that leads to a node; Infinity if it never does. @param {TraceIndex} index @param {number} node */
function goneFrom(index, node) {
  if (!index.dropped.size) return Infinity;
  const known = GONE.get(index) ?? new Map();
  GONE.set(index, known);
  if (!known.has(node)) known.set(node, firstDropped(index, node));
  return known.get(node);
}

/** The gradient of the node itself may have had nothing to let go of; it held those of its inputs. @param {TraceIndex} index @param {number} node */
function firstDropped(index, node) {
  const { edges } = index.trace;
  let first = Infinity;
  const seen = new Set([node]);
  for (const one of seen) {
    const gradients = index.mirrors[one].filter((mirror) => index.definition(mirror).role === "gradient");
    for (const gradient of gradients) first = Math.min(first, index.dropped.get(gradient) ?? Infinity);
    if (gradients.length) for (const e of index.inputs[one]) if (index.text(edges.kind[e]) === "data") seen.add(edges.source[e]);
  }
  return first;
}
