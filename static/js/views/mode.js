/** Which mode a program runs in, in the bar: the long form, and one word on a phone. */
import { h } from "./dom.js";

const WORDS = /** @type {Record<string, [string, string, string]>} */ ({
  torch: ["PyTorch", ", dynamic graph: built while it runs", "dynamic"],
  tf1: ["TensorFlow 1", ", static graph: built first, run later", "static"],
  tf2: ["TensorFlow 2", ", eager: runs at once", "eager"],
  native: ["Stepgraph", ", the engine itself", "native"],
  python: ["Python", ", no framework imported", "Python"],
});

/** @param {{dialect: string}} program @returns {Node[]} */
export function modeWords(program) {
  const [name, rest, word] = WORDS[program.dialect] ?? [program.dialect, "", program.dialect];
  return [h("span", { class: "long" }, h("b", {}, name), rest), h("span", { class: "short" }, word)];
}
