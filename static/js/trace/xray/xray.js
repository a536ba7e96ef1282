/**
 * The learning X-ray: why a parameter does not learn, or that it does. A query over the trace: pure, nothing is replayed.
 *
 *     const { verdict, title, words, tries, path } = xray(index, node, step);
 *
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./links.js").Link} Link
 * @typedef {import("./cuts.js").Cause} Cause
 * @typedef {import("./passes.js").Pass} Pass
 * @typedef {"learns" | "cut" | "faint" | "unchanged" | "nothing"} Verdict   cut: no gradient arrives; faint: it is 0, vanished or no number; unchanged: it arrives and is not used
 * @typedef {{node: number, name: string, verdict: Verdict, title: string, words: string, kind: string, tries: string[], line: number, loss: number, path: Link[], cut: Link | null, at: number, step: number}} Finding
 *   `path`: from the loss to the parameter; `cut`: the link that the finding is about; `at`: the node where it is to be marked, -1 for none; `step`: where to look at it; code in texts stands in backticks
 */
import { num } from "../format.js";
import { called } from "../names.js";
import { asks, copiedFrom, waysFrom } from "./links.js";
import { causeOf, nameOf, neverAsked, notBegun, noWay } from "./cuts.js";
import { piledUp, rising, stretched } from "./notes.js";
import { passAt, passesOf } from "./passes.js";
import { notANumber, subtracted, vanished, zeroCause } from "./shrinking.js";
import { stopped } from "./stopped.js";
import { movedWords, updated } from "./updates.js";
import { leaving, wholeSpan } from "./text.js";

const CUTS = new Set(["detached", "unrecorded", "unasked", "copied"]);

/** Everything that could learn: parameters and variables, and what the program treats as one though it is none. @param {TraceIndex} index @returns {number[]} */
export function subjects(index) {
  let all = SUBJECTS.get(index);
  if (!all) SUBJECTS.set(index, (all = lookForSubjects(index)));
  return all;
}

/** @type {WeakMap<TraceIndex, number[]>} */
const SUBJECTS = new WeakMap();

/** @param {TraceIndex} index */
function lookForSubjects(index) {
  const { nodes, count, events } = index.trace;
  const changed = new Set((events.written?.node ?? []).filter((_, row) => index.text(events.written.how[row]) !== "initial"));
  const once = new Set((events.role?.node ?? []));
  const out = [];
  const outside = new Set(captured(index).values());
  for (let node = 0; node < count.nodes; node++) {
    const { role } = index.definition(node);
    if (outside.has(node) || nodes.plan[node] >= 0 || nodes.serves[node] >= 0) continue;
    if ((role === "variable" && !isCopy(index, node) && !isSlot(index, node)) || (role === "input" && (changed.has(node) || once.has(node) || asked(index, node)))) out.push(node);
  }
  return out;
}

/** @type {WeakMap<TraceIndex, Map<number, number>>} */
const CAPTURED = new WeakMap();

/** Variables inside a traced function, with the variable of the program that each stands for. @param {TraceIndex} index */
function captured(index) {
  let all = CAPTURED.get(index);
  if (!all) {
    CAPTURED.set(index, (all = new Map()));
    const { nodes, count } = index.trace;
    const variable = /** @param {number} node @param {boolean} fixed */ (node, fixed) => index.definition(node).role === "variable" && index.isStatic(nodes.graph[node]) === fixed;
    for (let node = 0; node < count.nodes; node++) {
      if (!variable(node, true) || index.definition(node).label !== "Placeholder") continue;
      const outer = copiedFrom(index, node).filter((one) => variable(one, false));
      if (outer.length === 1) all.set(node, outer[0]);
    }
  }
  return all;
}

/** What an optimizer keeps for itself was made where its gradients were. @param {TraceIndex} index @param {number} node */
function isSlot(index, node) {
  const { nodes } = index.trace;
  return index.isStatic(nodes.graph[node]) && nodes.span[node] >= 0 && gradientSpans(index).has(nodes.span[node]);
}

/** @type {WeakMap<TraceIndex, Set<number>>} */
const SPANS = new WeakMap();

/** @param {TraceIndex} index */
function gradientSpans(index) {
  let spans = SPANS.get(index);
  if (!spans) SPANS.set(index, (spans = new Set(index.trace.nodes.span.filter((_, node) => index.definition(node).role === "gradient"))));
  return spans;
}

/** @type {WeakMap<TraceIndex, Map<number, string>>} */
const NAMES = new WeakMap();

