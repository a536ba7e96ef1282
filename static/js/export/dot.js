/** A step's graph in the language of Graphviz. Categories are colours, states are outlines, as in the picture. */

/** The categories' colours of the light theme: a file has no theme. */
const COLOURS = /** @type {Record<string, string>} */ ({ input: "#0b3a53", variable: "#7a2bb8", arith: "#5f636b", matmul: "#1d62e0", activation: "#14802c", reduction: "#5c2f00", shape: "#4b5140", control: "#8f0083", gradient: "#d23208" });
const FORMS = /** @type {Record<string, string>} */ ({ variable: "box3d", input: "cds", constant: "oval", gradient: "octagon", accumulate: "octagon", control: "hexagon", update: "box" });
const STYLES = /** @type {Record<string, string>} */ ({ data: "solid", gradient: "bold", control: "dotted", saved: "dashed" });
const GONE = new Set(["ghost", "merged", "folded", "skipped"]);

/** A text as a quoted string; line ends stay line ends, nothing in it is a command. @param {string} text */
export const quoted = (text) => `"${plainText(text).replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`;

/** Without characters that neither XML nor Graphviz can hold. @param {string} text */
export function plainText(text) {
  // eslint-disable-next-line no-control-regex
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g, "\ufffd");
}

/** @param {import("./structure.js").Structure} structure */
export function toDot({ title, step, vertices, arcs }) {
  const node = /** @param {import("./structure.js").Vertex} one */ (one) => {
    const words = [one.name === one.op ? one.op : `${one.name}\n${one.op}`, one.value || one.shape].filter(Boolean).join("\n");
    const held = ["value", "seen", "feeding"].includes(one.state);
    const attributes = { label: words, shape: FORMS[one.role] ?? "box", color: COLOURS[one.category] ?? "#5f636b", style: GONE.has(one.state) ? "dashed" : held ? "filled" : "solid", ...(held ? { fillcolor: "#f3f2ec" } : {}), tooltip: `${one.state}${one.line > 0 ? `, line ${one.line}` : ""}` };
    return `  ${one.id} [${Object.entries(attributes).map(([key, value]) => `${key}=${quoted(value)}`).join(", ")}];`;
  };
  const edge = /** @param {import("./structure.js").Arc} one */ (one) => `  ${one.source} -> ${one.target} [style=${quoted(STYLES[one.kind] ?? "solid")}${one.kind === "gradient" ? ', color="#d23208"' : ""}${one.kind === "saved" ? ", constraint=false" : ""}];`;
  return [`digraph ${quoted(title)} {`, `  label=${quoted(step)};`, "  rankdir=LR;", '  node [fontname="Helvetica", fontsize=11];', ...vertices.map(node), ...arcs.map(edge), "}", ""].join("\n");
}
