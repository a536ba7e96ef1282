/**
 * What the X-ray lights up in the picture: nodes and edges of the way, by their places, so that every pass of a loop shows it.
 * @typedef {import("../index.js").TraceIndex} TraceIndex
 * @typedef {import("./xray.js").Finding} Finding
 * @typedef {{mark: "path" | "cut" | "dim", label?: string}} Light
 */
import { num } from "../format.js";

const WORDS = /** @type {Record<string, string>} */ ({ detached: "detached", unrecorded: "not recorded", unasked: "not asked for", copied: "numbers only", silent: "asks for none", zero: "0" });

/** How large the gradient on a link is, or what became of it. @param {import("./links.js").Link} link */
export function linkWords(link) {
  return sizeWords(link) || WORDS[link.state] || "";
}

/** Its size alone, as short as an edge. @param {import("./links.js").Link} link */
function sizeWords({ odd, state, size }) {
  if (odd) return "NaN";
  if (state === "zero") return "0";
  return state === "flows" && size !== null ? num(Number(size.toPrecision(2))) : "";
}

/** The links that no gradient gets to any more: those behind the cut. @param {Finding} finding @returns {Set<import("./links.js").Link>} */
export function behind({ path, cut, verdict }) {
  return new Set(verdict === "cut" && cut ? path.slice(path.indexOf(cut) + 1) : []);
}

/** @param {TraceIndex} index @param {Finding} finding */
export function shine(index, finding) {
  const { nodes } = index.trace;
  const slot = /** @param {number} node */ (node) => nodes.slot[index.host(node)];
  /** The place that a node or its gradient node belongs to. @param {number} node */
  const place = (node) => (nodes.mirrors[node] >= 0 ? slot(nodes.mirrors[node]) : slot(node));
  const links = new Map(finding.path.filter((link) => slot(link.reader) !== slot(link.source)).map((link) => [`${slot(link.reader)} ${slot(link.source)}`, link]));
  const on = new Set([slot(finding.node), ...finding.path.flatMap((link) => [slot(link.reader), slot(link.source)])]);
  const cut = finding.at >= 0 ? slot(finding.at) : -1;
  const dark = behind(finding);
  const reached = reachedPlaces(finding, slot);
  return {
    /** @param {number} node @returns {Light} */
    node(node) {
      const at = slot(node);
      const forward = nodes.mirrors[node] < 0;
      if (forward && at === cut) return { mark: "cut", label: finding.kind };
      if (forward && on.has(at)) return { mark: "path", ...(at === slot(finding.node) ? { label: finding.verdict === "learns" ? "learns" : finding.verdict === "unchanged" ? finding.kind : "no gradient" } : {}) };
      return !forward && on.has(place(node)) && reached.has(place(node)) ? { mark: "path" } : { mark: "dim" };
    },
    /** @param {number} source @param {number} target @param {string} kind @returns {Light | null} */
    edge(source, target, kind) {
      const back = nodes.mirrors[source] >= 0 && nodes.mirrors[target] >= 0;
      if (kind !== "data" && kind !== "grad") return { mark: "dim" };
      const link = back ? links.get(`${place(source)} ${place(target)}`) : links.get(`${slot(target)} ${slot(source)}`);
      const within = back && place(source) === place(target) && on.has(place(source)) && reached.has(place(source));
      if (!link) return { mark: within ? "path" : "dim" };
      if (dark.has(link)) return { mark: back ? "dim" : "path" };
      if (link === finding.cut) return back ? null : { mark: "cut" };
      // Its size stands on the gradient's own edge where there is one.
      const own = hasOwnEdge(index, link);
      return { mark: "path", label: back || !own ? sizeWords(link) : "" };
    },
  };
}

/** Places that a gradient gets to. @param {Finding} finding @param {(node: number) => number} slot */
function reachedPlaces(finding, slot) {
  const out = new Set([slot(finding.loss)]);
  for (const link of finding.path) {
    if (link.state !== "flows") break;
    out.add(slot(link.source));
  }
  return out;
}

/** Whether the gradient of a link has an edge of its own. @param {TraceIndex} index @param {import("./links.js").Link} link */
function hasOwnEdge(index, link) {
  const to = new Set(index.mirrors[link.source]);
  return index.mirrors[link.reader].some((node) => index.outputs[node].some((e) => to.has(index.trace.edges.target[e])));
}
