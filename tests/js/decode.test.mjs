import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeColumn, decodeTable, decodeTrace, TraceFormatError } from "../../static/js/trace/decode.js";
import { torchRecording } from "./fixtures/programs.mjs";

test("a column is read in all three packings", () => {
  assert.deepEqual(decodeColumn([3, 3, 7]), [3, 3, 7]);
  assert.deepEqual(decodeColumn({ rle: [3, 2, 7, 1, -1, 3] }), [3, 3, 7, -1, -1, -1]);
  assert.deepEqual(decodeColumn({ delta: [5, 0, -2, 10] }), [5, 5, 3, 13]);
  assert.deepEqual(decodeColumn({ rle: [] }), []);
});

test("an unknown packing is refused with what to do", () => {
  assert.throws(() => decodeColumn(/** @type {any} */ ({ zip: [1] })), (error) => error instanceof TraceFormatError && error.hint.includes("Reload"));
});

test("a missing table is empty, not an error", () => {
  assert.deepEqual(decodeTable(undefined), { length: 0, columns: {} });
});

test("packing does not change a trace", () => {
  const plain = decodeTrace(/** @type {any} */ (torchRecording()));
  const packed = /** @type {any} */ (torchRecording());
  packed.steps.seq = { delta: packed.steps.seq.map((/** @type {number} */ s, /** @type {number} */ i) => (i ? s - packed.steps.seq[i - 1] : s)) };
  packed.nodes.graph = { rle: [0, packed.nodes.graph.length] };
  const read = decodeTrace(packed);
  assert.deepEqual(read.steps, plain.steps);
  assert.deepEqual(read.nodes, plain.nodes);
  assert.equal(read.count.nodes, plain.count.nodes);
});

test("another format or version is refused", () => {
  assert.throws(() => decodeTrace(/** @type {any} */ ({ format: "zip", version: 1 })), /not a recording/);
  assert.throws(() => decodeTrace(/** @type {any} */ ({ ...torchRecording(), version: 99 })), /version 99/);
});
