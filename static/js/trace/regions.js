/**
 * Branches and loop parts of static graphs at a step: taken or not, in which pass.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./scene.js").Scene} Scene
 * @typedef {{state: "waiting" | "taken" | "passed", pass: number, of: number}} RegionState   `passed`: this run took another branch; `pass` from 1, 0 outside loops
 */
import { countBefore } from "./index.js";

/** @typedef {{seq: number, run: number, iteration: number}} Entry */

/** @type {WeakMap<TraceIndex, Map<number, Entry[]>>} */
const ENTRIES = new WeakMap();

/** When each region was entered, in order. @param {TraceIndex} index */
function entries(index) {
  let map = ENTRIES.get(index);
  if (!map) {
    ENTRIES.set(index, (map = new Map()));
    const rows = index.trace.events.entered ?? { seq: [] };
    for (let row = 0; row < rows.seq.length; row++) {
      const entry = { seq: rows.seq[row], run: rows.run[row], iteration: rows.iteration[row] };
      const list = map.get(rows.region[row]);
      if (list) list.push(entry);
      else map.set(rows.region[row], [entry]);
    }
  }
  return map;
}

/** @param {TraceIndex} index @param {{run: number, step: number}} scene @param {number} region @returns {RegionState} */
export function regionState(index, scene, region) {
  const { regions } = index.trace;
  const limit = index.limit(scene.step);
  const all = entries(index);
  const ofRun = /** @param {number} r */ (r) => (all.get(r) ?? []).filter((entry) => entry.run === scene.run);
  const own = ofRun(region);
  const past = countBefore(own, limit, (entry) => entry.seq);
  if (scene.run >= 0 && past > 0) {
    const { iteration } = own[past - 1];
    return { state: "taken", pass: iteration + 1, of: iteration < 0 ? 0 : Math.max(...own.map((entry) => entry.iteration)) + 1 };
  }
  const other = regions.node.some((node, r) => r !== region && node === regions.node[region] && regions.parent[r] === regions.parent[region] && isBranch(index, r) && ofRun(r).some((entry) => entry.seq < limit));
  return { state: other && isBranch(index, region) ? "passed" : "waiting", pass: 0, of: 0 };
}

/**
 * The passes of a static loop: of the time that it is going on at a step, or was last begun before. None before it began in this run.
 * @param {TraceIndex} index @param {{run: number, step: number}} scene @param {number} body @returns {import("./looppasses.js").Pass[]}
 */
export function activationOf(index, scene, body) {
  const { regions } = index.trace;
  const limit = index.limit(scene.step);
  const loop = regions.node[body];
  // The condition is asked before each pass, and once more when the loop ends: a pass begins with it.
  const parts = regions.node.flatMap((node, region) => (node === loop ? (entries(index).get(region) ?? []).map((entry) => ({ ...entry, region })) : [])).filter((entry) => entry.run === scene.run).sort((a, b) => a.seq - b.seq);
  const last = countBefore(parts, limit, (entry) => entry.seq) - 1;
  if (scene.run < 0 || last < 0) return [];
  const begins = /** @param {number} i */ (i) => parts[i].iteration === 0 && parts[i].region !== body;
  let first = last;
  while (first > 0 && !begins(first)) first--;
  let end = last + 1;
  while (end < parts.length && !begins(end)) end++;
  const own = parts.slice(first, end);
  const starts = own.filter((entry) => entry.region !== body && own.some((other) => other.region === body && other.iteration === entry.iteration));
  const ask = own.filter((entry) => entry.region !== body);
  return starts.map((entry) => ({ from: entry.seq, to: ask[ask.indexOf(entry) + 1]?.seq ?? Infinity }));
}

/** @param {TraceIndex} index @param {number} region */
const isBranch = (index, region) => ["true", "false"].includes(index.text(index.trace.regions.name[region]));

/** The regions whose ops this run passes by, and those inside them. @param {TraceIndex} index @param {{run: number, step: number}} scene @returns {Set<number>} */
export function passedBy(index, scene) {
  /** @type {Set<number>} */
  const out = new Set();
  const { parent } = index.trace.regions;
  if (scene.run < 0) return out;
  for (let region = 0; region < index.trace.count.regions; region++) {
    if (out.has(parent[region]) || regionState(index, scene, region).state === "passed") out.add(region);
  }
  return out;
}
