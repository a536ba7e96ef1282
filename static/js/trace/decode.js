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
  if ("period" in column) {
    // Each value is that of one period before, grown by as much as that one had grown, and a change (mostly 0).
    const [period, ...rest] = column.period;
    const out = rest.slice(0, period);
    const growth = rest.slice(period, 2 * period);
    for (const grown of growth) out.push(out[out.length - period] + grown);
    for (let i = 2 * period; i < rest.length; i += 2) {
      for (let n = rest[i + 1]; n > 0; n--) {
        growth.push(growth[growth.length - period] + rest[i]);
        out.push(out[out.length - period] + growth[growth.length - 1]);
      }
    }
    return out;
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

/** Bytes of an element, by dtype. @param {string} dtype */
const itemSize = (dtype) => (dtype === "bool" ? 1 : Number(/\d+$/.exec(dtype)?.[0] ?? 64) / 8);

/**
 * A value as a summary with all its keys; those of folded passes are written short: `[type, element]` or `[type, min, max, mean, nan, inf, zeros]`.
 * @param {any} value
 * @param {{dtype: string, shape: number[]}[]} types
 * @returns {import("./types.js").Value}
 */
export function wholeValue(value, types) {
  if (!Array.isArray(value)) return value;
  const { dtype, shape } = types[value[0]];
  const size = shape.reduce((a, b) => a * b, 1);
  const base = { dtype, shape, size, bytes: size * itemSize(dtype) };
  if (value.length > 2) {
    const [, min, max, mean, nan, inf, zeros] = value;
    return /** @type {any} */ ({ ...base, min, max, mean, nan, inf, zeros });
  }
  const element = value[1];
  return /** @type {any} */ ({ ...base, min: element, max: element, mean: element, nan: 0, inf: 0, zeros: element === 0 || element === false ? 1 : 0, data: [element] });
}

/** @param {string} old @param {string | [number, string, number]} change */
const edited = (old, change) => (typeof change === "string" ? change : old.slice(0, change[0]) + change[1] + old.slice(old.length - change[2]));

/**
 * All values whole: a container may say only how it differs from an earlier value, and names what is inside by its number.
 * @param {import("./types.js").TraceDocument} document
 */
function wholeValues({ values, types, parts = [] }) {
  /** @type {import("./types.js").Value[]} */
  const whole = [];
  for (const packed of /** @type {any[]} */ (values)) {
    if (packed.like !== undefined) {
      const before = /** @type {any} */ (whole[packed.like]);
      const items = [...before.items];
      for (const [place, item] of packed.items ?? []) items[place] = item;
      const inside = [...before.inside];
      for (const [place, number] of packed.inside ?? []) inside[place] = parts[number];
      whole.push({ ...before, text: edited(before.text, packed.text), items, inside });
    } else if (packed.inside) whole.push({ ...packed, inside: packed.inside.map((/** @type {any} */ one) => (typeof one === "number" ? parts[one] : one)) });
    else whole.push(wholeValue(packed, /** @type {any} */ (types)));
  }
  return whole;
}

const TABLES = /** @type {const} */ (["spans", "frames", "graphs", "plans", "nodes", "edges", "slots", "loops", "episodes", "steps", "phases", "regions"]);

/**
 * The unpacked trace. Every table is an object of columns; `count` has their lengths.
 * @typedef {{document: TraceDocument, strings: string[], count: Record<string, number>, events: Record<string, Table>,
 *   spans: Table, frames: Table, graphs: Table, plans: Table, nodes: Table, edges: Table, slots: Table, loops: Table,
 *   episodes: Table, steps: Table, phases: Table, regions: Table}} Trace
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
  document = { ...document, values: wholeValues(document) };
  return /** @type {Trace} */ (/** @type {unknown} */ ({ document, strings: document.strings, count, events, ...tables }));
}
