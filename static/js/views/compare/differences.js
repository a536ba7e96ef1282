/** The difference of two graphs as a list, and as marks on both pictures. */
import { count } from "../../trace/format.js";
import { h } from "../dom.js";

/** @typedef {import("../../trace/difference.js").Difference} Difference */
/** @typedef {import("../../trace/difference.js").Entry} Entry */

const SIGNS = { added: "+", removed: "−", changed: "~" };
const WORDS = { added: "only right", removed: "only left", changed: "differs" };

/**
 * @param {Difference} difference @param {{options: [string, string][], chosen: string, choose: (id: string) => void, go: (entry: Entry) => void}} how
 *   `options`: what can be compared, by id
 * @returns {HTMLElement[]}
 */
export function differenceList(difference, { options, chosen, choose, go }) {
  const { entries, same } = difference;
  const select = h("select", { "aria-label": "What is compared" }, ...options.map(([id, words]) => h("option", { value: id, selected: id === chosen }, words)));
  select.addEventListener("change", () => choose(select.value));
  const number = /** @param {Entry["kind"]} kind */ (kind) => entries.filter((entry) => entry.kind === kind).length;
  const summary = h("p", { class: "how" }, `${count(number("removed"), "node")} only left, ${number("added")} only right, ${number("changed")} ${number("changed") === 1 ? "differs" : "differ"}, ${same} the same. The pictures wear the same signs.`);
  const rows = entries.map((entry) => {
    const name = h("button", { type: "button", title: "Show it" }, entry.name);
    name.addEventListener("click", () => go(entry));
    return h("tr", { class: `is-${entry.kind}` }, h("td", {}, h("span", { class: "sign", "aria-hidden": "true" }, SIGNS[entry.kind]), WORDS[entry.kind]), h("td", {}, name), h("td", {}, entry.why));
  });
  const table = h("table", { class: "table differences" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "What"), h("th", { scope: "col" }, "Node"), h("th", { scope: "col" }, "Why"))), h("tbody", {}, ...rows));
  return [h("div", { class: "chart-head" }, h("h2", {}, "What differs"), select, summary), entries.length ? h("div", { class: "table-scroll", tabindex: 0, role: "group", "aria-label": "Differences" }, table) : h("p", { class: "teach" }, "Nothing differs: every node has a counterpart of the same shape.")];
}

/** @param {Difference} difference @param {"left" | "right"} side @returns {import("../graph/decoration.js").Decoration} */
export function differenceMarks(difference, side) {
  const kinds = new Map(difference.entries.filter((entry) => entry[side] >= 0).map((entry) => [entry[side], entry]));
  return { node: (node) => (kinds.has(node) ? { mark: /** @type {Entry} */ (kinds.get(node)).kind } : null) };
}
