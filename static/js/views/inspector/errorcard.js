/**
 * Why the program stopped: what happened, what met what, what Python said, where to look.
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 */
import { shapeText } from "../../trace/format.js";
import { fittingLayer, isProduct, meeting } from "../../trace/meeting.js";
import { called, inputsOf, label, spanText } from "../../trace/names.js";
import { button, h, s } from "../dom.js";
import { tries } from "./tries.js";
import { misfit } from "./misfit.js";

const LIMITS = /** @type {Record<string, [string, string]>} */ ({
  time: ["The program ran out of time.", "Everything up to here was recorded."],
  memory: ["The program asked for too much memory.", "Everything up to here was recorded."],
  output: ["The program printed too much.", "Everything up to here was recorded. Print less, or less often."],
  steps: ["The recording is full.", "The program did more than a recording holds. What it did up to here is all there."],
  stopped: ["You stopped the program.", "Everything up to here was recorded."],
  crash: ["The program crashed.", "It ended without Python noticing. Everything up to here was recorded."],
});

/** What to do about a limit: it depends on whether the program was in a loop, and whether it had made a graph. @param {TraceIndex} index @param {string} limit */
function advice(index, limit) {
  const { loop } = index.trace.events;
  const line = index.trace.document.end.line ?? 0;
  const inLoop = (index.trace.loops.line ?? []).some((first, i) => first <= line && line <= index.trace.loops.end_line[i]);
  const drawn = index.trace.count.nodes > 0;
  if (limit === "memory") return drawn ? "Use smaller tensors, or keep fewer of them." : "Keep less at a time: smaller lists, shorter texts.";
  if (!["time", "steps", "stopped"].includes(limit)) return "";
  if (inLoop || loop?.seq.length) return `If the loop has no end, give it one. If it has, ${limit === "steps" && drawn ? "let it run fewer times: a few iterations show how the graph is built" : "let it run fewer times, or do less in it"}.`;
  if (limit === "stopped") return "";
  return limit === "time" ? "Look at what it was doing in this line: waiting, or much work in one call." : "Let the program do less.";
}

/** @param {TraceIndex} index @param {import("../../player/player.js").Player} player @param {{goToLine: (line: number) => void}} on @returns {Node[]} */
export function errorCard(index, player, on) {
  const { end } = index.trace.document;
  const error = end.error;
  const sign = s("svg", { viewBox: "-9 -9 18 18", "aria-hidden": "true" }, s("circle", { r: 8.5 }), s("path", { d: "M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5" }));
  const line = error?.line ?? end.line;
  const card = h("div", { class: "card", role: "alert" }, h("p", { class: "kind" }, sign, line ? `Stopped at line ${line}` : "Stopped"));
  const limit = end.kind === "limit" ? end.limit ?? "" : "";
  if (limit || !error) {
    const [title, say] = LIMITS[limit] ?? [`The program ended with exit status ${end.exit_code}.`, "Everything up to here was recorded."];
    card.append(h("h2", {}, title), h("p", { class: "say" }, `${say} ${advice(index, limit)}`.trim()));
    if (error) card.append(...python(error));
  } else {
    const known = error.card ?? null;
    const own = headline(index, error);
    card.append(h("h2", {}, own ?? known?.title ?? plainly(index, error)));
    if (known) card.append(h("p", { class: "say" }, ...(own ? [h("b", {}, known.title), " "] : []), known.explanation));
    const op = error.node >= 0 ? index.definition(error.node).op : "";
    const operands = meeting(op, operandsOf(index, error).filter((o) => o.type?.shape));
    const [a, b] = operands;
    const drawn = a?.type?.shape && b?.type?.shape && isProduct(op) ? misfit(a.type.shape, b.type.shape, a.name || "left", b.name || "right") : null;
    if (drawn) card.append(h("p", { class: "say" }, `${known ? "" : "A product pairs each row on the left with each column on the right, number by number. "}The dashed one has no partner.`), drawn);
    if (operands.length) {
      card.append(h("h3", {}, operands.length > 1 ? "What met" : "What it was given"), h("div", { class: "operands" }, ...operands.map((o) => h("div", {}, h("code", {}, o.name || "a value without a name"), h("code", {}, `${shapeText(o.type?.shape)} ${o.type?.dtype ?? ""}`)))));
    }
    const layer = error.node >= 0 ? fittingLayer(index, error.node, a?.type?.shape, b?.type?.shape) : "";
    if (known) card.append(...tries(layer ? { ...known, tries: [`${layer}: as many inputs as a row has.`, ...known.tries] } : known));
    card.append(...python(error));
    if (error.defined_line && error.defined_line !== line) card.append(h("h3", {}, "Two places"), h("p", { class: "say" }, "The op was defined at ", place(error.defined_line, on), " and failed when it ran", ...(line ? [", asked for at ", place(line, on)] : []), "."));
    else if (index.trace.document.program.dialect === "tf1" && error.node >= 0 && !index.values[error.node].length) card.append(h("h3", {}, "When it was found"), h("p", { class: "say" }, "While the graph was being built: nothing had run, no value existed."));
    else if (error.node >= 0) card.append(h("h3", {}, "When it was found"), h("p", { class: "say" }, `While running: ${index.trace.events.ran?.seq?.length ?? 0} ops had already run.`));
  }
  const clinic = document.getElementById("app")?.dataset.clinic;
  if (clinic) card.append(h("p", { class: "say clinic" }, "Twelve programs that fail in the ways people meet most, to be found with the player: ", h("a", { href: clinic }, "the debugging clinic"), "."));
  card.append(h("p", { class: "back" }, ...(line ? [button(`Go to line ${line}`, { class: "link" }, () => on.goToLine(line)), " · "] : []), button("Back to the first step", { class: "link" }, () => player.first())));
  return [card];
}

