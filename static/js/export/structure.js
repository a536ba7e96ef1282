/**
 * The graph of a step as plain nodes and edges, for files that other tools read. Pure: no DOM.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {{id: string, name: string, op: string, role: string, category: string, state: string, shape: string, dtype: string, value: string, line: number}} Vertex
 * @typedef {{source: string, target: string, kind: string}} Arc   kind: data, gradient, control, saved
 * @typedef {{title: string, step: string, vertices: Vertex[], arcs: Arc[]}} Structure
 */
import { brief, shapeText } from "../trace/format.js";
import { called, label } from "../trace/names.js";
import { asText } from "../trace/parts.js";
import { sceneAt } from "../trace/scene.js";
import { sentence } from "../trace/sentences.js";

/** What the picture shows at a step, plumbing as a part of what it serves. @param {TraceIndex} index @param {number} step @param {{graph: number, plan: number}} [view] @returns {Structure} */
export function structureAt(index, step, view) {
  const scene = sceneAt(index, step, view);
  const { nodes, edges, spans, document } = index.trace;
  const shown = new Map([...scene.slots.values()].map((state) => [state.node, state]));
  const vertices = [...shown.values()].sort((a, b) => a.node - b.node).map(({ node, state, value }) => {
    const { role, category } = index.definition(node);
    const type = document.types[nodes.type[node]];
    const held = document.values[value];
    return {
      id: `n${node}`, name: called(index, node), op: label(index, node), role, category, state,
      shape: shapeText(held?.shape ?? type?.shape), dtype: held?.dtype ?? type?.dtype ?? "", value: held?.size === 1 ? brief(held) : "", line: nodes.span[node] >= 0 ? spans.line[nodes.span[node]] : -1,
    };
  });
  const limit = index.limit(step);
  /** @type {Map<string, Arc>} */
  const arcs = new Map();
  for (let e = 0; e < edges.source.length; e++) {
    const [source, target] = [index.host(edges.source[e]), index.host(edges.target[e])];
    if (source === target || !shown.has(source) || !shown.has(target) || !index.isWired(e, limit)) continue;
    const written = index.text(edges.kind[e]);
    const back = ["gradient", "accumulate"];
    const kind = written === "data" && back.includes(index.definition(source).role) && back.includes(index.definition(target).role) ? "gradient" : written;
    arcs.set(`${source} ${target} ${kind}`, { source: `n${source}`, target: `n${target}`, kind });
  }
  return { title: document.program.name, step: `Step ${step + 1} of ${index.stepCount}: ${asText(sentence(index, step))}`, vertices, arcs: [...arcs.values()] };
}
