/**
 * What a program prepared more than once, and why: a session's plans, the traces of a function, what a compiler made after a guard failed or a break.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{step: number, line: number, what: string, why: string, took: number}} Made   `took`: ns of compiling, -1 where it was not measured
 */
import { called } from "./names.js";

/** How a graph's name says why it was made (`docs/trace.md`). */
const WHY = [
  { form: /^(.*?); made because (.*)$/, what: "traced", why: "" },
  { form: /^(.*?): recompiled, (.*)$/, what: "compiled again", why: "a guard failed: " },
  { form: /^(.*?), after (a graph break in line \d+.*)$/, what: "continued in another graph", why: "" },
];

/** In the order in which they were made. @param {TraceIndex} index @returns {Made[]} */
export function madeAgain(index) {
  const { graphs, steps } = index.trace;
  /** @type {Made[]} */
  const out = [];
  for (let graph = 0; graph < index.trace.count.graphs; graph++) {
    const name = index.isStatic(graph) ? index.text(graphs.name[graph]) : "";
    const rule = WHY.find(({ form }) => form.test(name));
    const [, who, why] = rule?.form.exec(name) ?? [];
    if (!rule) continue;
    const step = index.stepOf(graphs.seq[graph]);
    out.push({ step, line: steps.line[step], what: `${who}: ${rule.what}`, why: rule.why + why, took: -1 });
  }
  return [...out, ...plansAgain(index)].sort((a, b) => a.step - b.step);
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
