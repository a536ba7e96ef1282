/**
 * Another value at a step: the program with one more line, which anybody can read, undo and run. Pure.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 */
import { blocks } from "../trace/xray/text.js";
import { resolve } from "../trace/asking/lexical.js";

/** The last line of the statement that begins in a line: brackets and triple quotes are closed there. @param {string[]} lines @param {number} line */
function endOf(lines, line) {
  let depth = 0;
  let fence = "";
  for (let n = line; n <= lines.length; n++) {
    for (const [token] of lines[n - 1].matchAll(/"""|'''|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|#.*|[([{}\])]|\\$/g)) {
      if (fence) fence = token === fence ? "" : fence;
      else if (token === '"""' || token === "'''") fence = token;
      else if ("([{".includes(token)) depth++;
      else if ("}])".includes(token)) depth--;
    }
    if (depth <= 0 && !fence && !/\\$/.test(lines[n - 1])) return n;
  }
  return lines.length;
}

const indentOf = /** @param {string} text */ (text) => /^[ \t]*/.exec(text)?.[0] ?? "";

/**
 * The program in which `name` holds something else after the line of a step, in this pass of its loop only.
 * @param {TraceIndex} index @param {number} step @param {string} name @param {string} text a Python expression
 * @returns {{source: string, line: number, notice: string}} the line that was added; `notice`: what should be known of it
 * @throws {Error} the text is no single expression, or the step is in no line
 */
export function withValue(index, step, name, text) {
  const value = text.trim();
  if (!value || /[\r\n]/.test(value)) throw new Error("Type one Python expression: a number, a list, torch.zeros(3).");
  const line = index.trace.steps.line[step];
  const lines = index.trace.document.program.source.split("\n");
  if (line < 1 || line > lines.length) throw new Error("This step belongs to no line of the program. Go to another one.");
  let after = endOf(lines, line);
  let indent = indentOf(lines[line - 1]);
  // A line that opens a block: the value is set first thing inside.
  if (/:\s*(?:#.*)?$/.test(lines[after - 1])) {
    const inside = lines.slice(after).find((one) => one.trim());
    if (inside && indentOf(inside).length > indent.length) indent = indentOf(inside);
  }
  while (/^\s*return\b/.test(lines[line - 1]) && after === endOf(lines, line)) after = line - 1;
  const loop = [{ line, text: lines[line - 1].trim() }, ...blocks(lines.join("\n"), line)].find((one) => /^(?:async )?(?:for|while)\b/.test(one.text));
  const counter = /^(?:async )?for\s+(\w+)\s+in\b/.exec(loop?.text ?? "")?.[1] ?? /^(?:async )?for\s+\(?\s*(\w+)\s*,.*\benumerate\s*\(/.exec(loop?.text ?? "")?.[1];
  const bound = counter ? resolve(index, step, counter)?.binding : null;
  const pass = index.trace.document.values[bound?.value ?? -1];
  const only = counter && pass && ["int", "str", "bool"].includes(pass.python ?? "") && (pass.text ?? "").length < 60 ? `if ${counter} == ${pass.text}: ` : "";
  lines.splice(after, 0, `${indent}${only}${name} = ${value}`);
  return { source: lines.join("\n"), line: after + 1, notice: loop && !only ? `It stands in the loop of line ${loop.line} and is set in every pass of it.` : "" };
}
