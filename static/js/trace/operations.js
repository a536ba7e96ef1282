/**
 * Sentences for ops that run: what this op does to these operands, in words.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 */
import { code, mark, plain } from "./parts.js";
import { count, inWords, num } from "./format.js";
import { called, constantText, inputsOf, label, operand, variable } from "./names.js";
import { inPlan } from "./replacements.js";

/** `%0` and `%1` are the operands. An op without a row says what it computes from what. */
const VERBS = /** @type {Record<string, string>} */ ({
  matmul: "multiplies %0 by %1", linear: "multiplies %0 by %1", add: "adds %1 to %0", sub: "subtracts %1 from %0", mul: "multiplies %0 and %1 entry by entry",
  div: "divides %0 by %1", pow: "raises %0 to the power %1", square: "squares %0", neg: "turns the sign of %0", abs: "takes the size of each number of %0", exp: "takes e to the power of %0",
  log: "takes the logarithm of %0", sqrt: "takes the square root of %0", tanh: "squashes %0 between −1 and 1", sigmoid: "squashes %0 between 0 and 1", mse_loss: "averages the squared distance of %0 and %1",
  greater: "compares %0 with %1", less: "compares %0 with %1", reshape: "gives %0 another shape", maximum: "takes the larger of %0 and %1",
  assign: "gives %0 the value of %1", assign_add: "adds %1 to %0", assign_sub: "subtracts %1 from %0", overwrite: "overwrites %0 with %1",
});
const FOLDS = /** @type {Record<string, string>} */ ({ mean: "averages", sum: "adds up", max: "takes the largest of", min: "takes the smallest of" });

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
  const named = name && role !== "variable" && role !== "input" ? [plain(" The result is named "), code(name), plain(".")] : [];
  const actor = mark(role === "variable" || role === "input" ? called(index, node) : label(index, node));
  const from = inputsOf(index, node).map((input) => inPlan(index, plan, input));
  const host = index.host(node);
  if (host !== node) return [actor, plain(index.definition(host).role === "variable" && op === "identity" ? " reads " : " helps "), code(called(index, host)), plain(op === "constant" ? `: the constant ${newValue(index, value)}.` : value >= 0 ? `: ${newValue(index, value)}.` : ".")];
  if (role === "input") return [actor, plain(` brings data in: ${newValue(index, value)}.`)];
  if (role === "variable") return [actor, plain(` holds ${newValue(index, value)}.`)];
  if (op === "constant" || role === "constant") return constant(index, node, value, actor);
  if (role === "update" && !index.isStatic(index.trace.nodes.graph[node]) && from.some((n) => index.definition(n).role === "accumulate")) return optimiser(index, from, value, actor);
  if (op === "relu" && result?.size && result.size > 1 && result.zeros !== undefined) {
    return [actor, plain(result.zeros ? ` sets ${result.zeros} of ${result.size} numbers to 0.` : ` leaves all ${result.size} numbers as they are.`), ...named];
  }
  const read = index.trace.document.values[index.values[from[0]]?.at(-1)?.value ?? -1];
  if (FOLDS[op] && from.length === 1 && read?.size) {
    return [actor, plain(` ${FOLDS[op]} ${count(read.size, "number")}: ${newValue(index, value)}.`), ...named];
  }
  const scaled = op === "mul" && from.length === 1;
  const verb = scaled ? "multiplies %0 by %1" : op === "transpose" ? turned(result) : VERBS[op];
  const operands = operandNames(index, node, from);
  if (verb && operands.length >= (verb.includes("%1") ? 2 : 1)) {
    const place = role === "update" && label(index, node).endsWith("_") && op !== "overwrite" ? " in place" : "";
    return [actor, plain(" "), ...fill(verb, operands), plain(`${place}: ${newValue(index, value)}.`), ...named];
  }
  if (!result) return [actor, plain(" ran. It gives no value.")];
  const sources = from.slice(0, 3).flatMap((n, i) => [plain(i === 0 ? " from " : from.length <= 3 && i === from.length - 1 ? " and " : ", "), code(operand(index, n))]);
  if (from.length > 3) sources.push(plain(` and ${from.length - 3} more`));
  return [actor, plain(` computes ${newValue(index, value)}`), ...sources, plain("."), ...named];
}

/** @param {TraceIndex} index @param {number} node @param {number} value @param {Part} actor @returns {Part[]} */
function constant(index, node, value, actor) {
  const name = variable(index, node);
  const what = constantText(index, node) ? [plain(`the constant ${constantText(index, node)}`)] : [plain(`a constant: ${newValue(index, value)}`)];
  return name && name !== actor.text ? [actor, plain(" is "), ...what, plain(", named "), code(name), plain(".")] : [actor, plain(" is "), ...what, plain(".")];
}

/** An optimiser reads a parameter and its gradient. How it makes the step of them the recording does not say. @param {TraceIndex} index @param {number[]} from @param {number} value @param {Part} actor @returns {Part[]} */
function optimiser(index, from, value, actor) {
  const gradients = from.filter((n) => index.definition(n).role === "accumulate");
  const changed = from.find((n) => index.definition(n).role !== "accumulate") ?? index.trace.nodes.mirrors[gradients[0]];
  return [actor, plain(" changes "), code(called(index, changed)), plain(", using "), code(called(index, gradients[0])), plain(`: ${newValue(index, value)}.`)];
}

/** @param {import("./types.js").Value | undefined} result */
function turned(result) {
  const dimensions = result?.shape?.length ?? 2;
  return dimensions === 2 ? "swaps rows and columns of %0" : dimensions < 2 ? "gives %0 back as it is" : "puts the dimensions of %0 in another order";
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

