/**
 * Levels, the critical path and slack of what runs together: one run of a plan, or one pass of a loop.
 * Times are kernel times as recorded, the median over all runs of the same place; what lies between kernels is not in them.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{node: number, level: number, time: number, slack: number, critical: boolean, runs: number}} Task   ns
 * @typedef {{tasks: Task[], length: number, work: number, levels: number, widest: number, inputs: Map<number, number[]>, unmeasured: number}} Schedule
 *   `length`: of the critical path; `work`: all tasks; `widest`: most tasks of one level
 */
import { inPlan } from "./replacements.js";

/**
 * @param {TraceIndex} index @param {import("./scene.js").Scene} scene what the graph shows: its plan and run, or its pass
 * @returns {Schedule | null} null where nothing has run
 */
export function scheduleOf(index, scene) {
  const times = scene.plan >= 0 ? timesOfPlan(index, scene.plan) : index.isStatic(Math.max(0, scene.graph)) ? new Map() : timesOfPass(index, scene);
  if (times.size < 2) return null;
  const standsFor = representatives(index, scene);
  /** @type {Map<number, number[]>} */
  const inputs = new Map();
  for (const node of times.keys()) {
    const chain = scene.hulls.find((hull) => hull.node === node)?.chain ?? [node];
    const before = chain.flatMap((one) => index.inputs[one].map((e) => standsFor(index.trace.edges.source[e])));
    inputs.set(node, [...new Set(before)].filter((one) => one !== node && times.has(one)));
  }
  return schedule(times, inputs, index.trace.document.machine.timer_ns);
}

/**
 * @param {Map<number, {time: number, runs: number}>} times @param {Map<number, number[]>} inputs of each task @param {number} resolution of the clock, ns
 * @returns {Schedule}
 */
export function schedule(times, inputs, resolution) {
  const order = sorted([...times.keys()], inputs);
  /** @type {Map<number, number>} */
  const level = new Map();
  /** @type {Map<number, number>} */
  const finish = new Map();
  const time = /** @param {number} node */ (node) => times.get(node)?.time ?? 0;
  for (const node of order) {
    const before = inputs.get(node) ?? [];
    level.set(node, Math.max(-1, ...before.map((one) => level.get(one) ?? -1)) + 1);
    finish.set(node, Math.max(0, ...before.map((one) => finish.get(one) ?? 0)) + time(node));
  }
  const length = Math.max(0, ...finish.values());
  const latest = new Map(order.map((node) => [node, length]));
  for (const node of [...order].reverse()) {
    const start = (latest.get(node) ?? length) - time(node);
    for (const before of inputs.get(node) ?? []) latest.set(before, Math.min(latest.get(before) ?? length, start));
  }
  const tasks = order.map((node) => {
    const slack = (latest.get(node) ?? length) - (finish.get(node) ?? 0);
    return { node, level: level.get(node) ?? 0, time: time(node), slack, critical: slack === 0 && time(node) > 0, runs: times.get(node)?.runs ?? 0 };
  });
  const width = new Map();
  for (const task of tasks) width.set(task.level, (width.get(task.level) ?? 0) + 1);
  return { tasks, length, work: tasks.reduce((sum, task) => sum + task.time, 0), levels: width.size, widest: Math.max(0, ...width.values()), inputs, unmeasured: tasks.filter((task) => task.time <= resolution).length };
}

/** Each after what it needs; what a circle leaves over comes last. @param {number[]} nodes @param {Map<number, number[]>} inputs */
function sorted(nodes, inputs) {
  /** @type {Map<number, number>} */
  const open = new Map(nodes.map((node) => [node, inputs.get(node)?.length ?? 0]));
  /** @type {Map<number, number[]>} */
  const readers = new Map();
  for (const [node, list] of inputs) for (const before of list) readers.set(before, [...(readers.get(before) ?? []), node]);
  const ready = nodes.filter((node) => !open.get(node));
  const order = [];
  for (let node = ready.shift(); node !== undefined; node = ready.shift()) {
    order.push(node);
    for (const reader of readers.get(node) ?? []) {
      open.set(reader, (open.get(reader) ?? 1) - 1);
      if (open.get(reader) === 0) ready.push(reader);
    }
  }
  const done = new Set(order);
  return [...order, ...nodes.filter((node) => !done.has(node))];
}

/**
 * How much shorter all of it gets if one task took a part of its time: one after the other, and with as many workers as there are levels wide.
 * @param {Schedule} of @param {number} node @param {number} factor how many times faster
 */
export function ifFaster(of, node, factor) {
  const times = new Map(of.tasks.map((task) => [task.node, { time: task.node === node ? task.time / factor : task.time, runs: task.runs }]));
  const then = schedule(times, of.inputs, 0);
  return { serial: of.work - then.work, parallel: of.length - then.length };
}

/** @param {number[]} numbers */
function median(numbers) {
  const list = numbers.sort((a, b) => a - b);
  const middle = list.length >> 1;
  return list.length % 2 ? list[middle] : (list[middle - 1] + list[middle]) / 2;
}

/** @param {TraceIndex} index @param {number} plan @returns {Map<number, {time: number, runs: number}>} */
function timesOfPlan(index, plan) {
  const { ran } = index.trace.events;
  const held = new Set(["variable", "constant", "input"]);
  const runs = new Set((index.planRuns?.get(plan) ?? []).map((one) => one.run));
  /** @type {Map<number, number[]>} */
  const all = new Map();
  ran?.seq?.forEach((_, row) => {
    if (runs.has(ran.run[row]) && !held.has(index.definition(ran.node[row]).role)) all.set(ran.node[row], [...(all.get(ran.node[row]) ?? []), ran.duration[row]]);
  });
  return new Map([...all].map(([node, list]) => [node, { time: median(list), runs: list.length }]));
}

/** Of the pass that is shown; the times of a place are those of all passes. @param {TraceIndex} index @param {import("./scene.js").Scene} scene */
function timesOfPass(index, scene) {
  const { ran, gradient } = index.trace.events;
  const { slot } = index.trace.nodes;
  /** @type {Map<number, number[]>} */
  const all = new Map();
  for (const rows of [ran, gradient]) rows?.seq?.forEach((_, row) => all.set(slot[rows.node[row]], [...(all.get(slot[rows.node[row]]) ?? []), rows.duration[row]]));
  /** @type {Map<number, {time: number, runs: number}>} */
  const out = new Map();
  for (const { node } of scene.slots.values()) {
    const list = all.get(slot[node]);
    const role = index.definition(node).role;
    if (list && (role === "op" || role === "gradient")) out.set(node, { time: median([...list]), runs: list.length });
  }
  return out;
}

/** Who does a node's work in what is shown: the fused step, what stands for it in the plan. @param {TraceIndex} index @param {import("./scene.js").Scene} scene @returns {(node: number) => number} */
function representatives(index, scene) {
  const fused = new Map(scene.hulls.flatMap((hull) => hull.chain.map((node) => /** @type {[number, number]} */ ([node, hull.node]))));
  return (node) => {
    const there = inPlan(index, scene.plan, node);
    return fused.get(there) ?? fused.get(node) ?? there;
  };
}
