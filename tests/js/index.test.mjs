import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { countBefore, lastBefore, TraceIndex } from "../../static/js/trace/index.js";
import { holders, keepers, sceneAt } from "../../static/js/trace/scene.js";
import { wireState } from "../../static/js/trace/wires.js";
import { visibleVariables } from "../../static/js/trace/variables.js";
import { tf1Recording, torchRecording } from "./fixtures/programs.mjs";
import { replay } from "./fixtures/replay.mjs";

const torch = () => new TraceIndex(decodeTrace(/** @type {any} */ (torchRecording())));
const tf1 = () => new TraceIndex(decodeTrace(/** @type {any} */ (tf1Recording())));

/** @param {TraceIndex} index @param {string} name @param {number} [which] */
const named = (index, name, which = 0) => index.trace.nodes.variable.map((v, node) => ({ v, node })).filter(({ v }) => index.text(v) === name)[which].node;
/** @param {TraceIndex} index @param {string} label @param {number} [which] */
const labelled = (index, label, which = 0) => index.definitions.map((d, node) => ({ label: index.trace.document.definitions[d].label, node })).filter((x) => x.label === label)[which].node;
/** @param {TraceIndex} index @param {string} kind @param {number} [which] */
const stepOf = (index, kind, which = 0) => index.trace.steps.kind.map((k, step) => ({ kind: index.text(k), step })).filter((x) => x.kind === kind)[which].step;
/** @param {TraceIndex} index @param {number} step @param {number} node */
const stateOf = (index, step, node) => [...sceneAt(index, step).slots.values()].find((s) => s.node === node)?.state;

test("binary search finds the last entry before a limit", () => {
  const items = [2, 4, 4, 9].map((seq) => ({ seq }));
  assert.equal(countBefore(items, 4, (i) => i.seq), 1);
  assert.equal(countBefore(items, 5, (i) => i.seq), 3);
  assert.equal(lastBefore(items, 2), null);
  assert.equal(lastBefore(items, 100)?.seq, 9);
  assert.equal(lastBefore(undefined, 1), null);
});

for (const [name, make] of /** @type {[string, () => TraceIndex][]} */ ([["torch", torch], ["tf1", tf1]])) {
  test(`${name}: the state at every step is what a replay of the events gives`, () => {
    const index = make();
    const states = replay(index.trace);
    let compared = 0;
    for (let step = 0; step < index.stepCount; step++) {
      const scene = sceneAt(index, step);
      const { held, run } = states[step];
      for (const { node, state, value } of scene.slots.values()) {
        const { role } = index.definition(node);
        const h = held[node];
        compared++;
        const where = `step ${step}, node ${node} (${role}), ${state}`;
        if (role !== "accumulate") assert.ok(h.exists, `${where} exists`);
        if (scene.plan >= 0 && h.gone) assert.ok(["ghost", "merged", "folded"].includes(state), where);
        else if (h.failed) assert.equal(state, "error", where);
        else if (h.freed) assert.equal(state, "freed", where);
        else if (index.isStatic(scene.graph) && role !== "variable" && role !== "constant") assert.equal(value, h.ran && run >= 0 && h.run === run ? h.value : -1, where);
        else if (role === "constant" && scene.plan >= 0) assert.ok(value >= 0 || !index.values[node].length, where);
        else if (role !== "constant") assert.equal(value, h.ran ? h.value : -1, where);
      }
    }
    assert.ok(compared > 100);
  });

  test(`${name}: going back gives the same picture as going forward`, () => {
    const index = make();
    const there = Array.from({ length: index.stepCount }, (_, step) => [...sceneAt(index, step).slots]);
    for (let step = index.stepCount - 1; step >= 0; step--) assert.deepEqual([...sceneAt(index, step).slots], there[step]);
  });
}

test("each iteration shows its own new nodes in the same places", () => {
  const index = torch();
  const [first, second] = [named(index, "pred", 0), named(index, "pred", 1)];
  assert.notEqual(first, second);
  assert.equal(index.trace.nodes.slot[first], index.trace.nodes.slot[second]);
  const before = index.stepOf(index.trace.nodes.seq[second]) - 1;
  assert.equal(stateOf(index, before, first), "value");
  assert.equal(stateOf(index, before + 1, first), undefined);
  assert.equal(stateOf(index, before + 1, second), "value");
  assert.equal(stateOf(index, before + 1, named(index, "loss", 0)), undefined, "the loss of the first iteration is gone");
});

test("gradients are not there until backward reaches them, and let go after", () => {
  const index = torch();
  const start = stepOf(index, "backward");
  const mm = labelled(index, "MmBackward0");
  const pow = labelled(index, "PowBackward0");
  assert.equal(stateOf(index, start, mm), "pending");
  const ran = index.stepOf(index.gradients[mm][0].seq);
  assert.equal(stateOf(index, ran - 1, mm), "pending");
  assert.equal(stateOf(index, ran, mm), "value");
  assert.equal(stateOf(index, ran, pow), "freed");
  assert.equal(stateOf(index, index.stepCount - 1, labelled(index, "MmBackward0", 1)), "freed");
});

