/** Which mode a program runs in, in the bar: the long form, and one word on a phone. */
import { dialectName } from "../trace/dialects.js";
import { h } from "./dom.js";

const WORDS = /** @type {Record<string, [string, string]>} */ ({
  torch: [", dynamic graph: built while it runs", "dynamic"],
  tf1: [", static graph: built first, run later", "static"],
  tf2: [", eager: runs at once", "eager"],
  native: [", the engine itself", "native"],
  python: [", no framework imported", "Python"],
});

/** @param {{dialect: string}} program @returns {Node[]} */
export function modeWords(program) {
  const [rest, word] = WORDS[program.dialect] ?? ["", program.dialect];
  return [h("span", { class: "long" }, h("b", {}, dialectName(program)), rest), h("span", { class: "short" }, word)];
}
