/**
 * Which two operands of an op meet in a product, row by column: `bias + input @ weight` is about its second and third.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 */
import { inputsOf } from "./names.js";

/** Where the left factor of a product stands among the operands. @type {Record<string, number>} */
const LEFT = { matmul: 0, addmm: 1, addmv: 1, addbmm: 1, baddbmm: 1 };

/** Whether an op is a product of rows and columns. @param {string} op */
export const isProduct = (op) => Object.hasOwn(LEFT, op);

/** The operands of a product that meet; all of any other op. @template T @param {string} op @param {T[]} operands @returns {T[]} */
export const meeting = (op, operands) => (isProduct(op) && operands.length >= LEFT[op] + 2 ? operands.slice(LEFT[op], LEFT[op] + 2) : operands);

/**
 * The linear layer that would take what a failed one was given, as it is written: `Linear(784, 10)`. Empty where no layer failed.
 * @param {TraceIndex} index @param {number} node the op that failed @param {(number | null)[] | null | undefined} left @param {(number | null)[] | null | undefined} right shapes that met
 */
export function fittingLayer(index, node, left, right) {
  const weight = meeting(index.definition(node).op, inputsOf(index, node))[1] ?? -1;
  // A layer keeps its weight turned: one row for each output.
  const turned = weight >= 0 && index.definition(weight).op === "transpose" && inputsOf(index, weight).some((one) => index.definition(one).role === "variable");
  const [features, outputs] = [left?.at(-1), right?.at(-1)];
  return turned && features && outputs && features !== right?.at(-2) ? `Linear(${features}, ${outputs})` : "";
}
