/** Texts of a lesson: the server has made them from Markdown, with HTML switched off. Nothing that a program prints comes this way. */

/** @param {string} html @returns {Node[]} */
export function markup(html) {
  // A parsed document runs nothing and loads nothing; only elements and texts are taken over.
  return [...new DOMParser().parseFromString(html, "text/html").body.childNodes].map((node) => document.importNode(node, true));
}
