/**
 * What a step is about: the event it stands for and the nodes that the event names.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{kind: string, row: number, nodes: number[], whole: boolean}} Focus   `whole`: it is about the graph as such
 */

/**
 * @param {TraceIndex} index
 * @param {number} step
 * @returns {Focus}
 */
export function focus(index, step) {
  const { steps, events, document } = index.trace;
  const kind = index.text(steps.kind[step]);
  const row = steps.row[step];
  const rows = events[kind];
  /** @type {number[]} */
  let nodes = [];
  let whole = false;
  if (kind === "rewrite") {
    nodes = [...document.lists[rows.old[row]], ...document.lists[rows.new[row]]];
    whole = !nodes.length;
  } else if (kind === "freed") nodes = document.lists[rows.nodes[row]];
  else if (kind === "optimise" || kind === "pass" || kind === "compiled" || kind === "run") whole = true;
  else if (kind === "error" || kind === "line" || kind === "output") nodes = [];
  else if ((rows?.node?.[row] ?? -1) >= 0) nodes = [rows.node[row]];
  if (kind === "error" && document.end.error && document.end.error.node >= 0 && step === index.stepCount - 1) nodes = [document.end.error.node];
  return { kind, row, nodes, whole };
}
