/**
 * One node: what it is, what it holds, where it comes from, what became of it.
 * @typedef {import("../../player/player.js").Player} Player
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../../trace/scene.js").SlotState} SlotState
 */
import { stateWords, shapeOf } from "../../trace/describe.js";
import { count, duration, num, rangeText, shapeText } from "../../trace/format.js";
import { chapters, kernelTimes, median, timesRun } from "../../trace/history.js";
import { arrivals } from "../../trace/arrivals.js";
import { lastBefore } from "../../trace/index.js";
import { called, inputsOf, label, spanText, variable } from "../../trace/names.js";
import { doneTo } from "../../trace/rewrites.js";
import { holders, keepers } from "../../trace/scene.js";
import { iteration, outermost } from "../../trace/phases.js";
import { subjects } from "../../trace/xray/xray.js";
import { stopKey } from "../../trace/stops.js";
import { formula } from "../formula.js";
import { tile } from "../graph/glyphs.js";
import { button, h } from "../dom.js";
import { heat } from "./heat.js";
import { histogram } from "./histogram.js";
import { spark } from "./spark.js";

/** @param {TraceIndex} index @param {Player} player @param {number} selected @param {SlotState | null} state @param {{ask: (query: string) => void, learn: (node: number) => void}} on `ask`: the find box; `learn`: the X-ray @returns {Node[]} */
export function aboutNode(index, player, selected, state, on) {
  const node = index.host(selected);
  const limit = index.limit(player.step);
  const definition = index.definition(node);
  const name = variable(index, node);
  const link = /** @param {number} n */ (n) => button(called(index, index.host(n)), { title: label(index, n) }, () => player.select(index.host(n)));
  /** @type {Node[]} */
  const out = [h("h2", {}, tile(definition.symbol, definition.category), label(index, node)), lede(index, node, name), asking(index, player, node, on)];
  const maths = definition.role === "op" || definition.role === "update" || (definition.role === "gradient" && index.isStatic(index.trace.nodes.graph[node])) ? formula(definition.formula) : null;
  if (maths) out.push(h("p", { class: "formula" }, maths));
  const shown = state?.node === node ? state : null;
  out.push(...values(index, node, shown, limit));
  const facts = h("dl", { class: "block facts" });
  const fact = /** @param {string} term @param {...(Node | string)} what */ (term, ...what) => facts.append(h("dt", {}, term), h("dd", {}, ...what));
  fact("State", shown ? stateWords(index, shown) : index.trace.nodes.seq[node] >= limit ? "not there yet" : "gone");
  const type = index.trace.document.types[index.trace.nodes.type[node]];
  if (type) fact(index.isStatic(index.trace.nodes.graph[node]) ? "Static shape" : "Shape", h("code", {}, shapeText(type.shape)), ` ${type.dtype}`);
  const born = index.stepOf(index.trace.nodes.seq[node]);
  const span = index.trace.nodes.span[node];
  fact("Born", button(`step ${born + 1}`, {}, () => player.goTo(born)), span >= 0 ? `, line ${index.trace.spans.line[span]}` : "");
  const times = kernelTimes(index, node, limit);
  if (definition.role !== "variable" && definition.role !== "accumulate") fact("Ran", count(timesRun(index, node, limit), "time"));
  if (times.length) fact(times.length > 1 ? "Kernel time, median" : "Kernel time", duration(Math.round(median(times)), index.trace.document.machine.timer_ns));
  const settings = Object.entries(definition.attributes ?? {}).filter(([, value]) => typeof value === "number" || typeof value === "boolean").slice(0, 4);
  for (const [name_, value] of settings) fact(`with ${name_}`, h("code", {}, num(/** @type {number} */ (value))));
  const from = inputsOf(index, node).slice(0, 6);
  if (from.length) fact("Reads", ...commas(from.map(link)));
  const users = [...new Set(index.outputs[node].filter((e) => index.text(index.trace.edges.kind[e]) === "data" && index.trace.nodes.seq[index.trace.edges.target[e]] < limit).map((e) => index.host(index.trace.edges.target[e])))].filter((n) => n !== node).slice(0, 6);
  if (users.length) fact("Used by", ...commas(users.map(link)));
  keeping(index, node, limit, fact, link);
  out.push(facts, ...changes(index, player, node, limit), ...plumbing(index, node), past(index, player, node));
  return out;
}

