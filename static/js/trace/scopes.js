/**
 * The scopes that nodes lie in: modules, name scopes, calls of functions, loops that grow one graph, their passes, calls that ran as one batch.
 * A pure function of the index; a slot lies where the first of its nodes does.
 * @typedef {import("./index.js").TraceIndex} TraceIndex
 * @typedef {"module" | "name" | "function" | "loop" | "pass" | "control" | "branch" | "batch"} Kind
 * @typedef {{key: string, label: string, kind: Kind, start: number, region?: number}} Part   one piece of a path; `start`: when it began
 * @typedef {{id: number, key: string, label: string, kind: Kind, parent: number, children: number[], slots: number[], all: number[], depth: number, region: number}} Scope   `region`: the branch or loop part of a static graph, -1 for others
 * @typedef {{scopes: Scope[], of: Map<number, number>}} ScopeTree   `of`: the innermost scope of a slot
 */
import { frameEnds, loopPasses } from "./looppasses.js";

const METHODS = new Set(["forward", "__call__", "call", "__init__", "<module>", "<lambda>", "<listcomp>"]);

/** @type {WeakMap<TraceIndex, Map<number, ScopeTree>>} */
const TREES = new WeakMap();

/** @param {TraceIndex} index @param {number} graph @returns {ScopeTree} */
export function scopesOf(index, graph) {
  let trees = TREES.get(index);
  if (!trees) TREES.set(index, (trees = new Map()));
  let tree = trees.get(graph);
  if (!tree) trees.set(graph, (tree = plant(index, graph)));
  return tree;
}

/** The scopes round a slot, the outermost first. @param {ScopeTree} tree @param {number} slot */
export function around(tree, slot) {
  const out = [];
  for (let at = tree.of.get(slot) ?? -1; at >= 0; at = tree.scopes[at].parent) out.unshift(at);
  return out;
}

/** What a scope is, in words. @param {Scope} scope */
export function scopeWords(scope) {
  const kinds = { module: "module", name: "name scope", function: "call of", loop: "loop", pass: "", control: "control flow", branch: "branch", batch: "batch at" };
  return `${kinds[scope.kind]} ${scope.label}`.trim();
}

/** @param {TraceIndex} index @param {number} graph @returns {ScopeTree} */
function plant(index, graph) {
  const { nodes } = index.trace;
  const paths = pathsOf(index);
  /** @type {Map<string, {part: Part, parent: string, slots: number[]}>} */
  const found = new Map();
  /** @type {Map<number, string>} */
  const inner = new Map();
  index.slotNodes.forEach((members, slot) => {
    const node = members[0];
    if (node === undefined || nodes.graph[node] !== graph || nodes.serves[node] >= 0) return;
    let parent = "";
    for (const part of paths(node)) {
      const key = `${parent}\u0001${part.key}`;
      if (!found.has(key)) found.set(key, { part, parent, slots: [] });
      parent = key;
    }
    if (!parent) return;
    inner.set(slot, parent);
    found.get(parent)?.slots.push(slot);
  });
  return tidy(found, inner);
}

/**
 * Drops scopes that hold but one op, joins those that hold nothing but another.
 * @param {Map<string, {part: Part, parent: string, slots: number[]}>} found @param {Map<number, string>} inner @returns {ScopeTree}
 */
function tidy(found, inner) {
  /** @type {Map<string, string[]>} */
  const below = new Map();
  for (const [key, { parent }] of found) {
    const keys = below.get(parent);
    if (keys) keys.push(key);
    else below.set(parent, [key]);
  }
  /** @type {Map<string, number>} */
  const size = new Map();
  for (const [key] of [...found].reverse()) size.set(key, (found.get(key)?.slots.length ?? 0) + (below.get(key) ?? []).reduce((sum, child) => sum + (size.get(child) ?? 0), 0));
  /** @type {Scope[]} */
  const scopes = [];
  /** @type {Map<string, number>} */
  const ids = new Map();
  for (const [key, { part, parent, slots }] of found) {
    const over = ids.get(parent) ?? -1;
    const total = size.get(key) ?? 0;
    const outer = scopes[over];
    const only = outer && !outer.slots.length && (below.get(parent) ?? []).length === 1;
    if (part.kind !== "branch" && part.kind !== "batch" && (total < 3 || (only && part.kind === "loop"))) {
      ids.set(key, over);
      if (outer) outer.slots.push(...slots);
    } else if (only && part.kind !== "branch" && outer.kind !== "branch") {
      outer.label = outer.kind === "pass" ? `${outer.label}: ${part.label}` : `${outer.label}/${part.label}`;
      outer.slots.push(...slots);
      ids.set(key, over);
    } else {
      const id = scopes.length;
      scopes.push({ id, key, label: part.label, kind: part.kind, parent: over, children: [], slots: [...slots], all: [], depth: outer ? outer.depth + 1 : 0, region: part.region ?? -1 });
      if (outer) outer.children.push(id);
      ids.set(key, id);
    }
  }
  for (const scope of [...scopes].reverse()) scope.all = [...scope.slots, ...scope.children.flatMap((child) => scopes[child].all)];
  for (const scope of scopes) if (scope.kind === "loop") scope.label = `${scope.label} × ${scope.children.length || 1}`;
  /** @type {Map<number, number>} */
  const of = new Map();
  for (const [slot, key] of inner) if ((ids.get(key) ?? -1) >= 0) of.set(slot, ids.get(key) ?? -1);
  return { scopes, of };
}

