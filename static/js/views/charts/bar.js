/** A small bar for a table cell: the figure beside it says the same in digits. */
import { s } from "../dom.js";

const WIDTH = 72;

/** @param {number} share 0 to 1 */
export const bar = (share) => s("svg", { class: "cell-bar", viewBox: `0 0 ${WIDTH} 8`, width: WIDTH, height: 8, "aria-hidden": "true" }, s("rect", { class: "bed", width: WIDTH, height: 8 }), s("rect", { width: (Math.max(0, Math.min(1, share)) * WIDTH).toFixed(1), height: 8 }));
