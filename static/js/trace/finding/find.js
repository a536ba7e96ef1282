/**
 * The find box's answers: what a few typed words mean in a recording, as rows. Pure: a row says what to do, the page does it.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {{do: "go", step: number, node: number} | {do: "ask", query: string} | {do: "stop", stop: import("../stops.js").Stop} | {do: "watch", text: string}
 *   | {do: "change", way: 1 | -1, text: string} | {do: "hint", at: number} | {do: "command", command: string} | {do: "none"}} Action
 * @typedef {{title: string, detail: string, place: string, node: number, action: Action}} Row   `node`: whose glyph stands before it, -1 for none
 * @typedef {{rows: Row[], note: string, steps: number[]}} Answer   `steps`: all steps that the words fit, where they are searched
 * @typedef {{step: number, selected: number, name: string, furthest?: number}} Here   `furthest`: the last step that may be shown, -1 for all
 * @typedef {{command: string, words: string, keys: string}} Command
 */
import { brief, count, rangeText, time } from "../format.js";
import { called, label } from "../names.js";
import { asText } from "../parts.js";
import { sentence } from "../sentences.js";
import { opsOf, places } from "../stops.js";
import { phaseLabel } from "../where.js";
import { answer, changesOf } from "../changes.js";
import { thingText } from "../asking/words.js";
import { resolve } from "../asking/lexical.js";
import { firstOdd } from "./oddities.js";
import { madeBy, subjectHere, subjectOf, usedBy } from "./origin.js";
import { slowest } from "./slowest.js";
import { searchSteps } from "./steptext.js";
import { shown, veiled } from "./veil.js";

const MOST = 40;
const MOST_COSTS = 12;

/** @param {TraceIndex} index @param {number} step */
export function placeOf(index, step) {
  const line = index.trace.steps.line[step];
  return `${line > 0 ? `line ${line}, ` : ""}step ${index.number(step)}`;
}

/** @param {string} title @param {Action} action @param {{detail?: string, place?: string, node?: number}} [more] @returns {Row} */
const row = (title, action, { detail = "", place = "", node = -1 } = {}) => ({ title, detail, place, node, action });

/** A row that goes to a step. @param {TraceIndex} index @param {number} step @param {number} node @param {string} title @param {string} [detail] */
const going = (index, step, node, title, detail = "") => row(title, { do: "go", step, node }, { detail, node, place: placeOf(index, step) });

/** @param {TraceIndex} index @param {number} value */
function range(index, value) {
  const held = index.trace.document.values[value];
  if (!held || held.python !== undefined || held.size === 1) return held ? brief(held) : "no value";
  return rangeText(held);
}

/** What a step is called in a list: its sentence, or the line that Python ran. @param {TraceIndex} index @param {number} step */
export function stepTitle(index, step) {
  const { steps, document } = index.trace;
  const text = index.text(steps.kind[step]) === "line" ? document.program.source.split("\n", steps.line[step])[steps.line[step] - 1]?.trim() : "";
  return text || asText(sentence(index, step));
}

/** The row about the first NaN or infinity. @param {TraceIndex} index @returns {Row} */
function oddRow(index) {
  const odd = firstOdd(index);
  if (!odd) return row("No NaN and no infinity in this recording", { do: "none" });
  const { document } = index.trace;
  const held = document.values[odd.value];
  const what = held?.python !== undefined ? brief(held) : [held?.nan ? count(held.nan, "NaN", "NaN") : "", held?.inf ? count(held.inf, "infinity", "infinities") : ""].filter(Boolean).join(" and ");
  const who = odd.node >= 0 ? called(index, odd.node) : odd.name;
  const op = odd.node >= 0 ? label(index, odd.node) : "";
  const from = odd.clean.map((one) => `${called(index, index.host(one.node))} is ${range(index, one.value)}`).join(", ");
  const spoilt = odd.spoilt.map((one) => called(index, index.host(one.node))).join(", ");
  const detail = spoilt ? `it read ${spoilt}, which held some` : from ? `what it read holds none: ${from}` : "";
  return going(index, odd.step, odd.node, `First NaN or infinity: ${op && op !== who ? `${op}, called ${who},` : who} holds ${what}`, detail);
}

