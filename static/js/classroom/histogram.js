/** How the class has answered: a bar for each answer, the right one marked once it is shown. */
import { h } from "../views/dom.js";

/** @typedef {{value: unknown, count: number, right: boolean}} Count */

const MOST_BARS = 12;

/**
 * @param {Count[]} counts the most frequent first @param {(value: unknown) => string} say an answer in words
 * @param {{right: boolean}} show whether the right answer is told
 */
export function histogram(counts, say, { right }) {
  const most = Math.max(1, ...counts.map((one) => one.count));
  const all = counts.reduce((sum, one) => sum + one.count, 0);
  const bars = counts.slice(0, MOST_BARS).map((one) => {
    const share = Math.round((100 * one.count) / Math.max(1, all));
    const bar = h("span", { class: "bar-fill" });
    bar.style.width = `${(100 * one.count) / most}%`;
    return h("li", { class: right && one.right ? "is-right" : "" }, h("span", { class: "bar-word" }, say(one.value), right && one.right ? h("span", { class: "right-sign" }, " ✓ right") : null), h("span", { class: "bar-bed" }, bar), h("span", { class: "bar-count" }, `${one.count}`, h("span", { class: "muted" }, ` ${share} %`)));
  });
  const more = counts.length - MOST_BARS;
  return h("ol", { class: "histogram", "aria-label": `${all} answers` }, ...bars, more > 0 ? h("li", { class: "muted" }, `and ${more} more kinds of answers`) : null);
}

/** An answer in words. @param {import("../trace/index.js").TraceIndex | null} index @param {string} type @param {unknown} value @param {(node: number) => string} name */
export function answerWords(index, type, value, name) {
  if (type === "truth") return value === true ? "True" : "False";
  if (type !== "node") return String(value);
  const nodes = index?.slotNodes[Number(value)] ?? [];
  return nodes.length ? name(nodes[0]) : Number(value) < 0 ? "none" : "a node";
}
