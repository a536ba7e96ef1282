/**
 * Walks the tree of an expression over recorded values. What was not recorded is an error in words, never a guess.
 * @typedef {import("./grammar.js").Tree} Tree
 * @typedef {import("../types.js").Value} Value
 * @typedef {{tensor: Value | null, type: import("../types.js").Type | null, grad: (() => Thing) | null}} Tensor   `tensor`: null where it holds no value at this step
 * @typedef {{dict: Map<string | number | boolean | null, Thing>}} Dict
 * @typedef {{object: string, text: string, attributes: Map<string, Thing>}} Instance   a Python value of which only a text and some parts are known
 * @typedef {number | string | boolean | null | Thing[] | Tensor | Dict | Instance} Thing
 * @typedef {{name: (name: string) => Thing | undefined}} Scope
 */
import { ExpressionError } from "./grammar.js";

/** @param {Thing} thing @returns {thing is Tensor} */
export const isTensor = (thing) => typeof thing === "object" && thing !== null && "tensor" in thing;
/** @param {Thing} thing @returns {thing is Dict} */
export const isDict = (thing) => typeof thing === "object" && thing !== null && "dict" in thing;
/** @param {Thing} thing @returns {thing is Instance} */
export const isInstance = (thing) => typeof thing === "object" && thing !== null && "object" in thing;

/** One element of a value as a number or a truth. @param {import("../types.js").Element | null | undefined} element @returns {Thing} */
function element(element) {
  if (element === "nan") return NaN;
  if (element === "inf") return Infinity;
  if (element === "-inf") return -Infinity;
  if (element === undefined) return null;
  return typeof element === "string" && /^-?\d+$/.test(element) ? Number(element) : element;
}

/** @param {Tensor} held @returns {Value} */
function valueOf(held) {
  if (!held.tensor) throw new ExpressionError("It holds no value at this step.");
  return held.tensor;
}

const FACTS = /** @type {Record<string, (value: Value) => Thing>} */ ({
  min: (v) => element(v.min), max: (v) => element(v.max), mean: (v) => element(v.mean),
  nan: (v) => v.nan ?? 0, inf: (v) => v.inf ?? 0, zeros: (v) => v.zeros ?? 0, bytes: (v) => v.bytes ?? null,
});
const KNOWN = ["shape", "dtype", "ndim", "size", ...Object.keys(FACTS), "T", "grad"].filter((name) => name !== "T");

/** @param {Thing} thing @param {string} name @param {number} at @returns {Thing} */
function attribute(thing, name, at) {
  if (isTensor(thing)) {
    const shape = thing.tensor?.shape ?? thing.type?.shape;
    if (name === "shape" && shape) return shape.map((n) => n);
    if (name === "ndim" && shape) return shape.length;
    if (name === "size" && shape && !shape.includes(null)) return shape.reduce((/** @type {number} */ a, b) => a * (b ?? 0), 1);
    if (name === "dtype") return thing.tensor?.dtype ?? thing.type?.dtype ?? null;
    if (name === "grad" && thing.grad) return thing.grad();
    if (Object.hasOwn(FACTS, name)) return FACTS[name](valueOf(thing));
    throw new ExpressionError(KNOWN.includes(name) ? `Its ${name} is not known at this step.` : `A recorded tensor has ${KNOWN.join(", ")}, and no ${name}.`, at);
  }
  if (isInstance(thing)) {
    const part = thing.attributes.get(name);
    if (part !== undefined) return part;
    throw new ExpressionError(`The recording knows no ${name} of this ${thing.object}.`, at);
  }
  throw new ExpressionError(`${typeName(thing)} has no ${name} in the recording.`, at);
}

/** @param {Thing} thing @param {Thing[]} by @param {number} at @returns {Thing} */
function item(thing, by, at) {
  if (isDict(thing)) {
    const key = by[0];
    const found = thing.dict.get(/** @type {string} */ (key));
    if (found === undefined) throw new ExpressionError(`It has no key ${show(key)}.`, at);
    return found;
  }
  if (typeof thing === "string" || Array.isArray(thing)) {
    const found = thing[position(by[0], thing.length, at)];
    return by.length > 1 ? item(found, by.slice(1), at) : found;
  }
  if (!isTensor(thing)) throw new ExpressionError(`${typeName(thing)} has no elements in the recording.`, at);
  const value = valueOf(thing);
  const shape = value.shape ?? [];
  if (by.length > shape.length) throw new ExpressionError(`It has ${shape.length} dimensions, not ${by.length}.`, at);
  const from = by.reduce((/** @type {number} */ sum, index, d) => sum * shape[d] + position(index, shape[d], at), 0);
  const rest = shape.slice(by.length);
  const size = rest.reduce((a, b) => a * b, 1);
  if (!value.data) throw new ExpressionError("Its elements are not all recorded: min, max, mean, nan, inf and zeros are.", at);
  const data = value.data.slice(from * size, (from + 1) * size);
  if (!rest.length) return element(data[0]);
  const numbers = data.map(element).filter((n) => typeof n === "number");
  const finite = numbers.filter(Number.isFinite);
  const ends = finite.length ? { min: Math.min(...finite), max: Math.max(...finite), mean: finite.reduce((a, b) => a + b, 0) / finite.length } : { min: null, max: null, mean: null };
  return { type: null, grad: null, tensor: { dtype: value.dtype, shape: rest, size, data, ...ends, nan: numbers.filter(Number.isNaN).length, inf: numbers.filter((n) => Math.abs(n) === Infinity).length, zeros: numbers.filter((n) => n === 0).length } };
}

