/**
 * Why a gradient does not get through a link, in words, and what to change. Code stands in backticks.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./links.js").Link} Link
 * @typedef {import("./passes.js").Pass} Pass
 * @typedef {{kind: string, title: string, words: string, tries: string[], line: number}} Cause   `kind`: a word for the mark in the picture; `line`: where it was cut off, -1 if no line says so
 */
import { called, label, operand, spanText } from "../names.js";
import { leaving, lineText, lineWith, NEW, onTape, switchedOff, wholeSpan } from "./text.js";

/** @param {TraceIndex} index @param {number} node */
export function lineOf(index, node) {
  const span = index.trace.nodes.span[node];
  return span >= 0 ? index.trace.spans.line[span] : -1;
}

/** `h`, or the expression that made it. @param {TraceIndex} index @param {number} node */
export function nameOf(index, node) {
  const host = index.host(node);
  const { variable, span, name } = index.trace.nodes;
  const role = index.definition(host).role;
  const own = index.text(variable[host]) || (role === "variable" ? index.text(name[host]) : "");
  return `\`${own || spanText(index, span[host]) || operand(index, host)}\``;
}

/** @param {TraceIndex} index @param {number} node */
const opAt = (index, node) => `\`${label(index, node)}\`${lineOf(index, node) > 0 ? ` in line ${lineOf(index, node)}` : ""}`;

/** @param {number} line */
const inLine = (line) => (line > 0 ? ` in line ${line}` : "");

/** The cause of a cut. @param {TraceIndex} index @param {Pass} pass @param {Link} link @param {number} parameter @returns {Cause} */
export function causeOf(index, pass, link, parameter) {
  switch (link.state) {
    case "copied": return copied(index, link, parameter);
    case "detached": return detached(index, link);
    case "unrecorded": return unrecorded(index, link, parameter);
    default: return unasked(index, pass, parameter);
  }
}

/** @param {TraceIndex} index @param {Link} link @param {number} parameter @returns {Cause} */
function copied(index, { reader, source }, parameter) {
  const line = lineOf(index, reader);
  const own = leaving(wholeSpan(index, index.trace.nodes.span[reader]));
  const before = own && own !== NEW ? null : between(index, source, reader, NEW);
  const word = (before ? leaving(before.text) : own) || NEW;
  // The numbers may have been taken out in a line before the one that reads them.
  const at = before && word !== NEW ? before.line : line;
  const from = nameOf(index, source);
  if (source === parameter && called(index, reader) === called(index, source)) return rebound(index, reader, parameter);
  const how = word === NEW ? "a new tensor is made from its numbers" : `\`${word}\`${at === line ? "" : inLine(at)} takes the numbers out of it`;
  const call = word === NEW ? `the call that makes a new tensor${inLine(line)}` : `\`${word}\``;
  return {
    kind: word, line: at,
    title: `The graph ends${inLine(at)}: ${word}`,
    words: `${nameOf(index, reader)}${inLine(line)} only copies numbers from ${from}: ${how}, and numbers do not remember where they come from. No gradient gets back to ${from}.`,
    tries: [`Use ${from} itself, without ${call}.`, "Take numbers out of the graph only for printing."],
  };
}

/** The text that ran between two nodes, with the line that takes a value out of the graph. @param {TraceIndex} index @param {number} from @param {number} to @param {string} [but] a word that does not count */
function between(index, from, to, but = "") {
  const { nodes, steps, events, document } = index.trace;
  const { source } = document.program;
  const lines = new Set();
  const [a, b] = [nodes.seq[from], nodes.seq[to]];
  events.line?.seq?.forEach((seq, row) => seq > a && seq <= b && lines.add(events.line.line[row]));
  lines.add(lineOf(index, from)).add(lineOf(index, to)).add(steps.line[index.stepOf(a)]).add(steps.line[index.stepOf(b)]);
  const own = new Set([lineOf(index, to), lineOf(index, from)]);
  const found = [...lines].filter((line) => line > 0 && ![but, ""].includes(leaving(lineText(source, line))));
  // The line of the reader or of what it reads says most; then what ran last before it.
  const line = found.find((one) => own.has(one)) ?? Math.max(-1, ...found);
  return { line, text: line > 0 ? lineText(source, line) : "" };
}

