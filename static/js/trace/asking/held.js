/**
 * What names hold at a step, as things that an expression can ask about.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("../types.js").Value} Value
 * @typedef {import("./evaluate.js").Thing} Thing
 */
import { storageOf, valueAt } from "../variables.js";
import { evaluate } from "./evaluate.js";
import { parse } from "./grammar.js";
import { resolve } from "./lexical.js";

/** @param {TraceIndex} index @param {number} node @param {number} step @returns {import("./evaluate.js").Tensor} */
export function tensorOf(index, node, step) {
  const { document, nodes } = index.trace;
  const storage = storageOf(index, node, index.limit(step));
  const grad = index.isStatic(nodes.graph[node]) ? null : () => (storage >= 0 && valueAt(index, storage, step) >= 0 ? tensorOf(index, storage, step) : null);
  return { tensor: document.values[valueAt(index, node, step)] ?? null, type: document.types[nodes.type[node]] ?? null, grad };
}

const NUMBERS = new Set(["int", "float", "bool", "NoneType", "str", "list", "tuple", "dict"]);
/** Longest text of a Python value that is read as a value. */
const MOST_TEXT = 20_000;

/** @param {string} text @param {string} python @returns {Thing} */
function literal(text, python) {
  if (/^-?(?:inf|nan)$/.test(text)) return text === "nan" ? NaN : text === "inf" ? Infinity : -Infinity;
  try {
    return evaluate(parse(text, MOST_TEXT), { name: () => undefined });
  } catch {
    return { object: python, text, attributes: new Map() };
  }
}

/** A Python value from what the recording tells of it. @param {Value} value @param {Set<number>} [seen] objects that are being read: one may hold itself @returns {Thing} */
export function pythonThing(value, seen = new Set()) {
  const { python = "", text = "" } = value;
  const { items = [], inside = [] } = /** @type {{items?: [string, string, number][], inside?: (Value & {object: number})[]}} */ (value);
  if (NUMBERS.has(python)) {
    const read = literal(text, python);
    if (!(typeof read === "object" && read !== null && "object" in read)) return read;
  }
  /** @type {Map<string, Thing>} */
  const attributes = new Map();
  for (const [label, words, object] of items) {
    const within = object >= 0 && !seen.has(object) ? inside.find((one) => one.object === object) : undefined;
    attributes.set(label, within ? pythonThing({ text: words, .../** @type {any} */ ({ ...within, inside }) }, new Set([...seen, object])) : literal(words, "object"));
  }
  return { object: python, text, attributes };
}

/** What a variable's binding holds. @param {TraceIndex} index @param {import("../bindings.js").Binding} binding @param {number} step @returns {Thing} */
export function thingOf(index, binding, step) {
  if (binding.node >= 0) return tensorOf(index, binding.node, step);
  const value = index.trace.document.values[binding.value];
  if (!value) return { object: "value", text: "", attributes: new Map() };
  return value.python === undefined ? { tensor: value, type: null, grad: null } : pythonThing(value);
}

/**
 * The names of a step, for expressions.
 * @param {TraceIndex} index @param {number} step @param {Record<string, Thing>} [more] names that stand for something at this step
 * @returns {import("./evaluate.js").Scope}
 */
export function scopeAt(index, step, more = {}) {
  return {
    name: (name) => {
      const found = resolve(index, step, name);
      if (found) return thingOf(index, found.binding, step);
      return Object.hasOwn(more, name) ? more[name] : undefined;
    },
  };
}
