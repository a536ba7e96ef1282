/**
 * Who made a value, and who used it.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {{step: number, node: number, why: string}} Deed   a step, and what it has to do with the value
 */
import { resolve, sameFunction } from "../asking/lexical.js";
import { lastBefore } from "../index.js";
import { lookup } from "../lookup.js";
import { called, inputsOf } from "../names.js";
import { lineStarts } from "../stops.js";
import { focus } from "../focus.js";
import { inPlan } from "../replacements.js";

/** @typedef {{node: number, variable: import("../bindings.js").Variable | null, binding: import("../bindings.js").Binding | null, name: string}} Subject   what is asked about: a node, or a Python variable */

/**
 * What a word means at a step: a variable, else a node that is called so.
 * @param {TraceIndex} index @param {number} step @param {string} name @returns {Subject | null}
 */
export function subjectOf(index, step, name) {
  const found = resolve(index, step, name);
  if (found) return { node: found.binding.node, ...found, name };
  const limit = index.limit(step);
  const last = lastCalled(index, name, limit);
  if (last) return { node: last.binding.node, ...last, name };
  const place = lookup(index, name, 1).found[0];
  if (!place || place.score > 2) return null;
  const node = index.slotNodes[place.slot].findLast((one) => index.trace.nodes.seq[one] < limit) ?? place.node;
  return { node, variable: null, binding: null, name: called(index, node) };
}

/** A name that other functions have: what it held last. @param {TraceIndex} index @param {string} name @param {number} limit */
function lastCalled(index, name, limit) {
  /** @type {{variable: import("../bindings.js").Variable, binding: import("../bindings.js").Binding} | null} */
  let best = null;
  for (const list of index.bindings.byFrame.values()) {
    const variable = list.find((one) => one.name === name);
    const binding = lastBefore(variable?.history, limit);
    if (variable && binding && !binding.gone && (!best || binding.seq > best.binding.seq)) best = { variable, binding };
  }
  return best;
}

/** The node that a step is about, or the selected one. @param {TraceIndex} index @param {number} step @param {number} selected @returns {Subject | null} */
export function subjectHere(index, step, selected) {
  const node = selected >= 0 ? selected : focus(index, step).nodes[0] ?? -1;
  return node >= 0 ? { node, variable: null, binding: null, name: called(index, node) } : null;
}

/** The happening that gave a node the value it holds before `limit`; where a plan fused it, that of the whole. @param {TraceIndex} index @param {number} node @param {number} limit @param {number} plan */
function making(index, node, limit, plan) {
  const doer = inPlan(index, plan, node);
  return lastBefore(index.values[doer], limit) ?? lastBefore(index.values[node], limit) ?? lastBefore(index.gradients[node], limit);
}

/** The step that made what a subject holds, then the steps that made what that was made from. @param {TraceIndex} index @param {number} step @param {Subject} subject @returns {Deed[]} */
export function madeBy(index, step, { node, binding }) {
  const limit = index.limit(step);
  if (node < 0) return binding ? [{ step: index.stepOf(binding.seq), node: -1, why: "binds it" }] : [];
  const plan = index.stepPlan?.[step] ?? -1;
  const made = making(index, node, limit, plan);
  const born = index.stepOf(index.trace.nodes.seq[node]);
  /** @type {Deed[]} */
  const out = made ? [{ step: index.stepOf(made.seq), node, why: "makes it" }] : [];
  if (index.isStatic(index.trace.nodes.graph[node])) out.push({ step: born, node, why: made ? "adds its node to the graph" : "adds its node to the graph; it has not run yet" });
  for (const input of new Set(inputsOf(index, node).map((one) => index.host(one)))) {
    if (input === node) continue;
    const before = making(index, input, made?.seq ?? limit, plan);
    out.push({ step: before ? index.stepOf(before.seq) : index.stepOf(index.trace.nodes.seq[input]), node: input, why: `makes ${called(index, input)}, from which it is made` });
  }
  return once(out);
}