/** @param {TraceIndex} index @param {Link} link @returns {Cause} */
function detached(index, { reader, source }) {
  const { line, text } = detachedAt(index, source, reader);
  const word = leaving(text);
  const who = nameOf(index, source);
  return {
    kind: "detached", line,
    title: word ? `${who} is detached${inLine(line)}` : `The gradient stops between ${opAt(index, source)} and ${opAt(index, reader)}`,
    words: word ? `\`${word}\`${inLine(line)} gives ${opAt(index, reader)} the numbers of ${who} without their history. Going back, the gradient of ${opAt(index, reader)} is never sent on to ${opAt(index, source)}.` : `${opAt(index, reader)} reads the numbers of ${who}, but is not joined to its history: the gradient is never sent on.`,
    tries: word ? [`Leave \`${word}\` out${inLine(line)}.`, "If this part is not meant to learn, leave it as it is and do not give its parameters to the optimizer."] : ["Look for what takes the value out of the graph between these two lines."],
  };
}

/** Where a value was detached: the expression that reads it, else the line that bound it again, else any line between. @param {TraceIndex} index @param {number} source @param {number} reader */
function detachedAt(index, source, reader) {
  const { nodes, steps, document } = index.trace;
  const program = document.program.source;
  const own = wholeSpan(index, nodes.span[reader]);
  if (leaving(own)) return { line: lineWith(program, /./, lineOf(index, reader)), text: own };
  const bound = (index.bindings.held.get(source) ?? []).filter((life) => life.from > nodes.seq[source] && life.from < nodes.seq[reader]).map((life) => steps.line[index.stepOf(life.from)]);
  const line = bound.findLast((one) => leaving(lineText(program, one)));
  return line ? { line, text: lineText(program, line) } : between(index, source, reader);
}

/** The reader of a value that asks for a gradient was not put on the tape. @param {TraceIndex} index @param {Link} link @param {number} parameter @returns {Cause} */
function unrecorded(index, { reader, source }, parameter) {
  const { document, nodes, types } = /** @type {any} */ ({ ...index.trace, types: index.trace.document.types });
  const program = document.program.source;
  const tensorflow = /^tf/.test(document.program.dialect);
  const line = lineOf(index, reader);
  const op = index.definition(reader).op;
  if (op === "stop_gradient" || index.definition(source).op === "stop_gradient") {
    const own = lineOf(index, op === "stop_gradient" ? reader : source);
    return { kind: "stop_gradient", line: own, title: `\`stop_gradient\`${inLine(own)} ends the way back`, words: `\`stop_gradient\` passes ${nameOf(index, source)} on and lets no gradient back through: nothing before it learns from this loss.`, tries: [`Leave \`stop_gradient\` out${inLine(own)}.`, "If this part is meant to stay as it is, there is nothing to mend."] };
  }
  const value = document.values[index.values[reader][0]?.value ?? -1];
  const dtype = value?.dtype ?? types[nodes.type[reader]]?.dtype ?? "float32";
  if (!/^(?:float|bfloat|complex)/.test(dtype)) {
    const what = dtype === "bool" ? "truth values" : "whole numbers";
    return { kind: "no slope", line, title: `${opAt(index, reader)} has no gradient`, words: `\`${label(index, reader)}\` gives ${what} (${dtype}). They jump instead of changing a little, so there is no slope to go back along: no gradient reaches ${nameOf(index, source)}.`, tries: [/arg/.test(op) ? "Train on the scores themselves (a cross-entropy of them), and use the position of the largest only for the accuracy." : "Compute the loss from the numbers before this op, and use the result of this op only for reporting."] };
  }
  const again = called(index, reader) === called(index, parameter) && index.trace.nodes.seq[reader] > index.trace.nodes.seq[parameter];
  if (again && (source === parameter || called(index, source) === called(index, parameter))) return rebound(index, reader, parameter);
  const off = switchedOff(program, line) ?? callerSwitchedOff(index, reader);
  if (off) return { kind: "no_grad", line: off.line, title: `\`${off.word}\` in line ${off.line} records nothing`, words: `${opAt(index, reader)} ran while recording was off (\`${off.word}\`, line ${off.line}). It has a value and no gradient node, so nothing leads from the loss back to ${nameOf(index, source)}.`, tries: [`Take line ${line} out of \`${off.word}\`: it is for updates and for evaluation, not for what is to learn.`] };
  if (tensorflow && !onTape(program, line)) return { kind: "off the tape", line, title: `Line ${line} stands outside the tape`, words: `${opAt(index, reader)} ran outside \`with tf.GradientTape()\`. A tape only knows what happens inside its block.`, tries: [`Move line ${line} into the \`with tf.GradientTape()\` block, so that everything from the variables to the loss is inside.`] };
  const untrained = tensorflow && index.definition(source).role === "variable" ? lineWith(program, /\btrainable\s*=\s*False/) : -1;
  if (untrained > 0) return { kind: "not trainable", line: untrained, title: `Line ${untrained} says \`trainable = False\``, words: `A tape watches the variables that are trainable, and ${nameOf(index, source)} is none: what is computed from it is not recorded.`, tries: [`Leave line ${untrained} out if ${nameOf(index, source)} is to learn.`, "If it is meant to stay frozen, there is nothing to mend."] };
  return { kind: "not recorded", line, title: `${opAt(index, reader)} was not recorded`, words: `${opAt(index, reader)} reads ${nameOf(index, source)}, which asks for a gradient, and has no gradient node: its result has no history.`, tries: [`See whether recording is off${inLine(line)}, or whether \`${label(index, reader)}\` can be differentiated at all.`] };
}

