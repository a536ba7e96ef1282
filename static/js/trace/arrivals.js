/**
 * The gradients that have arrived at a forward op: what the gradient nodes of its readers sent.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 */
import { lastBefore } from "./index.js";

/** @param {TraceIndex} index @param {number} node a forward node @param {number} limit @returns {{from: number, value: number}[]} gradient nodes and indexes into values */
export function arrivals(index, node, limit) {
  const { edges, events, document } = index.trace;
  const own = index.mirrors[node].filter((m) => index.definition(m).role === "gradient");
  /** @type {{from: number, value: number}[]} */
  const out = [];
  for (const gradient of own) {
    for (const e of index.inputs[gradient]) {
      const from = edges.source[e];
      if (index.text(edges.kind[e]) !== "data" || index.definition(from).role !== "gradient") continue;
      const sent = lastBefore(index.gradients[from], limit);
      const value = sent ? document.lists[events.gradient.values[sent.row]]?.[edges.port[e]] ?? -1 : -1;
      if (value >= 0) out.push({ from, value });
    }
  }
  return out;
}
