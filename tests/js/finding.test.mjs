import assert from "node:assert/strict";
import { test } from "node:test";
import { Player } from "../../static/js/player/player.js";
import { byGrain, comparedWith } from "../../static/js/player/transport.js";
import { overCall, outOfCall } from "../../static/js/trace/calls.js";
import { answer, byChange, changesOf } from "../../static/js/trace/changes.js";
import { resolve } from "../../static/js/trace/asking/lexical.js";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { find, byMatch } from "../../static/js/trace/finding/find.js";
import { firstOdd } from "../../static/js/trace/finding/oddities.js";
import { madeBy, subjectOf, usedBy } from "../../static/js/trace/finding/origin.js";
import { slowest } from "../../static/js/trace/finding/slowest.js";
import { searchSteps } from "../../static/js/trace/finding/steptext.js";
import { hovered, nameAt } from "../../static/js/trace/hovered.js";
import { TraceIndex } from "../../static/js/trace/index.js";
import { label } from "../../static/js/trace/names.js";
import { byStop, opsOf, visits } from "../../static/js/trace/stops.js";
import { visibleVariables } from "../../static/js/trace/variables.js";
import { formatPlace, nowhere, parsePlace } from "../../static/js/link.js";
import { Recording } from "./fixtures/recording.mjs";
import { tf1Recording, torchRecording } from "./fixtures/programs.mjs";

const SPOILT = `import torch

def scale(x, k):
    y = x * k
    return y

x = torch.tensor([1., 2.])
for i in range(3):
    z = scale(x, 1 - i)
    loss = torch.log(z)
    print(i, loss)
`;

/** Three passes: x * 1, x * 0, x * -1, and the logarithm of each: fine, minus infinity, NaN. */
function spoilt() {
  const r = new Recording("spoilt.py", "torch", SPOILT, "dynamic");
  const d = r.document;
  /** @param {number} node @param {number} value @param {number} ns */
  const ran = (node, value, ns) => r.event("ran", { node, value, start: r.time, duration: ns, worker: 0, run: -1, storage: node, version: 0 });
  /** @param {number} i */
  const whole = (i) => d.values.push({ python: "int", text: String(i) }) - 1;
  /** @param {number[]} data @param {any} [facts] */
  const vector = (data, facts = {}) => {
    const at = r.value([2], data);
    Object.assign(d.values[at], facts);
    return at;
  };
  r.plain(1);
  r.line(7, "torch.tensor([1., 2.])");
  const x = r.node({ op: "tensor", label: "tensor", role: "input", category: "input", shape: [2], variable: "x" });
  ran(x, vector([1, 2]), 100);
  r.event("assigned", { frame: 0, name: "x", node: x, value: -1 });
  for (let i = 0; i < 3; i++) {
    r.plain(8);
    r.event("assigned", { frame: 0, name: "i", node: -1, value: whole(i) });
    r.plain(9);
    const frame = r.call("scale", 3);
    r.event("assigned", { frame, name: "x", node: x, value: -1 });
    r.event("assigned", { frame, name: "k", node: -1, value: whole(1 - i) });
    r.line(4, "x * k");
    const y = r.node({ op: "mul", label: "mul", inputs: [x], shape: [2], variable: "y" });
    ran(y, vector([1 - i, 2 - 2 * i]), 500);
    r.event("assigned", { frame, name: "y", node: y, value: -1 });
    r.plain(5);
    r.back(9);
    r.event("assigned", { frame: 0, name: "z", node: y, value: -1 });
    r.line(10, "torch.log(z)");
    const loss = r.node({ op: "log", label: "log", inputs: [y], shape: [2], variable: "loss" });
    ran(loss, vector([0, 0.69], i === 0 ? {} : i === 1 ? { inf: 2, data: ["-inf", "-inf"], min: null, max: null, mean: null } : { nan: 2, data: ["nan", "nan"], min: null, max: null, mean: null }), i === 1 ? 9000 : 700);
    r.event("assigned", { frame: 0, name: "loss", node: loss, value: -1 });
    r.line(11);
    const text = `${i} tensor(...)\n`;
    r.event("output", { offset: d.stdout.length, length: text.length, stream: 1 });
    d.stdout += text;
  }
  r.phase("init", "Prepare", 0, 1);
  r.phase("forward", "Forward", 2);
  return new TraceIndex(decodeTrace(/** @type {any} */ (d)));
}

