import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { duration, inWords, num, ordinal, shapeText, time } from "../../static/js/trace/format.js";
import { TraceIndex } from "../../static/js/trace/index.js";
import { asText } from "../../static/js/trace/parts.js";
import { KINDS, sentence } from "../../static/js/trace/sentences.js";
import { shortCode } from "../../static/js/trace/names.js";
import { ahead, where } from "../../static/js/trace/where.js";
import { tf1Recording, torchRecording } from "./fixtures/programs.mjs";
import { Recording } from "./fixtures/recording.mjs";

/** @param {any} document */
const indexOf = (document) => new TraceIndex(decodeTrace(document));

/** @param {any} document */
function told(document) {
  const index = indexOf(document);
  return Array.from({ length: index.stepCount }, (_, step) => asText(sentence(index, step)));
}

test("a torch run reads as what happened", () => {
  const lines = told(torchRecording());
  for (const expected of [
    "X brings data in: a 2 × 2 value.", "W holds its start value: a 2 × 1 value.", "matmul multiplies X by W: a 2 × 1 value. The result is named pred.", "sub subtracts y from pred: a 2 × 1 value.",
    "mean averages 2 numbers: 2.5. The result is named loss.", "backward starts at loss with a gradient of 1.", "MmBackward0 sends a 2 × 1 value back through pred.", "PowBackward0 lets go of what it had saved.",
    "W.grad exists now: a 2 × 1 value.", "The graph is freed: 3 gradient ops let go of what they saved.", "The program prints 0 2.500.", "W is changed in place. Now it holds a 2 × 1 value.", "W.grad is cleared. The next backward starts from nothing.",
  ]) assert.ok(lines.includes(expected), `missing: ${expected}\n${lines.join("\n")}`);
});

test("a static run tells build, rewrite, compile and run apart", () => {
  const lines = told(tf1Recording());
  for (const expected of [
    "x joins the graph: a door for data. It holds no value.", "W joins the graph: a variable, without a value yet.", "MatMul joins the graph. It has no value yet.", "Relu joins the graph. It has no value yet. Its name is pred.",
    "Assign joins the graph: a helper of W.", "W gets its start value, a 2 × 1 value, and keeps it between runs.", "The optimiser copies the graph for this call's loss. The graph itself stays whole.",
    "The optimiser removed peak: nobody fetches it.", "Constant folding is done: 9 nodes became 7. None has run.", "The plan is compiled: 7 nodes in 4 calls, 3 buffers. This took 140 µs.",
    "Run 1 of the plan starts: 1 feed, 1 fetch.", "x is fed its value for run 2: 2 rows of 2.", "add adds 0.5 to MatMul: a 2 × 1 value.", "Relu leaves all 2 numbers as they are. The result is named pred.", "loss leaves through its door: 0.5.",
  ]) assert.ok(lines.includes(expected), `missing: ${expected}\n${lines.join("\n")}`);
});

test("every sentence ends with a point, is short, and marks its actor first", () => {
  for (const document of [torchRecording(), tf1Recording()]) {
    const index = indexOf(document);
    for (let step = 0; step < index.stepCount; step++) {
      const parts = sentence(index, step);
      assert.equal(parts[0].style, "mark", asText(parts));
      assert.match(asText(parts), /\.$/);
      assert.ok(asText(parts).length <= 110, asText(parts));
      assert.doesNotMatch(asText(parts), /undefined|NaN|null|!/);
    }
  }
});

test("errors, failures, plain lines and input have sentences too", () => {
  const r = new Recording("a.py", "torch", "import torch\nx = torch.ones(2) @ torch.ones(3)\n", "dynamic");
  r.line(2, "torch.ones(2) @ torch.ones(3)");
  const node = r.node({ op: "matmul", label: "mm" });
  r.event("failed", { node, type: "RuntimeError", message: "size mismatch" });
  r.event("error", { type: "RuntimeError", message: "size mismatch", line: 2, caught: 0 });
  r.event("error", { type: "KeyError", message: "k", line: 2, caught: 1 });
  assert.deepEqual(told(r.document), ["mm failed: size mismatch.", "RuntimeError ended the program: size mismatch.", "KeyError was raised, and the program caught it."]);
});

test("each kind of step of docs/trace.md has a teller", () => {
  for (const kind of ["line", "output", "asked", "node", "run", "fed", "ran", "fetched", "written", "optimise", "pass", "rewrite", "compiled", "backward", "gradient", "accumulated", "cleared", "freed", "failed", "error"]) assert.ok(KINDS.includes(kind), kind);
});

