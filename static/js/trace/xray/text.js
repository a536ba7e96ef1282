/**
 * What the program's text says about a place in it: which blocks stand around a line, where a value leaves the graph.
 * The recording says *that* a gradient stops; the text only names the words that did it.
 */

/** The word for a call that makes a tensor of numbers. */
export const NEW = "a new tensor";

/** Words after which a value has no history. The first that a text holds is named. */
const LEAVING = /** @type {[RegExp, string][]} */ ([
  [/\.item\s*\(/, ".item()"], [/\.numpy\s*\(/, ".numpy()"], [/\.tolist\s*\(/, ".tolist()"], [/\bfloat\s*\(/, "float()"], [/\bint\s*\(/, "int()"],
  [/\.detach_?\s*\(/, ".detach()"], [/\.data\b(?!\s*\()/, ".data"], [/\bstop_gradient\s*\(/, "stop_gradient"], [/\bnp\.\w+\s*\(/, "NumPy"],
  [/\b(?:torch|tf)\.(?:tensor|constant|from_numpy|as_tensor|Tensor|Variable)\s*\(/, NEW],
]);

/** Code without its comment, as far as that can be told: a `#` in a string on the same line hides the rest. @param {string} line */
const bare = (line) => line.replace(/(^|\s)#.*$/, "");

/** The word by which a text takes a value out of the graph, "" if it has none. @param {string} text */
export function leaving(text) {
  return LEAVING.find(([pattern]) => pattern.test(bare(text)))?.[1] ?? "";
}

/** Lines around a line, the inner ones first: each begins a block that it stands in. @param {string} source @param {number} line @returns {{line: number, text: string}[]} */
export function blocks(source, line) {
  const lines = source.split("\n");
  const indent = /** @param {string} text */ (text) => /^[ \t]*/.exec(text)?.[0].length ?? 0;
  let depth = indent(lines[line - 1] ?? "");
  const out = [];
  for (let n = line - 1; n >= 1 && depth > 0; n--) {
    const text = lines[n - 1];
    if (!text.trim() || indent(text) >= depth) continue;
    depth = indent(text);
    out.push({ line: n, text: bare(text).trim() });
    // Decorators belong to their function.
    for (let d = n - 1; d >= 1 && /^\s*@/.test(lines[d - 1] ?? ""); d--) out.push({ line: d, text: bare(lines[d - 1]).trim() });
  }
  return out;
}

/** Where recording is switched off around a line, null if it is on. @param {string} source @param {number} line @returns {{line: number, word: string} | null} */
export function switchedOff(source, line) {
  const around = blocks(source, line).find(({ text }) => /\b(?:no_grad|inference_mode|set_grad_enabled\s*\(\s*False|stop_recording)\b/.test(text));
  if (around) return { line: around.line, word: /no_grad|inference_mode|set_grad_enabled|stop_recording/.exec(around.text)?.[0] ?? "no_grad" };
  const above = source.split("\n").slice(0, line).findLastIndex((text) => /\bset_grad_enabled\s*\(\s*(?:False|True)\s*\)/.test(bare(text)));
  return above >= 0 && /False/.test(source.split("\n")[above]) ? { line: above + 1, word: "set_grad_enabled(False)" } : null;
}

/** Whether a line stands in a `with` block that records. @param {string} source @param {number} line */
export const onTape = (source, line) => blocks(source, line).some(({ text }) => /\bGradientTape\s*\(/.test(text));

/** The first line that a pattern fits, from a line on; -1 if none does. @param {string} source @param {RegExp} pattern @param {number} [from] */
export function lineWith(source, pattern, from = 1) {
  const at = source.split("\n").findIndex((text, i) => i + 1 >= from && pattern.test(bare(text)));
  return at < 0 ? -1 : at + 1;
}

/** The names in a piece of code; strings and attributes are none. @param {string} text @returns {string[]} */
export function namesIn(text) {
  const code = bare(text).replace(/(["'])(?:\\.|(?!\1).)*\1/g, "");
  return [...new Set([...code.matchAll(/(?<![\w.])[A-Za-z_]\w*(?!\s*=[^=])/g)].map((match) => match[0]))];
}

/** @param {import("../index.js").TraceIndex} index @param {number} span the whole text of an expression, over its lines */
export function wholeSpan(index, span) {
  if (span < 0) return "";
  const { spans, document } = index.trace;
  const lines = document.program.source.split("\n").slice(spans.line[span] - 1, spans.end_line[span]);
  const last = lines.length - 1;
  if (last < 0) return "";
  // Columns count characters, not the units of a JavaScript string.
  lines[last] = [...lines[last]].slice(0, spans.end_column[span]).join("");
  lines[0] = [...lines[0]].slice(spans.column[span]).join("");
  return lines.join("\n");
}

/** @param {string} source @param {number} line */
export const lineText = (source, line) => source.split("\n")[line - 1] ?? "";
