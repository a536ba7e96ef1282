/**
 * How numbers, shapes and times are written.
 * @typedef {import("./types.js").Element} Element
 * @typedef {import("./types.js").Value} Value
 * @typedef {import("./types.js").Type} Type
 */

/** Significant digits of every number that a program computed: the same wherever it stands. */
const DIGITS = 4;

/** A number as the page writes it: a real minus, four significant digits, no trailing noise. @param {Element | null | undefined} x */
export function num(x) {
  return rounded(x, DIGITS);
}

/** @param {Element | null | undefined} x @param {number} digits */
function rounded(x, digits) {
  if (x === null || x === undefined) return "none";
  if (x === "nan") return "NaN";
  if (x === "inf") return "∞";
  if (x === "-inf") return "−∞";
  if (typeof x === "boolean") return x ? "True" : "False";
  if (typeof x === "string") return x;
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (Number.isInteger(x) && size < 1e6) return String(x).replace("-", "−");
  const text = size >= 1e-4 && size < 1e6 ? String(Number(x.toPrecision(digits))) : String(Number(x.toPrecision(digits)).toExponential());
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** `[4, 3]`, `[?, 2]`, `scalar`, `any shape`. @param {(number | null)[] | null | undefined} shape */
export function shapeText(shape) {
  if (!shape) return "any shape";
  return shape.length ? `[${shape.map((d) => d ?? "?").join(", ")}]` : "scalar";
}

/** `4 × 3`, `scalar`. @param {(number | null)[] | null | undefined} shape */
export function sizeText(shape) {
  if (!shape) return "any shape";
  return shape.length ? shape.map((d) => d ?? "?").join(" × ") : "scalar";
}

/** A value in one breath: its number when it has one, else its size. @param {Value | undefined} value */
export function brief(value) {
  if (!value) return "no value";
  if (value.python !== undefined) return value.text ?? value.python;
  if (value.size === 1 && value.data) return num(value.data[0]);
  return sizeText(value.shape);
}

/** `0.1 … 0.9, mean 0.5, 1 NaN`: what is known of an array's numbers; `all 16 infinite` where none is finite. @param {Value} value */
export function rangeText(value) {
  return [finiteText(value), value.min === null || value.min === undefined ? "" : `mean ${num(value.mean)}`, oddText(value)].filter(Boolean).join(", ");
}

/** `0.1 … 0.9`, or nothing where no number is finite. @param {Value} value */
const finiteText = (value) => (value.min === null || value.min === undefined ? "" : `${num(value.min)} … ${num(value.max)}`);

/** How many are NaN or infinite, if any. @param {Value} value */
function oddText(value) {
  const all = value.size && [value.nan, value.inf].includes(value.size) ? "all " : "";
  return [value.nan ? `${all}${value.nan} NaN` : "", value.inf ? `${all}${value.inf} infinite` : ""].filter(Boolean).join(", ");
}

/** Nanoseconds with a unit that fits. @param {number} ns */
export function time(ns) {
  if (ns < 1000) return `${ns} ns`;
  if (ns < 1e6) return `${rounded(ns / 1e3, 3)} µs`;
  if (ns < 1e9) return `${rounded(ns / 1e6, 3)} ms`;
  return `${rounded(ns / 1e9, 3)} s`;
}

/** A measured duration; below the clock's resolution it says so. @param {number} ns @param {number} resolution */
export function duration(ns, resolution) {
  return ns <= resolution ? `under ${time(Math.max(resolution, 1))}, the clock's resolution` : time(ns);
}

/** @param {number} n @param {string} one @param {string} [many] */
export function count(n, one, many = `${one}s`) {
  return `${n} ${n === 1 ? one : many}`;
}

/** `first`, `second`, …, `11th`. @param {number} n */
export function ordinal(n) {
  const words = ["", "first", "second", "third", "fourth", "fifth"];
  if (words[n]) return words[n];
  const tail = n % 100 > 10 && n % 100 < 14 ? "th" : ["th", "st", "nd", "rd"][n % 10] ?? "th";
  return `${n}${tail}`;
}

/** `a 4 × 3 value`, or the number itself; `3 numbers (1 NaN)` where some are no ordinary numbers. @param {Value | undefined} value */
export function inWords(value) {
  if (!value) return "no value";
  if (value.size === 1 && value.data) return num(value.data[0]);
  const size = value.shape?.length === 1 ? count(value.shape[0], "number") : `a ${sizeText(value.shape)} value`;
  const odd = oddText(value);
  return odd ? `${size} (${odd})` : size;
}
