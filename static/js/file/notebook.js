/**
 * A notebook as a program: its code cells, one after the other; lines that only a notebook knows become comments.
 * `app/cli/notebook.py` does the same for the command line.
 */

/** A file that is no notebook, or none with code. */
export class NotebookError extends Error {}

/** @param {string} text the notebook's JSON @returns {{source: string, notice: string}} `notice`: what was left out, "" if nothing was */
export function programOf(text) {
  let book;
  try {
    book = JSON.parse(text);
  } catch {
    throw new NotebookError("This notebook cannot be read: it is not JSON. Save it again in Jupyter.");
  }
  const cells = Array.isArray(book?.cells) ? book.cells : Array.isArray(book?.worksheets?.[0]?.cells) ? book.worksheets[0].cells : null;
  if (!cells) throw new NotebookError("This file is JSON and no notebook: it has no cells. A recording is opened as .json.");
  const language = book.metadata?.kernelspec?.language ?? book.metadata?.language_info?.name ?? "python";
  if (typeof language === "string" && !/^python/i.test(language)) throw new NotebookError(`This notebook is in ${language.slice(0, 30)}. Stepgraph runs Python.`);
  let left = 0;
  const parts = [];
  let number = 0;
  for (const cell of cells) {
    if (cell?.cell_type !== "code") continue;
    number++;
    const lines = cellText(cell).replace(/\r\n?/g, "\n").replace(/\n+$/, "").split("\n");
    if (!lines.join("").trim()) continue;
    const { kept, away } = plainLines(lines);
    left += away;
    parts.push([`# --- cell ${number}`, ...kept].join("\n"));
  }
  if (!parts.length) throw new NotebookError("This notebook has no code.");
  return { source: `${parts.join("\n\n")}\n`, notice: left ? `${left} ${left === 1 ? "line is" : "lines are"} kept as comments: only a notebook knows what begins with % or !, or asks with ?.` : "" };
}

/** @param {any} cell */
function cellText(cell) {
  const text = cell.source ?? cell.input ?? "";
  return Array.isArray(text) ? text.filter((one) => typeof one === "string").join("") : typeof text === "string" ? text : "";
}

/** Lines as Python knows them. @param {string[]} lines @returns {{kept: string[], away: number}} */
function plainLines(lines) {
  const first = lines.find((line) => line.trim());
  // A cell magic is about the whole cell: %%time runs it all the same, everything else hands it to someone else.
  const magic = /^\s*%%(\w*)/.exec(first ?? "");
  if (magic && !["time", "timeit", "capture", "prun"].includes(magic[1])) return { kept: lines.map((line) => `# ${line}`.trimEnd()), away: lines.length };
  let away = 0;
  let fence = "";
  const kept = lines.map((line) => {
    const inside = fence;
    fence = fenceAfter(line, fence);
    if (inside) return line;
    const special = /^(\s*)(?:%|!|\?)/.exec(line) ?? /^(\s*)[\w.]+\s*=\s*(?:!|%\w)/.exec(line) ?? (/^(\s*)[\w.]+\?{1,2}\s*$/.exec(line));
    if (!special) return line;
    away++;
    const indent = special[1];
    // A block may consist of it: then Python needs something to do.
    return indent ? `${indent}pass  # ${line.trim()}` : `# ${line}`;
  });
  return { kept, away };
}

/** The triple quotes that a line leaves open. @param {string} line @param {string} open */
function fenceAfter(line, open) {
  for (const match of line.matchAll(/"""|'''|#/g)) {
    if (match[0] === "#") {
      if (!open) break;
    } else if (!open) open = match[0];
    else if (open === match[0]) open = "";
  }
  return open;
}