/** @param {TraceIndex} index @returns {(node: number) => Part[]} */
function pathsOf(index) {
  const { nodes, edges } = index.trace;
  const spans = intervals(index);
  const batches = batchParts(index);
  /** @type {Map<number, Part[]>} */
  const known = new Map();
  const path = /** @param {number} node @returns {Part[]} */ (node) => {
    let parts = known.get(node);
    if (parts) return parts;
    known.set(node, []);
    parts = find(node);
    known.set(node, parts);
    return parts;
  };
  const readers = /** @param {number} node */ (node) => index.outputs[node].map((e) => index.host(edges.target[e])).filter((n) => n !== node && index.definition(n).role === "op");
  /** @param {number} node @returns {Part[]} */
  const find = (node) => {
    const { role } = index.definition(node);
    const mirrored = nodes.mirrors[node];
    if ((role === "gradient" || role === "accumulate") && mirrored >= 0 && mirrored !== node) return path(index.host(mirrored));
    const batch = batches.get(node);
    if (batch) return [batch];
    const fixed = index.isStatic(nodes.graph[node]);
    const written = index.text(nodes.scope[node]) || (fixed ? folder(index.text(nodes.name[node])) : "");
    const named = written.split("/").filter(Boolean).map((word) => /** @type {Part} */ ({ key: word, label: word, kind: fixed ? "name" : "module", start: 0 }));
    const held = regionParts(index, node);
    // A decision's name scope says what its regions say.
    if (fixed) return held.length ? held : named;
    if (role === "variable") {
      const common = readers(node).map(path).reduce((/** @type {Part[] | null} */ a, b) => (a ? a.slice(0, shared(a, b)) : b), null) ?? [];
      const last = common.findLastIndex((part) => part.kind === "module");
      return common.slice(0, last + 1);
    }
    if (role === "update") {
      const target = index.inputs[node].map((e) => edges.source[e]).find((n) => index.definition(n).role === "variable");
      return target === undefined ? [] : path(target);
    }
    const calls = spans(nodes.seq[node]).filter((part) => !(named.length && part.kind === "function" && METHODS.has(part.label.replace("()", ""))));
    return [...calls.filter((part) => !METHODS.has(part.label.replace("()", ""))), ...named];
  };
  return path;
}

/** Calls of a cell that ran as one: the nodes that did it, with how many rows they had. @param {TraceIndex} index */
function batchParts(index) {
  const rows = index.trace.events.batched ?? { seq: [] };
  /** @type {Map<number, Part>} */
  const of = new Map();
  rows.seq.forEach((seq, row) => {
    const label = `depth ${rows.depth[row]}: ${index.text(rows.function[row])} × ${rows.rows[row]}`;
    for (const node of index.trace.document.lists[rows.nodes[row]] ?? []) of.set(node, { key: `batch ${row}`, label, kind: "batch", start: seq });
  });
  return of;
}

/** The decisions and loops of a static graph that a node lies in, each with its branch or part. @param {TraceIndex} index @param {number} node @returns {Part[]} */
function regionParts(index, node) {
  const { nodes, regions } = index.trace;
  /** @type {Part[]} */
  const out = [];
  for (let region = nodes.region?.[node] ?? -1, hops = 0; region >= 0 && hops < 64; region = regions.parent[region], hops++) {
    const name = index.text(regions.name[region]);
    out.unshift({ key: `region ${region}`, label: name === "true" ? "if true" : name === "false" ? "if false" : name, kind: "branch", start: 0, region });
    if (regions.node[region] >= 0) out.unshift(controlPart(index, index.host(regions.node[region])));
  }
  const own = regions.node?.some((runner) => runner >= 0 && index.host(runner) === node);
  if (own) out.push(controlPart(index, node));
  return out;
}

