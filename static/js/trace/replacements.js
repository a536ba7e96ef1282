/**
 * Which node a plan reads where the graph reads another: the end of the chain of rewrites.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 */

/** @param {TraceIndex} index @param {number} plan @param {number} node @returns {number} */
export function inPlan(index, plan, node) {
  // What has no plan are edits of the graph: they say what one node reads, not what stands for another.
  if (plan < 0) return node;
  for (let hops = 0; hops < 16; hops++) {
    const change = index.rewrites?.get(plan)?.find((c) => c.old.includes(node) && c.new.length && !c.new.includes(node));
    if (!change) return node;
    node = change.new[change.new.length === change.old.length ? change.old.indexOf(node) : 0];
  }
  return node;
}
