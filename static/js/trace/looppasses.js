/**
 * The passes of source loops that grow one graph: of each loop that went on, from when to when each pass took.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{from: number, to: number}} Pass
 * @typedef {{loop: number, passes: Pass[]}} Activation   one time that a loop was begun
 */

/** @type {WeakMap<TraceIndex, Map<number, Activation>>} */
const KNOWN = new WeakMap();

/** @param {TraceIndex} index @returns {Map<number, Activation>} by the number of the activation; only loops of two passes or more whose passes are no episodes */
export function loopPasses(index) {
  let known = KNOWN.get(index);
  if (!known) KNOWN.set(index, (known = find(index)));
  return known;
}

/** When each call of a function returned. @param {TraceIndex} index */
export const frameEnds = (index) => new Map((index.trace.events.returned?.seq ?? []).map((seq, row) => [index.trace.events.returned.frame[row], seq]));

/** @param {TraceIndex} index */
function find(index) {
  const { events, loops } = index.trace;
  const rows = events.loop ?? { seq: [] };
  const lines = events.line ?? { seq: [], line: [], frame: [] };
  const ends = frameEnds(index);
  /** @type {Map<number, number[]>} */
  const begun = new Map();
  rows.seq.forEach((_, row) => {
    const passes = begun.get(rows.activation[row]);
    if (passes) passes.push(row);
    else begun.set(rows.activation[row], [row]);
  });
  /** @type {Map<number, Activation>} */
  const out = new Map();
  for (const [activation, passes] of begun) {
    const loop = rows.loop[passes[0]];
    if (loops.split[loop] || passes.length < 2) continue;
    const inside = /** @param {number} line */ (line) => line >= loops.line[loop] && line <= loops.end_line[loop];
    const first = rows.seq[passes[0]];
    const own = lines.seq.findIndex((seq, i) => seq > first && inside(lines.line[i]));
    const last = rows.seq[passes[passes.length - 1]];
    const over = own < 0 ? -1 : lines.seq.findIndex((seq, i) => seq > last && lines.frame[i] === lines.frame[own] && !inside(lines.line[i]));
    const end = over >= 0 ? lines.seq[over] : ends.get(lines.frame[own] ?? -1) ?? Infinity;
    out.set(activation, { loop, passes: passes.map((row, i) => ({ from: rows.seq[row], to: i + 1 < passes.length ? rows.seq[passes[i + 1]] : end })) });
  }
  return out;
}
