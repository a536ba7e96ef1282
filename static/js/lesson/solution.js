/** A solution beside the reader's program: line by line, what is only in one of them marked by sign and colour of the paper. */
import { align } from "../trace/align.js";
import { h } from "../views/dom.js";

/** @param {string} mine @param {string} theirs @returns {HTMLElement} */
export function solutionView(mine, theirs) {
  const [a, b] = [mine, theirs].map((text) => text.replace(/\s+$/, "").split("\n"));
  // Blank lines and what stands at a line's end are nobody's change.
  const rows = align(a, b, (x, y) => x.trimEnd() === y.trimEnd());
  const line = /** @param {string} kind @param {string} sign @param {string} words @param {string} text */ (kind, sign, words, text) => h("span", { class: kind }, h("i", { "aria-hidden": "true" }, sign), words && h("span", { class: "sr" }, words), `${text}\n`);
  return h("pre", { class: "solution", tabindex: 0, role: "group", "aria-label": "Your program and a solution, line by line" },
    ...rows.map(([i, j]) => (i < 0 ? line("theirs", "+", "in the solution: ", b[j]) : j < 0 ? line("mine", "−", "in yours: ", a[i]) : line("both", " ", "", b[j]))));
}
