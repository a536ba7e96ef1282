/**
 * What a program prepared more than once, and why: a session's plans, the traces of a function, what a compiler made after a guard failed or a break.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{step: number, line: number, what: string, why: string, took: number}} Made   `took`: ns of compiling, -1 where it was not measured
 */
import { called } from "./names.js";

/** What became of a function, in words for the table. @type {Record<string, [string, string]>} */
const DEEDS = {
  traced: ["traced", "the first call; it holds for "],
  compiled: ["compiled", "the first call; it holds for "],
  "traced again": ["traced again", ""],
  "compiled again": ["compiled again", "a guard failed: "],
  broken: ["the graph breaks", ""],
  "given up": ["runs uncompiled from now on", "the recompile limit; the last guard that failed: "],
};

/** In the order in which they were made. @param {TraceIndex} index @returns {Made[]} */
export function madeAgain(index) {
  const { steps, events } = index.trace;
  const rows = events.specialised ?? { seq: [] };
  const functions = [...rows.seq].map((seq, row) => {
    const step = index.stepOf(seq);
    const [deed, before] = DEEDS[index.text(rows.what[row])] ?? [index.text(rows.what[row]), ""];
    const why = index.text(rows.why[row]);
    return { step, line: steps.line[step], what: `${index.text(rows.function[row])}: ${deed}`, why: why ? before + why : before.split(";")[0], took: -1 };
  });
  return [...functions, ...plansAgain(index)].sort((a, b) => a.step - b.step);
}

/** Each plan of a graph beyond its first. @param {TraceIndex} index @returns {Made[]} */
function plansAgain(index) {
  const { plans, document, count, steps, events } = index.trace;
  const names = /** @param {number} list */ (list) => (document.lists[list] ?? []).map((node) => called(index, node)).slice(0, 3).join(", ");
  /** @type {Map<number, {fetches: string, feeds: string}>} */
  const known = new Map();
  return Array.from({ length: count.plans }, (_, plan) => plan).flatMap((plan) => {
    const graph = plans.graph[plan];
    const [fetches, feeds] = [names(plans.fetches[plan]), names(plans.feeds[plan])];
    const before = known.get(graph);
    known.set(graph, { fetches, feeds });
    if (!before) return [];
    const row = (events.compiled?.plan ?? []).indexOf(plan);
    const step = index.stepOf(plans.seq[plan]);
    const why = before.fetches !== fetches ? `other fetches: ${fetches}` : before.feeds !== feeds ? `other feeds: ${feeds}` : "the graph had changed";
    return [{ step, line: steps.line[step], what: `plan ${plan + 1}`, why, took: row >= 0 ? events.compiled.duration[row] : -1 }];
  });
}