/** @param {TraceIndex} index @param {number} node @returns {Part} */
const controlPart = (index, node) => ({ key: `control ${node}`, label: index.definition(node).label.replace("_loop", ""), kind: "control", start: 0 });

/** `while` or `for`, as the program says. @param {TraceIndex} index @param {number} line */
const keyword = (index, line) => (/^\s*(async\s+)?while\b/.test(index.trace.document.program.source.split("\n")[line - 1] ?? "") ? "while" : "for");

/** @param {string} name */
const folder = (name) => name.split("/").slice(0, -1).join("/");

/** @param {Part[]} a @param {Part[]} b */
function shared(a, b) {
  let n = 0;
  while (n < a.length && n < b.length && a[n].key === b[n].key) n++;
  return n;
}

/**
 * Calls and passes that were going on at a moment, the outermost first.
 * @param {TraceIndex} index @returns {(seq: number) => Part[]}
 */
function intervals(index) {
  const { events, frames, loops } = index.trace;
  /** @type {{from: number, to: number, part: Part, outer?: Part}[]} */
  const all = [];
  const ends = frameEnds(index);
  (events.called?.seq ?? []).forEach((seq, row) => {
    const frame = events.called.frame[row];
    const label = `${index.text(frames.function[frame]).split(".").pop()}()`;
    all.push({ from: seq, to: ends.get(frame) ?? Infinity, part: { key: `call ${frame}`, label, kind: "function", start: seq } });
  });
  for (const [activation, { loop, passes }] of loopPasses(index)) {
    const outer = /** @type {Part} */ ({ key: `loop ${activation}`, label: keyword(index, loops.line[loop]), kind: "loop", start: passes[0].from - 0.5 });
    passes.forEach(({ from, to }, i) => all.push({ from, to, outer, part: { key: `pass ${i}`, label: `pass ${i + 1}`, kind: "pass", start: from } }));
  }
  all.sort((a, b) => a.from - b.from || b.to - a.to);
  // Intervals nest, so those that hold a moment are found by walking out from the last that began before it.
  const outerOf = new Int32Array(all.length).fill(-1);
  /** @type {number[]} */
  const open = [];
  all.forEach((one, i) => {
    while (open.length && all[open[open.length - 1]].to <= one.from) open.pop();
    outerOf[i] = open.length ? open[open.length - 1] : -1;
    open.push(i);
  });
  return (seq) => {
    let low = 0;
    let high = all.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (all[middle].from <= seq) low = middle + 1;
      else high = middle;
    }
    /** @type {Part[]} */
    const out = [];
    for (let i = low - 1; i >= 0; i = outerOf[i]) {
      if (all[i].to <= seq) continue;
      out.unshift(all[i].part);
      const { outer } = all[i];
      if (outer) out.unshift(outer);
    }
    return out;
  };
}

/**
 * The scopes to close so that at most `most` boxes are left: the innermost first, level by level.
 * @param {ScopeTree} tree @param {ReadonlySet<number>} slots that have a place @param {number} most @returns {Set<number>}
 */
export function closedFor(tree, slots, most) {
  /** @type {Set<number>} */
  const closed = new Set();
  const sizes = tree.scopes.map((scope) => scope.all.reduce((sum, slot) => sum + (slots.has(slot) ? 1 : 0), 0));
  const deepest = Math.max(-1, ...tree.scopes.map((scope) => scope.depth));
  for (let depth = deepest; depth >= 0 && visibleCount(tree, sizes, slots.size, closed) > most; depth--) {
    for (const scope of tree.scopes) if (scope.depth === depth) closed.add(scope.id);
  }
  return closed;
}

/** How many boxes are left, a closed scope counted as two. @param {ScopeTree} tree @param {number[]} sizes of the scopes @param {number} count @param {ReadonlySet<number>} closed */
function visibleCount(tree, sizes, count, closed) {
  let left = count;
  for (const id of closed) {
    let outermost = true;
    for (let at = tree.scopes[id].parent; at >= 0; at = tree.scopes[at].parent) if (closed.has(at)) outermost = false;
    if (outermost && sizes[id]) left += 2 - sizes[id];
  }
  return left;
}
