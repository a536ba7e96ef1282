/** What a program is called after: its framework, or what else it is written in. */

const DIALECTS = /** @type {Record<string, string>} */ ({ torch: "PyTorch", tf1: "TensorFlow 1", tf2: "TensorFlow 2", native: "Stepgraph", python: "Python" });

/** @param {{dialect: string}} program */
export const dialectName = (program) => DIALECTS[program.dialect] ?? program.dialect;

/** Whether any graph of a recording is built first and run later. @param {import("./index.js").TraceIndex} index */
export const isStaticProgram = (index) => Array.from({ length: index.trace.count.graphs }, (_, g) => g).some((g) => index.isStatic(g));
