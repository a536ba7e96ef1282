import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeColumn, decodeTable, decodeTrace, TraceFormatError, wholeValue } from "../../static/js/trace/decode.js";
import { torchRecording } from "./fixtures/programs.mjs";

test("a column is read in all packings", () => {
  assert.deepEqual(decodeColumn([3, 3, 7]), [3, 3, 7]);
  assert.deepEqual(decodeColumn({ rle: [3, 2, 7, 1, -1, 3] }), [3, 3, 7, -1, -1, -1]);
  assert.deepEqual(decodeColumn({ delta: [5, 0, -2, 10] }), [5, 5, 3, 13]);
  assert.deepEqual(decodeColumn({ rle: [] }), []);
  // Periods of 2: 1 and 40 grow by 0 and 5 each time; the last growth is 1 more.
  assert.deepEqual(decodeColumn({ period: [2, 1, 40, 0, 5, 0, 3, 1, 1] }), [1, 40, 1, 45, 1, 50, 1, 56]);
});

test("short values are made whole", () => {
  const types = [{ dtype: "float32", shape: [] }, { dtype: "int64", shape: [3, 4] }];
  const scalar = /** @type {any} */ (wholeValue([0, 0.5], types));
  assert.deepEqual([scalar.data, scalar.min, scalar.zeros, scalar.bytes], [[0.5], 0.5, 0, 4]);
  const matrix = /** @type {any} */ (wholeValue([1, 0, 9, 4.5, 0, 0, 2], types));
  assert.deepEqual([matrix.size, matrix.bytes, matrix.max, matrix.zeros, matrix.data], [12, 96, 9, 2, undefined]);
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
