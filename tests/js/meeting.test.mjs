import assert from "node:assert/strict";
import { test } from "node:test";
import { isProduct, meeting } from "../../static/js/trace/meeting.js";

for (const [op, operands, met] of /** @type {[string, string[], string[]][]} */ ([
  ["matmul", ["x", "w"], ["x", "w"]],
  ["addmm", ["bias", "x", "w"], ["x", "w"]],
  ["baddbmm", ["bias", "x", "w"], ["x", "w"]],
  ["addmm", ["x", "w"], ["x", "w"]],
  ["add", ["a", "b"], ["a", "b"]],
  ["constructor", ["a", "b", "c"], ["a", "b", "c"]],
])) test(`what meets in ${op} of ${operands.length}`, () => assert.deepEqual(meeting(op, operands), met));

test("only products pair rows with columns", () => assert.deepEqual(["matmul", "addmm", "add", "toString"].map(isProduct), [true, true, false, false]));
