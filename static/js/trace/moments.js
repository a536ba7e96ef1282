/**
 * One scrubber for two recordings: a list of moments, each a step of both. How they keep together is the lock.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {"clock" | "line" | "phase"} Lock
 * @typedef {{a: number, b: number}} Moment   a step of each; -1 before the first
 * @typedef {{first: number, last: number, key: string}} Stretch   steps of one recording that belong together
 */
import { align } from "./align.js";
import { phaseShort } from "./where.js";

export const LOCKS = /** @type {Lock[]} */ (["clock", "line", "phase"]);

/** @param {TraceIndex} a @param {TraceIndex} b @param {Lock} lock @param {import("./pairing.js").Pairing} pairs @returns {Moment[]} at least one */
export function moments(a, b, lock, pairs) {
  if (lock === "clock") return byClock(a, b);
  const left = lock === "phase" ? phases(a) : lines(a);
  const partner = lock === "line" ? linePartners(a, b, pairs) : null;
  const right = lock === "phase" ? phases(b) : lines(b);
  return spread(left, right, align(left, right, (x, y) => (partner ? partner.get(x.key) ?? "" : x.key) === y.key));
}

/** @type {WeakMap<TraceIndex, number[]>} */
const CLOCKS = new WeakMap();
/** Importing what is not in memory yet takes a while that has nothing to do with the program. */
const IMPORTS = /^\s*(import|from)\s/;

/** When each step began, in ns since the first line that is no import; 0 before it. @param {TraceIndex} index @returns {number[]} */
export function clockOf(index) {
  let clock = CLOCKS.get(index);
  if (!clock) {
    const { time = [], line } = index.trace.steps;
    const source = index.trace.document.program.source.split("\n");
    const first = time.findIndex((_, step) => line[step] > 0 && !IMPORTS.test(source[line[step] - 1] ?? ""));
    CLOCKS.set(index, (clock = [...time].map((ns) => Math.max(0, ns - (first < 0 ? 0 : time[first])))));
  }
  return clock;
}

/** Every step of both, in the order of the clock that started with each program's first line after its imports. @param {TraceIndex} a @param {TraceIndex} b @returns {Moment[]} */
function byClock(a, b) {
  const ta = clockOf(a);
  const tb = clockOf(b);
  /** @type {Moment[]} */
  const out = [];
  let i = 0;
  let j = 0;
  while (i < ta.length || j < tb.length) {
    const next = Math.min(ta[i] ?? Infinity, tb[j] ?? Infinity);
    if (ta[i] === next) i++;
    if (tb[j] === next) j++;
    out.push({ a: i - 1, b: j - 1 });
  }
  return out.length ? out : [{ a: 0, b: 0 }];
}

/** The time of a moment, in ns: of whichever side has just moved. @param {TraceIndex} a @param {TraceIndex} b @param {Moment} moment */
export function timeOf(a, b, moment) {
  return Math.max(clockOf(a)[moment.a] ?? 0, clockOf(b)[moment.b] ?? 0);
}

/** Whether a phase computes what the program wants: a forward pass, or a run of a plan, which does the same. What is no plan's run is the rest of a program. @param {TraceIndex} index @param {number} phase */
export function isCall(index, phase) {
  const name = index.text(index.trace.phases.name[phase]);
  return name === "forward" || (name === "run" && index.trace.phases.plan[phase] >= 0);
}

/** @param {TraceIndex} index @returns {Stretch[]} */
function phases(index) {
  const { phases: table, count } = index.trace;
  return Array.from({ length: count.phases }, (_, p) => {
    return { first: table.first[p], last: table.last[p], key: isCall(index, p) ? "call" : index.text(table.name[p]) };
  });
}

/** The visits of source lines. @param {TraceIndex} index @returns {Stretch[]} */
function lines(index) {
  const { line, frame } = index.trace.steps;
  /** @type {Stretch[]} */
  const out = [];
  let place = "";
  for (let k = 0; k < index.stepCount; k++) {
    const here = line[k] > 0 ? `${line[k]} ${frame[k]}` : place;
    if (!out.length || here !== place) out.push({ first: k, last: k, key: String(line[k] > 0 ? line[k] : 0) });
    else out[out.length - 1].last = k;
    place = here;
  }
  return out;
}