/** @param {Thing} index @param {number} length @param {number} at */
function position(index, length, at) {
  if (typeof index !== "number" || !Number.isInteger(index)) throw new ExpressionError("An element is asked for by a whole number.", at);
  const n = index < 0 ? index + length : index;
  if (n < 0 || n >= length) throw new ExpressionError(`It has ${length} elements, so there is no [${index}].`, at);
  return n;
}

/** @param {Thing} thing */
export function typeName(thing) {
  if (thing === null) return "None";
  if (isTensor(thing)) return "A tensor";
  if (isDict(thing)) return "A dict";
  if (isInstance(thing)) return `A ${thing.object}`;
  return Array.isArray(thing) ? "A list" : typeof thing === "string" ? "A text" : typeof thing === "boolean" ? "A truth" : "A number";
}

/** A value in an error message. @param {Thing} thing */
const show = (thing) => (typeof thing === "string" ? `'${thing}'` : String(thing));

/** A number, truth or text to calculate and compare with: a tensor of one element is its element. @param {Thing} thing @param {number} at @returns {number | string | boolean | null | Thing[]} */
function plain(thing, at) {
  if (isTensor(thing)) {
    const value = valueOf(thing);
    if (value.size === 1) return /** @type {number} */ (value.data ? element(value.data[0]) : element(value.min));
    throw new ExpressionError(`It holds ${value.size ?? "many"} numbers, and this wants one: ask for .min, .max, .mean, .nan, or an element such as [0].`, at);
  }
  if (isDict(thing) || isInstance(thing)) throw new ExpressionError(`${typeName(thing)} cannot be compared: only its text is recorded.`, at);
  return thing;
}

/** @param {Thing} thing @param {number} at @returns {number} */
function number(thing, at) {
  const one = plain(thing, at);
  if (typeof one === "number") return one;
  if (typeof one === "boolean") return Number(one);
  throw new ExpressionError(`${typeName(thing)} is no number.`, at);
}

/** @param {Thing} a @param {Thing} b @param {number} at @returns {boolean} */
function same(a, b, at) {
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, i) => same(one, b[i], at));
  const [x, y] = [plain(a, at), plain(b, at)];
  if (typeof x === "boolean" && typeof y === "number") return Number(x) === y;
  if (typeof y === "boolean" && typeof x === "number") return Number(y) === x;
  return x === y;
}

/** @param {string} sign @param {Thing} a @param {Thing} b @param {number} at */
function compare(sign, a, b, at) {
  switch (sign) {
    case "==": case "is": return same(a, b, at);
    case "!=": case "is not": return !same(a, b, at);
    case "in": case "not in": return contains(b, a, at) === (sign === "in");
    default:
  }
  if (typeof a === "string" && typeof b === "string") return { "<": a < b, ">": a > b, "<=": a <= b, ">=": a >= b }[sign] ?? false;
  const [x, y] = [number(a, at), number(b, at)];
  return { "<": x < y, ">": x > y, "<=": x <= y, ">=": x >= y }[sign] ?? false;
}

/** @param {Thing} all @param {Thing} one @param {number} at */
function contains(all, one, at) {
  if (typeof all === "string" && typeof one === "string") return all.includes(one);
  if (Array.isArray(all)) return all.some((other) => same(other, one, at));
  if (isDict(all)) return all.dict.has(/** @type {string} */ (one));
  if (isTensor(all) && all.tensor?.data) return all.tensor.data.some((other) => same(element(other), one, at));
  throw new ExpressionError(`${typeName(all)} cannot be searched in the recording.`, at);
}

/** @param {string} sign @param {Thing} left @param {Thing} right @param {number} at @returns {Thing} */
function calculate(sign, left, right, at) {
  if (sign === "+" && typeof left === "string" && typeof right === "string") return left + right;
  const [a, b] = [number(left, at), number(right, at)];
  if (b === 0 && (sign === "/" || sign === "//" || sign === "%")) throw new ExpressionError("This divides by zero.", at);
  switch (sign) {
    case "+": return a + b;
    case "-": return a - b;
    case "*": return a * b;
    case "/": return a / b;
    case "//": return Math.floor(a / b);
    case "%": return a - b * Math.floor(a / b);
    default: return a ** b;
  }
}

