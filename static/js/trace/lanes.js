/**
 * The time line of a trace: which lane each step belongs to, how long it took, and where it stands on an axis.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{lane: string, category: string, duration: number, failed: boolean}} Bar   `duration` in ns, -1 where nothing was timed
 * @typedef {{x: number[], bar: number[], width: number[], phase: {x: number, width: number}[]}} Axis   pixels: where each step starts, its bar, the bar's width
 */

export const ORDER = ["Python builds", "optimiser", "compiler", "session", "forward", "backward", "update", "Python"];

/** @param {TraceIndex} index @param {number} step @returns {Bar} `lane` is "" for a step that has no bar */
export function barOf(index, step) {
  const { steps, events, phases, nodes } = index.trace;
  const kind = index.text(steps.kind[step]);
  const row = steps.row[step];
  const rows = events[kind];
  const node = rows?.node?.[row] ?? -1;
  const category = node >= 0 ? index.definition(node).category : "";
  const at = index.phaseOf(step);
  const phase = at >= 0 ? index.text(phases.name[at]) : "";
  const duration = rows?.duration?.[row] ?? -1;
  const fixed = node >= 0 && index.isStatic(nodes.graph[node]);
  /** @param {string} lane @param {number} [ns] */
  const bar = (lane, ns = -1) => ({ lane, category, duration: ns, failed: kind === "failed" });
  switch (kind) {
    case "node": return bar(nodes.plan[node] >= 0 ? "optimiser" : "Python builds");
    case "optimise": case "rewrite": return bar("optimiser");
    case "pass": return bar("optimiser", duration);
    case "compiled": return bar("compiler", duration);
    case "run": case "fed": case "fetched": return bar("session");
    case "ran": return fixed && rows.run[row] >= 0 ? bar(`worker ${rows.worker[row] + 1}`, duration) : fixed ? bar("optimiser", duration) : bar(["update", "backward"].includes(phase) ? phase : "forward", duration);
    case "written": return fixed ? bar("session") : bar(["update", "backward"].includes(phase) ? phase : "forward");
    case "gradient": return bar("backward", duration);
    case "backward": case "accumulated": case "freed": return bar("backward");
    case "cleared": return bar("update");
    case "failed": return bar(fixed ? "Python builds" : "forward");
    default: return bar("");
  }
}

/** @param {TraceIndex} index */
export function bars(index) {
  const all = Array.from({ length: index.stepCount }, (_, step) => barOf(index, step));
  return all.some((bar) => bar.lane) ? all : all.map((bar) => ({ ...bar, lane: "Python" }));
}

/** The lanes that a trace has, in order. @param {Bar[]} all */
export function laneNames(all) {
  const rank = /** @param {string} lane */ (lane) => (lane.startsWith("worker") ? 3 + Number(lane.slice(7)) / 100 : ORDER.indexOf(lane));
  return [...new Set(all.map((bar) => bar.lane).filter(Boolean))].sort((a, b) => rank(a) - rank(b));
}

const MIN_BAR = 0.5;
const MAX_BAR = 4;

/**
 * Lays the steps out over `width` pixels. A bar is as long as its op took, compared within its lane; the room between bars is
 * filled evenly, and every phase gets at least the room its name needs.
 * @param {TraceIndex} index @param {Bar[]} all @param {number} width @param {number[]} least room that each phase wants, in pixels
 * @returns {Axis}
 */
export function axis(index, all, width, least) {
  /** @type {Map<string, number>} */
  const longest = new Map();
  for (const bar of all) if (bar.duration >= 0) longest.set(bar.lane, Math.max(longest.get(bar.lane) ?? 1, bar.duration));
  const units = all.map((bar) => (bar.duration >= 0 ? Math.max(MIN_BAR, (MAX_BAR * bar.duration) / (longest.get(bar.lane) ?? 1)) : MIN_BAR));
  const phaseOf = all.map((_, step) => Math.max(0, index.phaseOf(step)));
  const phases = Math.max(1, index.trace.count.phases);
  const natural = new Array(phases).fill(0);
  const count = new Array(phases).fill(0);
  units.forEach((unit, step) => {
    natural[phaseOf[step]] += unit + 1;
    count[phaseOf[step]]++;
  });
  const wanted = roomFor(least, natural, width * 0.7);
  let low = 0;
  let high = width;
  for (let i = 0; i < 40; i++) {
    const f = (low + high) / 2;
    if (natural.reduce((sum, n, p) => sum + Math.max(wanted[p] ?? 0, n * f), 0) > width) high = f;
    else low = f;
  }
  const f = Math.min(low, 14);
  let x = 0;
  const phase = natural.map((n, p) => {
    const at = { x, width: low > 14 ? (n / natural.reduce((a, b) => a + b, 0)) * width : Math.max(wanted[p] ?? 0, n * f) };
    x += at.width;
    return at;
  });
  const out = /** @type {Axis} */ ({ x: [], bar: [], width: [], phase });
  const used = new Array(phases).fill(0);
  units.forEach((unit, step) => {
    const p = phaseOf[step];
    const barWidth = unit * f;
    const sum = natural[p] - count[p];
    const gap = Math.max(0, (phase[p].width - sum * f) / count[p]);
    const start = phase[p].x + used[p];
    out.x.push(start);
    out.bar.push(start + gap / 2);
    out.width.push(barWidth);
    used[p] += gap + barWidth;
  });
  return out;
}

/** The phases that get room for their name: the longest ones first, as many as fit. @param {number[]} least @param {number[]} natural @param {number} room */
function roomFor(least, natural, room) {
  const wanted = least.map(() => 0);
  for (const p of natural.map((_, i) => i).sort((a, b) => natural[b] - natural[a])) {
    if ((least[p] ?? Infinity) > room) continue;
    wanted[p] = least[p];
    room -= least[p];
  }
  return wanted;
}

/** The step at pixel `x`. @param {Axis} at @param {number} x */
export function stepAt(at, x) {
  let low = 0;
  let high = at.x.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (at.x[middle] <= x) low = middle;
    else high = middle - 1;
  }
  return low;
}
