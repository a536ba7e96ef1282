/** The recording as files: JSON for programs, one page for people. Pure: no DOM. */

/** Where the recording goes in the page that plays it. */
export const PLACE = "__STEPGRAPH_RECORDING__";

/** JSON as the text of a script element: nothing in it can end the element or begin a comment. @param {unknown} value */
export const embedded = (value) => JSON.stringify(value).replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");

/** The page that plays this recording without a server. @param {string} shell the page without a recording @param {import("../trace/types.js").TraceDocument} document */
export function toPage(shell, document) {
  const at = shell.indexOf(PLACE);
  if (at < 0) throw new Error("This server's player page has no place for a recording. Reload the page.");
  return shell.slice(0, at) + embedded(document) + shell.slice(at + PLACE.length);
}

/** A file's name: that of the program, the step, the ending. @param {string} program @param {string} what @param {string} ending */
export function fileName(program, what, ending) {
  const stem = (program.split(/[\\/]/).pop() ?? "").replace(/\.(?:py|ipynb|json)$/, "").replace(/[^\w.-]+/g, "_").replace(/^\.+/, "").slice(0, 60) || "program";
  return `${stem}${what}.${ending}`;
}
