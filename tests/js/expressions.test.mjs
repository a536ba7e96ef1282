import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../static/js/trace/asking/evaluate.js";
import { ExpressionError, parse } from "../../static/js/trace/asking/grammar.js";
import { pythonThing } from "../../static/js/trace/asking/held.js";
import { thingText } from "../../static/js/trace/asking/words.js";

/** @typedef {import("../../static/js/trace/asking/evaluate.js").Thing} Thing */

/** @param {Partial<import("../../static/js/trace/types.js").Value>} value @returns {Thing} */
const tensor = (value) => ({ tensor: { dtype: "float32", ...value }, type: null, grad: null });

const NAMES = /** @type {Record<string, Thing>} */ ({
  x: tensor({ shape: [2, 3], size: 6, min: -1, max: 4, mean: 1.5, nan: 1, inf: 0, zeros: 2, data: [1, "nan", 0, -1, 0, 4] }),
  loss: tensor({ shape: [], size: 1, min: 0.5, max: 0.5, mean: 0.5, nan: 0, inf: 0, zeros: 0, data: [0.5] }),
  large: tensor({ shape: [40, 40], size: 1600, min: 0, max: 1, mean: 0.5, nan: 0, inf: 0, zeros: 3 }),
  empty: { tensor: null, type: { dtype: "float32", shape: [null, 2] }, grad: () => null },
  i: 3, name: "adam", on: true, none: null, rate: 0.1, bad: NaN,
  xs: [1, 2, [3, 4]],
  config: pythonThing({ python: "dict", text: "{'lr': 0.1, 'name': \"a'b\", 3: None}" }),
  net: pythonThing(/** @type {any} */ ({ python: "Net", text: "<Net>", items: [["depth", "3", -1], ["head", "<Head>", 7]], inside: [{ object: 7, python: "Head", items: [["width", "4", -1]] }] })),
});

/** @param {string} text */
const value = (text) => evaluate(parse(text), { name: (name) => (Object.hasOwn(NAMES, name) ? NAMES[name] : undefined) });

/** @type {[string, unknown][]} */
const RIGHT = [
  ["1 + 2 * 3", 7], ["(1 + 2) * 3", 9], ["-2 ** 2", -4], ["2 ** 3 ** 2", 512], ["7 // 2", 3], ["-7 // 2", -4], ["-7 % 3", 2], ["7 % -3", -2], ["1e3", 1000], ["1_000", 1000], ["'a' + \"b\"", "ab"], ["+3", 3],
  ["i == 3", true], ["i != 3", false], ["1 < i < 4", true], ["1 < i < 2", false], ["i > 1 and i < 9", true], ["i > 5 or loss < 1", true], ["not i > 5", true], ["not (i > 5 or on)", false], ["i is not None", true], ["none is None", true],
  ["on == 1", true], ["name == 'adam'", true], ["'da' in name", true], ["2 in xs", true], ["5 not in xs", true], ["[3, 4] in xs", true], ["0 or name", "adam"], ["none and i", null],
  ["x.shape == (2, 3)", true], ["x.shape[0]", 2], ["x.shape[-1] * 2", 6], ["x.ndim", 2], ["x.size", 6], ["x.dtype == 'float32'", true], ["x.min", -1], ["x.max > 3", true], ["x.mean", 1.5], ["x.nan", 1], ["x.zeros", 2],
  ["x[0, 0]", 1], ["x[1][2]", 4], ["x[-1, -1]", 4], ["x[1].max", 4], ["x[0].nan", 1], ["x[1].shape", [3]], ["len(x)", 2], ["isnan(x)", true], ["isnan(x[0, 1])", true], ["4 in x", true],
  ["loss < 1", true], ["loss * 2", 1], ["loss.item()", 0.5], ["x.min()", -1], ["abs(-loss)", 0.5], ["max(1, i, 2)", 3], ["min(xs[0], i)", 1], ["round(rate * 1.26, 2)", 0.13], ["int(2.9)", 2], ["float('inf') > 1", true], ["bad == bad", false], ["nan != nan", true],
  ["config['lr'] * 2", 0.2], ["config[\"name\"]", "a'b"], ["'lr' in config", true], ["config[3]", null], ["len(config)", 3], ["net.depth + 1", 4], ["net.head.width", 4], ["xs[2][1]", 4], ["large.max", 1], ["empty.shape[1]", 2], ["empty.dtype", "float32"], ["empty.grad", null],
];

