/**
 * The interval index of a trace: for every node the ordered list of what happened to it, for every step where it stands.
 * Built once; after that "what was true at step k" is a binary search, never a replay.
 * @typedef {import("./decode.js").Trace} Trace
 * @typedef {{seq: number, table: string, row: number, value: number, run: number}} Happening
 */
import { bindings } from "./bindings.js";
import { joinPhases } from "./phases.js";

/**
 * How many of the sorted `items` lie before `limit`.
 * @template T
 * @param {T[]} items @param {number} limit @param {(item: T) => number} at
 */
export function countBefore(items, limit, at) {
  let low = 0;
  let high = items.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at(items[middle]) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The last of the sorted happenings before `limit`.
 * @template {{seq: number}} T
 * @param {T[] | undefined} items @param {number} limit
 * @returns {T | null}
 */
export function lastBefore(items, limit) {
  if (!items) return null;
  const n = countBefore(items, limit, (item) => item.seq);
  return n > 0 ? items[n - 1] : null;
}

const VALUE_TABLES = ["ran", "fed", "written", "accumulated"];

export class TraceIndex {
  /** @param {Trace} recorded */
  constructor(recorded) {
    const trace = joinPhases(recorded);
    this.trace = trace;
    /** The definition of each node: what it ended up as, where its role changed (a tensor that became a parameter). */
    this.definitions = [...(trace.nodes.definition ?? [])];
    const { role } = trace.events;
    role?.seq?.forEach((_, row) => (this.definitions[role.node[row]] = role.definition[row]));
    this.stepCount = trace.count.steps;
    const nodes = trace.count.nodes;
    /** @type {Happening[][]} what gave each node a value */
    this.values = Array.from({ length: nodes }, () => []);
    /** @type {Happening[][]} gradient functions that ran, by node */
    this.gradients = Array.from({ length: nodes }, () => []);
    /** @type {number[][]} when each gradient node let go */
    this.freed = Array.from({ length: nodes }, () => []);
    /** @type {Map<number, number>} when gradient nodes were let go by the program, not by a backward */
    this.dropped = new Map();
    /** @type {Happening[][]} */
    this.cleared = Array.from({ length: nodes }, () => []);
    /** @type {Map<number, Happening>} */
    this.failed = new Map();
    this.#collect();
    /** @type {number[][]} nodes of each slot in the order they were made */
    this.slotNodes = Array.from({ length: trace.count.slots }, () => []);
    /** @type {number[][]} gradient, accumulate and update nodes that belong to a forward node */
    this.mirrors = Array.from({ length: nodes }, () => []);
    /** @type {number[][]} plumbing collapsed under a node */
    this.plumbing = Array.from({ length: nodes }, () => []);
    for (let node = 0; node < nodes; node++) {
      if (trace.nodes.slot[node] >= 0) this.slotNodes[trace.nodes.slot[node]]?.push(node);
      if (trace.nodes.mirrors[node] >= 0) this.mirrors[trace.nodes.mirrors[node]].push(node);
      const host = this.host(node);
      if (host !== node) this.plumbing[host].push(node);
    }
    /** @type {number[][]} edges by target node, and by source node */
    this.inputs = Array.from({ length: nodes }, () => []);
    this.outputs = /** @type {number[][]} */ (Array.from({ length: nodes }, () => []));
    for (let e = 0; e < trace.count.edges; e++) {
      this.inputs[trace.edges.target[e]]?.push(e);
      this.outputs[trace.edges.source[e]]?.push(e);
    }
    /** @type {Map<number, {seq: number, added: number}[]>} what edits of a graph did to an edge */
    this.edits = new Map();
    const { edited } = trace.events;
    edited?.edge?.forEach((edge, row) => this.edits.set(edge, [...(this.edits.get(edge) ?? []), { seq: edited.seq[row], added: edited.added[row] }]));
    /** When each backward was over. */
    this.backwardEnds = (trace.events.backward_end?.seq ?? []).map((seq) => ({ seq }));
    /** @type {{step: number, hidden: number}[]} the steps that stand for folded passes, and how many there are fewer than in the program up to each */
    this.folds = [];
    const folded = trace.events.folded;
    folded?.seq?.forEach((seq, row) => this.folds.push({ step: this.stepOf(seq), hidden: (this.folds.at(-1)?.hidden ?? 0) + folded.steps[row] - 1 }));
    this.#runs();
    this.#places();
    this.bindings = bindings(trace);
  }

  /** Whether no edit has taken an edge away before `limit`, or made it only later. @param {number} edge @param {number} limit */
  isWired(edge, limit) {
    const edits = this.edits.get(edge);
    if (!edits) return true;
    return (lastBefore(edits, limit)?.added ?? 1 - edits[0].added) === 1;
  }

  /** @param {number} i index into `strings` */
  text(i) {
    return i >= 0 ? this.trace.strings[i] ?? "" : "";
  }

  /** @param {number} node */
  definition(node) {
    return this.trace.document.definitions[this.definitions[node]];
  }

  /** @param {number} node the node under which a piece of plumbing is shown, itself otherwise */
  host(node) {
    const { serves } = this.trace.nodes;
    for (let hops = 0; serves[node] >= 0 && hops < 64; hops++) node = serves[node];
    return node;
  }

  /** The first sequence number that step `k` does not hold. @param {number} k */
  limit(k) {
    return k + 1 < this.stepCount ? this.trace.steps.seq[k + 1] : Number.MAX_SAFE_INTEGER;
  }

  /** The number of step `k` in the whole program, from 1: a step that stands for folded passes has the first of their numbers. @param {number} k */
  number(k) {
    const folds = countBefore(this.folds, k, (fold) => fold.step);
    return k + 1 + (folds ? this.folds[folds - 1].hidden : 0);
  }

  /** How many steps the whole program had. */
  get wholeCount() {
    return this.stepCount + (this.folds.at(-1)?.hidden ?? 0);
  }

  /** The step that holds sequence number `seq`. @param {number} seq */
  stepOf(seq) {
    return Math.max(0, countBefore(this.trace.steps.seq, seq + 1, (s) => s) - 1);
  }

  /** The phase that step `k` lies in, -1 if there is none. @param {number} k */
  phaseOf(k) {
    return countBefore(this.trace.phases.first ?? [], k + 1, (s) => s) - 1;
  }

  /** @param {number} graph */
  isStatic(graph) {
    return this.text(this.trace.graphs.mode[graph]) === "static";
  }

  /** Whether a graph was freed since nobody held it any more, and not by a backward. @param {number} row of the freed events */
  isDrop(row) {
    const { backward, backward_end: ends, freed } = this.trace.events;
    /** @param {import("./types.js").Table | undefined} table */
    const before = (table) => countBefore(table?.seq ?? [], freed.seq[row], (seq) => seq);
    return before(backward) <= before(ends);
  }

  #collect() {
    const { events } = this.trace;
    for (const table of VALUE_TABLES) {
      const rows = events[table] ?? { seq: [] };
      rows.seq.forEach((seq, row) => {
        this.values[rows.node[row]]?.push({ seq, table, row, value: rows.value[row], run: rows.run?.[row] ?? -1 });
      });
    }
    for (const history of this.values) history.sort((a, b) => a.seq - b.seq);
    const gradient = events.gradient ?? { seq: [] };
    gradient.seq.forEach((seq, row) => this.gradients[gradient.node[row]]?.push({ seq, table: "gradient", row, value: this.#firstSent(gradient.values[row]), run: -1 }));
    const freed = events.freed ?? { seq: [] };
    freed.seq.forEach((seq, row) => {
      const byProgram = this.isDrop(row);
      for (const node of this.trace.document.lists[freed.nodes[row]]) {
        this.freed[node]?.push(seq);
        if (byProgram) this.dropped.set(node, seq);
      }
    });
    const cleared = events.cleared ?? { seq: [] };
    cleared.seq.forEach((seq, row) => {
      // Set to zero is a value like any other; set to None is the end of one.
      const value = this.text(cleared.how?.[row] ?? -1) === "zero" ? cleared.value?.[row] ?? -1 : -1;
      const into = value >= 0 ? this.values : this.cleared;
      into[cleared.node[row]]?.push({ seq, table: "cleared", row, value, run: -1 });
      if (value >= 0) into[cleared.node[row]]?.sort((a, b) => a.seq - b.seq);
    });
    const failed = events.failed ?? { seq: [] };
    failed.seq.forEach((seq, row) => this.failed.set(failed.node[row], { seq, table: "failed", row, value: -1, run: -1 }));
  }

  /** @param {number} list */
  #firstSent(list) {
    return this.trace.document.lists[list]?.find((value) => value >= 0) ?? -1;
  }

  #runs() {
    const run = this.trace.events.run ?? { seq: [] };
    /** @type {Map<number, {seq: number, run: number, row: number, ordinal: number}[]>} runs of each plan, in order */
    this.planRuns = new Map();
    /** @type {Map<number, number>} plan of each run */
    this.runPlan = new Map();
    run.seq.forEach((seq, row) => {
      const plan = run.plan[row];
      const list = this.planRuns?.get(plan) ?? [];
      list.push({ seq, run: run.run[row], row, ordinal: list.length + 1 });
      this.planRuns?.set(plan, list);
      this.runPlan?.set(run.run[row], plan);
    });
    const rewrite = this.trace.events.rewrite ?? { seq: [] };
    /** @type {Map<number, {seq: number, row: number, action: string, old: number[], new: number[], reason: string}[]>} */
    this.rewrites = new Map();
    rewrite.seq.forEach((seq, row) => {
      const list = this.rewrites?.get(rewrite.plan[row]) ?? [];
      list.push({ seq, row, action: this.text(rewrite.action[row]), old: this.trace.document.lists[rewrite.old[row]] ?? [], new: this.trace.document.lists[rewrite.new[row]] ?? [], reason: this.text(rewrite.reason[row]) });
      this.rewrites?.set(rewrite.plan[row], list);
    });
  }

  /** Which graph and plan each step is about; a step that is about none keeps those of the step before. */
  #places() {
    const { steps, phases, events, nodes, plans, document } = this.trace;
    /** @type {number[]} */
    this.stepGraph = [];
    /** @type {number[]} */
    this.stepPlan = [];
    let graph = this.trace.count.graphs > 0 ? 0 : -1;
    let plan = -1;
    for (let k = 0; k < this.stepCount; k++) {
      const rows = events[this.text(steps.kind[k])];
      const row = steps.row[k];
      const phase = this.phaseOf(k);
      const node = rows?.node?.[row] ?? -1;
      let at = rows?.plan?.[row] ?? this.runPlan?.get(rows?.run?.[row] ?? -1) ?? -1;
      if (at < 0 && phase >= 0) at = phases.plan[phase];
      if (at >= 0) {
        plan = at;
        graph = plans.graph[at];
      } else if (node >= 0) {
        plan = -1;
        graph = nodes.graph[node];
      } else if (phase >= 0 && phases.graph[phase] >= 0 && phases.graph[phase] !== graph) {
        graph = phases.graph[phase];
        plan = -1;
      }
      // What fails before its own plan is run is looked for in the graph, if the plan of the run before lacks it.
      const failed = this.text(steps.kind[k]) === "error" ? document.end.error?.node ?? -1 : -1;
      if (failed >= 0 && this.rewrites?.get(plan)?.some((change) => change.old.includes(failed) && !change.new.includes(failed))) plan = -1;
      this.stepGraph.push(graph);
      this.stepPlan.push(plan);
    }
  }
}
