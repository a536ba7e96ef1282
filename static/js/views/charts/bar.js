/** A small bar for a table cell: the figure beside it says the same in digits. */
import { h, s } from "../dom.js";

const WIDTH = 72;

/** @param {number} share 0 to 1 */
export const bar = (share) => s("svg", { class: "cell-bar", viewBox: `0 0 ${WIDTH} 8`, width: WIDTH, height: 8, "aria-hidden": "true" }, s("rect", { class: "bed", width: WIDTH, height: 8 }), s("rect", { width: (Math.max(0, Math.min(1, share)) * WIDTH).toFixed(1), height: 8 }));

/** A bar and its figure. All figures of a column are as wide, so that its bars begin at one line and can be compared. @param {number} share @param {string} figure @returns {Node[]} */
export const barred = (share, figure) => [bar(share), h("span", { class: "bar-figure" }, figure)];

/** The same of a figure that was measured several times: up to its median, and a line over the middle half. @param {{median: number, low: number, high: number}} figure @param {number} longest what fills the bar */
export function spreadBar({ median, low, high }, longest) {
  const made = bar(median / longest);
  const at = /** @param {number} value */ (value) => (Math.min(1, value / longest) * WIDTH).toFixed(1);
  made.append(s("line", { class: "spread", x1: at(low), x2: at(high), y1: 4, y2: 4 }));
  return made;
}
