/**
 * Fused steps: one hull round the ops of the chain, dotted seams between them, and what it comes to above it.
 * @typedef {import("./geometry.js").Box} Box
 */
import { count } from "../../trace/format.js";
import { s } from "../dom.js";
import { textWidth } from "./measure.js";

/** About the width of a letter of the words above a hull. */
const LETTER = 5.4;
const PAD = { x: 8, top: 22, bottom: 9 };
/** Turned, the next box's name stands in the gap below: frame and seam keep close to the box above. */
const CLOSE = 4;

/**
 * @param {import("../../trace/index.js").TraceIndex} index @param {import("../../trace/scene.js").Scene} scene @param {import("./folding.js").Folded} plan
 * @returns {{behind: SVGElement[], words: SVGElement[]}}
 */
export function hullParts(index, scene, plan) {
  /** @type {SVGElement[]} */
  const titles = [];
  const behind = scene.hulls.flatMap((hull) => {
    const boxes = hull.slots.map((slot) => plan.boxes.get(plan.shown.get(slot) ?? slot)).filter((box) => box !== undefined);
    // Inside a closed scope there is nothing to hold together.
    if (boxes.length < 2 || hull.slots.some((slot) => plan.shown.get(slot) !== slot)) return [];
    const rows = rowsOf(boxes, plan.turned);
    const { calls, buffers } = /** @type {Record<string, number>} */ (index.definition(hull.node).attributes ?? {});
    const words = `${count(hull.chain.length, "op")} fused: 1 step${calls ? `, ${count(calls, "NumPy call")}` : ""}${buffers ? `, ${count(buffers, "buffer")}` : ""}`;
    const frames = rows.map((row) => frameOf(row, plan.turned));
    const fits = frames[0].width >= words.length * LETTER;
    // Turned for a narrow pane there is no room for words: the sentence and the inspector say it.
    if (!plan.turned) titles.push(...title(fits ? words : words.split(":")[0], frames[0]));
    return [
      ...(hull.now ? frames.map((f) => s("rect", { class: "halo", x: f.x - 6, y: f.y - 6, width: f.width + 12, height: f.height + 12, rx: 19 })) : []),
      ...frames.map((f) => s("rect", { class: "hull", ...f, rx: 14 })),
      ...rows.flatMap((row) => row.slice(1).map((box, i) => s("path", { class: "seam", d: seam(row[i], box, frameOf(row, plan.turned), plan.turned) }))),
    ];
  });
  return { behind, words: titles };
}

/** The words above a hull, with a bed of their own: edges pass there. @param {string} words @param {import("./geometry.js").Frame} f */
function title(words, f) {
  const right = f.x + f.width;
  const wide = textWidth(words, "label");
  return [s("rect", { class: "hull-bed", x: right - wide - 2, y: f.y - 17, width: wide + 4, height: 13 }), s("text", { class: "hull-words", x: right, y: f.y - 7, "text-anchor": "end" }, words)];
}

/** Between two boxes of a chain. @param {Box} a @param {Box} b @param {import("./geometry.js").Frame} f @param {boolean} turned */
function seam(a, b, f, turned) {
  return turned ? `M${f.x + 2} ${(a.y + a.height + CLOSE).toFixed(1)}H${f.x + f.width - 2}` : `M${((a.x + a.width + b.x) / 2).toFixed(1)} ${f.y + 2}V${f.y + f.height - 2}`;
}

/** @param {Box[]} boxes @param {boolean} turned @returns {Box[][]} those that stand in one line of the flow, in its order */
function rowsOf(boxes, turned) {
  /** @type {Map<number, Box[]>} */
  const rows = new Map();
  for (const box of boxes) {
    const key = Math.round(turned ? box.x + box.width / 2 : box.y + box.height / 2);
    rows.set(key, [...(rows.get(key) ?? []), box]);
  }
  return [...rows.values()].map((row) => row.sort((a, b) => (turned ? a.y - b.y : a.x - b.x)));
}

/** @param {Box[]} row @param {boolean} turned */
function frameOf(row, turned) {
  const x = Math.min(...row.map((box) => box.x)) - PAD.x;
  const y = Math.min(...row.map((box) => box.y)) - PAD.top;
  return { x, y, width: Math.max(...row.map((box) => box.x + box.width)) + PAD.x - x, height: Math.max(...row.map((box) => box.y + box.height)) + (turned ? CLOSE : PAD.bottom) - y };
}