test("the second line says where, for whom, how far, what next", () => {
  const index = indexOf(torchRecording());
  const step = index.trace.steps.kind.findIndex((k, s) => index.text(k) === "gradient" && index.definition(index.trace.events.gradient.node[index.trace.steps.row[s]]).label === "MmBackward0");
  const all = /** @param {number} at */ (at) => asText([...where(index, at), ...ahead(index, at, false)]);
  assert.equal(all(step), "Line 10, loss.backward(), for X @ W in line 8 · backward, 6 of 8 · next: W.grad");
  assert.match(all(index.stepCount - 1), /the last step of this recording$/);
  assert.match(asText(ahead(index, step, true)), /hidden until you answer$/);
});

test("a long expression is told by its outside", () => {
  const short = ["sess.run([loss, mae], {x: X[k], y: Y[k]})", "torch.tensor([[0., 0.], [0., 1.], [1., 0.], [1., 1.]])", "f(g(h(aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa)))", "h @ W", "a_name_as_long_as_this_one + another_one", "(".repeat(50)].map(shortCode);
  assert.deepEqual(short, ["sess.run([…], {x: X[k], y: Y[k]})", "torch.tensor([[…], […], […], […]])", "f(g(h(…)))", "h @ W", "a_name_as_long_as_this_one + anothe…", `${"(".repeat(35)}…`]);
});

test("numbers, shapes and times are written as the guide wants", () => {
  assert.deepEqual([num(-0.04412), num(0), num(1e-5), num(12), num("nan"), num("-inf"), num(true), num(1234567.5)], ["−0.04412", "0", "1e−5", "12", "NaN", "−∞", "True", "1.235e6"]);
  assert.deepEqual([shapeText([null, 2]), shapeText([]), shapeText(null)], ["[?, 2]", "scalar", "any shape"]);
  assert.deepEqual([time(40), time(1500), time(2_340_000), time(1.5e9)], ["40 ns", "1.5 µs", "2.34 ms", "1.5 s"]);
  assert.equal(duration(30, 40), "under 40 ns, the clock's resolution");
  assert.equal(duration(500, 40), "500 ns");
  assert.deepEqual([ordinal(1), ordinal(11), ordinal(22), ordinal(113)], ["first", "11th", "22nd", "113th"]);
  assert.equal(inWords({ shape: [2], size: 2, data: [1, 2] }), "2 numbers");
  assert.equal(inWords({ shape: [2], size: 2, data: ["nan", "inf"], nan: 1, inf: 1 }), "2 numbers (1 NaN, 1 infinite)");
});

/** A torch recording of one line with one op on 2 × 2 operands. @param {{op: string, label: string, role?: string}} op @param {{op: string, role: string, variable?: string, mirrors?: number}[]} inputs */
function one(op, inputs) {
  const r = new Recording("a.py", "torch", "x\n", "dynamic");
  r.line(1);
  const value = r.value([2, 2], [1, 2, 3, 4]);
  const nodes = inputs.map((n) => r.node({ label: n.op, ...n }));
  r.event("ran", { node: r.node({ ...op, inputs: nodes }), value, start: 0, duration: 5, worker: 0, run: -1, storage: -1, version: 0 });
  return told(r.document).at(-1);
}

test("an op says what it does: transposing, an optimiser's step, overwriting", () => {
  assert.equal(one({ op: "transpose", label: "t" }, [{ op: "input", role: "input", variable: "p" }]), "t swaps rows and columns of p: a 2 × 2 value.");
  const parameter = { op: "input", role: "variable", variable: "W" };
  assert.equal(one({ op: "sub", label: "Adam", role: "update" }, [parameter, { op: "accumulate", role: "accumulate", mirrors: 0 }]), "Adam changes W, using W.grad: a 2 × 2 value.");
  assert.equal(one({ op: "sub", label: "sub_", role: "update" }, [parameter, { op: "mul", role: "op", variable: "step" }]), "sub_ subtracts step from W in place: a 2 × 2 value.");
});