/** Recording that a caller switched off: the call stands in such a block. @param {TraceIndex} index @param {number} node */
function callerSwitchedOff(index, node) {
  const { nodes, frames, steps, document } = index.trace;
  for (let frame = nodes.frame[node], hops = 0; frame > 0 && hops < 64; frame = frames.parent[frame], hops++) {
    const begun = index.bindings.frames.get(frame)?.from ?? -1;
    const line = begun >= 0 ? callLine(index, begun, steps.line) : -1;
    const off = line > 0 ? switchedOff(document.program.source, line) : null;
    if (off) return off;
  }
  return null;
}

/** The line that ran last before a call began. @param {TraceIndex} index @param {number} seq @param {number[]} lines */
function callLine(index, seq, lines) {
  const { line } = index.trace.events;
  let at = -1;
  line?.seq?.forEach((one, row) => one < seq && (at = row));
  return at >= 0 ? line.line[at] : lines[index.stepOf(seq)];
}

/** The name of a parameter was given to a new tensor. @param {TraceIndex} index @param {number} reader @param {number} parameter @returns {Cause} */
function rebound(index, reader, parameter) {
  const line = lineOf(index, reader);
  const name = called(index, parameter);
  const tensorflow = /^tf/.test(index.trace.document.program.dialect);
  const better = tensorflow ? `\`${name}.assign_sub(…)\`` : `\`${name} -= …\` under \`torch.no_grad()\``;
  return {
    kind: "another tensor", line, title: `From line ${line} on, \`${name}\` is another tensor`,
    words: `Line ${line} makes a new tensor and calls it \`${name}\`. The parameter of that name is left behind unchanged, and the new one is no parameter: it asks for no gradient.`,
    tries: [`Change the parameter in place: ${better}.`, "Or let an optimizer do it."],
  };
}

