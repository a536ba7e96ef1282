/**
 * What became of a node, in the order it happened: made, merged, ran, let go.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{step: number, words: string, value: number}} Chapter
 */

/** @param {TraceIndex} index @param {number} node @returns {Chapter[]} */
export function chapters(index, node) {
  const { trace } = index;
  /** @type {{seq: number, words: string, value: number}[]} */
  const out = [{ seq: trace.nodes.seq[node], words: trace.nodes.plan[node] >= 0 ? "made by the optimiser" : "born", value: -1 }];
  const words = /** @type {Record<string, string>} */ ({ ran: "ran", fed: "fed", written: "written", accumulated: "gradient stored", cleared: "set to zero" });
  for (const h of index.values[node]) {
    let said = words[h.table];
    if (h.table === "written") said = { initial: "start value", assign: "written", "in-place": "changed in place" }[index.text(trace.events.written.how[h.row])] ?? said;
    if (h.table === "accumulated" && trace.events.accumulated.existed[h.row]) said = "gradient added";
    const ordinal = h.run >= 0 ? index.planRuns?.get(index.runPlan?.get(h.run) ?? -1)?.find((r) => r.run === h.run)?.ordinal : undefined;
    const pass = h.table === "ran" ? trace.events.ran.iteration?.[h.row] ?? -1 : -1;
    if (pass >= 0) said = `${said}, pass ${pass + 1}`;
    out.push({ seq: h.seq, words: ordinal && (index.planRuns?.get(index.runPlan?.get(h.run) ?? -1)?.length ?? 0) > 1 ? `${said}, run ${ordinal}` : said, value: h.value });
  }
  for (const h of index.gradients[node]) out.push({ seq: h.seq, words: "ran backward", value: h.value });
  for (const h of index.cleared[node]) out.push({ seq: h.seq, words: "cleared", value: -1 });
  for (const seq of index.freed[node]) out.push({ seq, words: "let go", value: -1 });
  for (const changes of index.rewrites?.values() ?? []) {
    for (const change of changes) if (change.old.includes(node) && !change.new.includes(node)) out.push({ seq: change.seq, words: trace.events.rewrite.plan[change.row] < 0 ? "the program edits who reads it" : `${change.action}, plan ${trace.events.rewrite.plan[change.row] + 1}`, value: -1 });
  }
  const failure = index.failed.get(node);
  if (failure) out.push({ seq: failure.seq, words: "failed", value: -1 });
  return out.sort((a, b) => a.seq - b.seq).map(({ seq, words: said, value }) => ({ step: index.stepOf(seq), words: said, value }));
}

/** How often a node ran, up to a limit. @param {TraceIndex} index @param {number} node @param {number} limit */
export function timesRun(index, node, limit) {
  return index.values[node].filter((h) => h.table === "ran" && h.seq < limit).length + index.gradients[node].filter((h) => h.seq < limit).length;
}

/** Kernel times of a node in ns, up to a limit. @param {TraceIndex} index @param {number} node @param {number} limit */
export function kernelTimes(index, node, limit) {
  const { ran, gradient } = index.trace.events;
  return [
    ...index.values[node].filter((h) => h.table === "ran" && h.seq < limit).map((h) => ran.duration[h.row]),
    ...index.gradients[node].filter((h) => h.seq < limit).map((h) => gradient.duration[h.row]),
  ];
}

/** @param {number[]} numbers */
export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}