test("a constant is called by its number, and said to be one", () => {
  const r = new Recording("a.py", "tf1", "y = x + 2.0\n", "static");
  r.line(1);
  const x = r.node({ op: "placeholder", role: "input", variable: "x" });
  const two = r.node({ op: "constant", label: "Const", role: "constant", variable: "two" });
  const many = r.node({ op: "constant", label: "Const", role: "constant" });
  const add = r.node({ op: "add", label: "AddV2", inputs: [x, two], variable: "y" });
  const ran = /** @param {number} node @param {number} value */ (node, value) => r.event("ran", { node, value, start: 0, duration: 5, worker: 0, run: -1, storage: -1, version: 0 });
  ran(two, r.value([], [2]));
  ran(many, r.value([2], [1, 3]));
  ran(add, r.value([], [5]));
  assert.deepEqual(told(r.document), [
    "x joins the graph: a door for data. It holds no value.", "two joins the graph: a constant, 2.", "Const joins the graph: a constant.", "AddV2 joins the graph. It has no value yet. Its name is y.",
    "Const is the constant 2, named two.", "Const is a constant: 2 numbers.", "AddV2 adds 2 to x: 5. The result is named y.",
  ]);
});

test("what is printed is counted, errors without words get none, and no sentence ends with two points", () => {
  const r = new Recording("a.py", "python", "x\n", "dynamic");
  r.line(1);
  let offset = 0;
  for (const text of ["a\n", "a\nb\nc\n", "\n\nb\n", "\n", "\n\n", "  \n"]) {
    r.document.stdout += text;
    r.event("output", { offset, length: text.length, stream: 1 });
    offset += text.length;
  }
  r.event("error", { type: "MemoryError", message: "", line: 1, caught: 0 });
  r.event("error", { type: "ValueError", message: "Stop it..", line: 1, caught: 0 });
  assert.deepEqual(told(r.document), [
    "The program prints a.", "The program prints 3 lines, the first: a.", "The program prints 3 lines, the third: b.", "The program prints an empty line.", "The program prints 2 empty lines.", "The program prints 2 spaces.",
    "MemoryError ended the program.", "ValueError ended the program: Stop it.",
  ]);
});

test("a line that a limit ended says so", () => {
  const r = new Recording("a.py", "torch", "w.grad = g\nw.grad = None\nwhile True: pass\n", "dynamic");
  for (const line of [1, 2, 3]) {
    r.line(line);
    const row = r.event("line", { line, frame: 0 });
    r.row(r.document.steps, { seq: r.seq - 1, kind: r.text("line"), row, line, span: -1, frame: 0, time: 0 });
  }
  r.document.end = { kind: "limit", exit_code: 124, limit: "time", line: 3, error: null };
  assert.deepEqual(told(r.document), ["Python runs this line. No node is made.", "Python runs this line. No node is made.", "The time limit ended the program in this line."]);
  r.document.end.limit = "steps";
  assert.equal(told(r.document).at(-1), "The recording ends here: it is full.");
});

test("a gradient set to zero is a value, one set to None is none", () => {
  const r = new Recording("a.py", "torch", "w.grad.zero_()\n", "dynamic");
  r.line(1);
  const w = r.node({ op: "input", role: "variable", variable: "w" });
  const grad = r.node({ op: "accumulate", role: "accumulate", mirrors: w });
  const zeros = r.value([2], [0, 0]);
  r.event("accumulated", { node: grad, value: r.value([2], [1, 2]), existed: 0, storage: -1, version: 0 });
  r.event("cleared", { node: grad, how: "zero", value: zeros });
  r.event("cleared", { node: grad, how: "none", value: -1 });
  assert.deepEqual(told(r.document).slice(-2), ["w.grad is set to zero. The next backward adds to these zeros.", "w.grad is cleared. The next backward starts from nothing."]);
  const index = indexOf(r.document);
  assert.deepEqual([index.values[grad].map((h) => h.value), index.cleared[grad].length], [[zeros + 1, zeros], 1]);
});

test("a pass says whether it changed anything, or was skipped", () => {
  const r = new Recording("a.py", "tf1", "x\n", "static");
  r.line(1);
  r.row(r.document.plans, { graph: 0, seq: r.seq, fetches: -1, feeds: -1 });
  const rewrite = /** @param {string} action @param {string} reason */ (action, reason) => r.event("rewrite", { plan: 0, action, old: [], new: [], reason });
  const pass = /** @param {string} name */ (name) => r.event("pass", { plan: 0, name, before: 3, after: 3, start: 0, duration: 5 });
  pass("fusion");
  rewrite("folded", "it never changes");
  pass("constant_folding");
  rewrite("skipped", "arithmetic was skipped, the plan is as it was before: bad");
  pass("arithmetic");
  assert.deepEqual(told(r.document), [
    "Fusion found nothing: 3 nodes stay.", "The optimiser folded: it never changes.", "Constant folding is done: 1 change, still 3 nodes. None has run.",
    "The optimiser skipped arithmetic and left the plan as it was: bad.", "Arithmetic was skipped: 3 nodes stay.",
  ]);
});