/** Functions that may be called, on values that are recorded. */
const CALLS = /** @type {Record<string, (args: Thing[], at: number) => Thing>} */ ({
  len: ([of], at) => (typeof of === "string" || Array.isArray(of) ? of.length : isDict(of) ? of.dict.size : isTensor(of) ? /** @type {Thing[]} */ (attribute(of, "shape", at))[0] ?? missing("A scalar has no length.", at) : missing(`${typeName(of)} has no length in the recording.`, at)),
  abs: ([of], at) => Math.abs(number(of, at)),
  min: (args, at) => Math.min(...several(args, at)),
  max: (args, at) => Math.max(...several(args, at)),
  round: ([of, digits], at) => { const scale = 10 ** (digits === undefined ? 0 : number(digits, at)); return Math.round(number(of, at) * scale) / scale; },
  float: ([of], at) => (typeof of === "string" && /^[+-]?(?:nan|inf)$/i.test(of) ? Number(of.replace(/inf/i, "Infinity").replace(/nan/i, "NaN")) : number(of, at)),
  int: ([of], at) => Math.trunc(number(of, at)),
  isnan: ([of], at) => (isTensor(of) ? (valueOf(of).nan ?? 0) > 0 : Number.isNaN(number(of, at))),
});
/** Methods that a recorded tensor answers without being run. */
const METHODS = new Set(["item", "min", "max", "mean", "numpy", "detach", "size"]);

/** @param {string} words @param {number} at @returns {never} */
function missing(words, at) {
  throw new ExpressionError(words, at);
}

/** @param {Thing[]} args @param {number} at */
function several(args, at) {
  const all = args.length === 1 && Array.isArray(args[0]) ? args[0] : args;
  return all.map((one) => number(one, at));
}

/** @param {Extract<Tree, {kind: "call"}>} tree @param {Scope} scope @returns {Thing} */
function call(tree, scope) {
  const { of, args, at } = tree;
  if (of.kind === "name" && Object.hasOwn(CALLS, of.name) && args.length) return CALLS[of.name](args.map((one) => evaluate(one, scope)), at);
  if (of.kind === "attribute" && METHODS.has(of.name)) {
    const self = evaluate(of.of, scope);
    if (isTensor(self) && !args.length) {
      if (of.name === "item") return plain(self, at);
      if (of.name === "numpy" || of.name === "detach") return self;
      return attribute(self, of.name === "size" ? "shape" : of.name, at);
    }
  }
  throw new ExpressionError(`Nothing is run here, values are only looked up: calls are ${Object.keys(CALLS).join(", ")}, and .item(), .min(), .max(), .mean() of a tensor.`, at);
}

/** Whether Python would take a value for true. @param {Thing} thing */
export function truth(thing) {
  if (Array.isArray(thing)) return thing.length > 0;
  if (isDict(thing)) return thing.dict.size > 0;
  if (isInstance(thing)) return true;
  const one = plain(thing, -1);
  return one !== null && one !== false && one !== 0 && one !== "";
}

/**
 * What an expression is at one step.
 * @param {Tree} tree @param {Scope} scope
 * @returns {Thing}
 * @throws {ExpressionError} something in it is not recorded, or not known at this step
 */
export function evaluate(tree, scope) {
  switch (tree.kind) {
    case "literal": return tree.value;
    case "name": {
      const found = scope.name(tree.name);
      return found !== undefined ? found : special(tree.name) ?? missing(`${tree.name} is not known at this step.`, -1);
    }
    case "attribute": {
      const of = evaluate(tree.of, scope);
      return attribute(of, tree.name, tree.at);
    }
    case "item": return item(evaluate(tree.of, scope), tree.by.map((one) => evaluate(one, scope)), tree.at);
    case "call": return call(tree, scope);
    case "not": return !truth(evaluate(tree.of, scope));
    case "minus": return -number(evaluate(tree.of, scope), tree.at);
    case "plus": return number(evaluate(tree.of, scope), tree.at);
    case "both": {
      const left = evaluate(tree.left, scope);
      return truth(left) ? evaluate(tree.right, scope) : left;
    }
    case "either": {
      const left = evaluate(tree.left, scope);
      return truth(left) ? left : evaluate(tree.right, scope);
    }
    case "arithmetic": return calculate(tree.sign, evaluate(tree.left, scope), evaluate(tree.right, scope), tree.at);
    case "compare": {
      let left = evaluate(tree.first, scope);
      for (const { sign, with: other } of tree.rest) {
        const right = evaluate(other, scope);
        if (!compare(sign, left, right, tree.at)) return false;
        left = right;
      }
      return true;
    }
    case "list": return tree.items.map((one) => evaluate(one, scope));
    default: return { dict: new Map(tree.pairs.map(([key, value]) => [/** @type {string} */ (evaluate(key, scope)), evaluate(value, scope)])) };
  }
}

/** Names that stand for numbers wherever the program has none of its own. @param {string} name */
function special(name) {
  return name === "nan" ? NaN : name === "inf" ? Infinity : undefined;
}