/**
 * The line of `b` that makes what a line of `a` makes: the same line where the programs are the same, else the line of most counterparts.
 * @param {TraceIndex} a @param {TraceIndex} b @param {import("./pairing.js").Pairing} pairs
 */
function linePartners(a, b, pairs) {
  const source = a.trace.document.program.source.split("\n");
  const other = b.trace.document.program.source.split("\n");
  /** @type {Map<string, string>} */
  const partner = new Map();
  for (const [i, j] of align(source, other, (x, y) => x.trim() !== "" && x.trim() === y.trim())) if (i >= 0 && j >= 0) partner.set(String(i + 1), String(j + 1));
  /** @type {Map<string, Map<string, number>>} */
  const votes = new Map();
  for (const [slotA, slotB] of pairs.ab) {
    const from = lineOf(a, a.slotNodes[slotA][0]);
    const to = lineOf(b, b.slotNodes[slotB][0]);
    if (from < 1 || to < 1) continue;
    const list = votes.get(String(from)) ?? new Map();
    list.set(String(to), (list.get(String(to)) ?? 0) + 1);
    votes.set(String(from), list);
  }
  for (const [from, list] of votes) if (!partner.has(from)) partner.set(from, [...list].sort((x, y) => y[1] - x[1])[0][0]);
  return partner;
}

/** The line that made a node, -1 if none is known. @param {TraceIndex} index @param {number} node */
export function lineOf(index, node) {
  const span = index.trace.nodes.span[node];
  return span >= 0 ? index.trace.spans.line[span] : -1;
}

/** Stretches that correspond are walked through together, each at its own pace; the others alone, while the other side waits. @param {Stretch[]} left @param {Stretch[]} right @param {[number, number][]} pairs @returns {Moment[]} */
function spread(left, right, pairs) {
  /** @type {Moment[]} */
  const out = [];
  let a = -1;
  let b = -1;
  for (const [i, j] of pairs) {
    const x = i >= 0 ? left[i] : null;
    const y = j >= 0 ? right[j] : null;
    const count = Math.max(x ? x.last - x.first + 1 : 0, y ? y.last - y.first + 1 : 0);
    for (let k = 0; k < count; k++) {
      if (x) a = x.first + paced(k, count, x.last - x.first + 1);
      if (y) b = y.first + paced(k, count, y.last - y.first + 1);
      out.push({ a, b });
    }
  }
  return out.length ? out : [{ a: 0, b: 0 }];
}

/** @param {number} k @param {number} count @param {number} own */
const paced = (k, count, own) => Math.min(own - 1, Math.floor((k * own) / count));

/**
 * The phases of one side over the moments, in order; phase -1 while it has not begun, -2 once it is over. Phases that go by one name are numbered.
 * @param {TraceIndex} index @param {Moment[]} all @param {"a" | "b"} side
 * @returns {{first: number, last: number, phase: number, name: string}[]}
 */
export function stretchesOf(index, all, side) {
  /** @type {{first: number, last: number, phase: number, name: string}[]} */
  const out = [];
  const end = index.stepCount - 1;
  all.forEach((moment, at) => {
    const over = moment[side] === end && at > 0 && all[at - 1][side] === end;
    const phase = over ? -2 : moment[side] < 0 ? -1 : index.phaseOf(moment[side]);
    const last = out[out.length - 1];
    if (last && last.phase === phase) last.last = at;
    else out.push({ first: at, last: at, phase, name: over ? "done" : phase < 0 ? "" : phaseShort(index, phase) });
  });
  const times = /** @type {Record<string, number>} */ ({});
  for (const { name } of out) times[name] = (times[name] ?? 0) + 1;
  const seen = /** @type {Record<string, number>} */ ({});
  for (const one of out) {
    if (times[one.name] < 2 || !one.name || /\d$/.test(one.name)) continue;
    seen[one.name] = (seen[one.name] ?? 0) + 1;
    one.name = `${one.name} ${seen[one.name]}`;
  }
  return out;
}