const torch = () => new TraceIndex(decodeTrace(/** @type {any} */ (torchRecording())));
const tf1 = () => new TraceIndex(decodeTrace(/** @type {any} */ (tf1Recording())));
/** @param {TraceIndex} index @param {number} line @param {number} [nth] */
const stepAtLine = (index, line, nth = 0) => index.trace.steps.line.flatMap((l, k) => (l === line ? [k] : []))[nth];
/** @param {TraceIndex} index @param {number[]} steps */
const lines = (index, steps) => steps.map((k) => index.trace.steps.line[k]);

test("breakpoints: lines, conditions on them, ops and nodes, forwards and backwards", () => {
  const index = spoilt();
  /** @type {(when: string) => import("../../static/js/trace/stops.js").Stop} */
  const at10 = (when) => ({ kind: "line", line: 10, when });
  assert.deepEqual(visits(index, at10("")).steps.length, 3);
  assert.deepEqual(visits(index, at10("i > 0")).steps, [1, 2].map((n) => stepAtLine(index, 10, n)));
  assert.deepEqual(visits(index, at10("z.min < 0 and i == 2")).steps, [stepAtLine(index, 10, 2)]);
  assert.deepEqual(visits(index, at10("value.nan > 0")).steps, [stepAtLine(index, 10, 2)]);
  assert.match(visits(index, at10("i >")).problem, /missing at the end/);
  assert.match(visits(index, at10("missing > 1")).problem, /missing is not known/);
  assert.equal(visits(index, at10("loss.min > 0")).problem, "", "it can be answered at some visits");
  assert.deepEqual(visits(index, { kind: "op", op: "LOG", when: "" }).steps, [0, 1, 2].map((n) => stepAtLine(index, 10, n)));
  assert.deepEqual(visits(index, { kind: "op", op: "mul", when: "k == 0" }).steps, [stepAtLine(index, 4, 1)]);
  const y = index.trace.nodes.variable.findIndex((v) => index.text(v) === "y");
  assert.deepEqual(visits(index, { kind: "node", node: y, when: "" }).steps, [stepAtLine(index, 4, 0)]);
  const both = [at10("i > 0"), /** @type {const} */ ({ kind: "op", op: "mul", when: "" })];
  assert.equal(byStop(index, both, stepAtLine(index, 10, 0), 1), stepAtLine(index, 4, 1));
  assert.equal(byStop(index, both, stepAtLine(index, 10, 1), -1), stepAtLine(index, 4, 1));
  assert.equal(byStop(index, both, index.stepCount - 1, 1), null);
  assert.deepEqual(opsOf(index).map(({ op, steps }) => [op, steps]), [["tensor", 1], ["mul", 3], ["log", 3]]);
});

test("a static op acts when it is built and when it runs", () => {
  const index = tf1();
  const [first] = opsOf(index).filter(({ op }) => /matmul/i.test(op));
  const kinds = visits(index, { kind: "op", op: first.op, when: "" }).steps.map((k) => index.text(index.trace.steps.kind[k]));
  assert.equal(kinds[0], "node");
  assert.equal(kinds.filter((kind) => kind === "ran").length, 2);
});

test("over a call and out of it, both ways", () => {
  const index = spoilt();
  const call = stepAtLine(index, 9, 1);
  assert.equal(index.trace.steps.line[byGrain(index, call, 1, "line")], 4, "by line goes in");
  assert.equal(overCall(index, call, 1), stepAtLine(index, 10, 1));
  assert.equal(overCall(index, stepAtLine(index, 10, 1), -1), call);
  const inside = stepAtLine(index, 4, 1);
  assert.equal(index.trace.steps.line[overCall(index, inside, 1)], 5, "inside it goes on inside");
  assert.equal(outOfCall(index, inside, 1), stepAtLine(index, 10, 1));
  assert.equal(outOfCall(index, inside, -1), call);
  assert.equal(outOfCall(index, call, 1), index.stepCount - 1, "the module has no caller");
});

test("the grain decides how far a press and play go, and what a change is compared with", () => {
  const player = new Player();
  player.load(torch());
  player.setGrain("iteration");
  player.move(1);
  player.move(1);
  const second = player.step;
  assert.equal(second, player.index?.trace.episodes.first[1]);
  assert.equal(comparedWith(/** @type {TraceIndex} */ (player.index), second, "iteration"), player.index?.trace.episodes.first[0]);
  assert.equal(comparedWith(/** @type {TraceIndex} */ (player.index), second, "step"), second - 1);
  assert.equal(comparedWith(/** @type {TraceIndex} */ (player.index), 0, "line"), -1);
  player.first();
  player.play(true);
  player.tick(0);
  for (let ms = 0; player.step === 0; ms += 300) player.tick(ms);
  assert.equal(player.step, player.index?.trace.episodes.first[0]);
});

