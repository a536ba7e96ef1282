/**
 * A backward that began and ended with an error: what it did not reach was asked for, and nobody went on.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./passes.js").Pass} Pass
 * @typedef {import("./cuts.js").Cause} Cause
 */
import { nameOf } from "./cuts.js";
import { lineText } from "./text.js";

const ASKS = /\.backward\s*\(|\bgrad(?:ient)?s?\s*\(/;

/** The error that a pass ended with, null if it ended well or never began. @param {TraceIndex} index @param {Pass} pass @returns {Cause | null} */
export function stopped(index, pass) {
  const { document, events } = index.trace;
  const { error } = document.end;
  const line = error?.line ?? -1;
  if (!error || pass.fixed || !ASKS.test(lineText(document.program.source, line))) return null;
  // No line of the program ran after it began: the error is its own.
  if (events.line?.seq.some((seq) => seq > pass.from) && pass.ran) return null;
  const card = error.card ?? null;
  return {
    kind: "stopped", line,
    title: `Backward stopped with an error in line ${line}`,
    words: `The way back from ${nameOf(index, pass.loss)} was asked for in line ${line} and ended there with \`${error.type}\`, before any gradient arrived here.${card ? ` ${card.title}` : ""}`,
    tries: ["Mend the error first: the last step says what it is about.", ...(card?.tries ?? [])],
  };
}
