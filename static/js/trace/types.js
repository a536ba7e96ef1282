/**
 * The shapes of a trace, as `docs/trace.md` and `docs/layout.md` fix them. Types only: nothing here runs.
 *
 * @typedef {number[] | {rle: number[]} | {delta: number[]} | {period: number[]}} Column   integers, plain or packed
 * @typedef {Record<string, Column>} PackedTable
 * @typedef {Record<string, number[]>} Table   columns of one length, unpacked
 *
 * @typedef {number | "nan" | "inf" | "-inf" | string | boolean} Element   one entry of a value
 * @typedef {object} Value   a summary of an array, or of a Python value (`python`, `text`)
 * @property {string} [dtype]
 * @property {number[]} [shape]
 * @property {number} [size]
 * @property {number} [bytes]
 * @property {number | null} [min]
 * @property {number | null} [max]
 * @property {number | null} [mean]
 * @property {number} [nan]
 * @property {number} [inf]
 * @property {number} [zeros]
 * @property {Element[]} [data]
 * @property {{rows: number, columns: number, data: Element[]}} [grid]
 * @property {Element[]} [head]
 * @property {string} [python]
 * @property {string} [text]
 *
 * @typedef {{dtype: string, shape: (number | null)[] | null}} Type
 * @typedef {{op: string, label: string, category: string, symbol: string, role: string, attributes: Record<string, unknown>, formula: string}} Definition
 *
 * @typedef {object} TraceError
 * @property {string} type
 * @property {string} message
 * @property {number | null} line
 * @property {string} traceback
 * @property {number} node
 * @property {{name: string, type: Type | string | null}[]} operands   the type as text: `float32 [4, 3]`
 * @property {number | null} defined_line
 * @property {Card | null} [card]   missing in older documents
 *
 * @typedef {{id: string, title: string, explanation: string, tries: string[]}} Card   what it means and what to try
 *
 * @typedef {{kind: "ok" | "error" | "exit" | "limit", exit_code: number, limit: string | null, line: number | null, error: TraceError | null, hints?: Card[]}} End
 *
 * @typedef {object} TraceDocument
 * @property {string} format
 * @property {number} version
 * @property {{name: string, source: string, dialect: string, reason: string, notes?: string[]}} program
 * @property {{python: string, numpy: string, engine: string, timer_ns: number}} machine
 * @property {End} end
 * @property {{total: number, program: number, recorder: number}} seconds
 * @property {string[]} strings
 * @property {Type[]} types
 * @property {Definition[]} definitions
 * @property {number[][]} lists
 * @property {Value[]} values
 * @property {PackedTable} spans
 * @property {PackedTable} frames
 * @property {PackedTable} graphs
 * @property {PackedTable} plans
 * @property {PackedTable} nodes
 * @property {PackedTable} edges
 * @property {PackedTable} slots
 * @property {PackedTable} loops
 * @property {PackedTable} episodes
 * @property {Record<string, PackedTable>} events
 * @property {PackedTable} steps
 * @property {PackedTable} phases
 * @property {PackedTable} [regions]   branches and loop parts of static graphs
 * @property {string} stdout
 * @property {{name: number, every: number, low: Element, high: Element, points: (Element | null)[]}[][]} [series]   numbers in variables over folded passes
 * @property {{object: number, python: string, items: [string, string, number][]}[]} [parts]   what is inside of containers
 * @property {{width: number, height: number, png: string}[]} [pictures]   what the program showed: PNG files in base64
 * @property {{name: string, x: number[], y: Element[]}[]} [charts]   curves that the program kept
 * @property {{name: string, size: number, data: string | null}[]} [files]   what the program left; contents in base64, null if they are too large
 * @property {Layout} [layout]
 *
 * @typedef {{version: number, graphs: GraphLayout[], note?: string}} Layout
 * @typedef {object} GraphLayout
 * @property {number} graph
 * @property {number} width
 * @property {number} height
 * @property {string} engine
 * @property {string} note
 * @property {number} seconds
 * @property {{x: number, y: number, width: number, height: number} | null} wall
 * @property {{name: string, y: number, height: number}[]} bands
 * @property {{slot: number[], x: number[], y: number[], width: number[], height: number[], form: string[], band: number[]}} slots
 * @property {{source: number[], target: number[], kind: string[], sides: string[], via: [number, number][][]}} edges
 * @property {{slot: number, kind: "feed" | "fetch" | "variable", x: number, y: number, side: string, via: [number, number][]}[]} doors
 */
export {};