test("old against new, since one press before", () => {
  const index = torch();
  const W = () => /** @type {import("../../static/js/trace/variables.js").VisibleVariable} */ (visibleVariables(index, index.stepCount - 1, 0).find((one) => one.name === "W"));
  assert.notEqual(W().value, -1);
  const step = index.trace.steps.kind.findIndex((kind, k) => index.text(kind) === "written" && k > 5);
  const written = visibleVariables(index, step).find((one) => one.name === "W");
  assert.ok(written?.changed && written.old >= 0 && written.old !== written.value);
  assert.deepEqual(index.trace.document.values[written.old].data, [0, 0]);
  const after = visibleVariables(index, step + 1).find((one) => one.name === "W");
  assert.deepEqual([after?.changed, after?.old], [false, -1]);
  const gradient = visibleVariables(index, step).find((one) => one.name === "W.grad");
  assert.ok(gradient && gradient.value >= 0 && !gradient.changed);
});

test("changes of a variable, of a gradient and of an expression", () => {
  const index = torch();
  assert.deepEqual(lines(index, changesOf(index, "pred", 0)), [8, 8]);
  assert.equal(changesOf(index, "W", 0).length, 2, "the second write leaves the same numbers");
  assert.deepEqual(changesOf(index, "W.grad", 0).map((k) => index.text(index.trace.steps.kind[k])).slice(1), ["accumulated", "cleared", "accumulated", "cleared"]);
  const flip = changesOf(index, "W.max > 0", 0);
  assert.equal(flip.length, 2, "there, then true");
  assert.equal(byChange(index, "W.max > 0", flip[0], 1), flip[1]);
  assert.equal(byChange(index, "W.max > 0", flip[0], -1), null);
  assert.equal(changesOf(spoilt(), "y", 0).length, 3, "of a function: over all its calls");
  assert.throws(() => changesOf(index, "W >", 0), /missing/);
});

test("names are looked up where Python looks", () => {
  const index = spoilt();
  const inside = stepAtLine(index, 4, 1);
  assert.equal(resolve(index, inside, "k")?.variable.frame, 2);
  assert.equal(resolve(index, inside, "i")?.variable.frame, 0, "the module's, from inside a function");
  assert.equal(resolve(index, stepAtLine(index, 10, 1), "k"), null);
  assert.equal(answer(index, "k", stepAtLine(index, 10, 1)).problem, "k is not known at this step.");
  assert.equal(answer(index, "k + i", inside).thing, 1);
});

test("the first NaN or infinity, and what its op had read", () => {
  const index = spoilt();
  const odd = firstOdd(index);
  assert.equal(odd?.step, stepAtLine(index, 10, 1));
  assert.equal(label(index, odd?.node ?? -1), "log");
  assert.deepEqual([odd?.clean.length, odd?.spoilt.length], [1, 0]);
  assert.equal(firstOdd(torch()), null);
  const [row] = find(index, "nan", { step: 0, selected: -1, name: "" }).rows;
  assert.match(row.title, /First NaN or infinity: log, called loss, holds 2 infinities/);
  assert.match(row.detail, /holds none: y is 0/);
  assert.match(find(torch(), "nan", { step: 0, selected: -1, name: "" }).rows[0].title, /^No NaN/);
});

test("who made a value, and who used it", () => {
  const index = spoilt();
  const step = stepAtLine(index, 11, 1);
  const loss = subjectOf(index, step, "loss");
  assert.ok(loss);
  assert.deepEqual(madeBy(index, step, loss).map((deed) => [index.trace.steps.line[deed.step], deed.why]), [[10, "makes it"], [4, "makes y, from which it is made"]]);
  const y = subjectOf(index, step, "y");
  assert.ok(y, "a name of a function that has returned means its last call");
  assert.deepEqual(usedBy(index, step, y).map((deed) => deed.step), [stepAtLine(index, 10, 1)]);
  const i = subjectOf(index, step, "i");
  assert.ok(i);
  assert.deepEqual(lines(index, madeBy(index, step, i).map((deed) => deed.step)), [8]);
  assert.deepEqual(lines(index, usedBy(index, step, i).map((deed) => deed.step)), [9, 9, 11, 8].filter((line, n) => n !== 1));
  assert.equal(subjectOf(index, step, "nobody"), null);
});

