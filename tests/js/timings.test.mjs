import assert from "node:assert/strict";
import { test } from "node:test";
import { breakEven, costOf, cumulative, readMeasurement } from "../../static/js/trace/breakeven.js";
import { ifFaster, schedule } from "../../static/js/trace/critical.js";
import { ticks } from "../../static/js/views/charts/plot.js";

/** A diamond: 1 feeds 2 and 3, both feed 4. @param {Record<number, number>} times */
const diamond = (times) => schedule(new Map(Object.entries(times).map(([node, time]) => [Number(node), { time, runs: 1 }])), new Map([[1, []], [2, [1]], [3, [1]], [4, [2, 3]]]), 0);

test("levels, critical path and slack", () => {
  const of = diamond({ 1: 10, 2: 30, 3: 5, 4: 10 });
  assert.equal(of.length, 50);
  assert.equal(of.work, 55);
  assert.deepEqual(of.tasks.map(({ node, level, slack, critical }) => [node, level, slack, critical]), [[1, 0, 0, true], [2, 1, 0, true], [3, 1, 25, false], [4, 2, 0, true]]);
  assert.equal(of.widest, 2);
});

test("a faster op saves what it takes, but on the critical path only until another path is longer", () => {
  const of = diamond({ 1: 10, 2: 30, 3: 20, 4: 10 });
  assert.deepEqual(ifFaster(of, 2, 2), { serial: 15, parallel: 10 });
  assert.deepEqual(ifFaster(of, 3, 2), { serial: 10, parallel: 0 });
});

test("a circle does not hang", () => {
  const of = schedule(new Map([[1, { time: 1, runs: 1 }], [2, { time: 1, runs: 1 }]]), new Map([[1, [2]], [2, [1]]]), 0);
  assert.equal(of.tasks.length, 2);
});

/** @param {number} ns @param {number} [spread] */
const figure = (ns, spread = 0) => ({ median: ns, low: ns - spread, high: ns + spread, count: 5, samples: [ns], resolved: true });
/** @param {Record<string, any>} over @returns {any} */
const measured = (over) => ({ format: "stepgraph-measurement", version: 1, parts: { build: null, optimise: null, compile: null, steady_run: null }, runs: [], loops: [], ...over });
const STATIC = costOf(measured({ parts: { build: figure(500), optimise: figure(30), compile: figure(70), steady_run: figure(10, 1) }, runs: [{ fetches: ["loss"], feeds: [], count: 4, calls: [20, 110, 10, 10] }] }), false);
const DYNAMIC = costOf(measured({ loops: [{ line: 3, end_line: 5, count: 4, passes: [60, 40, 40, 40] }] }), true);

test("cumulative cost is what was measured, then the steady cost", () => {
  assert.ok(STATIC && DYNAMIC);
  assert.deepEqual([1, 2, 4, 100].map((n) => cumulative(STATIC, n).median), [520, 630, 650, 1610]);
  assert.equal(cumulative(DYNAMIC, 10).median, 420);
  assert.equal(cumulative(STATIC, 10, 3).median - cumulative(STATIC, 10).median, 200);
  assert.deepEqual([cumulative(STATIC, 100).low, cumulative(STATIC, 100).high], [1610 - 98, 1610 + 98]);
});

test("break-even is where the median lines cross, its interval where the spreads do", () => {
  assert.ok(STATIC && DYNAMIC);
  const found = breakEven(STATIC, DYNAMIC);
  assert.equal(found.kind, "at");
  if (found.kind !== "at") return;
  // 630 + 10 (n - 2) = 20 + 40 n
  assert.equal(found.n, 20);
  assert.equal(found.winner, "a");
  assert.ok(found.from <= found.n && found.to !== null && found.to >= found.n);
  for (const n of [found.n - 1, found.n]) assert.equal(cumulative(STATIC, n).median < cumulative(DYNAMIC, n).median, n === found.n);
});

test("a side that is ahead from the first call on is never overtaken", () => {
  assert.ok(DYNAMIC);
  const slow = { ...DYNAMIC, start: { low: 5, median: 5, high: 5 }, steady: { low: 50, median: 50, high: 50 } };
  assert.deepEqual(breakEven(DYNAMIC, slow), { kind: "never", winner: "a" });
  assert.equal(breakEven(DYNAMIC, { ...DYNAMIC, start: { low: 0, median: 1, high: 2 }, steady: { low: 30, median: 40, high: 50 } }).kind, "unclear");
});

test("what is done once has no calls to add up", () => assert.equal(costOf(measured({ loops: [{ line: 1, end_line: 2, count: 1, passes: [7] }] }), true), null));
test("another format is refused", () => assert.throws(() => readMeasurement({ format: "stepgraph-measurement", version: 2 })));
test("ticks are round", () => assert.deepEqual([ticks(23, 4), ticks(0.9, 3)[1]], [[0, 10, 20], 0.5]));
