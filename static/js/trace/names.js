/**
 * What things are called: the student's names first, then the framework's.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 */
import { num } from "./format.js";

/** What is written in the node: the dialect's word for the op. @param {TraceIndex} index @param {number} node */
export function label(index, node) {
  const definition = index.definition(node);
  if (definition.role === "accumulate") return gradName(index, node);
  if (definition.role === "variable") return (index.isStatic(index.trace.nodes.graph[node]) ? index.text(index.trace.nodes.name[node]) : moduleName(index, node)) || definition.label || definition.op;
  return definition.label || definition.op;
}

/** @type {WeakMap<TraceIndex, Map<number, string>>} */
const MODULES = new WeakMap();

/**
 * `fc1.weight`: a parameter that only a module knows, called after the module that reads it. "" if none does.
 * @param {TraceIndex} index @param {number} node
 */
function moduleName(index, node) {
  let known = MODULES.get(index);
  if (!known) MODULES.set(index, (known = new Map()));
  let name = known.get(node);
  if (name === undefined) {
    const { edges, nodes } = index.trace;
    const own = index.text(nodes.name[node]).split(/[./]/).pop() ?? "";
    const scope = index.outputs[node].map((e) => index.text(nodes.scope[edges.target[e]])).find(Boolean) ?? "";
    name = own && scope ? [...scope.split("/").slice(1), own].join(".") : "";
    known.set(node, name);
  }
  return name;
}

/** `W.grad`, after the leaf it belongs to. @param {TraceIndex} index @param {number} node */
function gradName(index, node) {
  const leaf = index.trace.nodes.mirrors[node];
  const name = leaf >= 0 ? index.text(index.trace.nodes.variable[leaf]) || moduleName(index, leaf) : "";
  return name ? `${name}.grad` : "grad";
}

/** The student's name of a node, "" if it has none. @param {TraceIndex} index @param {number} node */
export function variable(index, node) {
  if (index.definition(node).role === "accumulate") return "";
  return index.text(index.trace.nodes.variable[node]);
}

/** How a sentence calls a node: its variable, or its op. @param {TraceIndex} index @param {number} node */
export function called(index, node) {
  return variable(index, node) || constantText(index, node) || label(index, node);
}

/** A small constant is called by its value. @param {TraceIndex} index @param {number} node */
export function constantText(index, node) {
  if (index.definition(node).role !== "constant") return "";
  const attribute = index.definition(node).attributes?.value;
  const value = index.trace.document.values[index.values[node][0]?.value ?? -1];
  if (value?.size === 1 && value.data) return num(value.data[0]);
  return typeof attribute === "number" ? num(attribute) : "";
}

/** How a sentence calls what an op reads: a constant by its number, everything else by its name. @param {TraceIndex} index @param {number} node */
export function operand(index, node) {
  const host = index.host(node);
  // What reads a variable is shown as part of it.
  if (host !== node && index.definition(host).role === "variable" && index.definition(node).op === "identity") return called(index, host);
  return constantText(index, node) || called(index, node);
}

const MOST = 36;
/** A bracket in which none stands. */
const INNERMOST = /[([{][^()[\]{}]*[)\]}]/g;
/** Brackets whose content is left out, while others round them may be, too. */
const LEFT_OUT = /** @type {Record<string, string>} */ ({ "(": "\uE000", "[": "\uE001", "{": "\uE002" });
const shown = /** @param {string} text */ (text) => text.replaceAll("\uE000", "(…)").replaceAll("\uE001", "[…]").replaceAll("\uE002", "{…}");

/** An expression in at most 36 characters: of a long one what stands in its innermost brackets is left out, the longest first; else its end. @param {string} text */
export function shortCode(text) {
  for (let left = text; ; ) {
    if (shown(left).length <= MOST) return shown(left);
    const inner = (left.match(INNERMOST) ?? []).sort((a, b) => shown(b).length - shown(a).length)[0];
    if (!inner) return `${text.slice(0, MOST - 1)}…`;
    left = left.replace(inner, () => LEFT_OUT[inner[0]]);
  }
}

/** The source text of a node's or step's span, first line only, cut at 36 characters. @param {TraceIndex} index @param {number} span */
export function spanText(index, span) {
  if (span < 0) return "";
  const { spans } = index.trace;
  const lines = index.trace.document.program.source.split("\n");
  const line = [...(lines[spans.line[span] - 1] ?? "")];
  const end = spans.end_line[span] === spans.line[span] ? spans.end_column[span] : line.length;
  const text = line.slice(spans.column[span], end).join("").trim();
  return shortCode(text);
}

/** Data inputs of a node in order, as nodes. @param {TraceIndex} index @param {number} node */
export function inputsOf(index, node) {
  const { edges } = index.trace;
  return index.inputs[node].filter((e) => index.text(edges.kind[e]) === "data").sort((a, b) => edges.input[a] - edges.input[b]).map((e) => edges.source[e]);
}
