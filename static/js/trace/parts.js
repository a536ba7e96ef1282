import { WORDING } from "./wording.js";

/**
 * Pieces of a sentence: plain text, the marked actor, code.
 * @typedef {{text: string, style: "plain" | "mark" | "code"}} Part
 */

/** @param {string} text @returns {Part} */
export const mark = (text) => ({ text, style: "mark" });
/** @param {string} text @returns {Part} */
export const code = (text) => ({ text, style: "code" });
/** @param {string} text @returns {Part} */
export const plain = (text) => ({ text, style: "plain" });

/** @param {Part[]} parts */
export const asText = (parts) => parts.map((part) => part.text).join("");

/**
 * A sentence of the table, with these values in it.
 * @param {string} key @param {Record<string, string | number>} [values] @returns {Part[]}
 */
export function said(key, values = {}) {
  const template = /** @type {Record<string, string>} */ (WORDING.sentences)[key];
  const pieces = template.split(/(\[.*?\]|<\w+>|\{\w+\})/).filter(Boolean);
  return pieces.map((piece, i) => {
    const name = piece.slice(1, -1);
    if (i === 0 && piece.startsWith("[")) return mark(String(values[name] ?? name));
    return /^<\w+>$/.test(piece) ? code(String(values[name])) : plain(/^\{\w+\}$/.test(piece) ? String(values[name]) : piece);
  }).filter((part) => part.text);
}