/** What one can ask about the node, and where playing may stop for it. @param {TraceIndex} index @param {Player} player @param {number} node @param {{ask: (query: string) => void, learn: (node: number) => void}} on */
function asking(index, player, node, { ask, learn }) {
  const op = label(index, node);
  /** @param {string} query */
  const about = (query) => {
    player.select(node);
    ask(query);
  };
  /** @param {string} word @param {string} title @param {import("../../trace/stops.js").Stop} stop */
  const toggle = (word, title, stop) => {
    const on = player.stops.some((one) => stopKey(one) === stopKey(stop));
    return button(word, { class: "link", "aria-pressed": String(on), title: on ? "Do not stop there" : title, "data-focus": word }, () => player.toggleStop(stop));
  };
  const learns = definesParameter(index, node) ? [button("does it learn?", { class: "link", title: "The way of its gradient, and where it is cut (Y)" }, () => learn(node))] : [];
  return h("p", { class: "deeds" }, ...learns,
    button("made by", { class: "link", title: "Who made this value (M)" }, () => about("made")), button("used by", { class: "link", title: "Who uses this value (Shift M)" }, () => about("used")),
    toggle("stop here", "Playing stops whenever this node acts", { kind: "node", node, when: "" }), ...(index.definition(node).role === "accumulate" ? [] : [toggle(`stop at every ${op}`, `Playing stops at every ${op}`, { kind: "op", op, when: "" })]));
}

/** @param {TraceIndex} index @param {number} node */
const definesParameter = (index, node) => subjects(index).includes(node);

/** @param {Node[]} nodes @returns {(Node | string)[]} */
const commas = (nodes) => nodes.map((node, i) => (i + 1 < nodes.length ? h("span", {}, node, ", ") : node));

/** @param {TraceIndex} index @param {number} node @param {string} name */
function lede(index, node, name) {
  const { mirrors, span, episode } = index.trace.nodes;
  const text = spanText(index, span[node]);
  const forward = mirrors[node];
  const role = index.definition(node).role;
  const where = span[node] >= 0 ? `, line ${index.trace.spans.line[span[node]]}` : "";
  const again = episode[node] >= 0 ? ` Iteration ${iteration(index.trace, outermost(index.trace, episode[node])).number}'s node.` : "";
  if (role === "accumulate" && forward >= 0) return h("p", { class: "lede" }, "Where the gradient of ", h("code", {}, called(index, forward)), " is kept. It is storage, not an op.");
  if (role === "gradient" && forward >= 0) return h("p", { class: "lede" }, "Gradient of ", h("code", {}, spanText(index, span[forward]) || called(index, forward)), `, which is the node above.${again}`);
  return h("p", { class: "lede" }, ...(name && name !== label(index, node) ? ["Named ", h("code", {}, name), ". "] : []), ...(text ? [h("code", {}, text), `${where}.`] : []), again);
}

/** A value's numbers, and what is known of all of them. @param {import("../../trace/types.js").Value} value @returns {Node[]} */
function numbers(value) {
  const range = (value.size ?? 0) > 1 ? rangeText(value) : "";
  return [heat(value), ...(range ? [h("p", { class: "muted" }, range)] : [])];
}

/** @param {TraceIndex} index @param {number} node @param {SlotState | null} state @param {number} limit @returns {Node[]} */
function values(index, node, state, limit) {
  const { document, events } = index.trace;
  const value = state && state.value >= 0 ? document.values[state.value] : null;
  const block = h("div", { class: "block" });
  const gradient = lastBefore(index.gradients[node], limit);
  if (gradient) {
    const forward = index.trace.nodes.mirrors[node];
    const inputs = forward >= 0 ? inputsOf(index, forward) : [];
    (document.lists[events.gradient.values[gradient.row]] ?? []).forEach((v, i) => {
      if (v < 0) return;
      block.append(h("p", { class: "pane-title" }, `∂/∂ ${inputs[i] !== undefined ? called(index, inputs[i]) : `input ${i + 1}`}, sent`, h("span", {}, `${shapeText(document.values[v].shape)} ${document.values[v].dtype ?? ""}`)), ...numbers(document.values[v]));
    });
    return block.childNodes.length ? [block] : [];
  }
  if (value) {
    block.append(h("p", { class: "pane-title" }, state?.state === "seen" ? "Value, seen here and not kept" : "Value", h("span", {}, `${shapeText(value.shape)} ${value.dtype ?? ""}`)), ...numbers(value));
    const spread = histogram(value);
    if (spread) block.append(spread);
  } else block.append(h("p", { class: "pane-title" }, "Value"), h("p", { class: "muted" }, missing(index, node, state)));
  const grads = index.mirrors[node].map((m) => ({ m, last: lastBefore(index.definition(m).role === "accumulate" ? index.values[m] : index.gradients[m], limit) })).filter((g) => g.last && index.definition(g.m).role === "accumulate");
  for (const { last } of grads) if (last) block.append(h("p", { class: "pane-title" }, "Gradient", h("span", {}, shapeOf(index, node, last.value))), ...numbers(document.values[last.value]), histogram(document.values[last.value]) ?? "");
  if (!grads.length && !index.isStatic(index.trace.nodes.graph[node])) {
    const came = arrivals(index, node, limit);
    came.slice(0, 3).forEach((one) => block.append(h("p", { class: "pane-title" }, came.length > 1 ? `Gradient from ${label(index, one.from)}` : "Gradient that arrived", h("span", {}, shapeText(document.values[one.value].shape))), ...numbers(document.values[one.value])));
    if (came.length > 1) block.append(h("p", { class: "muted" }, `The value went ${count(came.length, "way")}, so ${came.length} gradients come back: they are added.`));
  }
  return [block];
}

