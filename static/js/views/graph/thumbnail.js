/**
 * Values as small pictures: Hinton diagrams to 12 x 12 (area is size, filled is positive, hollow is negative, a dot is zero),
 * beyond that a downsampled heat-map.
 * @typedef {import("../../trace/types.js").Value} Value
 */
import { s } from "../dom.js";

const MOST = 12;
const COARSE = 8;

/** @param {Value} value @returns {{rows: number, columns: number, data: number[], coarse: boolean} | null} null where there is nothing to draw */
export function picture(value) {
  if (!value || value.python !== undefined) return null;
  const shape = value.shape ?? [];
  const numbers = /** @param {import("../../trace/types.js").Element[]} data */ (data) => data.map((x) => (typeof x === "number" ? x : x === "inf" ? Infinity : x === "-inf" ? -Infinity : typeof x === "boolean" ? Number(x) : NaN));
  if (value.data && value.data.length) {
    const columns = shape.length ? shape[shape.length - 1] : 1;
    const rows = columns ? value.data.length / columns : 0;
    if (rows <= MOST && columns <= MOST) return { rows, columns, data: numbers(value.data), coarse: false };
    return coarse({ rows, columns, data: numbers(value.data) });
  }
  return value.grid ? coarse({ rows: value.grid.rows, columns: value.grid.columns, data: numbers(value.grid.data) }) : null;
}

/** Means of blocks. @param {{rows: number, columns: number, data: number[]}} full */
function coarse({ rows, columns, data }) {
  const h = Math.min(rows, COARSE);
  const w = Math.min(columns, COARSE);
  const sums = new Array(h * w).fill(0);
  const counts = new Array(h * w).fill(0);
  for (let i = 0; i < rows * columns; i++) {
    const at = Math.floor((Math.floor(i / columns) * h) / rows) * w + Math.floor(((i % columns) * w) / columns);
    if (Number.isFinite(data[i])) {
      sums[at] += data[i];
      counts[at]++;
    }
  }
  return { rows: h, columns: w, data: sums.map((sum, i) => (counts[i] ? sum / counts[i] : NaN)), coarse: true };
}

/**
 * A value drawn in a box of at most `width` x `height`, its lower right corner at (right, bottom); null if it does not fit.
 * @param {Value} value @param {number} right @param {number} bottom @param {number} width @param {number} height @param {"end" | "start"} [side]
 */
export function thumbnail(value, right, bottom, width, height, side = "end") {
  const p = picture(value);
  if (!p || p.rows * p.columns <= 1) return null;
  const cell = Math.min(7, width / p.columns, height / p.rows);
  if (cell < 2) return null;
  const w = p.columns * cell;
  const h = p.rows * cell;
  const group = s("g", { class: p.coarse ? "thumb coarse" : "thumb", transform: `translate(${(side === "end" ? right - w : right).toFixed(1)} ${(bottom - h).toFixed(1)})` }, s("rect", { class: "bed", width: w, height: h }));
  const largest = Math.max(...p.data.filter(Number.isFinite).map(Math.abs), 1e-30);
  p.data.forEach((x, i) => {
    const cx = ((i % p.columns) + 0.5) * cell;
    const cy = (Math.floor(i / p.columns) + 0.5) * cell;
    group.append(p.coarse ? patch(x, cx, cy, cell, largest) : mark(x, cx, cy, cell, largest));
  });
  return group;
}

/** @param {number} x @param {number} cx @param {number} cy @param {number} cell @param {number} largest */
function mark(x, cx, cy, cell, largest) {
  if (Number.isNaN(x) || !Number.isFinite(x)) return s("path", { class: "strange", d: `M${cx - cell / 3} ${cy - cell / 3}l${cell / 1.5} ${cell / 1.5}m0 ${-cell / 1.5}l${-cell / 1.5} ${cell / 1.5}` });
  if (Math.abs(x) < 1e-12) return s("circle", { class: "zero", cx, cy, r: Math.min(0.9, cell / 4) });
  let size = Math.max(cell * 0.32, (cell - 1) * Math.sqrt(Math.abs(x) / largest));
  if (x < 0) size = Math.max(cell * 0.35, size - 1);
  return s("rect", { class: x > 0 ? "pos" : "neg", x: (cx - size / 2).toFixed(1), y: (cy - size / 2).toFixed(1), width: size.toFixed(1), height: size.toFixed(1) });
}

/** @param {number} x @param {number} cx @param {number} cy @param {number} cell @param {number} largest */
function patch(x, cx, cy, cell, largest) {
  const strength = Number.isFinite(x) ? Math.min(1, 0.12 + (0.88 * Math.abs(x)) / largest) : 1;
  return s("rect", { class: Number.isFinite(x) ? (x < 0 ? "heat-neg" : "heat-pos") : "strange", x: (cx - cell / 2).toFixed(1), y: (cy - cell / 2).toFixed(1), width: (cell + 0.15).toFixed(2), height: (cell + 0.15).toFixed(2), "fill-opacity": strength.toFixed(2) });
}

/** A thumbnail as an element of its own, for tables. @param {Value} value @param {number} [cell] */
export function miniature(value, cell = 5) {
  const p = picture(value);
  if (!p || p.rows * p.columns <= 1) return null;
  const size = Math.min(cell, 40 / p.columns, 20 / p.rows);
  const w = p.columns * size;
  const h = p.rows * size;
  const drawn = thumbnail(value, w, h, w, h);
  return drawn && s("svg", { width: Math.ceil(w), height: Math.ceil(h), viewBox: `0 0 ${w} ${h}`, "aria-hidden": "true" }, drawn);
}
