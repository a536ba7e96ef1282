/**
 * Gradients that get through and are too small, zero or no numbers: which op made them so, and why.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./links.js").Link} Link
 * @typedef {import("./cuts.js").Cause} Cause
 */
import { num } from "../format.js";
import { lastBefore } from "../index.js";
import { inputsOf, label } from "../names.js";
import { inPlan } from "../replacements.js";
import { lineOf, nameOf } from "./cuts.js";

/** A gradient that became so much smaller on its way has vanished. */
const VANISHED = 1e-3;
/** Below this, an update by an ordinary learning rate is lost in rounding. */
const TINY = 1e-8;

/** What is left, in rounding, of a gradient that is 0 by mathematics: so small a part of what arrived. */
const ROUNDING = 1e-4;

const SATURATES = new Set(["sigmoid", "tanh", "softmax", "log_softmax", "erf", "hardtanh", "hardsigmoid"]);
const STEPS = new Set(["round", "floor", "ceil", "sign", "trunc", "floor_div", "heaviside"]);
const LOSSES = /loss|cross_entropy/;

/** @param {TraceIndex} index @param {number} node */
const at = (index, node) => `\`${label(index, node)}\`${lineOf(index, node) > 0 ? ` in line ${lineOf(index, node)}` : ""}`;

/** The value of a node when another was computed. @param {TraceIndex} index @param {import("./passes.js").Pass} pass @param {number} node */
function valueFor(index, pass, node) {
  const history = [...index.values[node], ...(pass.plan >= 0 ? index.values[inPlan(index, pass.plan, node)] : [])].sort((a, b) => a.seq - b.seq);
  const found = pass.run >= 0 ? history.findLast((one) => one.run === pass.run) ?? history[0] : lastBefore(history, pass.from) ?? history[0];
  return index.trace.document.values[found?.value ?? -1] ?? null;
}

/** @param {import("../types.js").Value | null} value */
const allZero = (value) => !!value && value.python === undefined && value.min === 0 && value.max === 0 && !value.nan;

/** Why the gradient that a link sends is 0. @param {TraceIndex} index @param {import("./passes.js").Pass} pass @param {Link} link @returns {Cause} */
export function zeroCause(index, pass, link) {
  const { reader, source } = link;
  const { op } = index.definition(reader);
  const line = lineOf(index, reader);
  const input = valueFor(index, pass, source);
  const name = nameOf(index, source);
  /** @param {string} kind @param {string} title @param {string} words @param {string[]} tries @returns {Cause} */
  const is = (kind, title, words, tries) => ({ kind, title, words, tries, line });
  if (/relu/.test(op) && input && typeof input.max === "number" && input.max <= 0) {
    return is("dead relu", `Dead relu in line ${line}`, `All ${input.size} numbers that ${at(index, reader)} reads are 0 or less (the largest is ${num(input.max)}). There relu is flat, so the gradient behind it is exactly 0, now and, as nothing changes, for good.`, ["Begin with smaller or other weights and no large negative bias.", "Make the learning rate smaller: one large step can push all of them below 0.", "Or use `leaky_relu`, which is never flat."]);
  }
  if (STEPS.has(op)) return is("flat", `${at(index, reader)} is flat everywhere`, `\`${label(index, reader)}\` jumps from step to step and is flat in between: its slope, and so the gradient behind it, is 0.`, ["Compute the loss before rounding."]);
  if (/clip|clamp|minimum|maximum|relu6|hardtanh/.test(op)) return is("clipped", `${at(index, reader)} cuts all of it off`, `Every number of ${name} lies where \`${label(index, reader)}\` gives a constant: there the gradient is 0.`, ["Widen the range, or clip only what is printed."]);
  if (SATURATES.has(op)) return is("saturated", `${at(index, reader)} is saturated`, `The numbers that \`${label(index, reader)}\` reads are so large (${input ? `${num(input.min)} … ${num(input.max)}` : "far from 0"}) that its result does not change any more: the gradient behind it is 0.`, ["Scale the inputs to about 0 ± 1.", "Begin with smaller weights."]);
  const zeros = inputsOf(index, reader).filter((other) => other !== source && allZero(valueFor(index, pass, other)));
  if (zeros.length && /mul|matmul|mv|dot|linear|conv|einsum|div/.test(op)) return is("times 0", `${at(index, reader)} multiplies by 0`, `The gradient of ${name} is what arrives, times ${nameOf(index, zeros[0])}, and that is 0 everywhere.`, [`Begin ${nameOf(index, zeros[0])} with small random numbers instead of zeros.`]);
  if (LOSSES.test(op) || /^(?:sub|square|pow|abs|mean|sum)$/.test(op)) return is("nothing left", "The loss is at its lowest", `The gradient is 0 from ${at(index, reader)} on: the prediction is exactly what was asked for, so there is nothing to learn from this data.`, ["If the data is right, it has learned. Otherwise see whether the target was computed from the prediction."]);
  if (/max|min|gather|index|where|select|slice|get/.test(op)) return is("not chosen", `${at(index, reader)} chose others`, `\`${label(index, reader)}\` passes the gradient only to the entries that it chose, and none of ${name} was among them.`, ["See which entries are chosen, and whether this is meant."]);
  return is("zero", `The gradient becomes 0 at ${at(index, reader)}`, `A gradient arrives at ${at(index, reader)} and what is sent on to ${name} is 0 everywhere.`, ["Look at what this op reads: a factor of 0, or a place where it is flat."]);
}