/** It was recorded, and nobody asked for its gradient. @param {TraceIndex} index @param {Pass} pass @param {number} parameter @returns {Cause} */
function unasked(index, pass, parameter) {
  const { source } = index.trace.document.program;
  const name = nameOf(index, parameter);
  const made = wholeSpan(index, index.trace.nodes.span[parameter]);
  const list = lineWith(source, /\bvar_list\s*=/);
  if (/trainable\s*=\s*False/.test(made)) return { kind: "not trainable", line: lineOf(index, parameter), title: `${name} was made with \`trainable=False\``, words: `The optimizer takes all trainable variables, and ${name} is none (line ${lineOf(index, parameter)}): its gradient is not even built.`, tries: ["Leave `trainable=False` out."] };
  if (list > 0) return { kind: "not in var_list", line: list, title: `${name} is not in \`var_list\``, words: `Line ${list} names the variables that are trained, and ${name} is not among them: the graph has no gradient for it.`, tries: [`Add ${name} to \`var_list\` in line ${list}, or leave \`var_list\` out to train all variables.`] };
  const asked = lineWith(source, /\b(?:gradient|gradients|grad|backward)\s*\(/);
  if (!pass.ran && (!pass.fixed || !pass.reach.size)) return notBegun(index, pass);
  return { kind: "not asked for", line: asked, title: `Nobody asks for the gradient of ${name}`, words: `Everything on the way was recorded, but${inLine(asked)} gradients are asked for other tensors only, so this one is never computed.`, tries: [`Add ${name} to the list${inLine(asked)}.`] };
}

/** No gradient was computed at all. @param {TraceIndex} index @param {Pass} pass @returns {Cause} */
export function notBegun(index, pass) {
  const { dialect } = index.trace.document.program;
  const loss = nameOf(index, pass.loss);
  if (pass.fixed && pass.reach.size) return { kind: "never run", line: -1, title: "The gradients are built and never run", words: "The graph holds the gradient ops and the updates, but no session call fetches them: a node that nobody asks for does not run.", tries: ["Fetch the training op: `sess.run(train)`; running the loss alone trains nothing."] };
  if (pass.fixed || dialect === "tf1") return { kind: "no gradients", line: -1, title: "The graph has no gradients", words: `Nothing in the program builds gradients of ${loss}.`, tries: ["Build a training op: `tf.train.GradientDescentOptimizer(0.1).minimize(loss)`, and run it."] };
  if (dialect === "tf2") return { kind: "no gradients", line: -1, title: `No gradient of ${loss} is computed`, words: `The recording holds no backward pass from ${loss}.`, tries: ["Compute the loss inside `with tf.GradientTape() as tape:` and ask `tape.gradient(loss, variables)`."] };
  return { kind: "no backward", line: lineOf(index, pass.loss), title: "`backward()` is never called", words: `The way from ${loss} back is recorded, and nobody goes it: without \`backward()\` no \`.grad\` exists.`, tries: [`Call \`${called(index, pass.loss)}.backward()\` before the update.`] };
}

/** Nothing on the way asks for a gradient, and the tensor itself does not. @param {TraceIndex} index @param {number} node @returns {Cause} */
export function neverAsked(index, node) {
  const { nodes, events, document, steps } = index.trace;
  const name = nameOf(index, node);
  const tensorflow = /^tf/.test(document.program.dialect);
  const role = events.role;
  const frozenRow = role?.node?.findLastIndex((one) => one === node) ?? -1;
  const frozen = frozenRow >= 0 && document.definitions[role.definition[frozenRow]].role !== "variable";
  if (frozen) {
    const line = steps.line[index.stepOf(role.seq[frozenRow])];
    return { kind: "frozen", line, title: `${name} is frozen${inLine(line)}`, words: `Line ${line} says that ${name} needs no gradient (\`requires_grad\` is False), so backward passes it by.`, tries: [`Leave line ${line} out if ${name} is to learn.`] };
  }
  const line = lineOf(index, node);
  const made = wholeSpan(index, nodes.span[node]);
  const copy = leaving(made);
  if (tensorflow) return { kind: "no variable", line, title: `${name} is a plain tensor`, words: `Line ${line} makes a constant tensor. A tape watches variables by itself, everything else only if it is told to, so there is no gradient for ${name}.`, tries: [`Make it a variable: \`tf.Variable(…)\`${inLine(line)}.`, `Or call \`tape.watch(${called(index, node)})\` first thing in the tape's block.`] };
  return { kind: "requires_grad", line, title: `${name} does not ask for a gradient`, words: `Line ${line} makes ${name} a plain tensor (\`requires_grad\` is False)${copy ? `, by \`${copy}\`` : ""}: autograd records nothing for it.`, tries: [`Write \`requires_grad=True\` where it is made${inLine(line)}.`, "Or make it an `nn.Parameter` of the module."] };
}

/** The loss was not made from it. @param {TraceIndex} index @param {Pass} pass @param {number} node @returns {Cause} */
export function noWay(index, pass, node) {
  const used = index.outputs[node].filter((e) => index.text(index.trace.edges.kind[e]) === "data" && index.definition(index.trace.edges.target[e]).role === "op" && index.host(index.trace.edges.target[e]) !== node);
  const name = nameOf(index, node);
  const reader = used.length ? index.trace.edges.target[used[used.length - 1]] : -1;
  return {
    kind: "not used", line: lineOf(index, reader >= 0 ? reader : node), title: `${nameOf(index, pass.loss)} does not depend on ${name}`,
    words: reader >= 0 ? `${name} is read by ${opAt(index, reader)}, but what comes of it never gets into ${nameOf(index, pass.loss)}.` : `No op ever reads ${name}: it is made and never used.`,
    tries: [reader >= 0 ? `Use the result of line ${lineOf(index, reader)} in the loss.` : "Use it in the computation, or leave it out."],
  };
}

