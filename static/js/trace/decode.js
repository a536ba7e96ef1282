/**
 * Unpacks a trace document: columns become plain arrays, text columns stay indexes until somebody asks.
 * @typedef {import("./types.js").Column} Column
 * @typedef {import("./types.js").PackedTable} PackedTable
 * @typedef {import("./types.js").Table} Table
 * @typedef {import("./types.js").TraceDocument} TraceDocument
 */

export const FORMAT = "stepgraph-trace";
export const VERSION = 1;

/** A trace that this page cannot read. `hint` says what to do. */
export class TraceFormatError extends Error {
  /** @param {string} message @param {string} hint */
  constructor(message, hint) {
    super(message);
    this.name = "TraceFormatError";
    this.hint = hint;
  }
}

/**
 * One column as a plain array.
 * @param {Column} column
 * @returns {number[]}
 */
export function decodeColumn(column) {
  if (Array.isArray(column)) return column;
  if ("rle" in column) {
    const out = [];
    for (let i = 0; i < column.rle.length; i += 2) {
      for (let n = column.rle[i + 1]; n > 0; n--) out.push(column.rle[i]);
    }
    return out;
  }
  if ("delta" in column) {
    let sum = 0;
    return column.delta.map((difference) => (sum += difference));
  }
  throw new TraceFormatError("A column is packed in a way this page does not know.", "Reload the page: the server may be newer than it.");
}

/**
 * A table with its columns unpacked. `length` is the number of rows.
 * @param {PackedTable | undefined} packed
 * @returns {{length: number, columns: Table}}
 */
export function decodeTable(packed) {
  /** @type {Table} */
  const columns = {};
  let length = 0;
  for (const [name, column] of Object.entries(packed ?? {})) {
    columns[name] = decodeColumn(column);
    length = columns[name].length;
  }
  return { length, columns };
}

const TABLES = /** @type {const} */ (["spans", "frames", "graphs", "plans", "nodes", "edges", "slots", "loops", "episodes", "steps", "phases"]);

/**
 * The unpacked trace. Every table is an object of columns; `count` has their lengths.
 * @typedef {{document: TraceDocument, strings: string[], count: Record<string, number>, events: Record<string, Table>,
 *   spans: Table, frames: Table, graphs: Table, plans: Table, nodes: Table, edges: Table, slots: Table, loops: Table,
 *   episodes: Table, steps: Table, phases: Table}} Trace
 */

/**
 * @param {TraceDocument} document
 * @returns {Trace}
 * @throws {TraceFormatError} the document is of another format or version
 */
export function decodeTrace(document) {
  if (document?.format !== FORMAT) throw new TraceFormatError("This is not a recording of Stepgraph.", "Open a file that was saved by this page or by `stepgraph run --json`.");
  if (document.version !== VERSION) {
    throw new TraceFormatError(`This recording has version ${document.version}, the page reads version ${VERSION}.`, "Record the program again, or update Stepgraph.");
  }
  /** @type {Record<string, number>} */
  const count = {};
  /** @type {Record<string, Table>} */
  const tables = {};
  for (const name of TABLES) {
    const table = decodeTable(document[name]);
    count[name] = table.length;
    tables[name] = table.columns;
  }
  /** @type {Record<string, Table>} */
  const events = {};
  for (const [name, packed] of Object.entries(document.events)) events[name] = decodeTable(packed).columns;
  return /** @type {Trace} */ (/** @type {unknown} */ ({ document, strings: document.strings, count, events, ...tables }));
}
