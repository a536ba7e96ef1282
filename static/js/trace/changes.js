/**
 * When a name, or an expression over names, holds something else than before.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./asking/evaluate.js").Thing} Thing
 * @typedef {{thing: Thing, problem: ""} | {thing: undefined, problem: string}} Answer   `problem`: why there is no value at this step
 */
import { evaluate, isDict, isInstance, isTensor } from "./asking/evaluate.js";
import { ExpressionError, parse } from "./asking/grammar.js";
import { scopeAt } from "./asking/held.js";
import { sameFunction, variableOf } from "./asking/lexical.js";

/** What an expression is at a step. @param {TraceIndex} index @param {string} text @param {number} step @returns {Answer} */
export function answer(index, text, step) {
  try {
    return { thing: evaluate(parse(text), scopeAt(index, step)), problem: "" };
  } catch (error) {
    if (error instanceof ExpressionError) return { thing: undefined, problem: error.message };
    throw error;
  }
}

/** Whether two things are the same content. @param {Thing | undefined} a @param {Thing | undefined} b @returns {boolean} */
export function alike(a, b) {
  if (a === undefined || b === undefined || a === null || b === null || typeof a !== "object" || typeof b !== "object") return Object.is(a, b);
  // Values are stored once by content; those that were cut out of one are compared by their numbers.
  if (isTensor(a)) return isTensor(b) && (a.tensor === b.tensor || (!!a.tensor?.data && a.tensor.size === b.tensor?.size && String(a.tensor.data) === String(b.tensor?.data)));
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((one, i) => alike(one, b[i]));
  if (isDict(a)) return isDict(b) && a.dict.size === b.dict.size && [...a.dict].every(([key, value]) => alike(value, b.dict.get(key)));
  return isInstance(a) && isInstance(b) && a.text === b.text && [...a.attributes].every(([key, value]) => alike(value, b.attributes.get(key)));
}

/** The names of an expression. @param {import("./asking/grammar.js").Tree} tree @returns {Set<string>} */
function namesIn(tree) {
  /** @type {Set<string>} */
  const out = new Set();
  /** @param {unknown} part */
  const walk = (part) => {
    if (!part || typeof part !== "object") return;
    if ("kind" in part && part.kind === "name" && "name" in part) out.add(String(part.name));
    Object.values(part).forEach(walk);
  };
  walk(tree);
  return out;
}

/** The steps at which something may have happened to a name: bound, deleted, run again, written in place, its gradient stored. @param {TraceIndex} index @param {number} step @param {string} name */
function touched(index, step, name) {
  const variable = variableOf(index, step, name);
  if (!variable) return [];
  /** @type {number[]} */
  const seqs = [];
  for (const one of sameFunction(index, variable)) {
    const end = index.bindings.frames.get(one.frame)?.to ?? Infinity;
    one.history.forEach((binding, i) => {
      seqs.push(binding.seq);
      if (binding.node < 0) return;
      const to = one.history[i + 1]?.seq ?? end;
      const storages = index.mirrors[binding.node].filter((mirror) => index.definition(mirror).role === "accumulate");
      const happened = [...index.values[binding.node], ...storages.flatMap((storage) => [...index.values[storage], ...index.cleared[storage]])];
      for (const { seq } of happened) if (seq > binding.seq && seq < to) seqs.push(seq);
    });
  }
  return seqs.map((seq) => index.stepOf(seq));
}

/** @type {WeakMap<TraceIndex, Map<string, number[]>>} */
const CHANGES = new WeakMap();

/**
 * The steps at which an expression holds something else than at the step before, in order. Of a variable of a function: over all its calls.
 * @param {TraceIndex} index @param {string} text @param {number} step where the names are looked up
 * @returns {number[]}
 * @throws {ExpressionError} it is no expression
 */
export function changesOf(index, text, step) {
  const names = [...namesIn(parse(text))];
  const key = `${text} ${names.map((name) => variableOf(index, step, name)?.frame ?? -1).join(" ")}`;
  let kept = CHANGES.get(index);
  if (!kept) CHANGES.set(index, (kept = new Map()));
  let out = kept.get(key);
  if (!out) {
    const steps = [...new Set(names.flatMap((name) => touched(index, step, name)))].sort((a, b) => a - b);
    out = [];
    /** @type {Thing | undefined} */
    let last;
    for (const k of steps) {
      const { thing } = answer(index, text, k);
      if (!alike(thing, last)) out.push(k);
      last = thing;
    }
    if (kept.size > 60) kept.clear();
    kept.set(key, out);
  }
  return out;
}

/** The next or previous change of an expression, null if there is none. @param {TraceIndex} index @param {string} text @param {number} step @param {1 | -1} way */
export function byChange(index, text, step, way) {
  const steps = changesOf(index, text, step);
  return (way > 0 ? steps.find((k) => k > step) : steps.findLast((k) => k < step)) ?? null;
}
