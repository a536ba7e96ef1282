/**
 * Cumulative time against calls, from measurements (docs/measurement.md), and where one side overtakes the other.
 * @typedef {{median: number, low: number, high: number, count: number, samples: number[], resolved: boolean}} Figure   ns
 * @typedef {object} Measurement
 * @property {string} format
 * @property {number} version
 * @property {{name: string, source: string, dialect: string}} program
 * @property {{python: string, numpy: string, timer_ns: number, mark_ns: number}} machine
 * @property {{line: number, what: string, name: string} | null} target
 * @property {number} repeats
 * @property {{kind: string, line: number | null, message: string}} end
 * @property {Figure} total
 * @property {Figure} kernel
 * @property {Figure} overhead
 * @property {Record<string, Figure | null>} parts
 * @property {{fetches: string[], feeds: string[], count: number, calls: number[]}[]} runs
 * @property {{line: number, end_line: number, count: number, passes: number[]}[]} loops
 * @property {string[]} notes
 *
 * @typedef {{low: number, median: number, high: number}} Spread   ns
 * @typedef {object} Cost   what `n` calls of one side cost
 * @property {string} unit   what one call is: `pass of the loop in line 9`
 * @property {Spread} start   paid before the first call
 * @property {number[]} calls   each measured call, ns
 * @property {number} settled   how many calls it takes until the cost stays the same
 * @property {Spread} steady   what each further call costs
 * @property {number} again   what preparing a plan anew costs: ns, 0 for a side that prepares none
 */

export const FORMAT = "stepgraph-measurement";
export const VERSION = 1;
const NOTHING = { low: 0, median: 0, high: 0 };

/** @param {any} document @returns {Measurement} @throws {Error} another format or version */
export function readMeasurement(document) {
  if (document?.format !== FORMAT || document.version !== VERSION) throw new Error("The server measured in a form that this page does not know. Reload the page.");
  return document;
}

/**
 * What calls cost. Both sides count passes of their loop where both have one, so that the same things lie between two marks; else session runs.
 * @param {Measurement} one @param {boolean} passes whether passes count @returns {Cost | null} null: nothing in it is done twice
 */
export function costOf({ parts, runs, loops }, passes) {
  const calls = passes ? loops[0]?.passes ?? [] : runs[0]?.calls ?? [];
  if (calls.length < 2) return null;
  // A session interprets its first run and compiles at the second; both are measured one by one, the rest is alike.
  const settled = Math.min(calls.length - 1, runs.length ? 2 : 1);
  const rest = calls.slice(settled).sort((x, y) => x - y);
  const figure = passes ? null : parts.steady_run;
  const steady = figure ?? { median: quantile(rest, 0.5), low: quantile(rest, 0.25), high: quantile(rest, 0.75) };
  return {
    unit: passes ? `pass of the loop in line ${loops[0].line}` : `session run of ${runs[0].fetches.join(", ")}`,
    start: parts.build ?? NOTHING, calls, settled, steady: { low: steady.low, median: steady.median, high: steady.high },
    again: (parts.optimise?.median ?? 0) + (parts.compile?.median ?? 0),
  };
}

/** @param {number[]} sorted @param {number} q */
function quantile(sorted, q) {
  const at = (sorted.length - 1) * q;
  const low = Math.floor(at);
  return sorted[low] + ((sorted[low + 1] ?? sorted[low]) - sorted[low]) * (at - low);
}

/**
 * What `n` calls cost in all. Beyond the calls that were measured each costs the steady time; `shapes` beyond the first each make a new plan.
 * @param {Cost} cost @param {number} n @param {number} [shapes] @returns {Spread}
 */
export function cumulative(cost, n, shapes = 1) {
  const measured = Math.min(n, cost.calls.length);
  const first = cost.calls.slice(0, measured);
  const once = first.slice(0, cost.settled).reduce((sum, ns) => sum + ns, 0);
  const alike = first.slice(cost.settled).reduce((sum, ns) => sum + ns, 0);
  const more = n - measured;
  const anew = cost.again * Math.max(0, Math.min(shapes, n) - 1);
  const { steady, start } = cost;
  const ratio = /** @param {number} bound */ (bound) => (steady.median > 0 ? bound / steady.median : 1);
  const at = /** @param {"low" | "median" | "high"} which */ (which) => start[which] + once + alike * ratio(steady[which]) + more * steady[which] + anew;
  return { low: at("low"), median: at("median"), high: at("high") };
}

/**
 * @typedef {{kind: "at", n: number, from: number, to: number | null, winner: "a" | "b"}} Crossing   `from` to `to`: where the spreads overlap, `to` null if they never part
 * @typedef {Crossing | {kind: "never", winner: "a" | "b"} | {kind: "unclear"}} BreakEven
 */

/** Beyond so many calls nobody waits. */
const FAR = 10_000_000;

/**
 * From which number of calls on the other side is ahead, and stays so. "never": one is ahead from the first call on. "unclear": both lie in each other's spread all the way.
 * @param {Cost} a @param {Cost} b @param {number} [shapes] @returns {BreakEven}
 */
export function breakEven(a, b, shapes = 1) {
  const ahead = /** @param {number} n */ (n) => cumulative(a, n, shapes).median < cumulative(b, n, shapes).median;
  const winner = ahead(FAR) ? "a" : "b";
  const wins = /** @param {number} n @param {"low" | "median" | "high"} mine @param {"low" | "median" | "high"} theirs */ (n, mine, theirs) => {
    const [x, y] = winner === "a" ? [a, b] : [b, a];
    return cumulative(x, n, shapes)[mine] < cumulative(y, n, shapes)[theirs];
  };
  const certain = wins(FAR, "high", "low");
  if (!certain && !wins(1, "high", "low") && wins(1, "low", "high")) return { kind: "unclear" };
  const n = since((k) => wins(k, "median", "median"));
  if (n <= 1) return { kind: "never", winner };
  return { kind: "at", n, from: since((k) => wins(k, "low", "high")), to: certain ? since((k) => wins(k, "high", "low")) : null, winner };
}

/** The least n from which on something holds, when it holds far away. @param {(n: number) => boolean} holds */
function since(holds) {
  // Costs are irregular at the beginning and straight lines beyond it.
  const IRREGULAR = 1000;
  if (!holds(IRREGULAR)) {
    let low = IRREGULAR;
    let high = FAR;
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (holds(middle)) high = middle;
      else low = middle;
    }
    return high;
  }
  let n = IRREGULAR;
  while (n > 1 && holds(n - 1)) n--;
  return n;
}