test("an expression is what Python would say of the recorded values", () => {
  for (const [text, wanted] of RIGHT) assert.deepEqual(value(text), wanted, text);
});

/** @type {[string, RegExp][]} */
const WRONG = [
  ["", /Type a name/], ["   ", /Type a name/], ["x = 1", /would change the program.*==/], ["1 +", /missing at the end/], ["(1", /“\)” is missing/], ["[1, 2", /“\]” is missing/], ["1 2", /“2” does not belong/], ["x if i else 1", /“if” is not read/],
  ["lambda: 1", /“lambda”/], ["a $ b", /“\$” has no meaning/], ["x.", /name is missing/], ["x[1:2]", /[Ss]lices/], ["x[]", /number is missing/], ["y", /y is not known at this step/], ["x > 1", /6 numbers.*\.min/], ["x.foo", /no foo/], ["i.foo", /no foo/],
  ["exec('1')", /Nothing is run here/], ["__import__('os')", /Nothing is run here/], ["x.backward()", /Nothing is run here/], ["x.sum()", /Nothing is run here/], ["name.__class__", /no __class__/], ["net.__proto__", /no __proto__/], ["config['constructor']", /no key/],
  ["constructor", /not known/], ["toString", /not known/], ["constructor(1)", /Nothing is run/], ["x[5, 0]", /no \[5\]/], ["x[0, 0, 0]", /2 dimensions/], ["x[0.5]", /whole number/], ["large[0, 0]", /not all recorded/], ["empty > 1", /no value at this step/], ["empty.min", /no value at this step/],
  ["1 / 0", /zero/], ["name * 2", /no number/], ["net > 1", /only its text is recorded/], ["i[0]", /no elements/], ["len(i)", /no length/], [`${"(".repeat(300)}1`, /200 characters/], [`${"-".repeat(150)}1`, /too deep/], ["1".repeat(201), /200 characters/],
];

test("what is no expression, or was not recorded, is an error in words", () => {
  for (const [text, wanted] of WRONG) {
    assert.throws(() => value(text), (error) => error instanceof ExpressionError && wanted.test(error.message), text);
  }
});

test("Python values come from their text; what is none stays a text", () => {
  /** @type {[string, string, unknown][]} */
  const cases = [["int", "-2", -2], ["float", "nan", NaN], ["float", "-inf", -Infinity], ["float", "1e-05", 1e-5], ["str", "'it\\'s'", "it's"], ["bool", "False", false], ["NoneType", "None", null], ["list", "[1, [2.5, None], 'a']", [1, [2.5, null], "a"]], ["tuple", "(1,)", [1]], ["tuple", "()", []]];
  for (const [python, text, wanted] of cases) assert.deepEqual(pythonThing({ python, text }), wanted, text);
  assert.equal(thingText(pythonThing({ python: "list", text: "[1, 2, ..." })), "[1, 2, ...");
  assert.equal(thingText(pythonThing({ python: "Net", text: "<Net>" })), "<Net>");
});

test("a value is written short", () => {
  for (const [text, wanted] of [["x", "[1, NaN, 0, −1, 0, 4]"], ["loss", "0.5"], ["large", "40 × 40 float32"], ["empty", "no value"], ["xs", "[1, 2, [3, 4]]"], ["i > 1", "True"], ["none", "None"], ["name", "'adam'"], ["0 - float('inf')", "−∞"]]) assert.equal(thingText(value(text)), wanted, text);
  assert.ok(thingText("a".repeat(500)).length <= 80);
});
