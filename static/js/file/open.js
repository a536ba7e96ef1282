/** What a file that is opened or dropped holds: a program, or a recording. Nothing in it is run. */
import { NotebookError, programOf } from "./notebook.js";

const MOST_PROGRAM = 5_000_000;
const MOST_RECORDING = 256_000_000;

/** @typedef {{program: string, notice: string} | {recording: import("../trace/types.js").TraceDocument}} Opened */

/** A file that cannot be opened; the message says why and what to do. */
export class OpenError extends Error {}

/** @param {{name: string, size: number, text: () => Promise<string>}} file @returns {Promise<Opened>} */
export async function opened(file) {
  const ending = /\.(\w+)$/.exec(file.name)?.[1].toLowerCase() ?? "";
  if (file.size > (ending === "json" ? MOST_RECORDING : MOST_PROGRAM)) throw new OpenError(`${file.name} is too large to be ${ending === "json" ? "a recording" : "a program"}: ${Math.round(file.size / 1e6)} MB.`);
  const text = await file.text();
  if (ending === "ipynb") return notebook(text);
  if (ending === "json") {
    let found;
    try {
      found = JSON.parse(text);
    } catch {
      throw new OpenError(`${file.name} is not JSON. Save the recording again.`);
    }
    return found?.cells ? notebook(text) : { recording: found };
  }
  if (ending !== "py" && ending !== "txt") throw new OpenError(`${file.name} is no program: open a .py, an .ipynb or a recording (.json).`);
  if (text.includes("\0")) throw new OpenError(`${file.name} holds bytes that no program has. Save it as UTF-8 text.`);
  return { program: text.replace(/^\ufeff/, "").replace(/\r\n?/g, "\n"), notice: "" };
}

/** @param {string} text @returns {Opened} */
function notebook(text) {
  try {
    const { source, notice } = programOf(text);
    return { program: source, notice };
  } catch (error) {
    if (error instanceof NotebookError) throw new OpenError(error.message);
    throw error;
  }
}

/** Files dropped anywhere on the page are opened. @param {(file: File) => void} open */
export function acceptDrops(open) {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = "copy";
  });
  addEventListener("drop", (event) => {
    const file = event.dataTransfer?.files[0];
    if (!file) return;
    event.preventDefault();
    open(file);
  });
}