test("a static node is used in its own run", () => {
  const index = tf1();
  const runs = index.trace.steps.kind.flatMap((kind, k) => (index.text(kind) === "fed" ? [k] : []));
  const node = index.trace.events.fed.node[0];
  const subject = { node, variable: null, binding: null, name: "x" };
  const [one] = usedBy(index, runs[0], subject).filter((deed) => deed.why === "reads it");
  const [two] = usedBy(index, runs.at(-1) ?? 0, subject).filter((deed) => deed.why === "reads it");
  assert.ok(one.step > runs[0] && one.step < two.step);
  assert.ok(usedBy(index, 0, subject).length === 0 || usedBy(index, 0, subject).every((deed) => deed.step >= 0));
});

test("which op takes longest: places of the program, by their time in all", () => {
  const { costs, total } = slowest(spoilt());
  assert.deepEqual(costs.map(({ runs, total: sum, longest, middle }) => [runs, sum, longest, middle]), [[3, 10400, 9000, 700], [3, 1500, 500, 500], [1, 100, 100, 100]]);
  assert.equal(total, 12000);
  const rows = find(spoilt(), "slowest", { step: 0, selected: -1, name: "" }).rows;
  assert.match(rows[0].title, /^log \(loss\): 10.4 µs/);
  assert.match(rows[0].detail, /3 runs: median 700 ns, longest 9 µs.*87 %/);
});

test("steps are searched by sentence, op, name, value and output", () => {
  const index = spoilt();
  /** @param {string} query */
  const found = (query) => lines(index, searchSteps(index, query));
  assert.deepEqual(found("logarithm"), [10, 10, 10]);
  assert.deepEqual(found("LOG -inf"), [10]);
  assert.deepEqual(found("tensor(..."), [11, 11, 11]);
  assert.deepEqual(found("2 tensor("), [11]);
  assert.deepEqual(found("  "), []);
  assert.equal(byMatch(index, "logarithm", { step: stepAtLine(index, 10, 0), selected: -1, name: "" }, 1), stepAtLine(index, 10, 1));
  assert.equal(byMatch(index, "logarithm", { step: index.stepCount - 1, selected: -1, name: "" }, 1), stepAtLine(index, 10, 0), "from the start again");
  assert.equal(byMatch(index, "made loss", { step: 0, selected: -1, name: "" }, 1), null, "means another thing at each step");
});

test("the find box: what a few words mean", () => {
  const index = spoilt();
  const here = { step: stepAtLine(index, 11, 1), selected: -1, name: "" };
  /** @param {string} query */
  const rows = (query) => find(index, query, here, [{ command: "play", words: "Play, pause", keys: "Space" }]).rows;
  assert.deepEqual(rows("loss").slice(0, 4).map((row) => row.action.do), ["change", "ask", "ask", "watch"]);
  assert.deepEqual(rows("log")[0].action, { do: "stop", stop: { kind: "op", op: "log", when: "" } });
  assert.deepEqual(rows("stop 10")[0].action, { do: "stop", stop: { kind: "line", line: 10, when: "" } });
  assert.deepEqual(rows("watch z.min")[0].action, { do: "watch", text: "z.min" });
  assert.deepEqual(rows("change z").map((row) => row.title), ["[1, 2]", "[1, 2] → [0, 0]", "[0, 0] → [−1, −2]"]);
  assert.deepEqual(rows("phase").map((row) => row.title), ["Prepare", "Forward"]);
  assert.deepEqual(rows("step 3")[0].action, { do: "go", step: 2, node: -1 });
  assert.equal(rows("line 10").length, 4);
  assert.match(find(index, "line 6", here).note, /never run/);
  assert.ok(rows("pause").some((row) => row.action.do === "command"));
  assert.match(find(index, "no such words", here).note, /Nothing/);
  assert.match(find(index, "change z >", here).note, /missing/);
  assert.ok(rows("").some((row) => row.title === "Which op takes longest?"));
});

