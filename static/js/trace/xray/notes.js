/**
 * What keeps a loss from falling though gradients arrive: shapes that stretch each other, gradients that pile up, steps that are too large.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./passes.js").Pass} Pass
 * @typedef {import("./cuts.js").Cause & {node: number}} Note
 */
import { num, shapeText } from "../format.js";
import { lastBefore } from "../index.js";
import { inputsOf } from "../names.js";
import { lineOf, nameOf } from "./cuts.js";
import { storageOf } from "./updates.js";

/** The shape that a node had last, else the one that is known while building. @param {TraceIndex} index @param {number} node */
function shapeOf(index, node) {
  const { document, nodes } = index.trace;
  const value = document.values[index.values[node].at(-1)?.value ?? -1];
  return value?.shape ?? document.types[nodes.type[node]]?.shape ?? null;
}

/** @param {(number | null)[]} shape */
const sizeOf = (shape) => shape.reduce((/** @type {number} */ a, b) => a * (b ?? 0), 1);

/**
 * Two tensors of equally many numbers that stretch each other to a table of all pairs: (4,) against (4, 1).
 * @param {TraceIndex} index @param {import("./links.js").Link[]} links @returns {Note[]}
 */
export function stretched(index, links) {
  /** @type {Note[]} */
  const out = [];
  for (const reader of new Set(links.map((link) => link.reader))) {
    const { op, role } = index.definition(reader);
    if (role !== "op" || /matmul|mm|mv|dot|conv|linear|einsum|outer|where|cat|stack/.test(op)) continue;
    const shapes = inputsOf(index, reader).map((node) => ({ node, shape: shapeOf(index, node) })).filter((one) => one.shape && one.shape.length > 0);
    const pair = shapes.length === 2 && shapes[0].shape && shapes[1].shape ? shapes : null;
    if (!pair) continue;
    const [a, b] = pair;
    const [left, right] = [/** @type {number[]} */ (a.shape), /** @type {number[]} */ (b.shape)];
    const size = sizeOf(left);
    if (size < 2 || size !== sizeOf(right) || left.join() === right.join()) continue;
    const rank = Math.max(left.length, right.length);
    const wide = Array.from({ length: rank }, (_, i) => Math.max(left[left.length - rank + i] ?? 1, right[right.length - rank + i] ?? 1));
    if (sizeOf(wide) <= size) continue;
    const line = lineOf(index, reader);
    const fits = left.length > right.length ? [b, a] : [a, b];
    out.push({
      node: reader, kind: `${shapeText(left)} against ${shapeText(right)}`, line,
      title: `${shapeText(left)} against ${shapeText(right)} makes ${shapeText(wide)}`,
      words: `Line ${line} pairs ${nameOf(index, a.node)} ${shapeText(left)} with ${nameOf(index, b.node)} ${shapeText(right)}. They do not match, so each is stretched: every number of one meets every number of the other, ${sizeOf(wide)} instead of ${size}. The loss then pulls every prediction towards the mean of all targets.`,
      tries: [`Give both one shape: ${nameOf(index, fits[0].node).replace(/`$/, "")}.reshape(${/** @type {number[]} */ (fits[1].shape).map((n, i) => (i ? n : -1)).join(", ")})\``],
    });
  }
  return out;
}

/** Gradients that are added to those of the pass before. @param {TraceIndex} index @param {Pass[]} passes @param {number[]} parameters @returns {Note[]} */
export function piledUp(index, passes, parameters) {
  const { events } = index.trace;
  const ran = passes.filter((pass) => pass.ran && !pass.fixed);
  if (ran.length < 3) return [];
  for (const node of parameters) {
    const storage = storageOf(index, node);
    // What nothing is updated by may pile up.
    if (storage < 0 || !index.values[node].some((one) => one.table === "written" && one.seq > ran[0].from) || index.cleared[storage].length || index.values[storage].some((one) => one.table === "cleared")) continue;
    const added = index.values[storage].filter((one) => one.table === "accumulated");
    if (added.length < 3 || !added.slice(1).every((one) => events.accumulated.existed[one.row] === 1)) continue;
    const line = index.trace.steps.line[index.stepOf(added[1].seq)];
    return [{ node: storage, kind: "piles up", line, title: "Gradients pile up", words: `\`.grad\` of ${nameOf(index, node)} is never cleared: ${added.length} passes are added up, and each update follows all of them, not the last one.`, tries: ["Clear the gradients in each pass, before `backward()`: `optimizer.zero_grad()`."] }];
  }
  return [];
}

/** Losses of all passes, in order; those that are no finite number as NaN. @param {TraceIndex} index @param {Pass[]} passes */
export function losses(index, passes) {
  const { values } = index.trace.document;
  /** @param {number} value */
  const number = (value) => (values[value]?.size === 1 ? Number(values[value].data?.[0] ?? values[value].mean ?? NaN) : NaN);
  const fixed = passes.find((pass) => pass.fixed);
  if (fixed) return index.values[fixed.loss].filter((one) => one.table === "ran").map((one) => number(one.value));
  return passes.filter((pass) => pass.ran).map((pass) => number(lastBefore(index.values[pass.loss], pass.from + 1)?.value ?? -1));
}

/** A loss that rises, or stops being a number. @param {TraceIndex} index @param {Pass[]} passes @returns {Note[]} */
export function rising(index, passes) {
  const all = losses(index, passes);
  if (all.length < 3 || !Number.isFinite(all[0])) return [];
  const last = all[all.length - 1];
  const node = passes[passes.length - 1].loss;
  const tries = ["Make the learning rate smaller: a tenth first.", "Scale the inputs to about 0 ± 1."];
  if (!Number.isFinite(last)) return [{ node, kind: "diverges", line: lineOf(index, node), title: "The loss stops being a number", words: `It begins at ${num(all[0])}, and after ${all.findIndex((x) => !Number.isFinite(x))} passes it is infinite or NaN: each step is larger than the one before.`, tries }];
  const up = all.slice(1).filter((x, i) => x > all[i]).length;
  if (last > 2 * all[0] && up > (all.length - 1) / 2) return [{ node, kind: "diverges", line: lineOf(index, node), title: "The loss rises", words: `It goes from ${num(all[0])} to ${num(last)} in ${all.length} passes: gradients arrive, and each step goes too far.`, tries }];
  return [];
}