/** A measured time; what the clock cannot tell is said to be under what it can. @param {number} ns @param {number} resolution */
const took = (ns, resolution) => (ns <= resolution ? `under ${time(resolution)}` : time(ns));

/** @param {TraceIndex} index @returns {Row[]} */
function slowestRows(index) {
  const { timer_ns: resolution } = index.trace.document.machine;
  const { costs, total } = slowest(index);
  return costs.slice(0, MOST_COSTS).map(({ node, step, runs, total: sum, longest, middle }) => {
    const name = called(index, node);
    const op = label(index, node);
    const share = total > 0 ? ` · ${Math.round((100 * sum) / total)} % of all kernel time` : "";
    const times = runs > 1 ? `${count(runs, "run")}: median ${took(middle, resolution)}, longest ${took(longest, resolution)}` : "one run";
    return going(index, step, node, `${op}${name !== op ? ` (${name})` : ""}: ${took(sum, resolution)}`, times + share);
  });
}

/** @param {TraceIndex} index @param {Here} here @returns {Row[]} */
function questions(index, here) {
  const { end } = index.trace.document;
  const rows = (end.hints ?? []).map((card, at) => row(card.title, { do: "hint", at }, { detail: `${card.explanation} ${card.tries.join(" ")}` }));
  rows.push(oddRow(index));
  const [cost] = slowest(index).costs;
  if (cost) rows.push(row("Which op takes longest?", { do: "ask", query: "slowest" }, { detail: `${label(index, cost.node)}, ${took(cost.total, index.trace.document.machine.timer_ns)} in ${count(cost.runs, "run")}` }));
  if (index.trace.count.phases > 1) rows.push(row("First step of each phase", { do: "ask", query: "phase" }, { detail: count(index.trace.count.phases, "phase") }));
  const name = here.name || subjectHere(index, here.step, here.selected)?.name;
  if (name) {
    rows.push(row(`Who made ${name}?`, { do: "ask", query: `made ${name}` }), row(`Who uses ${name}?`, { do: "ask", query: `used ${name}` }));
  }
  return rows;
}

/** @param {TraceIndex} index @returns {Row[]} */
function phaseRows(index) {
  const { phases } = index.trace;
  /** @type {Map<string, number>} */
  const seen = new Map();
  const rows = [];
  for (let p = 0; p < index.trace.count.phases; p++) {
    const name = index.text(phases.name[p]);
    seen.set(name, (seen.get(name) ?? 0) + 1);
    rows.push({ fresh: seen.get(name) === 1, row: going(index, phases.first[p], -1, phaseLabel(index, p), `${count(phases.last[p] - phases.first[p] + 1, "step")}${seen.get(name) === 1 ? "" : `, the ${seen.get(name)}. of its kind`}`) });
  }
  // The first of each kind stands above.
  return [...rows.filter((one) => one.fresh), ...rows.filter((one) => !one.fresh)].map((one) => one.row).slice(0, MOST);
}

/** @param {TraceIndex} index @param {Here} here @param {string} name @param {"made" | "used"} verb @returns {Answer} */
function originRows(index, here, name, verb) {
  const subject = name ? subjectOf(index, here.step, name) : subjectHere(index, here.step, here.selected);
  if (!subject) return { rows: [], note: name ? `${name} is no variable and no node at this step.` : "This step is about no value. Select a node or a variable, or type its name.", steps: [] };
  const deeds = (verb === "made" ? madeBy : usedBy)(index, here.step, subject);
  const rows = deeds.slice(0, MOST).map(({ step, node, why }) => going(index, step, node, node >= 0 && node !== subject.node ? `${label(index, node)}${called(index, node) !== label(index, node) ? ` (${called(index, node)})` : ""} ${why}` : `${node >= 0 ? label(index, node) : `Line ${index.trace.steps.line[step]}`} ${why}`, stepTitle(index, step)));
  return { rows, note: rows.length ? `${verb === "made" ? "What made" : "What uses"} ${subject.name}, as it is at step ${here.step + 1}.` : `Nothing ${verb === "made" ? "recorded made" : "uses"} ${subject.name} as it is at this step.`, steps: deeds.map((deed) => deed.step) };
}

