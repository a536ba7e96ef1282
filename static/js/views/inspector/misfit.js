/** Two matrices that cannot be multiplied, drawn to one scale: the row and the column that should meet, and what has no partner. */
import { s } from "../dom.js";

const MOST = 8;
const CELL = 15;

/**
 * @param {(number | null)[]} left shape of the left operand @param {(number | null)[]} right shape of the right one
 * @param {string} leftName @param {string} rightName
 * @returns {SVGElement | null} null where the shapes are not two matrices with known, small inner sizes
 */
export function misfit(left, right, leftName, rightName) {
  const inner = left[left.length - 1];
  const rows = right[right.length - 2];
  if (left.length !== 2 || right.length !== 2 || !inner || !rows || inner === rows || inner > MOST || rows > MOST) return null;
  const height = Math.min(left[0] ?? 3, 4);
  const width = Math.min(right[1] ?? 3, 4);
  const common = Math.min(inner, rows);
  const x0 = 4;
  const x1 = x0 + inner * CELL + 44;
  const svg = s("svg", { class: "misfit", viewBox: `0 0 240 ${Math.max(height, rows) * CELL + 34}`, role: "img", "aria-label": `A row of ${leftName} has ${inner} numbers, a column of ${rightName} has ${rows}` });
  const grid = /** @param {number} x @param {number} h @param {number} w @param {(i: number, j: number) => string} style */ (x, h, w, style) => {
    for (let i = 0; i < h; i++) for (let j = 0; j < w; j++) svg.append(s("rect", { class: `cell ${style(i, j)}`, x: x + j * CELL, y: 4 + i * CELL, width: CELL - 1.5, height: CELL - 1.5 }));
  };
  grid(x0, height, inner, (i, j) => (i === 0 ? (j < common ? "hot" : "strange") : ""));
  grid(x1, rows, width, (i, j) => (j === 0 ? (i < common ? "hot" : "strange") : ""));
  const sign = s("text", { class: "at", x: (x0 + inner * CELL + x1) / 2, y: 4 + CELL, "text-anchor": "middle" }, "@");
  const words = /** @param {number} x @param {string} name @param {(number | null)[]} shape @param {number} bad */ (x, name, shape, bad) =>
    s("text", { class: "dims", x, y: Math.max(height, rows) * CELL + 24 }, `${name.slice(0, 12)} `, ...shape.flatMap((d, i) => [i ? " × " : "", s("tspan", { class: i === bad ? "inner" : "" }, String(d ?? "?"))]));
  svg.append(sign, words(x0, leftName, left, 1), words(Math.max(x1, x0 + 118), rightName, right, 0));
  return svg;
}
