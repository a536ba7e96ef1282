/**
 * A loop pass by pass: what its names (a loop of the program) or its ops (a loop of a static graph) held at the end of each.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {import("./looppasses.js").Pass} Pass
 * @typedef {import("./scopes.js").Scope} Scope
 * @typedef {{pass: number, step: number, state: "done" | "now" | "later", values: number[]}} Row   `pass` from 1; `values`: -1 where there is none yet
 * @typedef {{columns: string[], rows: Row[], left: number}} LoopTable   `left`: columns that did not fit
 */
import { lastBefore } from "./index.js";
import { loopPasses } from "./looppasses.js";
import { label, variable } from "./names.js";
import { activationOf } from "./regions.js";
import { sceneAt } from "./scene.js";

const MOST_COLUMNS = 8;
const DULL = new Set(["module", "function", "type", "builtin_function_or_method"]);

/** Whether a scope is a loop that has such a table. @param {import("./scopes.js").ScopeTree} tree @param {Scope} scope */
export const isLoop = (tree, scope) => scope.kind === "loop" || bodyOf(tree, scope) >= 0;

/** The region of a static loop's body, -1 for everything else. @param {import("./scopes.js").ScopeTree} tree @param {Scope} scope */
function bodyOf(tree, scope) {
  if (scope.kind !== "control") return -1;
  return scope.children.map((id) => tree.scopes[id]).find((one) => one.label === "body")?.region ?? -1;
}

/** @param {TraceIndex} index @param {import("./scopes.js").ScopeTree} tree @param {Scope} scope @param {number} step @returns {LoopTable | null} null where the loop has not begun */
export function loopTable(index, tree, scope, step) {
  const body = bodyOf(tree, scope);
  if (body >= 0) return ofGraph(index, body, step);
  const activation = Number(/loop (\d+)$/.exec(scope.key)?.[1] ?? -1);
  const found = loopPasses(index).get(activation);
  return found ? ofProgram(index, found.passes, step) : null;
}

/** @param {TraceIndex} index @param {Pass[]} passes @param {number} step @param {{name: string, at: (limit: number, pass: Pass) => number}[]} columns @returns {LoopTable} */
function table(index, passes, step, columns) {
  const limit = index.limit(step);
  const shown = columns.slice(0, MOST_COLUMNS);
  return {
    columns: shown.map(({ name }) => name), left: columns.length - shown.length,
    rows: passes.map((pass, i) => ({ pass: i + 1, step: index.stepOf(pass.from), state: pass.from >= limit ? "later" : pass.to > limit ? "now" : "done", values: shown.map(({ at }) => (pass.from >= limit ? -1 : at(Math.min(limit, pass.to), pass))) })),
  };
}

/** The names that the loop's own function binds in it. @param {TraceIndex} index @param {Pass[]} passes @param {number} step */
function ofProgram(index, passes, step) {
  const from = passes[0].from;
  const to = passes[passes.length - 1].to;
  const frame = index.trace.steps.frame[index.stepOf(from)] ?? 0;
  const document = index.trace.document;
  const named = (index.bindings.byFrame.get(frame) ?? []).filter(({ history }) => history.some(({ seq, node, value }) => seq >= from && seq < to && !(node < 0 && DULL.has(document.values[value]?.python ?? ""))));
  const first = /** @param {typeof named[0]} one */ ({ history }) => history.find(({ seq }) => seq >= from)?.seq ?? 0;
  named.sort((a, b) => first(a) - first(b));
  return table(index, passes, step, named.map(({ name, history }) => ({
    name,
    at: (limit, pass) => {
      const last = lastBefore(history, limit);
      if (!last || last.gone || last.seq < pass.from) return -1;
      return last.node < 0 ? last.value : lastBefore(index.values[last.node], limit)?.value ?? -1;
    },
  })));
}

/** The ops of the condition and the body, those with a name of the student's first. @param {TraceIndex} index @param {number} body @param {number} step */
function ofGraph(index, body, step) {
  const { nodes, regions } = index.trace;
  const passes = activationOf(index, sceneAt(index, step), body);
  if (!passes.length) return null;
  const parts = regions.node.flatMap((node, region) => (node === regions.node[body] ? [region] : []));
  /** @type {Set<string>} */
  const seen = new Set();
  // Of what only hands a value on, the first that has the student's name stands for it.
  const ops = Array.from({ length: index.trace.count.nodes }, (_, node) => node).filter((node) => {
    if (!parts.includes(nodes.region[node]) || nodes.serves[node] >= 0 || !index.values[node].some(({ table: kind }) => kind === "ran")) return false;
    const name = variable(index, node);
    if (index.definition(node).role !== "op" && (!name || seen.has(name))) return false;
    if (name) seen.add(name);
    return true;
  });
  const named = /** @param {number} node */ (node) => (variable(index, node) ? 0 : 1);
  ops.sort((a, b) => named(a) - named(b) || a - b);
  return table(index, passes, step, ops.map((node) => ({
    name: variable(index, node) || label(index, node),
    at: (limit, pass) => {
      const last = lastBefore(index.values[node], limit);
      return last && last.seq >= pass.from ? last.value : -1;
    },
  })));
}
