/**
 * Finding nodes by what one remembers of them: variable, op, framework's name, scope, line.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {{node: number, slot: number, title: string, op: string, line: number, scope: string, score: number}} Found
 */
import { called, label, variable } from "./names.js";
import { around, scopesOf } from "./scopes.js";

/** @type {WeakMap<TraceIndex, {node: number, slot: number, title: string, op: string, line: number, scope: string, strong: string, text: string}[]>} */
const ENTRIES = new WeakMap();

/** One entry a slot, for the first of its nodes. @param {TraceIndex} index */
function entries(index) {
  let list = ENTRIES.get(index);
  if (!list) {
    const { nodes, spans } = index.trace;
    list = index.slotNodes.flatMap((members, slot) => {
      const node = members[0];
      if (node === undefined || nodes.serves[node] >= 0) return [];
      const title = called(index, node);
      const op = label(index, node);
      const name = index.text(nodes.name[node]);
      const scope = index.text(nodes.scope[node]);
      const line = nodes.span[node] >= 0 ? spans.line[nodes.span[node]] : -1;
      const strong = [variable(index, node), op, name.split("/").pop() ?? ""].join(" ").toLowerCase();
      return [{ node, slot, title, op, line, scope: around(scopesOf(index, nodes.graph[node]), slot).map((id) => scopesOf(index, nodes.graph[node]).scopes[id].label).slice(-3).join(" › "), strong, text: `${strong} ${index.definition(node).op} ${name} ${scope} ${line > 0 ? `line ${line} :${line}` : ""}`.toLowerCase() }];
    });
    ENTRIES.set(index, list);
  }
  return list;
}

/**
 * The nodes that a few words fit, the best first: every word must fit somewhere, a name that begins so counts most.
 * @param {TraceIndex} index @param {string} query @param {number} [most]
 * @returns {{found: Found[], total: number}}
 */
export function lookup(index, query, most = 40) {
  const words = query.toLowerCase().trim().split(/\s+/).filter(Boolean);
  if (!words.length) return { found: [], total: 0 };
  const line = /^(?:line ?|:)(\d+)$/.exec(query.toLowerCase().trim())?.[1];
  /** @type {Found[]} */
  const out = [];
  for (const { strong, text, ...entry } of entries(index)) {
    if (line ? entry.line !== Number(line) : !words.every((word) => text.includes(word))) continue;
    const first = words[0];
    const names = strong.split(" ");
    const score = names[0] === first ? 0 : names.includes(first) ? 1 : names.some((name) => name.startsWith(first)) ? 2 : strong.includes(first) ? 3 : 4;
    out.push({ ...entry, score });
  }
  out.sort((a, b) => a.score - b.score || a.node - b.node);
  return { found: out.slice(0, most), total: out.length };
}
