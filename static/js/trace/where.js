/**
 * The second line of the caption: where the program is, how far the phase has come; and what is next.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./parts.js").Part} Part
 */
import { called, label, spanText } from "./names.js";
import { code, plain } from "./parts.js";
import { focus } from "./focus.js";

/** @param {TraceIndex} index @param {number} step @returns {Part[]} */
export function where(index, step) {
  const { steps, phases, nodes, spans } = index.trace;
  /** @type {Part[]} */
  const parts = [];
  const line = steps.line[step];
  if (line > 0) {
    parts.push(plain(`Line ${line}`));
    const text = spanText(index, steps.span[step]);
    if (text) parts.push(plain(", "), code(text));
    const at = focus(index, step);
    const node = at.nodes[0] ?? -1;
    const forward = at.kind === "gradient" && node >= 0 ? nodes.mirrors[node] : -1;
    const origin = forward >= 0 ? nodes.span[forward] : at.kind === "ran" && node >= 0 && nodes.span[node] >= 0 && spans.line[nodes.span[node]] !== line ? nodes.span[node] : -1;
    if (origin >= 0) parts.push(plain(", for "), code(spanText(index, origin)), plain(` in line ${spans.line[origin]}`));
  }
  const phase = index.phaseOf(step);
  if (phase >= 0) {
    const first = phases.first[phase];
    const last = phases.last[phase];
    parts.push(plain(`${parts.length ? " · " : ""}${phaseLabel(index, phase)}, ${step - first + 1} of ${last - first + 1}`));
  }
  return parts;
}

/** What comes after a step. @param {TraceIndex} index @param {number} step @param {boolean} hidden whether it is not to be told @returns {Part[]} */
export function ahead(index, step, hidden) {
  if (hidden) return [plain(" · what comes next is hidden until you answer")];
  if (step + 1 >= index.stepCount) return [plain(" · the last step of this recording")];
  const next = actor(index, step + 1);
  return next ? [plain(" · next: "), code(next)] : [];
}

/** @param {TraceIndex} index @param {number} phase */
export function phaseLabel(index, phase) {
  const { phases } = index.trace;
  return index.text(phases.label[phase]) || index.text(phases.name[phase]);
}

/** The same in a word or two, for narrow places: what follows a comma is left out. @param {TraceIndex} index @param {number} phase */
export function phaseShort(index, phase) {
  const label = phaseLabel(index, phase).split(",")[0];
  const short = /** @type {Record<string, string>} */ ({ build: "build", init: "init", optimise: "optimise", compile: "compile" })[index.text(index.trace.phases.name[phase])];
  return (short ?? label).toLowerCase();
}

/** Who acts in a step, in one or two words. @param {TraceIndex} index @param {number} step */
export function actor(index, step) {
  const at = focus(index, step);
  const words = /** @type {Record<string, string>} */ ({ optimise: "optimise", pass: "end of a pass", rewrite: "rewrite", compiled: "compile", run: "run", freed: "free", output: "print", error: "error", backward: "backward", line: "" });
  if (at.kind in words) return words[at.kind];
  const node = at.nodes[0] ?? -1;
  if (node < 0) return "";
  return at.kind === "fed" || at.kind === "fetched" || at.kind === "written" ? called(index, node) : label(index, node);
}