/** What the parameters are called, each differently: `weight` of `first = nn.Linear(…)` is `first.weight` where there are several. @param {TraceIndex} index */
function namesOf(index) {
  let names = NAMES.get(index);
  if (!names) {
    const { document, nodes, spans } = index.trace;
    const lines = document.program.source.split("\n");
    const all = subjects(index);
    /** @param {(node: number) => string} name */
    const several = (name) => new Set(all.map(name).filter((one, i, list) => list.indexOf(one) !== i));
    const twice = several((node) => called(index, node));
    /** @param {number} node */
    const owned = (node) => {
      const name = called(index, captured(index).get(node) ?? node);
      const owner = twice.has(name) ? /^\s*([\w.]+)\s*=[^=]/.exec(lines[spans.line[nodes.span[node]] - 1] ?? "")?.[1] : "";
      return owner && owner !== name && !name.startsWith(`${owner}.`) ? `${owner}.${name}` : name;
    };
    const still = several(owned);
    /** @type {Map<string, number>} */
    const counts = new Map();
    names = new Map(all.map((node) => {
      const name = still.has(owned(node)) ? called(index, node) : owned(node);
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return [node, still.has(owned(node)) ? `${name} (${counts.get(name)})` : name];
    }));
    NAMES.set(index, names);
  }
  return names;
}

/** A tensor that was made in a pass from numbers of others is no parameter, whatever it asks for. @param {TraceIndex} index @param {number} node */
const isCopy = (index, node) => index.trace.nodes.episode[node] >= 0 && leaving(wholeSpan(index, index.trace.nodes.span[node])) !== "";

/** Whether the program asks for the gradient of a plain tensor by its name. @param {TraceIndex} index @param {number} node */
function asked(index, node) {
  const name = called(index, node);
  if (!/^\w+$/.test(name)) return false;
  const { source } = index.trace.document.program;
  return new RegExp(`\\b${name}\\.(?:grad|assign_sub)\\b|\\bgradients?\\s*\\([^)]*[\\[,(]\\s*${name}\\s*[\\],)]|\\b(?:optim\\.\\w+|SGD|Adam\\w*|RMSprop)\\s*\\(\\s*\\[[^\\]]*\\b${name}\\b`).test(source);
}

/** @type {WeakMap<TraceIndex, Map<string, ReturnType<typeof waysFrom>>>} */
const WAYS = new WeakMap();

/** @param {TraceIndex} index @param {Pass} pass */
function ways(index, pass) {
  let all = WAYS.get(index);
  if (!all) WAYS.set(index, (all = new Map()));
  const key = `${pass.loss} ${pass.from} ${pass.run}`;
  let found = all.get(key);
  if (!found) {
    if (all.size > 8) all.clear();
    all.set(key, (found = waysFrom(index, pass)));
  }
  return found;
}

/** @type {WeakMap<TraceIndex, Pass[]>} */
const PASSES = new WeakMap();

/** @param {TraceIndex} index */
function known(index) {
  let passes = PASSES.get(index);
  if (!passes) PASSES.set(index, (passes = passesOf(index)));
  return passes;
}

/** Why a parameter does not learn in the pass that a step means, or that it does. @param {TraceIndex} index @param {number} node @param {number} step @returns {Finding} */
export function xray(index, node, step) {
  const passes = known(index);
  const pass = passAt(index, passes, step);
  /** @param {Verdict} verdict @param {Cause} cause @param {Link[]} path @param {Link | null} cut @returns {Finding} */
  const is = (verdict, cause, path, cut) => ({ node, name: namesOf(index).get(node) ?? called(index, node), verdict, ...named(index, node, cause), loss: pass?.loss ?? -1, path, cut, at: markAt(index, node, verdict, cause, path, cut), step: cause.kind === "stopped" ? index.stepCount - 1 : where(index, pass, cut) });
  if (!pass) return is("nothing", { kind: "no loss", line: -1, title: "There is nothing to learn from", words: "This recording holds no gradient and no value called a loss.", tries: ["Compute a loss, and let its gradient be computed."] }, [], null);
  const path = ways(index, pass).way(node);
  if (!path) return is("cut", asks(index, node) || pass.loss === node ? noWay(index, pass, node) : neverAsked(index, node), [], null);
  const cut = path.find((link) => CUTS.has(link.state));
  if (cut) return is("cut", (cut.state === "unasked" && stopped(index, pass)) || causeOf(index, pass, cut, node), path, cut);
  if (!asks(index, node) && !pass.fixed) return is("cut", neverAsked(index, node), path, path.at(-1) ?? null);
  if (!pass.ran) return is("cut", stopped(index, pass) ?? notBegun(index, pass), path, path[0] ?? null);
  const odd = notANumber(index, path);
  if (odd) return is("faint", odd.cause, path, odd.link);
  const useless = subtracted(index, path);
  if (useless) return is("faint", useless.cause, path, useless.link);
  const zero = path.find((link) => link.state === "zero");
  if (zero) return is("faint", zeroCause(index, pass, zero), path, zero);
  const next = passes.find((one) => one.from > pass.from) ?? null;
  const { cause, moved } = updated(index, pass, next, node);
  if (cause) return is("unchanged", cause, path, null);
  const faint = vanished(index, path);
  if (faint) return is("faint", faint.cause, path, faint.link);
  const size = path.findLast((link) => link.size !== null)?.size;
  return is("learns", { kind: "learns", line: -1, title: `\`${namesOf(index).get(node) ?? called(index, node)}\` learns`, words: `A gradient arrives from ${nameOf(index, pass.loss)} over ${path.length} ${path.length === 1 ? "edge" : "edges"}${size === undefined || size === null ? "" : `; its largest entry is ${num(size)}`}${movedWords(moved)}.`, tries: [] }, path, null);
}

