/**
 * Where each key of the transport leads: pure functions of (index, step).
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 */

import { countBefore } from "../trace/index.js";
import { overCall } from "../trace/calls.js";
import { lineStarts } from "../trace/stops.js";

/**
 * How far one press of a key goes: an event, a line, a line with the calls that it makes, a pass of a loop (or a run of a session), a phase.
 * @typedef {"step" | "line" | "call" | "iteration" | "phase"} Grain
 */
export const GRAINS = /** @type {const} */ (["step", "line", "call", "iteration", "phase"]);

export const SPEEDS = [0.5, 1, 2, 4, 16, 64];
/** Milliseconds that a step stays at speed 1. */
export const STEP_MS = 1100;

/** @param {TraceIndex} index @param {number} step */
export function clamp(index, step) {
  return Math.max(0, Math.min(index.stepCount - 1, Math.round(step)));
}

/**
 * The first step of the next source line, or of the one before. Steps without a line belong to the line they follow.
 * @param {TraceIndex} index @param {number} step @param {1 | -1} way
 */
export function byLine(index, step, way) {
  const starts = lineStarts(index);
  if (way > 0) return starts[countBefore(starts, step + 1, (s) => s)] ?? index.stepCount - 1;
  return starts[countBefore(starts, step, (s) => s) - 1] ?? 0;
}

/** Where a press of a key leads. @param {TraceIndex} index @param {number} step @param {1 | -1} way @param {Grain} grain */
export function byGrain(index, step, way, grain) {
  switch (grain) {
    case "line": return byLine(index, step, way);
    case "call": return overCall(index, step, way);
    case "iteration": return byIteration(index, step, way);
    case "phase": return byPhase(index, step, way);
    default: return clamp(index, step + way);
  }
}

/** The step that a step is compared with, to say what changed: where one press before it was. -1 at the first. @param {TraceIndex} index @param {number} step @param {Grain} grain */
export const comparedWith = (index, step, grain) => (step > 0 ? byGrain(index, step, -1, grain) : -1);

/** @param {TraceIndex} index @param {number} step @param {1 | -1} way */
export function byPhase(index, step, way) {
  const first = index.trace.phases.first ?? [];
  if (way > 0) return first.find((s) => s > step) ?? index.stepCount - 1;
  return first.findLast((s) => s < step) ?? 0;
}

/** @type {WeakMap<TraceIndex, number[]>} */
const ROUNDS = new WeakMap();

/**
 * The first step of each round: a pass of a loop, a run of a session. Where the passes of a training loop are told apart, those of the
 * loops inside them are no rounds of their own, so that a press goes on by one iteration.
 * @param {TraceIndex} index
 */
function rounds(index) {
  let starts = ROUNDS.get(index);
  if (!starts) {
    const { episodes, events, loops } = index.trace;
    const { first = [], last = [] } = episodes;
    let furthest = -1;
    const reach = last.map((k) => (furthest = Math.max(furthest, k)));
    const inEpisode = /** @param {number} k */ (k) => k <= (reach[countBefore(first, k + 1, (s) => s) - 1] ?? -1);
    const passes = (events.loop?.seq ?? []).flatMap((seq, row) => {
      const k = index.stepOf(seq);
      return loops.split?.[events.loop.loop[row]] === 1 || inEpisode(k) ? [] : [k];
    });
    // Where the program's own loops go round, runs inside them are no rounds of their own.
    const runs = passes.length || first.length ? [] : (events.run?.seq ?? []).map((seq) => index.stepOf(seq));
    starts = [...new Set([...first, ...passes, ...runs])].sort((a, b) => a - b);
    ROUNDS.set(index, starts);
  }
  return starts;
}

/**
 * The first step of the next iteration, or of this one, then of the one before.
 * @param {TraceIndex} index @param {number} step @param {1 | -1} way
 */
export function byIteration(index, step, way) {
  const starts = rounds(index);
  if (way > 0) return starts.find((s) => s > step) ?? index.stepCount - 1;
  return starts.findLast((s) => s < step) ?? 0;
}

/**
 * Steps at which something happened to a node: made, ran, fed, written, merged, freed.
 * @param {TraceIndex} index @param {number} node
 */
export function stepsOf(index, node) {
  const seqs = [index.trace.nodes.seq[node], ...index.values[node].map((h) => h.seq), ...index.gradients[node].map((h) => h.seq), ...index.freed[node]];
  for (const changes of index.rewrites?.values() ?? []) for (const change of changes) if (change.old.includes(node) || change.new.includes(node)) seqs.push(change.seq);
  return [...new Set(seqs.map((seq) => index.stepOf(seq)))].sort((a, b) => a - b);
}

/** The next or previous step at which a node took a value. @param {TraceIndex} index @param {number} node @param {number} step @param {1 | -1} way */
export function byValue(index, node, step, way) {
  const slot = index.trace.nodes.slot[node];
  const nodes = slot >= 0 ? index.slotNodes[slot] : [node];
  const steps = nodes.flatMap((n) => [...index.values[n], ...index.gradients[n]]).map((h) => index.stepOf(h.seq)).sort((a, b) => a - b);
  return (way > 0 ? steps.find((s) => s > step) : steps.findLast((s) => s < step)) ?? step;
}

/**
 * How many steps to go on when `elapsed` ms have passed, and what is left over.
 * @param {number} elapsed @param {number} speed
 */
export function advance(elapsed, speed) {
  const steps = Math.floor((elapsed * speed) / STEP_MS);
  return { steps, rest: elapsed - (steps * STEP_MS) / speed };
}
