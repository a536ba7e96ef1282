/**
 * What each edge of a layout is doing at a step: pure, like the scene it is read from.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {{source: number, target: number, kind: string}} WireEnds
 * @typedef {"" | "off" | "on" | "now" | "ghost"} WireState   "": not there
 */

const GONE = new Set(["ghost", "merged", "folded"]);
const HOLDS = new Set(["value", "seen", "feeding", "inner"]);

/** @type {WeakMap<TraceIndex, Map<number, Set<number>>>} */
const READS = new WeakMap();

/** The slots that a node reads, plumbing looked through. @param {TraceIndex} index @param {number} node @returns {Set<number>} */
export function slotsRead(index, node) {
  let cache = READS.get(index);
  if (!cache) READS.set(index, (cache = new Map()));
  let found = cache.get(node);
  if (!found) {
    found = new Set();
    cache.set(node, found);
    const { edges, nodes } = index.trace;
    const queue = [node, ...index.plumbing[node]];
    const seen = new Set(queue);
    for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
      for (const e of index.inputs[at]) {
        const source = edges.source[e];
        if (nodes.serves[source] < 0) found.add(nodes.slot[source]);
        else if (!seen.has(source)) {
          seen.add(source);
          queue.push(source);
          const host = index.host(source);
          if (host !== node) found.add(nodes.slot[host]);
        }
      }
    }
  }
  return found;
}

/** @param {TraceIndex} index @param {Scene} scene @param {WireEnds} wire @returns {WireState} */
export function wireState(index, scene, wire) {
  const source = scene.slots.get(wire.source);
  const target = scene.slots.get(wire.target);
  if (!source || !target) return "";
  const edit = index.edits.size ? edited(index, wire, target.node, scene.step) : "";
  if (edit) return edit === "later" ? "" : edit;
  if (wire.kind === "origin") return scene.replaced.get(source.node)?.includes(target.node) ? "on" : "";
  if (GONE.has(source.state) || GONE.has(target.state)) return wire.kind === "mirror" || wire.kind === "saved" || wire.kind === "update" || wire.kind === "rewired" ? "" : "ghost";
  if (wire.kind === "enters") return target.state === "skipped" ? "ghost" : HOLDS.has(target.state) ? "on" : "off";
  if (source.state === "skipped" || target.state === "skipped") return "ghost";
  const nowTarget = scene.now.has(wire.target);
  const nowSource = scene.now.has(wire.source);
  if (wire.kind === "rewired" && !readsReplaced(index, scene, source.node, target.node)) return "";
  if (wire.kind === "update") return nowTarget || (nowSource && scene.kind === "written") ? "now" : "off";
  if (wire.kind === "mirror") return nowTarget && scene.kind === "gradient" ? "now" : "off";
  if (wire.kind === "saved") {
    if (nowTarget && scene.kind === "gradient") return "now";
    return target.state === "pending" || target.state === "empty" ? "on" : "off";
  }
  if (wire.kind === "grad" && !index.isStatic(scene.graph)) {
    if ((nowSource && scene.kind === "gradient") || (nowTarget && scene.kind === "accumulated")) return "now";
    const sent = source.state === "value" || (source.state === "freed" && source.value >= 0);
    return sent ? "on" : "off";
  }
  if (wire.kind === "data" && !slotsRead(index, target.node).has(wire.source) && index.trace.nodes.plan[target.node] < 0) {
    if (index.definition(target.node).role === "op") return "";
  }
  if (nowTarget && (scene.kind === "ran" || scene.kind === "failed" || scene.kind === "error" || scene.kind === "written")) return "now";
  return HOLDS.has(target.state) || target.state === "error" ? (HOLDS.has(source.state) || index.definition(source.node).role === "update" ? "on" : "off") : "off";
}

/**
 * What edits of the graph have made of an edge: made by this step, taken away, not made yet.
 * @param {TraceIndex} index @param {WireEnds} wire @param {number} target @param {number} step @returns {"now" | "ghost" | "later" | ""}
 */
function edited(index, wire, target, step) {
  const { edges, nodes } = index.trace;
  const between = [target, ...index.plumbing[target]].flatMap((node) => index.inputs[node]).filter((e) => nodes.slot[index.host(edges.source[e])] === wire.source);
  const changes = between.flatMap((e) => index.edits.get(e) ?? []);
  if (!changes.length) return "";
  const limit = index.limit(step);
  if (between.some((e) => index.isWired(e, limit))) return changes.some(({ seq, added }) => added && seq < limit && seq >= index.limit(step - 1)) ? "now" : "";
  return changes.some(({ seq }) => seq < limit) ? "ghost" : "later";
}

/** Whether a node read something that `stand` stands for now. @param {TraceIndex} index @param {Scene} scene @param {number} stand @param {number} reader */
function readsReplaced(index, scene, stand, reader) {
  const { nodes } = index.trace;
  const read = slotsRead(index, reader);
  for (const old of scene.replaced.keys()) if (read.has(nodes.slot[index.host(old)]) && finalOf(scene, old).some((node) => index.host(node) === stand)) return true;
  return false;
}

/** Where replacements lead in the end. @param {Scene} scene @param {number} node @returns {number[]} */
function finalOf(scene, node) {
  /** @type {Set<number>} */
  const seen = new Set();
  let now = [node];
  for (let hops = 0; hops < 16 && now.some((n) => scene.replaced.has(n)); hops++) {
    now = now.flatMap((n) => (seen.has(n) ? [] : (seen.add(n), scene.replaced.get(n) ?? [n])));
  }
  return [...new Set(now)];
}
