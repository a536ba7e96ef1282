/** A step's graph as GraphML: every attribute with its key, so that networkx, yEd and Gephi read it. */
import { plainText } from "./dot.js";

const KEYS = /** @type {const} */ (["name", "op", "role", "category", "state", "shape", "dtype", "value", "line"]);

/** @param {unknown} text */
export const escaped = (text) => plainText(String(text)).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");

/** @param {import("./structure.js").Structure} structure */
export function toGraphml({ title, step, vertices, arcs }) {
  const keys = KEYS.map((key) => `  <key id="${key}" for="node" attr.name="${key}" attr.type="${key === "line" ? "int" : "string"}"/>`);
  const node = /** @param {import("./structure.js").Vertex} one */ (one) => `    <node id="${one.id}">${KEYS.map((key) => `<data key="${key}">${escaped(one[key])}</data>`).join("")}</node>`;
  const edge = /** @param {import("./structure.js").Arc} one @param {number} i */ (one, i) => `    <edge id="e${i}" source="${one.source}" target="${one.target}"><data key="kind">${escaped(one.kind)}</data></edge>`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>', '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">', ...keys,
    '  <key id="kind" for="edge" attr.name="kind" attr.type="string"/>', '  <key id="program" for="graph" attr.name="program" attr.type="string"/>', '  <key id="step" for="graph" attr.name="step" attr.type="string"/>',
    '  <graph id="G" edgedefault="directed">', `    <data key="program">${escaped(title)}</data>`, `    <data key="step">${escaped(step)}</data>`, ...vertices.map(node), ...arcs.map(edge), "  </graph>", "</graphml>", "",
  ].join("\n");
}