/**
 * A bias that the next op, a normalisation over the batch, subtracts with the mean: whatever it is, nothing changes. Null for any other.
 * @param {TraceIndex} index @param {Link[]} path @returns {{cause: Cause, link: Link} | null}
 */
export function subtracted(index, path) {
  const [before, link] = path.slice(-2);
  if (!link || !before.size || link.size === null || link.size > ROUNDING * before.size) return null;
  const { op, attributes } = index.definition(before.reader);
  const { nodes, document } = index.trace;
  const overBatch = op === "normalise" && Array.isArray(attributes.axes) && attributes.axes.includes(0);
  if (!overBatch || document.types[nodes.type[link.source]]?.shape?.length !== 1) return null;
  const without = /^tf/.test(document.program.dialect) ? "use_bias=False" : "bias=False";
  const line = lineOf(index, link.source);
  const name = nameOf(index, link.source);
  return { link, cause: { kind: "subtracted", line, title: `${name} is subtracted by the normalisation after it`, words: `${at(index, before.reader)} subtracts the mean over the batch, and with it every constant that ${name} adds: the loss does not depend on it, so its gradient is 0 by mathematics${link.size ? ` (${num(link.size)} is rounding)` : ""}. Nothing is wrong; ${name} is only of no use.`, tries: [`Write \`${without}\`${line > 0 ? ` in line ${line}` : ""}: the normalisation has a shift of its own.`] } };
}

/** A gradient that got too small on its way, null if it did not. @param {TraceIndex} index @param {Link[]} path @returns {{cause: Cause, link: Link} | null} */
export function vanished(index, path) {
  const known = path.filter((link) => link.size !== null && link.state === "flows");
  const first = known[0]?.size ?? 0;
  const last = known.at(-1);
  if (!last || last.size === null || !first || last.size === 0) return null;
  if (last.size / first >= VANISHED && last.size >= TINY) return null;
  // Which kind of op took most of it.
  /** @type {Map<string, {times: number, factor: number, worst: Link, least: number}>} */
  const shares = new Map();
  known.forEach((link, i) => {
    const before = i ? known[i - 1].size ?? 0 : first;
    if (!i || !before || link.size === null || link.size >= before) return;
    const op = label(index, link.reader);
    const factor = link.size / before;
    const share = shares.get(op) ?? { times: 0, factor: 1, worst: link, least: 1 };
    share.times++;
    share.factor *= factor;
    if (factor < share.least) Object.assign(share, { worst: link, least: factor });
    shares.set(op, share);
  });
  const [op, share] = [...shares].sort((a, b) => a[1].factor - b[1].factor)[0] ?? ["", null];
  if (!share) return null;
  const line = lineOf(index, share.worst.reader);
  const saturates = SATURATES.has(index.definition(share.worst.reader).op);
  return {
    link: share.worst,
    cause: {
      kind: "vanished", line, title: `The gradient vanishes on its way`,
      words: `It begins at ${num(first)} and is ${num(last.size)} when it arrives, ${num(first / last.size)} times smaller. ${share.times > 1 ? `${share.times} times \`${op}\` took most of it, each` : `\`${op}\`${line > 0 ? ` in line ${line}` : ""} took most of it,`} ${share.times > 1 ? `a factor of ${num(share.factor ** (1 / share.times))}` : `a factor of ${num(share.factor)}`}.`,
      tries: [...(saturates ? [`Use \`relu\` instead of \`${op}\`: its slope is 1 where it is not 0.`, "Scale the inputs, or begin with smaller weights, so that nothing is saturated."] : ["Begin with larger weights, or scale what is multiplied."]), "Give the gradient a shorter way: fewer layers, or a connection past some of them."],
    },
  };
}

/** Where a gradient stopped being a number, null if it did not. @param {TraceIndex} index @param {Link[]} path @returns {{cause: Cause, link: Link} | null} */
export function notANumber(index, path) {
  const link = path.find((one) => one.odd);
  if (!link) return null;
  const line = lineOf(index, link.reader);
  return { link, cause: { kind: "NaN", line, title: `The gradient stops being a number at ${at(index, link.reader)}`, words: `What ${at(index, link.reader)} sends back to ${nameOf(index, link.source)} holds NaN or infinity, and everything that is updated with it is spoilt.`, tries: ["Go to the first NaN of the recording (`nan` in the find box).", "Keep logarithms, roots and divisors away from 0; make the learning rate smaller."] } };
}
