/**
 * Sentences for ops that run: what this op does to these operands, in words.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 */
import { code, mark, plain, said } from "./parts.js";
import { count, inWords, num } from "./format.js";
import { called, constantText, inputsOf, label, operand, variable } from "./names.js";
import { inPlan } from "./replacements.js";
import { WORDING } from "./wording.js";

/** An op without a row says what it computes from what. */
const VERBS = /** @type {Record<string, string>} */ (WORDING.verbs);
const FOLDS = /** @type {Record<string, string>} */ (WORDING.folds);

/** @param {TraceIndex} index @param {number} value */
const newValue = (index, value) => inWords(index.trace.document.values[value]);

/**
 * @param {TraceIndex} index
 * @param {number} node
 * @param {number} value index into values
 * @param {number} plan the plan that ran it, -1 if none did
 * @returns {Part[]}
 */
export function operation(index, node, value, plan) {
  const { op, role } = index.definition(node);
  const result = index.trace.document.values[value];
  const name = variable(index, node);
  const named = name && role !== "variable" && role !== "input" ? said("op.named", { called: name }) : [];
  const own = role === "variable" || role === "input" ? called(index, node) : label(index, node);
  const actor = mark(own);
  const told = newValue(index, value);
  const from = inputsOf(index, node).map((input) => inPlan(index, plan, input));
  const host = index.host(node);
  // What an optimiser computes for a parameter is told as what it is.
  if (host !== node && (index.isStatic(index.trace.nodes.graph[node]) || index.definition(host).role !== "update")) {
    const reads = index.definition(host).role === "variable" && op === "identity" ? "reads" : "helps";
    return said(`op.${reads}${op === "constant" || value >= 0 ? " value" : ""}`, { name: own, host: called(index, host), value: op === "constant" ? `the constant ${told}` : told });
  }
  if (role === "input" || role === "variable") return said(`op.${role}`, { name: own, value: told });
  if (op === "constant" || role === "constant") {
    const number = constantText(index, node);
    return said(name && name !== own ? "op.constant named" : "op.constant", { name: own, what: number ? `the constant ${number}` : `a constant: ${told}`, called: name || "" });
  }
  if (role === "update" && !index.isStatic(index.trace.nodes.graph[node]) && from.some((n) => index.definition(n).role === "accumulate")) return optimiser(index, from, told, own);
  if (op === "relu" && result?.size && result.size > 1 && result.zeros !== undefined) return [...said(result.zeros ? "op.relu" : "op.relu none", { name: own, zeros: result.zeros, size: result.size }), ...named];
  const read = index.trace.document.values[index.values[from[0]]?.at(-1)?.value ?? -1];
  if (FOLDS[op] && from.length === 1 && read?.size) return [...said("op.fold", { name: own, verb: FOLDS[op], numbers: count(read.size, "number"), value: told }), ...named];
  const scaled = op === "mul" && from.length === 1;
  const verb = scaled ? VERBS.scale : op === "transpose" ? turned(result) : VERBS[op];
  const operands = operandNames(index, node, from);
  if (verb && operands.length >= (verb.includes("%1") ? 2 : 1)) {
    const place = role === "update" && label(index, node).endsWith("_") && op !== "overwrite" ? " in place" : "";
    return [actor, plain(" "), ...fill(verb, operands), plain(`${place}: ${told}.`), ...named];
  }
  if (!result) return said("op.nothing", { name: own });
  const sources = from.slice(0, 3).flatMap((n, i) => [plain(i === 0 ? " from " : from.length <= 3 && i === from.length - 1 ? " and " : ", "), code(operand(index, n))]);
  if (from.length > 3) sources.push(plain(` and ${from.length - 3} more`));
  return [actor, plain(` computes ${told}`), ...sources, plain("."), ...named];
}

/** An optimiser reads a parameter and its gradient. How it makes the step of them the recording does not say. @param {TraceIndex} index @param {number[]} from @param {string} value @param {string} name @returns {Part[]} */
function optimiser(index, from, value, name) {
  const gradients = from.filter((n) => index.definition(n).role === "accumulate");
  const changed = from.find((n) => index.definition(n).role !== "accumulate") ?? index.trace.nodes.mirrors[gradients[0]];
  return said("op.update", { name, changed: called(index, changed), gradient: called(index, gradients[0]), value });
}

/** @param {import("./types.js").Value | undefined} result */
function turned(result) {
  const dimensions = result?.shape?.length ?? 2;
  return VERBS[dimensions === 2 ? "turn" : dimensions < 2 ? "turn nothing" : "turn many"];
}

/** What the op reads, in order: nodes by name, and plain numbers, which are attributes `a` and `b`. @param {TraceIndex} index @param {number} node @param {number[]} from */
function operandNames(index, node, from) {
  const names = from.map((n) => operand(index, n));
  const { a, b } = index.definition(node).attributes ?? {};
  if (typeof a === "number") names.unshift(num(a));
  if (typeof b === "number") names.splice(1, 0, num(b));
  return names;
}

/** @param {string} verb @param {string[]} names @returns {Part[]} */
function fill(verb, names) {
  return verb.split(/(%[01])/).filter(Boolean).map((piece) => (piece === "%0" ? code(names[0]) : piece === "%1" ? code(names[1]) : plain(piece)));
}

