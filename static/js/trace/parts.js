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
