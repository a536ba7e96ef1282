/** Why a session made each of its plans. @typedef {import("./index.js").TraceIndex} TraceIndex */
import { time } from "./format.js";
import { called } from "./names.js";

/** One sentence for each plan beyond the first, and one for the first if it is alone; at most four. @param {TraceIndex} index @returns {string[]} */
export function whyPlans(index) {
  const { plans, document, count, steps, events } = index.trace;
  /** @type {string[]} */
  const out = [];
  const names = /** @param {number} list */ (list) => (document.lists[list] ?? []).map((node) => called(index, node)).slice(0, 3).join(", ");
  /** @type {Map<number, {fetches: string, feeds: string}>} */
  const known = new Map();
  for (let plan = 0; plan < count.plans; plan++) {
    const graph = plans.graph[plan];
    const fetches = names(plans.fetches[plan]);
    const feeds = names(plans.feeds[plan]);
    const before = known.get(graph);
    known.set(graph, { fetches, feeds });
    if (!before) continue;
    const row = (events.compiled?.plan ?? []).indexOf(plan);
    const line = steps.line[index.stepOf(plans.seq[plan])];
    const why = before.fetches !== fetches ? `other fetches (${fetches})` : before.feeds !== feeds ? `other feeds (${feeds})` : "the graph had changed";
    out.push(`In the recording, line ${line} needed a new plan: ${why}${row >= 0 ? `; compiling it took ${time(events.compiled.duration[row])}` : ""}.`);
  }
  return out.length > 4 ? [...out.slice(0, 3), `And ${out.length - 3} more plans.`] : out;
}