/** Rows for a word that is the name of something. @param {TraceIndex} index @param {Here} here @param {string} word @returns {Row[]} */
function nameRows(index, here, word) {
  /** @type {Row[]} */
  const rows = [];
  const found = resolve(index, here.step, word);
  const known = found || [...index.bindings.byFrame.values()].some((list) => list.some((one) => one.name === word));
  if (known) {
    const changes = changesOf(index, word, here.step);
    rows.push(row(`Next change of ${word}`, { do: "change", way: 1, text: word }, { detail: `${count(changes.length, "change")} in all` }));
    if (found) rows.push(row(`Who made ${word}?`, { do: "ask", query: `made ${word}` }), row(`Who uses ${word}?`, { do: "ask", query: `used ${word}` }));
    rows.push(row(`Watch ${word}`, { do: "watch", text: word }));
  }
  return [...rows, ...stopRows(index, word)];
}

/** @param {TraceIndex} index @param {string} word @param {boolean} [exact] whether the engine's name is none @returns {Row[]} */
function stopRows(index, word, exact = false) {
  const low = word.toLowerCase();
  return opsOf(index).filter(({ op, engine }) => op.toLowerCase() === low || (!exact && engine === low)).map(({ op, steps }) => row(`Stop at every ${op}`, { do: "stop", stop: { kind: "op", op, when: "" } }, { detail: count(steps, "step") }));
}

/** @param {TraceIndex} index @param {number} line @returns {Answer} */
function lineRows(index, line) {
  /** @type {import("../stops.js").Stop} */
  const stop = { kind: "line", line, when: "" };
  const steps = places(index, stop);
  const rows = steps.slice(0, MOST).map((step) => going(index, step, -1, stepTitle(index, step)));
  if (steps.length) rows.unshift(row(`Stop at line ${line}`, { do: "stop", stop }, { detail: count(steps.length, "visit") }));
  return { rows, note: steps.length ? "" : `Line ${line} is never run.`, steps };
}

/** What a query asks with its first word, if it asks so. @param {TraceIndex} index @param {Here} here @param {string} query @returns {Answer | null} */
function asked(index, here, query) {
  const [, verb, rest] = /^(made|used|changes?|stop|watch|phases?|slowest|nan|line|step)\b\s*(.*)$/i.exec(query) ?? [];
  /** @param {Row[]} rows @param {string} [note] @returns {Answer} */
  const only = (rows, note = "") => ({ rows, note, steps: rows.flatMap((one) => (one.action.do === "go" ? [one.action.step] : [])) });
  switch (verb?.toLowerCase().replace(/s$/, "")) {
    case "made": return originRows(index, here, rest, "made");
    case "used": return originRows(index, here, rest, "used");
    case "slowest": return only(slowestRows(index), "Kernel time of this recording, by place in the graph, without what recording costs. Enter shows the longest run.");
    case "phase": return rest ? null : only(phaseRows(index));
    case "nan": return rest ? null : { ...only([oddRow(index)]), steps: [] };
    case "line": return /^\d+$/.test(rest) ? lineRows(index, Number(rest)) : null;
    case "step": {
      const step = Number(rest) - 1;
      return /^\d+$/.test(rest) && step >= 0 && step < index.stepCount ? only([going(index, step, -1, stepTitle(index, step))]) : null;
    }
    case "stop": {
      const line = /^(?:line )?(\d+)$/.exec(rest)?.[1];
      const ops = opsOf(index).filter(({ op, engine }) => `${op} ${engine}`.toLowerCase().includes(rest.toLowerCase()));
      const rows = line ? lineRows(index, Number(line)).rows.slice(0, 1) : ops.slice(0, MOST).flatMap(({ op }) => stopRows(index, op, true));
      const node = rest ? subjectOf(index, here.step, rest)?.node ?? -1 : subjectHere(index, here.step, here.selected)?.node ?? -1;
      if (node >= 0) rows.unshift(row(`Stop at node ${called(index, node)}`, { do: "stop", stop: { kind: "node", node: index.host(node), when: "" } }, { node, detail: count(places(index, { kind: "node", node, when: "" }).length, "step") }));
      return only(rows, rows.length ? "" : "No op, node or line of this program is called so.");
    }
    case "watch": return rest ? only([row(`Watch ${rest}`, { do: "watch", text: rest })]) : null;
    case "change": return rest ? changeRows(index, here, rest) : null;
    default: return null;
  }
}