/** @param {import("../../trace/types.js").TraceError} error @returns {Node[]} */
function python({ type, message, traceback }) {
  const said = [h("h3", {}, "What Python said"), h("pre", { tabindex: 0 }, message ? `${type}: ${message}` : type)];
  return traceback ? [...said, h("details", {}, h("summary", {}, "Whole traceback"), h("pre", { class: "whole", tabindex: 0 }, traceback))] : said;
}

/** @param {number} line @param {{goToLine: (line: number) => void}} on */
const place = (line, on) => button(`line ${line}`, { class: "link" }, () => on.goToLine(line));

/** `float32 [4, 3]` as a type. @param {string} text @returns {import("../../trace/types.js").Type | null} */
export function parseType(text) {
  const match = /^(\S+) \[(.*)\]$/.exec(text);
  if (!match) return null;
  return { dtype: match[1], shape: match[2] ? match[2].split(",").map((d) => (/^\s*\d+\s*$/.test(d) ? Number(d) : null)) : [] };
}

/** What met: as the recording says, else what the failed node was to read. @param {TraceIndex} index @param {import("../../trace/types.js").TraceError} error */
function operandsOf(index, error) {
  if (error.operands.length || error.node < 0) return error.operands.map(({ name, type }) => ({ name: name.replace(/\/read$/, ""), type: typeof type === "string" ? parseType(type) : type }));
  return inputsOf(index, error.node).map((node) => ({ name: called(index, index.host(node)), type: index.trace.document.types[index.trace.nodes.type[node]] ?? null }));
}

/** What met, where shapes say it in one sentence. @param {TraceIndex} index @param {import("../../trace/types.js").TraceError} error @returns {string | null} */
function headline(index, error) {
  const op = error.node >= 0 ? index.definition(error.node).op : "";
  const operands = meeting(op, operandsOf(index, error));
  const [a, b] = operands.map((o) => o.type?.shape);
  const names = operands.map((o) => o.name);
  const [row, column] = [a?.[a.length - 1] ?? null, b && b.length >= 2 ? b[b.length - 2] : null];
  if (isProduct(op) && row !== null && column !== null && row !== column) {
    return `A row of ${names[0] || (op === "matmul" ? "the left" : "the input")} has ${row} numbers. A column of ${names[1] || (op === "matmul" ? "the right" : "the weight")} has ${column}.`;
  }
  if (a && b && op) return `${label(index, error.node)} cannot take ${shapeText(a)} with ${shapeText(b)}.`;
  return null;
}

/** A heading for an error that nothing is known about. @param {TraceIndex} index @param {import("../../trace/types.js").TraceError} error */
function plainly(index, error) {
  // A heading is whole or it is not there: what is too long for one stands below, under what Python said.
  const text = error.node >= 0 ? spanText(index, index.trace.nodes.span[error.node]) : "";
  if (text && !text.endsWith("…")) return `${error.type} in ${text}`;
  const line = error.message.trim().split("\n")[0];
  return line && line.length <= 140 ? `${error.type}: ${line}` : error.type;
}
