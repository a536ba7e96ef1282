/**
 * How many bytes of values a program holds at each step, and what the memory plans of its sessions came to.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{step: number, bytes: number, values: number}} Held
 */
import { lastBefore } from "./index.js";
import { sceneAt } from "./scene.js";

const HOLDS = new Set(["value", "feeding"]);
/** Steps that are looked at: all of a short recording, evenly spaced ones of a long one. */
const MOST = 400;

/** @param {TraceIndex} index @returns {Held[]} */
export function heldOver(index) {
  const count = index.stepCount;
  const steps = [...new Set(Array.from({ length: Math.min(MOST, count) }, (_, i) => Math.round((i * (count - 1)) / Math.max(1, Math.min(MOST, count) - 1))))];
  return steps.map((step) => heldAt(index, step));
}

/** Values by their storage: views of one buffer count once, and so does what several nodes hold. @param {TraceIndex} index @param {number} step @returns {Held} */
export function heldAt(index, step) {
  const { values } = index.trace.document;
  const limit = index.limit(step);
  /** @type {Map<string, number>} */
  const stored = new Map();
  for (const { node, state, value } of sceneAt(index, step).slots.values()) {
    if (!HOLDS.has(state) || value < 0) continue;
    const last = lastBefore(index.values[node], limit);
    const storage = last ? index.trace.events[last.table]?.storage?.[last.row] ?? -1 : -1;
    stored.set(storage >= 0 ? `storage ${storage}` : `node ${node}`, values[value]?.bytes ?? 0);
  }
  return { step, bytes: [...stored.values()].reduce((sum, one) => sum + one, 0), values: stored.size };
}

/** @param {TraceIndex} index @returns {{plan: number, step: number, words: string, after: number, before: number}[]} `before`: every value in memory of its own */
export function plannedMemory(index) {
  return [...(index.rewrites ?? [])].flatMap(([plan, changes]) => changes.filter((change) => change.action === "planned").flatMap((change) => {
    const [, after, before] = /([\d,]+) bytes instead of ([\d,]+)/.exec(change.reason) ?? [];
    return after ? [{ plan, step: index.stepOf(change.seq), words: change.reason, after: Number(after.replaceAll(",", "")), before: Number(before.replaceAll(",", "")) }] : [];
  }));
}

/** @param {number} bytes */
export function bytesText(bytes) {
  if (bytes < 1000) return `${Math.round(bytes)} B`;
  if (bytes < 1e6) return `${Number((bytes / 1e3).toPrecision(3))} kB`;
  return `${Number((bytes / 1e6).toPrecision(3))} MB`;
}
