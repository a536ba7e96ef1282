/**
 * What others say about nodes and edges of the picture, on top of what the step says: a critical path, a difference, a cut.
 *
 * `graph.decorate(decoration)` lays it over the picture until the next call, `graph.decorate(null)` takes it away; nothing moves.
 * Both functions are asked again at every step, with ids of nodes (never slots), and must be quick and pure:
 *
 *     graph.decorate({
 *       node: (node) => (critical.has(node) ? { mark: "critical", label: "no slack" } : { mark: "dim", label: `slack ${slack(node)}` }),
 *       edge: (source, target, kind) => (kind === "data" && critical.has(source) && critical.has(target) ? { mark: "critical" } : null),
 *     });
 *
 * A node's label stands under it, an edge's at its middle. A closed scope shows the strongest mark of what is in it,
 * and is pale only if all of it is. Marks differ in
 * outline and sign, not in colour alone: `critical` thick ink, `added` +, `removed` − and dashed, `changed` ~ and dotted, `cut` a red bar,
 * `path` a thin outline, `dim` pale.
 * @typedef {"" | "dim" | "path" | "changed" | "added" | "removed" | "critical" | "cut"} Mark   from the weakest to the strongest
 * @typedef {{mark: Mark, label?: string}} Dress   `label`: a few words, never markup
 * @typedef {object} Decoration
 * @property {(node: number) => Dress | null} [node]
 * @property {(source: number, target: number, kind: string) => Dress | null} [edge]   kind: data, grad, control, saved, mirror, update, origin, rewired, enters
 */

const ORDER = /** @type {Mark[]} */ (["", "path", "changed", "added", "removed", "critical", "cut"]);
/** The sign that a mark wears, for eyes that tell no colours apart. */
export const SIGNS = /** @type {Record<string, string>} */ ({ added: "+", removed: "−", changed: "~", cut: "×" });

/** The same for ears. */
export const WORDS = /** @type {Record<string, string>} */ ({ path: "on the path", critical: "on the critical path", added: "added", removed: "removed", changed: "changed", cut: "cut here" });

/** Nothing said. */
export const NONE = /** @type {Required<Dress>} */ ({ mark: "", label: "" });

/**
 * What a box wears that stands for these nodes.
 * @param {number[]} nodes @param {Decoration | null} decoration @returns {Required<Dress>}
 */
export function nodeDress(nodes, decoration) {
  if (!decoration?.node) return NONE;
  const ask = decoration.node;
  return strongest(nodes.map((node) => ask(node)));
}

/**
 * @param {[number, number, string][]} ends source, target and kind of what a drawn edge stands for @param {Decoration | null} decoration
 * @returns {Required<Dress>}
 */
export function edgeDress(ends, decoration) {
  if (!decoration?.edge) return NONE;
  const ask = decoration.edge;
  return strongest(ends.map(([source, target, kind]) => ask(source, target, kind)));
}

/** @param {(Dress | null)[]} all @returns {Required<Dress>} */
function strongest(all) {
  if (all.length === 1) return { ...NONE, ...all[0] };
  if (all.length && all.every((one) => one?.mark === "dim")) return { mark: "dim", label: "" };
  let best = NONE;
  for (const one of all) if (one && ORDER.indexOf(one.mark) > ORDER.indexOf(best.mark)) best = { ...NONE, ...one };
  return best;
}