/** The node that wears the mark: a stop_gradient itself, else what reads across the cut, else the parameter. @param {TraceIndex} index @param {number} node @param {Verdict} verdict @param {Cause} cause @param {Link[]} path @param {Link | null} cut */
function markAt(index, node, verdict, cause, path, cut) {
  if (!cut) return path.length || verdict === "learns" ? -1 : node;
  return cause.kind === "stop_gradient" && index.definition(cut.source).op === "stop_gradient" ? cut.source : cut.reader;
}

/** The same words with the name that tells a parameter from others of its name. @param {TraceIndex} index @param {number} node @param {Cause} cause @returns {Cause} */
function named(index, node, cause) {
  const name = namesOf(index).get(node);
  const plain = called(index, node);
  if (!name || name === plain) return cause;
  const better = /** @param {string} text */ (text) => text.replaceAll(`\`${plain}\``, `\`${name}\``);
  return { ...cause, title: better(cause.title), words: better(cause.words), tries: cause.tries.map(better) };
}

/** What is the same for all steps of a pass; findings at two steps with one key are equal. @param {TraceIndex} index @param {number} step */
export function passKey(index, step) {
  const pass = passAt(index, known(index), step);
  return pass ? `${pass.loss} ${pass.from} ${pass.run}` : "";
}

/** The step at which a finding is to be seen: when its op ran, else when the pass began. @param {TraceIndex} index @param {Pass | null} pass @param {Link | null} cut */
function where(index, pass, cut) {
  if (!pass) return -1;
  if (cut) {
    const ran = index.values[cut.reader].find((one) => pass.run < 0 || one.run === pass.run);
    return index.stepOf(ran?.seq ?? index.trace.nodes.seq[cut.reader]);
  }
  return index.stepOf(Math.min(pass.from, Number.MAX_SAFE_INTEGER));
}

/** Whether the program, or the call that made the loss, keeps something there. @param {TraceIndex} index @param {number} node @param {number} loss */
function isState(index, node, loss) {
  const { events, nodes } = index.trace;
  const own = /\.(?:compile|fit|evaluate)\s*\(/.test(wholeSpan(index, nodes.span[node]));
  return own || (loss >= 0 && nodes.span[node] === nodes.span[loss]) || index.values[node].filter((one) => one.table === "written" && index.text(events.written.how[one.row]) !== "initial").length > 0;
}

/**
 * Why the loss does not fall: what is wrong in the whole pass, then every parameter.
 * @param {TraceIndex} index @param {number} step
 * @returns {{notes: import("./notes.js").Note[], findings: Finding[]}}
 */
export function whyNot(index, step) {
  const passes = known(index);
  const pass = passAt(index, passes, step);
  const all = subjects(index);
  const notes = pass ? [...stretched(index, ways(index, pass).links), ...piledUp(index, passes, all), ...rising(index, passes)] : [];
  const findings = all.map((node) => xray(index, node, step));
  // What the program writes and no loss is made from keeps a state (a metric, a counter); it is not meant to learn.
  return { notes, findings: findings.filter((one) => one.kind !== "not used" || !isState(index, one.node, one.loss)) };
}
