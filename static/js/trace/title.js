/**
 * What the graph pane shows, in one line.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./scene.js").Scene} Scene
 */
import { called } from "./names.js";
import { iteration, outermost } from "./phases.js";
import { graphTitles, graphWords } from "./traces.js";

/** @param {TraceIndex} index @param {Scene} scene */
export function actionWords(index, scene) {
  const { plans, document, steps } = index.trace;
  if (scene.graph < 0) return "No graph";
  const trace = graphTitles(index)[scene.graph];
  if (trace?.name) {
    const which = trace.of > 1 ? `, trace ${trace.number} of ${trace.of}` : "";
    return `${scene.plan < 0 ? "Graph" : "Plan"} of ${graphWords(index, scene.graph)}${which}${scene.ordinal > 0 ? `, run ${scene.ordinal}` : ""}${trace.why && scene.plan < 0 ? `, made because ${trace.why}` : ""}`;
  }
  if (scene.plan >= 0) {
    const fetches = (document.lists[plans.fetches[scene.plan]] ?? []).map((node) => called(index, node)).slice(0, 2).join(", ");
    const made = index.stepOf(plans.seq[scene.plan]);
    const line = steps.line[made] > 0 ? ` at line ${steps.line[made]}` : "";
    return `Plan for ${fetches || "sess.run"}${line}, made from the graph${scene.ordinal > 0 ? `, run ${scene.ordinal}` : ""}`;
  }
  if (index.isStatic(scene.graph)) return scene.slots.size ? "Graph that the program builds" : "Empty graph";
  if (scene.episode >= 0) {
    const { number: n, of: all } = iteration(index.trace, outermost(index.trace, scene.episode));
    return n > 1 ? `Graph of iteration ${n} of ${all}: new nodes, same places as in iteration ${n - 1}` : `Graph of iteration 1 of ${all}`;
  }
  return document.end.error && scene.step === index.stepCount - 1 ? "Executed ops, up to the error" : "Graph, built while the program runs";
}
