/** Op tiles: the small signs in the nodes, drawn because fonts disagree on them. */
import { s } from "../dom.js";

const PATHS = /** @type {Record<string, string>} */ ({
  hinge: "M-5 3H0L4.5-4", ess: "M-5 4C1 4-1-4 5-4", sum: "M4-3.5V-5H-4L.5 0-4 5H4V3.5", shape: "M-5-3.5H1V1.5H-5ZM-1 3.5H5V-1.5",
  fork: "M-5 0H-1L4-4M-1 0 4 4", enter: "M-5 0H3M0-3.5 3.5 0 0 3.5M5-5V5", pin: "M0-4V4M-3-2H3", shelf: "M-3-4H3V2H-3ZM-5 4.5H5", nabla: "M-4.5-4H4.5L0 4.5Z", write: "M-5 4.5H5M0-5V2M-3-1 0 2 3-1",
});
const FALLBACK = /** @type {Record<string, string>} */ ({ input: "enter", variable: "shelf", matmul: "@", activation: "hinge", reduction: "sum", shape: "shape", control: "fork", gradient: "nabla", arith: "ƒ" });

/** What is drawn in a tile: a path, or letters. @param {string} symbol @param {string} category @returns {{path: string, text: string}} */
export function sign(symbol, category) {
  const name = category === "gradient" ? "nabla" : symbol && (symbol in PATHS || [...symbol].length <= 3) ? symbol : FALLBACK[category] ?? "ƒ";
  return name in PATHS ? { path: PATHS[name], text: "" } : { path: "", text: name };
}

/**
 * @param {string} symbol glyph name or up to three characters @param {string} category
 * @param {number} x @param {number} y @param {number} [r]
 */
export function glyph(symbol, category, x, y, r = 8.5) {
  const { path, text } = sign(symbol, category);
  const size = [...text].length;
  const mark = path ? s("path", { d: path, transform: `scale(${(r / 9.5).toFixed(2)})` }) : s("text", { y: size < 2 ? 3.6 : 3, class: `g${size}` }, text);
  return s("g", { class: "glyph", transform: `translate(${x} ${y})` }, s("circle", { r }), mark);
}

/** A tile as an element of its own, for headings. @param {string} symbol @param {string} category */
export function tile(symbol, category) {
  return s("svg", { viewBox: "-10 -10 20 20", class: `k-${category}`, "aria-hidden": "true" }, glyph(symbol, category, 0, 0, 9));
}