test("what stands under the pointer", () => {
  const index = spoilt();
  assert.deepEqual([nameAt("    z = scale(x, 1 - i)", 4), nameAt("a.b.c + d", 2), nameAt("a.b.c + d", 4), nameAt("a.b + 'z' # z", 7), nameAt("x + 1", 2), nameAt("größe + ü", 8)], ["z", "a.b", "a.b.c", "", "", "ü"]);
  const step = stepAtLine(index, 4, 1);
  /** @param {number} line @param {string} text @param {number} [at] */
  const over = (line, text, at = step) => hovered(index, at, at - 1, line, SPOILT.split("\n")[line - 1].indexOf(text));
  assert.deepEqual([over(4, "k")?.text, over(4, "y")?.text, over(8, "i")?.text], ["0", "[0, 0]", "1"]);
  assert.equal(over(4, "*")?.name, "mul");
  assert.equal(over(4, "*")?.text, "[0, 0]");
  assert.equal(over(10, "log", stepAtLine(index, 10, 2))?.value?.nan, 2);
  assert.equal(over(10, "loss", 0)?.words, "not bound yet at this step");
  assert.equal(over(4, "k", stepAtLine(index, 11, 1))?.text, "0", "after the call: what it was in its last one");
  assert.equal(over(1, "import"), null);
});

test("breakpoints, watches, the grain, the selected name and the search travel in an address", () => {
  const place = { ...nowhere(), example: "xor-torch", step: 4, by: /** @type {const} */ ("iteration"), watches: ["loss.mean", "x[0] > 'ä&#'"], name: "W", find: "made & used",
    stops: /** @type {import("../../static/js/trace/stops.js").Stop[]} */ ([{ kind: "line", line: 7, when: "" }, { kind: "line", line: 9, when: "a == 'x:y' and b > 1" }, { kind: "node", node: 12, when: "" }, { kind: "op", op: "MatMul", when: "value.nan > 0" }]) };
  assert.deepEqual(parsePlace(formatPlace(place)), place);
  for (const hash of ["#by=fast", "#stop=", "#stop=0", "#stop=x", "#stop=node", "#stop=op:", `#stop=7:${"a".repeat(201)}`, "#watch=", "#watch=%20", `#watch=${"a".repeat(201)}`]) assert.deepEqual(parsePlace(hash), nowhere(), hash);
  assert.equal(parsePlace(`#${"stop=7&".repeat(30)}`).stops.length, 1, "each thing once");
});

test("an edited program keeps the breakpoints whose lines still say the same", () => {
  const player = new Player();
  const index = spoilt();
  player.load(index);
  player.setStops([{ kind: "line", line: 4, when: "k > 0" }, { kind: "line", line: 10, when: "" }, { kind: "op", op: "log", when: "" }, { kind: "node", node: 0, when: "" }]);
  const changed = spoilt();
  changed.trace.document.program.source = SPOILT.replace("torch.log(z)", "torch.exp(z)");
  player.load(changed);
  assert.deepEqual(player.stops, [{ kind: "line", line: 4, when: "k > 0" }, { kind: "op", op: "log", when: "" }]);
  player.forget();
  assert.deepEqual([player.stops, player.watches, player.query], [[], [], ""]);
});

test("what finds nothing names what could be asked, and that finds something", () => {
  for (const document of [torchRecording(), tf1Recording()]) {
    const index = new TraceIndex(decodeTrace(document));
    const here = { step: 0, selected: -1, name: "" };
    const { rows, note, steps } = find(index, "zebra crossing", here);
    assert.match(note, /^Nothing is called so/);
    assert.deepEqual(steps, []);
    assert.ok(rows.length >= 2 && rows.length <= 3);
    for (const { action } of rows) {
      assert.equal(action.do, "ask");
      if (action.do === "ask") assert.ok(find(index, action.query, here).rows.length > 0, action.query);
    }
  }
});

test("while a lesson hides what comes, nothing of it is found and nothing counted", () => {
  const index = spoilt();
  const furthest = searchSteps(index, "log")[0];
  const held = { step: furthest, selected: -1, name: "z", furthest };
  assert.ok(find(index, "log", { ...held, furthest: -1 }).steps.some((step) => step > furthest));
  assert.deepEqual(find(index, "log", held).steps, [furthest]);
  for (const query of ["", "log", "nan", "slowest", "phase", "line 10", "made z", "used z", "change z", "z", "stop log", `step ${furthest + 2}`, "nothing of the kind"]) {
    const { rows, note, steps } = find(index, query, held);
    assert.equal(note, "What comes next is hidden until you answer.", query);
    for (const { action, detail } of rows) {
      assert.ok(["go", "stop", "change", "watch"].includes(action.do), `${query}: ${action.do}`);
      if (action.do === "go") assert.ok(action.step <= furthest, query);
      else assert.equal(detail, "", query);
    }
    assert.ok(steps.every((step) => step <= furthest), query);
  }
  // N and Shift N go round among what may be seen.
  assert.equal(byMatch(index, "log", held, 1), furthest);
});
