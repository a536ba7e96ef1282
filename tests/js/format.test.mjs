import assert from "node:assert/strict";
import test from "node:test";
import { inWords, rangeText } from "../../static/js/trace/format.js";

const FOUR = { dtype: "float32", shape: [4], size: 4, nan: 0, inf: 0 };

for (const [what, value, range, words] of /** @type {[string, object, string, string][]} */ ([
  ["finite numbers", { min: -1, max: 2, mean: 0.5 }, "−1 … 2, mean 0.5", "4 numbers"],
  ["some NaN", { min: -1, max: 2, mean: 0.5, nan: 1 }, "−1 … 2, mean 0.5, 1 NaN", "4 numbers (1 NaN)"],
  ["NaN and infinity", { min: null, max: null, mean: null, nan: 3, inf: 1 }, "3 NaN, 1 infinite", "4 numbers (3 NaN, 1 infinite)"],
  ["no finite number", { min: null, max: null, mean: null, inf: 4 }, "all 4 infinite", "4 numbers (all 4 infinite)"],
])) {
  test(`what is known of an array in words: ${what}`, () => {
    assert.equal(rangeText({ ...FOUR, ...value }), range);
    assert.equal(inWords({ ...FOUR, ...value }), words);
  });
}
