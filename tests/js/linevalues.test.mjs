import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeTrace } from "../../static/js/trace/decode.js";
import { TraceIndex } from "../../static/js/trace/index.js";
import { lineValues } from "../../static/js/trace/linevalues.js";
import { Recording } from "./fixtures/recording.mjs";

const SOURCE = `def double(n):
    m = 2 * n
    return m

def add(a, b):
    return a + b

y = double(5)
z = add(y, 1)
`;

test("a value stands at the line that gave the name, not where the call was on its way", () => {
  const r = new Recording("calls.py", "torch", SOURCE, "dynamic");
  /** @param {string} name @param {number} value */
  const assign = (name, value) => r.event("assigned", { frame: r.at.frame, name, node: -1, value: r.value([], [value]) });
  r.plain(8);
  r.call("double", 1);
  assign("n", 5);
  r.plain(2);
  assign("m", 10);
  r.plain(3);
  r.back(8);
  assign("y", 10);
  r.plain(9);
  r.call("add", 5);
  assign("a", 10);
  assign("b", 1);
  r.plain(6);
  r.back(9);
  assign("z", 11);
  r.phase("init", "set-up", 0);
  const index = new TraceIndex(decodeTrace(r.document));
  const shown = lineValues(index, index.stepCount - 1).map(({ line, text }) => [line, text]).sort((a, b) => Number(a[0]) - Number(b[0]));
  assert.deepEqual(shown, [[1, "5"], [2, "10"], [8, "10"], [9, "11"]]);
});
