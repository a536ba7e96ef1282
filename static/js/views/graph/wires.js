/** Edges as SVG, one group each; a step only changes their class. */
import { s } from "../dom.js";
import { anchor, headPath, path } from "./geometry.js";

/**
 * @param {string} kind data, grad, control, origin, saved, mirror, rewired
 * @param {import("./geometry.js").Frame} from @param {import("./geometry.js").Frame} to @param {string} sides @param {[number, number][]} [via]
 */
export function wire(kind, from, to, sides, via = []) {
  const start = anchor(from, sides[0]);
  const end = anchor(to, sides[1]);
  const pointed = kind !== "mirror" && kind !== "saved";
  const d = path(start, end, sides, via, kind === "control" ? 6 : pointed ? 5 : 0);
  const group = s("g", { class: `edge e-${kind}` }, s("path", { class: "wire", d }));
  if (kind === "grad") group.append(s("path", { class: "core", d }));
  if (kind === "control") group.append(s("circle", { class: "ringhead", cx: end[0], cy: end[1], r: 3 }));
  else if (kind === "origin") group.append(s("path", { class: "head open", d: headPath(end, sides[1], 7) }));
  else if (kind === "saved") group.append(s("circle", { class: "savedot", cx: end[0], cy: end[1], r: 2.5 }));
  else if (pointed) group.append(s("path", { class: "head", d: headPath(end, sides[1]) }));
  return group;
}

/** An edge shorter than this has no room for words between its boxes; from its line to over them. */
const CLOSE = 34;
const OVER = 37;

/** What others say about an edge: its mark, and its label at the middle. @param {SVGGElement} group @param {Required<import("./decoration.js").Dress>} dress */
export function dressWire(group, { mark, label }) {
  group.querySelector(".edgelabel")?.remove();
  if (mark) group.classList.add(`mark-${mark}`);
  const along = group.querySelector(".wire");
  if (!label || !(along instanceof SVGPathElement)) return;
  const middle = along.getTotalLength() / 2;
  const [before, at, after] = [-2, 0, 2].map((step) => along.getPointAtLength(middle + step));
  // Beside the line, so that its head stays to be seen; where boxes stand close, over them.
  const upright = Math.abs(after.y - before.y) > Math.abs(after.x - before.x);
  group.append(s("text", upright ? { class: "edgelabel", x: (at.x + 6).toFixed(1), y: (at.y + 4).toFixed(1) } : { class: "edgelabel", x: at.x.toFixed(1), y: (at.y - (along.getTotalLength() < CLOSE ? OVER : 6)).toFixed(1), "text-anchor": "middle" }, label));
}
