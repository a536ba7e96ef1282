/** Texts in which code stands in backticks, as elements. */
import { rich } from "./dom.js";

/** @param {string} text */
export function ticked(text) {
  return rich(text.split("`").map((piece, i) => /** @type {import("../trace/parts.js").Part} */ ({ text: piece, style: i % 2 ? "code" : "plain" })).filter((part) => part.text));
}
