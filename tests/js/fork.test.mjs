import assert from "node:assert/strict";
import { test } from "node:test";
import { forkOf, isEdit, lineMap } from "../../static/js/fork/steps.js";
import { withValue } from "../../static/js/fork/setvalue.js";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { TraceIndex } from "../../static/js/trace/index.js";
import { torchRecording } from "./fixtures/programs.mjs";

const recorded = () => torchRecording();
/** @param {any} document */
const indexed = (document) => new TraceIndex(decodeTrace(document));

test("the same run twice: every step corresponds to itself, nothing differs", () => {
  const [a, b] = [indexed(recorded()), indexed(recorded())];
  const fork = forkOf(a, b);
  assert.equal(fork.first, null);
  for (let step = 0; step < a.stepCount; step++) assert.equal(fork.toNow(step), step);
  for (let node = 0; node < a.trace.count.nodes; node++) if (a.trace.nodes.serves[node] < 0) assert.equal(fork.node(node), node);
});

test("another number: the step that made it is the first difference, and says both", () => {
  const document = recorded();
  const written = document.events.written;
  const row = written.how.findLastIndex((how) => document.strings[how] === "in-place");
  const first = written.how.findIndex((how) => document.strings[how] === "in-place");
  document.values.push({ ...document.values[written.value[first]], data: [9, 9], min: 9, max: 9, mean: 9 });
  written.value[row] = document.values.length - 1;
  const [a, b] = [indexed(recorded()), indexed(document)];
  const { first: difference } = forkOf(a, b);
  assert.equal(difference?.before, a.stepOf(written.seq[row]));
  assert.equal(difference?.now, difference?.before);
  assert.match(difference?.words ?? "", /`W` was .* and is now .*9/);
});

test("lines: what was edited is still that line, what is new is none of the old", () => {
  const map = lineMap("a\nb\nc\nd", "a\nB\nc\nx\nd");
  assert.deepEqual([...map].sort((x, y) => x[0] - y[0]), [[1, 1], [2, 2], [3, 3], [5, 4]]);
});

test("an edit keeps half of the lines", () => {
  assert.equal(isEdit("a\nb\nc", "a\nb\nd"), true);
  assert.equal(isEdit("a\nb\nc", "x\ny"), false);
  assert.equal(isEdit("a", "a"), false);
});

test("another value: in this pass of the loop only, behind the statement", () => {
  const index = indexed(recorded());
  const lines = index.trace.steps.line;
  const step = lines.findLastIndex((line) => line === 8);
  const { source, line, notice } = withValue(index, step, "pred", "torch.zeros(2, 1)");
  assert.equal(source.split("\n")[line - 1], "    if step == 1: pred = torch.zeros(2, 1)");
  assert.equal(line, 9);
  assert.equal(notice, "");
  assert.throws(() => withValue(index, step, "pred", " "), /one Python expression/);
  assert.throws(() => withValue(index, step, "pred", "1\nimport os"), /one Python expression/);
  const outside = withValue(index, 0, "X", "1");
  assert.equal(outside.source.split("\n")[outside.line - 1], "X = 1");
});
