/**
 * After the gradient: is the parameter changed, by how much, and if not, why not.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./passes.js").Pass} Pass
 * @typedef {import("./cuts.js").Cause} Cause
 */
import { num } from "../format.js";
import { called } from "../names.js";
import { nameOf, notBegun } from "./cuts.js";
import { updatesOf } from "./links.js";
import { lineWith } from "./text.js";

const OPTIMIZER = /\b(?:optim\.\w+|SGD|Adam\w*|RMSprop|RMSProp|Adagrad|Adadelta|Nadam|LBFGS|\w+Optimizer)\s*\(/;
const STEP = /\.step\s*\(|\bapply_gradients\s*\(|\bminimize\s*\(/;

/** The accumulate node of a parameter, -1 if it has none. @param {TraceIndex} index @param {number} node */
export const storageOf = (index, node) => index.mirrors[node].find((mirror) => index.definition(mirror).role === "accumulate") ?? -1;

/** What was written to a parameter by training: not its first value. @param {TraceIndex} index @param {number} node */
function writes(index, node) {
  const { events } = index.trace;
  const first = index.values[node].find((one) => one.table === "written");
  return index.values[node].filter((one) => one.table === "written" && one !== first && index.text(events.written.how[one.row]) !== "initial");
}

/**
 * Whether training changes a parameter: `cause` says why not, `moved` by how much the first update of this pass changed it (null: not known).
 * @param {TraceIndex} index @param {Pass} pass @param {Pass | null} next @param {number} node
 * @returns {{cause: Cause | null, moved: number | null}}
 */
export function updated(index, pass, next, node) {
  const until = next?.from ?? Infinity;
  if (pass.fixed) return updatedInGraph(index, pass, node);
  const all = writes(index, node);
  const after = all.filter((one) => one.seq > pass.from);
  const mine = after.filter((one) => one.seq < until);
  const storage = storageOf(index, node);
  const arrived = storage >= 0 ? index.values[storage].findLast((one) => one.table === "accumulated" && one.seq > pass.from && one.seq < until) : undefined;
  const cleared = arrived ? [...index.cleared[storage], ...index.values[storage].filter((one) => one.table === "cleared")].find((one) => one.seq > arrived.seq && one.seq < Math.min(mine[0]?.seq ?? Infinity, until)) : undefined;
  const { steps } = index.trace;
  const zeroed = cleared && !laterStepUses(index, cleared.seq, until);
  if (zeroed && (!mine.length || sameValue(index, node, mine[0]))) {
    const line = steps.line[index.stepOf(cleared.seq)];
    return { moved: null, cause: { kind: "cleared too early", line, title: `Line ${line} throws the gradient away`, words: `The gradient of ${nameOf(index, node)} is there, and line ${line} clears it before anything uses it: the update finds none.`, tries: ["Clear the gradients before `backward()`, or after the update: zero_grad, backward, step."] } };
  }
  if (!all.length) return { moved: null, cause: notUpdated(index, pass, node) };
  if (!mine.length) return { moved: null, cause: null };
  return { moved: moved(index, node, mine[0]), cause: sameValue(index, node, mine.at(-1) ?? mine[0]) ? tooSmall(index, node) : null };
}

/** Whether an optimizer's step comes after `seq`: what is cleared before it is lost. @param {TraceIndex} index @param {number} seq @param {number} until */
function laterStepUses(index, seq, until) {
  const { source } = index.trace.document.program;
  const { line } = index.trace.events;
  const lines = source.split("\n");
  let used = true;
  line?.seq?.forEach((at, row) => {
    if (at > seq && at < until && STEP.test(lines[line.line[row] - 1] ?? "")) used = false;
  });
  return used;
}

/** @param {TraceIndex} index @param {Pass} pass @param {number} node @returns {{cause: Cause | null, moved: number | null}} */
function updatedInGraph(index, pass, node) {
  const own = updatesOf(index, pass, node);
  const trained = writes(index, node);
  const runs = new Set([...own].flatMap((update) => index.values[update].filter((one) => one.table === "ran").map((one) => one.run)));
  const mine = trained.find((one) => one.run === pass.run && runs.has(one.run)) ?? trained.find((one) => runs.has(one.run));
  if (mine) return { moved: moved(index, node, mine), cause: sameValue(index, node, mine) ? tooSmall(index, node) : null };
  if (own.size && !runs.size) return { moved: null, cause: notBegun(index, pass) };
  if (!own.size) return { moved: null, cause: { kind: "not updated", line: -1, title: `Nothing updates ${nameOf(index, node)}`, words: `The graph has a gradient for ${nameOf(index, node)}, and no op that changes the variable by it.`, tries: ["Let an optimizer build the update: `minimize(loss)`, or `apply_gradients(…)`."] } };
  return { moved: null, cause: null };
}

/** @param {TraceIndex} index @param {Pass} pass @param {number} node @returns {Cause} */
function notUpdated(index, pass, node) {
  const { source } = index.trace.document.program;
  const name = nameOf(index, node);
  const { events } = index.trace;
  const others = (events.written?.node ?? []).some((other, row) => other !== node && events.written.seq[row] > pass.from && index.definition(other).role === "variable" && index.text(events.written.how[row]) !== "initial");
  const made = lineWith(source, OPTIMIZER);
  const stepped = lineWith(source, STEP);
  if (others && made > 0) return { kind: "not in the optimizer", line: made, title: `${name} is not in the optimizer`, words: `Its gradient arrives in every pass, and the optimizer of line ${made} changes other parameters only: it was never given ${name}.`, tries: [`Give it all parameters in line ${made}: \`model.parameters()\`, or a list with ${name} in it.`] };
  if (others) return { kind: "not updated", line: -1, title: `Nothing updates ${name}`, words: `Its gradient arrives, other parameters are changed, and no line ever changes ${name}.`, tries: [`Add ${name} to what is updated.`] };
  if (made > 0 && stepped < 0) return { kind: "no step", line: made, title: "The optimizer never takes a step", words: `Gradients are computed, and \`step()\` of the optimizer of line ${made} is never called: no parameter changes.`, tries: ["Call `step()` after `backward()`, in each pass."] };
  if (made > 0) return { kind: "not in the optimizer", line: made, title: `The optimizer changes nothing`, words: `\`step()\` is called (line ${stepped}), and ${name} never changes: the optimizer of line ${made} was not given it, or found no gradient when it took its step.`, tries: [`Look at what is given to the optimizer in line ${made}; it must be the same tensors that the loss is made from.`, "backward() has to come before step()."] };
  return { kind: "not updated", line: -1, title: `Nothing updates ${name}`, words: `Its gradient is computed, and no line changes ${name} by it.`, tries: [/^tf/.test(index.trace.document.program.dialect) ? `Update it: \`${called(index, node)}.assign_sub(0.1 * gradient)\`, or let an optimizer apply the gradients.` : `Update it: \`${called(index, node)} -= 0.1 * ${called(index, node)}.grad\` under \`torch.no_grad()\`, or let an optimizer do it.`] };
}

/** @param {TraceIndex} index @param {number} node @returns {Cause} */
function tooSmall(index, node) {
  const { source } = index.trace.document.program;
  const line = lineWith(source, OPTIMIZER);
  const zero = line > 0 && /\b(?:lr|learning_rate)\s*=\s*0(?:\.0*)?\s*[,)]|Optimizer\s*\(\s*0(?:\.0*)?\s*[,)]|SGD\s*\(\s*0(?:\.0*)?\s*\)/.test(source.split("\n")[line - 1]);
  return {
    kind: "no change", line, title: `The update leaves ${nameOf(index, node)} as it is`,
    words: `${nameOf(index, node)} is written, with exactly the value that it had${zero ? `: the learning rate in line ${line} is 0` : ": the step is 0, or too small to change a number of this precision"}.`,
    tries: [zero ? `Give a learning rate above 0${line > 0 ? ` in line ${line}` : ""}.` : "Make the learning rate larger; see whether a schedule has brought it down to 0."],
  };
}

/** @param {TraceIndex} index @param {number} node @param {import("../index.js").Happening} write */
function before(index, node, write) {
  return index.values[node].findLast((one) => one.seq < write.seq && one.table === "written")?.value ?? -1;
}

/** @param {TraceIndex} index @param {number} node @param {import("../index.js").Happening} write */
const sameValue = (index, node, write) => before(index, node, write) === write.value;

/** The largest change of an entry; null where not all of them are kept. @param {TraceIndex} index @param {number} node @param {import("../index.js").Happening} write */
function moved(index, node, write) {
  const { values } = index.trace.document;
  const [old, fresh] = [values[before(index, node, write)]?.data, values[write.value]?.data];
  if (!old || !fresh || old.length !== fresh.length) return null;
  const changes = old.map((x, i) => Math.abs(Number(x) - Number(fresh[i])));
  return changes.every(Number.isFinite) ? Math.max(...changes) : null;
}

/** @param {number | null} by */
export const movedWords = (by) => (by === null ? "" : `, and the update changes it by ${num(by)} at most`);
