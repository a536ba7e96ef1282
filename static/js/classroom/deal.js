/**
 * Which ops the hall plays: those of the graph that is on the screen, in an order in which each reads only earlier ones.
 * @typedef {import("../views/graph/graph.js").GraphView} GraphView
 * @typedef {{slot: number, name: string, symbol: string, category: string, inputs: number[]}} DealtOp
 */
import { nodeName } from "./next.js";

const MOST = 500;

/** Gradients have a band of their own; the hall plays what the program wrote. @param {import("../trace/index.js").TraceIndex} index @param {number} slot */
const isForward = (index, slot) => index.definition(index.slotNodes[slot][0]).category !== "gradient";

/** @param {GraphView} graph @returns {DealtOp[]} */
export function opsOf(graph) {
  const { scene, plan } = graph;
  const { index } = graph.player;
  if (!scene || !plan || !index) return [];
  const inputs = new Map([...scene.slots.keys()].filter((slot) => plan.boxes.has(slot) && isForward(index, slot)).map((slot) => [slot, /** @type {number[]} */ ([])]));
  for (const { source, target, kind } of plan.wires) if (kind === "data" && inputs.has(source) && inputs.has(target) && source !== target) inputs.get(target)?.push(source);
  /** @type {Map<number, number>} */
  const order = new Map();
  const waiting = new Set(inputs.keys());
  // One layer after the other; what lies on a ring (a loop's way back) is left out with what reads it.
  for (let grown = true; grown && waiting.size;) {
    grown = false;
    for (const slot of [...waiting]) {
      if (!(inputs.get(slot) ?? []).every((one) => order.has(one))) continue;
      order.set(slot, order.size);
      waiting.delete(slot);
      grown = true;
    }
  }
  return [...order.keys()].slice(0, MOST).map((slot) => {
    const node = scene.slots.get(slot)?.node ?? index.slotNodes[slot][0];
    return { slot, name: nodeName(index, node).slice(0, 60), symbol: index.definition(node).symbol.slice(0, 12), category: index.definition(node).category.slice(0, 20), inputs: [...new Set((inputs.get(slot) ?? []).map((one) => order.get(one) ?? 0))].slice(0, 50) };
  });
}
