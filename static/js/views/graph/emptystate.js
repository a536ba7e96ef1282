/** Empty states teach: why no graph is drawn here, or not yet. */

/** @typedef {import("../../trace/index.js").TraceIndex} TraceIndex */

/** "" where there is something to see. @param {TraceIndex | null} index @param {import("../../trace/scene.js").Scene} scene @param {boolean} placed whether the graph has a layout */
export function emptyWords(index, scene, placed) {
  if (!index || index.stepCount === 0) return "This program did nothing that can be drawn. Make a tensor, and it appears here.";
  if (scene.graph < 0) return noGraph(index);
  if (!placed) return index.trace.document.layout?.note || "This recording has no layout, so its graph cannot be drawn. Its steps, values and output are all here.";
  if (scene.slots.size) return "";
  return index.isStatic(scene.graph) ? "The graph is empty. Each line that names an op adds a node. None of them computes anything yet." : "Nothing exists yet. A node appears together with its value, when its line runs.";
}

/** Why there is nothing to draw. @param {TraceIndex} index */
function noGraph(index) {
  const { end, program } = index.trace.document;
  const rest = "Its lines, variables and output are still here, step by step.";
  if (index.trace.count.graphs > 0) return `No graph yet. ${rest}`;
  if (end.kind !== "ok" && program.dialect !== "python") return `No graph: the program ended before it made anything that could be drawn. ${rest}`;
  return `No graph: this program used neither tensors nor placeholders. ${rest}`;
}
