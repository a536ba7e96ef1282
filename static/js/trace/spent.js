/**
 * Where the time of each phase went: kernels, passes of the optimiser and the compiler, and everything between them.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{phase: number, clock: number, kernels: number, prepared: number, rest: number}} Spent   ns; `rest`: framework, Python, the program
 */
import { countBefore } from "./index.js";

/** @param {TraceIndex} index @returns {Spent[]} one for each phase */
export function spentByPhase(index) {
  const { phases, steps, count, document, events } = index.trace;
  const end = document.seconds.program * 1e9;
  const sum = /** @param {string} table @param {number} from @param {number} to */ (table, from, to) => {
    const rows = events[table];
    if (!rows?.seq) return 0;
    let total = 0;
    for (let row = countBefore(rows.seq, from, (s) => s); row < rows.seq.length && rows.seq[row] < to; row++) total += Math.max(0, rows.duration[row]);
    return total;
  };
  return Array.from({ length: count.phases }, (_, phase) => {
    const next = phases.first[phase + 1];
    const from = steps.seq[phases.first[phase]];
    const to = next === undefined ? Number.MAX_SAFE_INTEGER : steps.seq[next];
    const clock = Math.max(0, (next === undefined ? end : steps.time[next]) - steps.time[phases.first[phase]]);
    const kernels = sum("ran", from, to) + sum("gradient", from, to);
    const prepared = sum("pass", from, to) + sum("compiled", from, to);
    return { phase, clock, kernels, prepared, rest: Math.max(0, clock - kernels - prepared) };
  });
}
