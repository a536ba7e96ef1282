/**
 * How a node looks and reads at a step, in words and numbers: what the graph writes and a screen reader says.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./scene.js").SlotState} SlotState
 */
import { brief, shapeText } from "./format.js";
import { called, constantText, label, variable } from "./names.js";

const WORDS = /** @type {Record<string, string>} */ ({
  building: "being built", empty: "holds no value", feeding: "being fed", value: "holds a value", seen: "its value was seen here, nothing keeps it", ghost: "removed from this plan", merged: "merged away in this plan",
  skipped: "not taken in this run", inner: "computed inside a fused step, its value is not kept",
  folded: "folded into a constant in this plan", freed: "freed", error: "failed", pending: "gradient not computed yet",
});

/** What stands in a gradient that holds nothing, and why. */
const PENDING = /** @type {Record<string, string>} */ ({ cleared: "None", "passed by": "not reached" });

/** @param {TraceIndex} index @param {SlotState} state */
export function stateWords(index, state) {
  if (state.note && (state.state === "ghost" || state.state === "merged" || state.state === "folded")) return `${WORDS[state.state]}: ${state.note}`;
  if (state.state === "value" && state.value < 0) return "has run";
  if (state.state === "pending" && state.note === "cleared") return "cleared, holds nothing";
  if (state.state === "pending" && state.note === "passed by") return "no backward has come here";
  return `${WORDS[state.state]}${state.arrived ? " and its gradient" : ""}`;
}

/** The type that a node is known to have: of its value if it has one, else the static one. @param {TraceIndex} index @param {number} node @param {number} value */
export function shapeOf(index, node, value) {
  const held = index.trace.document.values[value];
  if (held?.shape) return shapeText(held.shape);
  const type = index.trace.document.types[index.trace.nodes.type[node]];
  return type ? shapeText(type.shape) : "";
}

/** The texts of a node in the graph. @param {TraceIndex} index @param {SlotState} state @param {string} form */
export function texts(index, state, form) {
  const { node } = state;
  const name = variable(index, node);
  const definition = index.definition(node);
  const bare = definition.role === "variable" || definition.role === "input" || form === "const";
  const given = definition.role === "input" && index.isStatic(index.trace.nodes.graph[node]) ? index.text(index.trace.nodes.name[node]) : "";
  const title = form === "const" ? constantText(index, node) || name || label(index, node) : bare && (name || given) ? name || given : label(index, node);
  const sub = state.state === "pending" ? (PENDING[state.note] ?? "not yet") : state.state === "error" ? "failed here" : shapeOf(index, node, state.value);
  const gone = state.state === "ghost" || state.state === "merged" || state.state === "folded";
  return { label: title, name: name && title !== name ? name : "", sub: gone ? "" : sub, note: gone && state.alone ? state.note : "" };
}

/** "pred, matmul, holds a value, [4, 3]" @param {TraceIndex} index @param {SlotState} state */
export function spoken(index, state) {
  const name = called(index, state.node);
  const op = label(index, state.node);
  const value = state.value >= 0 ? index.trace.document.values[state.value] : undefined;
  return [name, op !== name ? op : "", stateWords(index, state), shapeOf(index, state.node, state.value), value?.size === 1 ? brief(value) : ""].filter(Boolean).join(", ");
}
