import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../../static/js/player/player.js";
import { advance, byIteration, byLine, byPhase, byValue, clamp, SPEEDS, STEP_MS, stepsOf } from "../../static/js/player/transport.js";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { TraceIndex } from "../../static/js/trace/index.js";
import { byStop } from "../../static/js/trace/stops.js";
import { axis, bars, laneNames, stepAt } from "../../static/js/trace/lanes.js";
import { tf1Recording, torchRecording } from "./fixtures/programs.mjs";

const torch = () => new TraceIndex(decodeTrace(/** @type {any} */ (torchRecording())));
const tf1 = () => new TraceIndex(decodeTrace(/** @type {any} */ (tf1Recording())));

test("by line: forward to the first step of the next line, back to the first of this or the one before", () => {
  const index = torch();
  const { line } = index.trace.steps;
  const start = line.indexOf(9);
  assert.equal(line[byLine(index, start - 1, 1)], 9);
  assert.equal(byLine(index, start, 1), line.indexOf(10));
  assert.equal(byLine(index, start + 1, -1), start);
  assert.equal(line[byLine(index, start, -1)], 8);
  assert.equal(byLine(index, index.stepCount - 1, 1), index.stepCount - 1);
  assert.equal(byLine(index, 0, -1), 0);
});

test("by phase, by value, clamped", () => {
  const index = torch();
  const { first } = index.trace.phases;
  assert.equal(byPhase(index, 0, 1), first[1]);
  assert.equal(byPhase(index, first[2] + 1, -1), first[2]);
  assert.equal(byPhase(index, index.stepCount - 1, 1), index.stepCount - 1);
  assert.deepEqual([clamp(index, -5), clamp(index, 1e9)], [0, index.stepCount - 1]);
  const pred = index.trace.nodes.variable.findIndex((v) => index.text(v) === "pred");
  const [one, two] = index.slotNodes[index.trace.nodes.slot[pred]].map((n) => index.stepOf(index.values[n][0].seq));
  assert.equal(byValue(index, pred, 0, 1), one);
  assert.equal(byValue(index, pred, one, 1), two);
  assert.equal(byValue(index, pred, two, 1), two, "no later value: stay");
  assert.deepEqual(stepsOf(index, pred), [one]);
});

test("play advances with the clock, at its speed, and stops at the end", () => {
  const player = new Player();
  player.load(torch());
  player.play(true);
  player.tick(0);
  player.tick(STEP_MS * 0.6);
  assert.equal(player.step, 0);
  player.tick(STEP_MS * 1.01);
  assert.equal(player.step, 1);
  player.setSpeed(4);
  for (let i = 1; i <= 4; i++) player.tick(STEP_MS * (1.01 + i * 0.25));
  assert.equal(player.step, 5);
  for (let i = 0; i < 200; i++) player.tick(2000 + i * 900);
  assert.equal(player.step, (player.index?.stepCount ?? 0) - 1);
  assert.equal(player.playing, false);
  player.play();
  assert.deepEqual([player.step, player.playing], [0, true], "play at the end begins again");
});

test("advance keeps the fraction that is left over", () => {
  assert.deepEqual(advance(STEP_MS * 2.5, 1), { steps: 2, rest: STEP_MS * 0.5 });
  assert.equal(advance(STEP_MS, 16).steps, 16);
  assert.ok(SPEEDS.includes(1) && SPEEDS.includes(16));
});

test("only a single step forward is animated; a jump stops play", () => {
  const player = new Player();
  /** @type {[string[], boolean][]} */
  const heard = [];
  player.load(torch());
  player.follow((_, change) => heard.push([[...change.topics], change.animate]));
  player.move(1);
  player.move(-1);
  player.goTo(9);
  player.play(true);
  player.goTo(3);
  assert.deepEqual(heard, [[["step"], true], [["step"], false], [["step"], false], [["playing"], false], [["step", "playing"], false]]);
  assert.equal(player.playing, false);
});

test("an edited program stops play and says so once", () => {
  const player = new Player();
  player.load(tf1());
  player.play(true);
  let told = 0;
  player.follow((_, change) => (told += Number(change.topics.has("stale"))));
  player.markStale(true);
  player.markStale(true);
  assert.deepEqual([player.stale, player.playing, told], [true, false, 1]);
});

test("playing stops where the program comes to a line with a breakpoint, at each visit", () => {
  const index = torch();
  const { line } = index.trace.steps;
  const player = new Player();
  player.load(index);
  const wanted = 10;
  const visits = line.flatMap((l, k) => (l === wanted && line[k - 1] !== wanted ? [k] : []));
  assert.ok(visits.length >= 2);
  player.toggleBreak(wanted);
  for (const visit of visits) {
    player.play(true);
    for (let ms = 0; player.playing && ms < 1e6; ms += 500) player.tick(ms);
    assert.deepEqual([player.step, player.playing], [visit, false]);
  }
  assert.equal(byStop(index, player.stops, player.step, 1), null);
  player.moveByStop(-1);
  assert.equal(player.step, visits.at(-2));
  player.toggleBreak(wanted);
  assert.equal(byStop(index, player.stops, 0, 1), null);
  player.toggleBreak(-1);
  assert.equal(player.stops.length, 0);
});

test("lanes: static work lies in build, optimiser, compiler, session and worker; dynamic in forward, backward, update", () => {
  assert.deepEqual(laneNames(bars(tf1())), ["Python builds", "optimiser", "compiler", "session", "worker 1"]);
  assert.deepEqual(laneNames(bars(torch())), ["forward", "backward", "update"]);
});

test("the axis is monotonous, fills the width, and finds a step again", () => {
  for (const index of [torch(), tf1()]) {
    const all = bars(index);
    const at = axis(index, all, 900, Array.from({ length: index.trace.count.phases }, () => 40));
    for (let k = 1; k < index.stepCount; k++) assert.ok(at.x[k] > at.x[k - 1]);
    const last = at.phase[at.phase.length - 1];
    assert.ok(Math.abs(last.x + last.width - 900) < 1, `${last.x + last.width}`);
    for (let k = 0; k < index.stepCount; k++) assert.equal(stepAt(at, at.bar[k] + at.width[k] / 2), k);
    const lane = all.map((bar, k) => ({ ...bar, k })).filter((bar) => bar.lane === "forward" && bar.duration > 1400);
    for (const [a, b] of lane.slice(1).map((bar, i) => [lane[i], bar])) assert.ok(Math.abs(at.width[a.k] / at.width[b.k] - a.duration / b.duration) < 1e-6, "lengths compare within a lane");
  }
});

test("by iteration: from pass to pass of the loop, else from run to run", () => {
  const index = torch();
  const { first } = index.trace.episodes;
  assert.equal(byIteration(index, 0, 1), first[0]);
  assert.equal(byIteration(index, first[0], 1), first[1]);
  assert.equal(byIteration(index, first[1] + 1, -1), first[1]);
  assert.equal(byIteration(index, first[0], -1), 0);
  assert.equal(byIteration(index, first[1], 1), index.stepCount - 1);
  const fixed = tf1();
  const runs = fixed.trace.events.run.seq.map((seq) => fixed.stepOf(seq));
  assert.equal(byIteration(fixed, runs[0], 1), runs[1]);
});
