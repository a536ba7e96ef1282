/**
 * The value of a place over iterations or runs: its number, or the size of its largest entry.
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 */
import { num } from "../../trace/format.js";
import { s } from "../dom.js";

const WIDTH = 232;

/** @param {TraceIndex} index @param {import("../../player/player.js").Player} player @param {number} node @returns {SVGElement | null} null with fewer than two values */
export function spark(index, player, node) {
  const slot = index.trace.nodes.slot[node];
  const nodes = slot >= 0 ? index.slotNodes[slot] : [node];
  const history = nodes.flatMap((n) => (index.gradients[n].length ? index.gradients[n] : index.values[n])).sort((a, b) => a.seq - b.seq);
  const points = history.map((h) => ({ seq: h.seq, size: sizeOf(index.trace.document.values[h.value]) })).filter((p) => Number.isFinite(p.size));
  if (points.length < 2) return null;
  const limit = index.limit(player.step);
  const largest = Math.max(...points.map((p) => Math.abs(p.size)), 1e-30);
  const low = Math.min(0, ...points.map((p) => p.size));
  const y = /** @param {number} v */ (v) => 44 - (34 * (v - low)) / (largest - low || 1);
  const x = /** @param {number} i */ (i) => 8 + (i * (WIDTH - 16)) / (points.length - 1);
  const past = points.filter((p) => p.seq < limit);
  const now = past.length - 1;
  if (now < 0) return null;
  const svg = s("svg", { width: WIDTH, height: 66, viewBox: `0 0 ${WIDTH} 66`, role: "img", "aria-label": `Over ${points.length} times: ${past.slice(-6).map((p) => num(p.size)).join(", ")}` });
  if (past.length > 1) svg.append(s("path", { class: "spark", d: `M${past.map((p, i) => `${x(i).toFixed(1)} ${y(p.size).toFixed(1)}`).join("L")}` }));
  if (points.length <= 24) points.forEach((p, i) => svg.append(s("circle", { class: `sparkdot${i === now ? " now" : i > now ? " later" : ""}`, cx: x(i).toFixed(1), cy: (i > now ? y(past[now]?.size ?? 0) : y(p.size)).toFixed(1), r: i === now ? 5 : 3 })));
  else if (now >= 0) svg.append(s("circle", { class: "sparkdot now", cx: x(now).toFixed(1), cy: y(past[now].size).toFixed(1), r: 5 }));
  if (now >= 0) svg.append(s("text", { x: Math.min(WIDTH - 4, Math.max(30, x(now))), y: 62, "text-anchor": x(now) > WIDTH - 40 ? "end" : x(now) < 40 ? "start" : "middle" }, num(past[now].size)));
  return svg;
}

/** @param {import("../../trace/types.js").Value | undefined} value */
function sizeOf(value) {
  if (!value) return NaN;
  if (value.size === 1 && typeof value.data?.[0] === "number") return value.data[0];
  return Math.max(Math.abs(value.min ?? NaN), Math.abs(value.max ?? NaN));
}