/** @param {TraceIndex} index @param {Here} here @param {string} text @returns {Answer} */
function changeRows(index, here, text) {
  /** @type {number[]} */
  let steps;
  try {
    steps = changesOf(index, text, here.step);
  } catch (error) {
    return { rows: [], note: error instanceof Error ? error.message : "", steps: [] };
  }
  const from = Math.max(0, steps.findIndex((k) => k > here.step) - 2);
  /** @param {number} k */
  const held = (k) => {
    const { thing } = answer(index, text, k);
    return thing === undefined ? "not known" : thingText(thing);
  };
  return { rows: steps.slice(from, from + MOST).map((step, i) => going(index, step, -1, `${from + i > 0 ? `${held(steps[from + i - 1])} → ` : ""}${held(step)}`)), note: steps.length ? `${text} changes at ${count(steps.length, "step")}.` : `${text} never changes, or is not known in this program.`, steps };
}

/** What could be asked here instead, of things that this recording has. @param {TraceIndex} index @returns {Row[]} */
function suggestions(index) {
  const { assigned } = index.trace.events;
  const name = index.text(assigned?.name?.at(-1) ?? -1);
  const op = opsOf(index)[0]?.op;
  const queries = [name && `change ${name}`, op && `stop ${op}`, index.trace.count.nodes > 0 ? "slowest" : "line 1"];
  return queries.flatMap((query) => (query ? [row(query, { do: "ask", query }, { detail: "for example" })] : []));
}

/**
 * What a query finds.
 * @param {TraceIndex} index @param {string} query @param {Here} here @param {Command[]} [commands] what the page can do besides
 * @returns {Answer}
 */
export function find(index, query, here, commands = []) {
  return veiled(found(index, query.trim(), here, commands), query.trim(), here.furthest);
}

/** @param {TraceIndex} index @param {string} text @param {Here} here @param {Command[]} commands @returns {Answer} */
function found(index, text, here, commands) {
  if (!text) return { rows: questions(index, here), note: "Type to search steps, ops, names, values, output. Or: made x, used x, change x, stop matmul, watch x.mean, line 7, step 40.", steps: [] };
  const direct = asked(index, here, text);
  if (direct) return direct;
  const low = text.toLowerCase();
  const words = low.split(/\s+/);
  const fits = /** @param {string} said */ (said) => words.every((word) => said.toLowerCase().includes(word));
  const steps = shown(searchSteps(index, text), here.furthest);
  const from = Math.max(0, Math.min(steps.findIndex((k) => k >= here.step), steps.length - MOST));
  const hits = steps.slice(from, from + MOST).map((step) => going(index, step, -1, stepTitle(index, step)));
  const doing = [
    ...(/^\d+$/.test(text) ? [...(asked(index, here, `step ${text}`)?.rows ?? [])] : []),
    ...nameRows(index, here, text),
    ...questions(index, here).filter((one) => text.length > 2 && fits(`${one.title} ${one.detail}`) && !one.title.startsWith("Who ")),
    ...commands.filter((one) => text.length > 1 && fits(one.words)).map((one) => row(one.words, { do: "command", command: one.command }, { place: one.keys })),
  ];
  if (!steps.length && !doing.length) return { rows: suggestions(index), note: "Nothing is called so, says so or prints so in this recording. Ask for example what stands above.", steps };
  const note = steps.length ? `${count(steps.length, "step")}${steps.length > hits.length ? `, ${hits.length} of them are listed${from ? " from here on" : ""}` : ""}.` : "";
  return { rows: [...doing.slice(0, 8), ...hits], note, steps };
}

/** Whether a query means the same at every step, so that it can be kept and gone through. @param {string} query */
export const keeps = (query) => query.trim() !== "" && !/^(?:made|used|stop|watch|nan)\b/i.test(query.trim());

/** The next or previous step that a query fits, from the other end where there is none. @param {TraceIndex} index @param {string} query @param {Here} here @param {1 | -1} way */
export function byMatch(index, query, here, way) {
  const steps = [...find(index, query, here).steps].sort((a, b) => a - b);
  if (!keeps(query) || !steps.length) return null;
  return way > 0 ? steps.find((k) => k > here.step) ?? steps[0] : steps.findLast((k) => k < here.step) ?? steps[steps.length - 1];
}