test("a .grad is None, then a value, then cleared", () => {
  const index = torch();
  const storage = labelled(index, "AccumulateGrad");
  const at = /** @param {number} step */ (step) => [...sceneAt(index, step).slots.values()].find((s) => s.node === storage);
  assert.equal(at(stepOf(index, "backward"))?.state, "pending");
  assert.equal(at(stepOf(index, "accumulated"))?.state, "value");
  assert.deepEqual([at(stepOf(index, "cleared"))?.state, at(stepOf(index, "cleared"))?.note], ["pending", "cleared"]);
});

test("a value that nothing keeps is told apart from one that a variable or a gradient node keeps", () => {
  const index = torch();
  const square = labelled(index, "pow");
  const sub = labelled(index, "sub");
  const end = index.stepOf(index.values[named(index, "loss")][0].seq);
  assert.equal(stateOf(index, end, square), "seen");
  assert.equal(stateOf(index, end, sub), "value");
  assert.deepEqual(keepers(index, sub, index.limit(end)), [labelled(index, "PowBackward0")]);
  assert.deepEqual(holders(index, named(index, "pred"), index.limit(end)), ["pred"]);
  assert.deepEqual(keepers(index, sub, index.limit(stepOf(index, "freed"))), []);
});

test("a static graph is built without values, then the plan loses nodes and the graph none", () => {
  const index = tf1();
  const built = index.trace.phases.last[0];
  for (const { state } of sceneAt(index, built).slots.values()) assert.ok(["empty", "building"].includes(state), state);
  const compiled = stepOf(index, "compiled");
  const plan = sceneAt(index, compiled);
  const graph = sceneAt(index, compiled, { graph: 0, plan: -1 });
  assert.equal([...plan.slots.values()].filter((s) => s.state === "ghost").length, 1);
  assert.equal([...plan.slots.values()].filter((s) => s.state === "folded").length, 3);
  assert.equal([...graph.slots.values()].filter((s) => ["ghost", "folded", "merged"].includes(s.state)).length, 0);
  assert.equal(plan.slots.size, graph.slots.size + 1, "the folded constant belongs to the plan alone");
});

test("every run starts empty again, variables keep their value", () => {
  const index = tf1();
  const second = stepOf(index, "run", 2);
  assert.equal(stateOf(index, second - 1, named(index, "loss")), "value");
  assert.equal(stateOf(index, second, named(index, "loss")), "empty");
  assert.equal(stateOf(index, second, named(index, "W")), "value");
  assert.equal(sceneAt(index, second).ordinal, 2);
});

test("an edge is on once its target has read", () => {
  const index = tf1();
  const { slot } = index.trace.nodes;
  const wire = { source: slot[named(index, "x")], target: slot[labelled(index, "MatMul")], kind: "data" };
  const step = index.stepOf(index.values[labelled(index, "MatMul")][0].seq);
  const at = /** @param {number} k */ (k) => wireState(index, sceneAt(index, k), wire);
  assert.deepEqual([at(0), at(step - 1), at(step), at(step + 1)], ["", "off", "now", "on"]);
  const gone = { source: slot[named(index, "pred")], target: slot[named(index, "peak")], kind: "data" };
  assert.equal(wireState(index, sceneAt(index, step), gone), "ghost");
  assert.equal(wireState(index, sceneAt(index, step, { graph: 0, plan: -1 }), gone), "off");
});

test("an edge that exists only in the plan follows the rewrite", () => {
  const index = tf1();
  const { slot } = index.trace.nodes;
  const folded = index.trace.nodes.plan.findIndex((plan) => plan === 1);
  const ends = { source: slot[folded], target: slot[labelled(index, "add")] };
  const step = stepOf(index, "compiled");
  assert.equal(wireState(index, sceneAt(index, step), { ...ends, kind: "rewired" }), "off");
  assert.equal(wireState(index, sceneAt(index, step), { source: ends.source, target: slot[labelled(index, "Mean")], kind: "rewired" }), "");
  assert.equal(wireState(index, sceneAt(index, step), { source: slot[named(index, "half")], target: slot[folded], kind: "origin" }), "on");
});

test("variables appear in order and carry what changed", () => {
  const index = torch();
  const step = index.stepOf(index.values[named(index, "loss")][0].seq);
  assert.deepEqual(visibleVariables(index, step).map((v) => v.name), ["X", "y", "W", "W.grad", "step", "pred", "loss"]);
  assert.deepEqual(visibleVariables(index, step).filter((v) => v.changed).map((v) => v.name), ["loss"]);
});

test("an edit takes an edge away and makes another, and both can come back", () => {
  const document = /** @type {any} */ (tf1Recording());
  const before = new TraceIndex(decodeTrace(document));
  const edge = before.inputs.findIndex((into) => into.length > 1);
  const [first, second] = before.inputs[edge];
  document.events.edited = { seq: [5, 5, 9], edge: [first, second, first], added: [0, 1, 1] };
  const index = new TraceIndex(decodeTrace(document));
  assert.deepEqual([5, 6, 10].map((limit) => index.isWired(first, limit)), [true, false, true]);
  assert.deepEqual([5, 6, 10].map((limit) => index.isWired(second, limit)), [false, true, true]);
  assert.equal(before.isWired(first, 6), true);
});
