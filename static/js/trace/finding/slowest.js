/**
 * Which ops take longest: kernel time by place, as measured in this recording. A static op is a place in its graph; a dynamic one is
 * a place in the program, which makes a new node each time it runs.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {{node: number, step: number, runs: number, total: number, longest: number, middle: number}} Cost   times in ns; `step`: of the longest run
 */
import { median } from "../history.js";
import { label } from "../names.js";

/** @type {WeakMap<TraceIndex, {costs: Cost[], total: number}>} */
const COSTS = new WeakMap();

/** The places with the largest time in all, the largest first. @param {TraceIndex} index @returns {{costs: Cost[], total: number}} `total`: of all places */
export function slowest(index) {
  let all = COSTS.get(index);
  if (!all) COSTS.set(index, (all = addUp(index)));
  return all;
}

/** @param {TraceIndex} index @returns {{costs: Cost[], total: number}} */
function addUp(index) {
  const { nodes } = index.trace;
  /** @type {Map<string, {node: number, seq: number, longest: number, times: number[]}>} */
  const places = new Map();
  let total = 0;
  for (const table of ["ran", "gradient"]) {
    const rows = index.trace.events[table];
    rows?.seq?.forEach((seq, row) => {
      const ns = rows.duration[row];
      if (ns < 0) return;
      const node = index.host(rows.node[row]);
      const key = index.isStatic(nodes.graph[node]) || nodes.span[node] < 0 ? `slot ${nodes.slot[node] >= 0 ? nodes.slot[node] : -1 - node}` : `${label(index, node)} ${nodes.span[node]}`;
      const place = places.get(key);
      total += ns;
      if (!place) places.set(key, { node, seq, longest: ns, times: [ns] });
      else {
        place.times.push(ns);
        if (ns > place.longest) Object.assign(place, { node, seq, longest: ns });
      }
    });
  }
  const costs = [...places.values()].map(({ node, seq, longest, times }) => ({ node, step: index.stepOf(seq), runs: times.length, total: times.reduce((a, b) => a + b, 0), longest, middle: median(times) }));
  return { costs: costs.sort((a, b) => b.total - a.total || a.step - b.step), total };
}
