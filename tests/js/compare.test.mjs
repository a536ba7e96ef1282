import assert from "node:assert/strict";
import { test } from "node:test";
import { align } from "../../static/js/trace/align.js";
import { inBothModes, undecorated } from "../../static/js/compare/programs.js";
import { formatPlace, nowhere, parsePlace, placeOf } from "../../static/js/compare/place.js";

/** @type {[string, string, string][]} */
const SEQUENCES = [
  ["abc", "abc", "aa bb cc"],
  ["abc", "axc", "aa b- -x cc"],
  ["", "ab", "-a -b"],
  ["cccc", "cbucbuc", "cc -b -u cc -b -u cc c-"],
  ["cbucbuc", "cccc", "cc b- u- cc b- u- cc -c"],
];

test("every entry of both sequences comes up once, in order", () => {
  for (const [left, right, wanted] of SEQUENCES) {
    const pairs = align([...left], [...right], (x, y) => x === y);
    assert.deepEqual(pairs.filter(([i]) => i >= 0).map(([i]) => i), [...left].map((_, i) => i));
    assert.deepEqual(pairs.filter(([, j]) => j >= 0).map(([, j]) => j), [...right].map((_, j) => j));
    if (wanted) assert.equal(pairs.map(([i, j]) => `${left[i] ?? "-"}${right[j] ?? "-"}`).join(" "), wanted);
  }
});

test("long sequences are aligned without a table", () => {
  const left = Array.from({ length: 5000 }, (_, i) => i);
  const right = left.filter((i) => i % 1000 !== 7);
  const pairs = align(left, right, (x, y) => x === y);
  assert.deepEqual(pairs.filter(([, j]) => j < 0).map(([i]) => i), [7, 1007, 2007, 3007, 4007]);
});

/** @type {import("../../static/js/compare/place.js").Place} */
const PLACE = { left: { example: "xor-torch", program: "" }, right: { example: "", program: "eJx" }, lock: "phase", at: 41, tab: "memory", diff: "plan.a.1" };

test("an address goes there and back", () => {
  assert.deepEqual(parsePlace(formatPlace(PLACE)), PLACE);
  assert.deepEqual(parsePlace(formatPlace(nowhere())), nowhere());
});

test("what makes no sense in an address is ignored", () => {
  for (const hash of ["#at=0", "#at=-3", "#lock=tight", "#left=../x", "#diff=plan.c.1", "#show=nothing", "#%E0%A4%A"]) assert.deepEqual(parsePlace(hash), nowhere(), hash);
});

test("an example stands beside its twin, the static one at the left", () => {
  const all = [{ id: "xor-torch" }, { id: "line-torch" }, { id: "line-tf1" }];
  assert.deepEqual(["xor-torch", "line-torch", "line-tf1"].map((id) => placeOf({ id }, all)), ["#left=xor-torch&right=xor-torch", "#left=line-tf1&right=line-torch", "#left=line-tf1&right=line-torch"]);
  assert.equal(placeOf({ id: "deep-torch" }, [{ id: "deep-torch" }, { id: "deep-compiled" }]), "#left=deep-compiled&right=deep-torch");
  assert.equal(placeOf(null, all), "");
});

test("a program that compiles a function is there without that too, line by line", () => {
  const source = "import tensorflow as tf\n\n@tf.function(autograph=False)\ndef f(x):\n    return x\n";
  assert.equal(undecorated(source), "import tensorflow as tf\n\n# @tf.function(autograph=False)\ndef f(x):\n    return x\n");
  assert.equal(undecorated("class A:\n    @torch.jit.script\n    def f(x): ..."), "class A:\n    # @torch.jit.script\n    def f(x): ...");
  assert.equal(undecorated("@tf.functional\ndef f(): pass"), null);
  assert.equal(undecorated("print('@tf.function')"), null);
  const program = { id: "a", title: "A", name: "a.py", source, own: false };
  assert.deepEqual(inBothModes([program, { ...program, id: "b", source: "" }]).map(({ id, own }) => [id, own]), [["a", false], ["a--eager", true], ["b", false]]);
});
