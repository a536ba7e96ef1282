/**
 * The graphs of a recording by name: a traced function has one for each key, the types of its arguments.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{graph: number, name: string, key: string, why: string, number: number, of: number}} GraphTitle   `name`: "" for a graph that is nobody's trace; `why` it was made, if its name says so ("f; made because …"); `number` from 1, among the traces of one function
 */
import { shapeText } from "./format.js";

/** @type {WeakMap<TraceIndex, GraphTitle[]>} */
const TITLES = new WeakMap();

/** @param {TraceIndex} index @returns {GraphTitle[]} one for each graph, in the order in which they were begun */
export function graphTitles(index) {
  let titles = TITLES.get(index);
  if (!titles) {
    const { graphs } = index.trace;
    /** @type {Map<string, GraphTitle[]>} */
    const named = new Map();
    titles = [...graphs.mode].map((_, graph) => {
      const [name, why = ""] = index.isStatic(graph) ? index.text(graphs.name[graph]).split("; made because ") : [""];
      const title = { graph, name, key: name ? keyOf(index, graph) : "", why, number: 1, of: 1 };
      if (name) named.set(name, [...(named.get(name) ?? []), title]);
      return title;
    });
    for (const all of named.values()) all.forEach((title, i) => Object.assign(title, { number: i + 1, of: all.length }));
    TITLES.set(index, titles);
  }
  return titles;
}

/** "float32 [2], int64 scalar": what a trace was made for. @param {TraceIndex} index @param {number} graph */
function keyOf(index, graph) {
  const { nodes, document } = index.trace;
  const inputs = [...nodes.graph].flatMap((own, node) => (own === graph && index.definition(node).role === "input" ? [document.types[nodes.type[node]]] : []));
  return inputs.map((type) => (type ? `${type.dtype} ${shapeText(type.shape)}` : "?")).join(", ");
}

/** "square(float32 [2])", "graph 2", "the program's ops". @param {TraceIndex} index @param {number} graph */
export function graphWords(index, graph) {
  const title = graphTitles(index)[graph];
  if (title?.name) {
    // A compiled function's graph after a break says in its name where it begins.
    const [, head, tail] = /^([^,]*)(.*)$/.exec(title.name) ?? [];
    return `${head}(${title.key})${tail}`;
  }
  return index.isStatic(graph) ? `graph ${graph + 1}` : "ops run at once";
}