/** @param {TraceIndex} index @param {number} node @param {SlotState | null} state */
function missing(index, node, state) {
  if (!state) return "This node does not exist at this step.";
  if (state.state === "pending") return state.note === "cleared" ? "None: it was cleared." : "Not yet: backward has not come here.";
  if (state.state === "value") return "None: this op gives no value. It is there to make others run.";
  if (state.state === "freed") return "Freed: it let go of what it had saved.";
  if (state.state === "ghost" || state.state === "merged" || state.state === "folded") return `Not part of this plan: ${state.note || state.state}. The graph still has it.`;
  if (state.state === "error") return "It failed, so it has none.";
  return index.isStatic(index.trace.nodes.graph[node]) ? (index.definition(node).role === "variable" ? "None: it has not been initialised." : "None before it runs: a static node is a plan, not a number.") : "None yet.";
}

/** @param {TraceIndex} index @param {number} node @param {number} limit @param {(term: string, ...what: (Node | string)[]) => void} fact @param {(n: number) => Node} link */
function keeping(index, node, limit, fact, link) {
  if (index.isStatic(index.trace.nodes.graph[node])) return;
  const names = holders(index, node, limit);
  const saved = keepers(index, node, limit);
  if (names.length) fact("Held by", h("code", {}, [...new Set(names)].join(", ")));
  if (saved.length) fact("Saved for", ...commas(saved.slice(0, 3).map(link)));
  const { edges } = index.trace;
  const keeps = [...new Set(index.inputs[node].filter((e) => index.text(edges.kind[e]) === "saved").map((e) => edges.source[e]))];
  if (keeps.length) fact(index.freed[node].some((s) => s < limit) || index.gradients[node].some((g) => g.seq < limit) ? "Held until it ran" : "Holds on to", ...commas(keeps.map(link)));
}

/** What the optimiser, edits and batches did to the node. @param {TraceIndex} index @param {Player} player @param {number} node @param {number} limit @returns {Node[]} */
function changes(index, player, node, limit) {
  const done = doneTo(index, node, index.stepPlan?.[player.step] ?? -1, limit);
  if (!done.length) return [];
  const fixed = index.isStatic(index.trace.nodes.graph[node]);
  const list = h("ul", { class: "changes" }, ...done.slice(-6).map(({ parts }) => h("li", {}, ...parts.map((part) => (part.style === "code" ? h("code", {}, part.text) : part.text)))));
  return [h("div", { class: "block" }, h("p", { class: "pane-title" }, fixed ? "What the optimiser did" : "How it was batched"), list)];
}

/** Plumbing collapsed under the node. @param {TraceIndex} index @param {number} node @returns {Node[]} */
function plumbing(index, node) {
  const under = index.plumbing[node];
  if (!under.length) return [];
  const list = h("ul", { class: "history" }, ...under.slice(0, 20).map((n) => h("li", {}, h("code", {}, index.text(index.trace.nodes.name[n]) || label(index, n)), h("span", {}, label(index, n)))));
  return [h("details", { class: "block" }, h("summary", {}, `${count(under.length, "helper node")} under it`), list)];
}

/** @param {TraceIndex} index @param {Player} player @param {number} node */
function past(index, player, node) {
  const all = chapters(index, node);
  const here = all.findLastIndex((chapter) => chapter.step <= player.step);
  const window = all.length > 12 ? all.slice(Math.max(0, here - 6), Math.max(0, here - 6) + 12) : all;
  const list = h("ol", { class: "history" });
  for (const chapter of window) {
    const later = chapter.step > player.step;
    list.append(h("li", { class: later ? "later" : chapter.step === player.step ? "here" : "" }, button(later ? `${chapter.words}: not yet` : chapter.words, {}, () => player.goTo(chapter.step)), h("span", {}, `step ${chapter.step + 1}`)));
  }
  const block = h("div", { class: "block" }, h("p", { class: "pane-title" }, "History", h("span", {}, all.length > window.length ? `${window.length} of ${all.length}` : "")));
  const curve = spark(index, player, node);
  if (curve) block.append(curve);
  block.append(list);
  return block;
}