/** The steps that read what a subject holds at a step. @param {TraceIndex} index @param {number} step @param {Subject} subject @returns {Deed[]} */
export function usedBy(index, step, { node, variable, binding, name }) {
  if (node < 0) return variable && binding ? namedBy(index, variable, binding, name) : [];
  const limit = index.limit(step);
  const { edges } = index.trace;
  const fixed = index.isStatic(index.trace.nodes.graph[node]);
  const plan = index.stepPlan?.[step] ?? -1;
  const made = making(index, node, limit, plan);
  const from = made?.seq ?? index.trace.nodes.seq[node];
  const until = (made && index.values[inPlan(index, plan, node)].find((one) => one.seq > from)?.seq) ?? Infinity;
  /** @type {Deed[]} */
  const out = [];
  for (const source of [node, ...index.plumbing[node]]) {
    for (const e of index.outputs[source]) {
      const reader = index.host(edges.target[e]);
      if (reader === index.host(node)) continue;
      const kind = index.text(edges.kind[e]);
      const doer = inPlan(index, plan, reader);
      if (doer === inPlan(index, plan, node)) continue;
      const ran = [...index.values[doer], ...index.gradients[reader]].filter((one) => one.seq > from && one.seq < until);
      if (kind === "saved") out.push(...ran.slice(0, 1).map((one) => ({ step: index.stepOf(one.seq), node: reader, why: "had it saved for backward" })));
      else if (kind === "data") {
        const run = ran.filter((one) => one.table !== "gradient" || index.definition(node).role === "gradient");
        out.push(...run.map((one) => ({ step: index.stepOf(one.seq), node: reader, why: "reads it" })));
        if (fixed && !run.length) out.push({ step: index.stepOf(index.trace.nodes.seq[reader]), node: reader, why: "will read it when it runs" });
      }
    }
  }
  for (const [table, why] of /** @type {const} */ ([["fetched", "hands it to the program"], ["backward", "starts backward from it"]])) {
    const rows = index.trace.events[table];
    rows?.seq?.forEach((seq, row) => {
      if (rows.node[row] === node && seq > from && seq < until) out.push({ step: index.stepOf(seq), node, why });
    });
  }
  return once(out);
}

/** The lines that name a Python variable while it holds this. @param {TraceIndex} index @param {import("../bindings.js").Variable} variable @param {import("../bindings.js").Binding} binding @param {string} name @returns {Deed[]} */
function namedBy(index, variable, binding, name) {
  const { steps, document } = index.trace;
  const lines = document.program.source.split("\n");
  const bare = name.replace(/[^\p{L}\p{N}_]/gu, "");
  const word = new RegExp(`(?<![\\p{L}\\p{N}_.])${bare}(?![\\p{L}\\p{N}_])`, "u");
  const next = variable.history.find((one) => one.seq > binding.seq);
  const from = index.stepOf(binding.seq);
  const to = next ? index.stepOf(next.seq) : index.stepCount - 1;
  const frames = new Set(sameFunction(index, variable).map((one) => one.frame));
  const assigns = new RegExp(`^\\s*${bare}\\s*=(?!=)`, "u");
  return lineStarts(index).filter((k) => k > from && k <= to && steps.line[k] > 0 && (variable.frame === 0 || frames.has(steps.frame[k])))
    .filter((k) => { const text = lines[steps.line[k] - 1]?.replace(/#.*/, "") ?? ""; return word.test(text.replace(assigns, "")); })
    .map((k) => ({ step: k, node: -1, why: "its line names it" }));
}

/** @param {Deed[]} deeds in order, a step once */
function once(deeds) {
  /** @type {Map<string, Deed>} */
  const seen = new Map();
  for (const deed of deeds) if (!seen.has(`${deed.step} ${deed.node}`)) seen.set(`${deed.step} ${deed.node}`, deed);
  return [...seen.values()];
}
