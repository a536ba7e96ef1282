/**
 * One node as SVG: the silhouette says op, input, variable, constant, gradient or storage; the class says the state.
 * @typedef {import("../../trace/types.js").Value} Value
 * @typedef {object} Look
 * @property {import("./geometry.js").Box} box
 * @property {string} state
 * @property {string} symbol
 * @property {string} category
 * @property {string} label
 * @property {string} name   the student's name, above the node
 * @property {string} sub   second line: the shape, or why there is no value
 * @property {Value | null} value
 * @property {string} note   under the node
 * @property {boolean} arrived
 * @property {boolean} selected
 * @property {string} why   for the tooltip
 * @property {Required<import("./decoration.js").Dress>} [dress]   what others say about it
 * @property {{count: number, held: number} | null} [bundle]   of a closed scope: how many nodes are there, how many of them hold a value
 */
import { num } from "../../trace/format.js";
import { s } from "../dom.js";
import { SIGNS } from "./decoration.js";
import { glyph } from "./glyphs.js";
import { clip, lines, shorten, textWidth } from "./measure.js";
import { thumbnail } from "./thumbnail.js";

/** @param {string} form @param {number} w @param {number} h */
export function silhouette(form, w, h) {
  const c = 8;
  if (form === "input") return `M0 3Q0 0 3 0H${w - 10}L${w} ${h / 2}L${w - 10} ${h}H3Q0 ${h} 0 ${h - 3}Z`;
  if (form === "variable" || form === "storage") return `M0 0H${w}V${h}H0Z`;
  if (form === "const") return `M${h / 2} 0H${w - h / 2}A${h / 2} ${h / 2} 0 0 1 ${w - h / 2} ${h}H${h / 2}A${h / 2} ${h / 2} 0 0 1 ${h / 2} 0Z`;
  if (form === "grad") return `M${c} 0H${w - c}L${w} ${c}V${h - c}L${w - c} ${h}H${c}L0 ${h - c}V${c}Z`;
  if (form === "control") return `M10 0H${w - 10}L${w} ${h / 2}L${w - 10} ${h}H10L0 ${h / 2}Z`;
  const r = 8;
  return `M${r} 0H${w - r}Q${w} 0 ${w} ${r}V${h - r}Q${w} ${h} ${w - r} ${h}H${r}Q0 ${h} 0 ${h - r}V${r}Q0 0 ${r} 0Z`;
}

const BADGES = /** @type {Record<string, string>} */ ({ ghost: "M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5", merged: "M-4 3V0Q-4-3 0-3H4M1.5-5.5 4-3 1.5-.5", folded: "M-4-1.5H4M-4 1.5H4", error: "M-3.5-3.5 3.5 3.5M3.5-3.5-3.5 3.5" });
const GONE = new Set(["ghost", "merged", "folded", "skipped"]);
const HOLDS = new Set(["value", "seen", "feeding", "error"]);

/** The content of a node's group. @param {Look} look @returns {SVGElement[]} */
export function nodeParts(look) {
  const { box, state } = look;
  const { width: w, height: h, form } = box;
  if (look.bundle) return closedParts(look, look.bundle);
  const d = silhouette(form, w, h);
  /** @type {(SVGElement | null)[]} */
  const parts = [s("path", { class: "body", d })];
  if (state === "building") {
    const k = 13;
    parts.push(s("path", { class: "corners", d: `M0 ${k}V0H${k}M${w - k} 0H${w}V${k}M${w} ${h - k}V${h}H${w - k}M${k} ${h}H0V${h - k}` }));
  }
  if (state === "error") parts.push(s("path", { class: "body inner", d: silhouette(form, w - 8, h - 8), transform: "translate(4 4)" }));
  if (state === "freed") parts.push(s("path", { class: "hatch", d }));
  if (state === "feeding") parts.push(s("path", { class: "fed", d: `M0 0H${w * 0.45}V${h}H0Z` }));
  if (form === "variable") parts.push(s("path", { class: "shelfline", d: `M-6 ${h}H${w + 6}` }));
  if (form === "storage") parts.push(s("path", { class: "shelfline", d: `M-4 ${h}H${w + 4}` }), s("path", { class: "shelfline second", d: `M-4 ${h + 4}H${w + 4}` }));
  parts.push(...(form === "const" ? constant(look) : inside(look)));
  if (look.selected) parts.push(ticks(w, h));
  if (look.arrived) parts.push(s("path", { class: "tab", d: `M${w / 2 - 8} ${h}h16l-8 8z` }));
  if (BADGES[state]) parts.push(s("g", { class: "badge", transform: `translate(${w - 1} 1)` }, s("circle", { r: 8 }), s("path", { d: BADGES[state] })));
  if (look.name) parts.push(s("text", { class: "name", x: 1, y: -7 }, shorten(look.name, "name", w + 10)));
  parts.push(note([look.note, look.dress?.label].filter(Boolean).join(", "), w, h), ...marks(look, form));
  return /** @type {SVGElement[]} */ (parts.filter(Boolean));
}

/** A closed scope: a card on a card, its name, how many ops, how far they are. @param {Look} look @param {{count: number, held: number}} bundle @returns {SVGElement[]} */
function closedParts(look, bundle) {
  const { width: w, height: h } = look.box;
  const d = silhouette(look.category === "gradient" ? "grad" : "op", w, h);
  const share = bundle.count ? bundle.held / bundle.count : 0;
  /** @type {(SVGElement | null)[]} */
  const parts = [
    s("path", { class: "card", d, transform: "translate(5 5)" }), s("path", { class: "body", d }), look.state === "freed" ? s("path", { class: "hatch", d }) : null,
    s("text", { class: "label strong", x: 10, y: 20 }, `${shorten(look.label, "strong", w - 30)} `), s("path", { class: "unfold", d: `M${w - 18} 16h9m-4.5-4.5v9` }),
    s("text", { class: "sub", x: 10, y: h - 14 }, clip(look.sub, "sub", w - 18)), s("path", { class: "share-bed", d: `M10 ${h - 7}H${w - 10}` }),
    share > 0 ? s("path", { class: "share", d: `M10 ${h - 7}H${(10 + (w - 20) * share).toFixed(1)}` }) : null,
    look.selected ? ticks(w, h) : null,
    BADGES[look.state] ? s("g", { class: "badge", transform: `translate(${w - 1} 1)` }, s("circle", { r: 8 }), s("path", { d: BADGES[look.state] })) : null,
  ];
  parts.push(note(look.dress?.label ?? "", w, h + 5), ...marks(look, "op"));
  return /** @type {SVGElement[]} */ (parts.filter(Boolean));
}

/** @param {string} text @param {number} w @param {number} h */
const note = (text, w, h) => (text ? s("text", { class: "note", x: w / 2, y: h + 15, "text-anchor": "middle" }, clip(text, "note", Math.max(w + 8, 100))) : null);

/** What others say about a node: an outline round it, and a sign at its upper left. @param {Look} look @param {string} form @returns {SVGElement[]} */
function marks({ box: { width: w, height: h }, dress }, form) {
  if (!dress?.mark || dress.mark === "dim") return [];
  const outline = s("path", { class: "mark", d: silhouette(form, w + 10, h + 10), transform: "translate(-5 -5)" });
  const sign = SIGNS[dress.mark];
  return sign ? [outline, s("g", { class: "mark-sign", transform: "translate(-3 -3)" }, s("circle", { r: 8 }), s("text", { y: 4, "text-anchor": "middle" }, sign))] : [outline];
}

/** Four corner ticks: selected. @param {number} w @param {number} h */
const ticks = (w, h) => s("path", { class: "ticks", d: `M-5 6V-5H6M${w - 6} -5H${w + 5}V6M${w + 5} ${h - 6}V${h + 5}H${w - 6}M6 ${h + 5}H-5V${h - 6}` });

/** @param {Look} look */
function constant({ box, label, sub, state }) {
  if (box.height >= 50 && sub && sub !== "scalar" && !GONE.has(state)) {
    return [s("text", { class: "label strong", x: box.width / 2, y: box.height / 2 - 2, "text-anchor": "middle" }, shorten(label, "strong", box.width - 20)), s("text", { class: "sub", x: box.width / 2, y: box.height / 2 + 14, "text-anchor": "middle" }, clip(sub, "sub", box.width - 24))];
  }
  return [s("text", { class: "label strong", x: box.width / 2, y: box.height / 2 + 4, "text-anchor": "middle" }, shorten(label, "strong", box.width - 16))];
}

/** From one line of a label to the next. */
export const LINE = 12.5;

/** The label's lines and where the first of them stands. @param {Look} look */
export function labelOf({ box, label }) {
  const { width: w, height: h, form } = box;
  const bare = form === "variable" || form === "storage";
  const text = bare ? lines(label, "strong", w - 16) : lines(label, "label", w - 28 - (form === "input" ? 9 : 4));
  return { lines: text, x: bare ? 9 : form === "grad" ? w - 28 : 28, y: text.length === 1 ? (bare ? 18 : 20) : h < 54 ? 14 : 16 };
}

/** @param {Look} look */
function inside(look) {
  const { box, state, value } = look;
  const { width: w, height: h, form } = box;
  const flip = form === "grad";
  const bare = form === "variable" || form === "storage";
  const tip = form === "input" || form === "control" ? 13 : 8;
  /** @type {(SVGElement | null)[]} */
  const parts = [];
  const written = labelOf(look);
  if (!bare) parts.push(glyph(look.symbol, look.category, flip ? w - 15 : 15, 16));
  const style = bare ? "label strong" : "label";
  written.lines.forEach((line, i) => parts.push(s("text", { class: i ? `${style} tail` : style, x: written.x, y: written.y + i * LINE, "text-anchor": flip ? "end" : null }, line)));
  const holds = value && HOLDS.has(state);
  const scalar = holds && value.size === 1 && value.data;
  const number = scalar && value.data ? num(value.data[0]) : "";
  // The number says more than its shape, where there is room for one of them.
  const sub = number && (form === "grad" || look.sub === "scalar" || textWidth(look.sub, "sub") + textWidth(number, "strong") + 18 > w - tip) ? "" : look.sub;
  if (sub && !GONE.has(state)) parts.push(s("text", { class: "sub", x: flip ? w - 9 : 9, y: h - 10, "text-anchor": flip ? "end" : "start" }, clip(sub, state === "pending" || state === "error" ? "note" : "sub", w - 16)));
  if (number) parts.push(s("text", { class: "scalar", x: flip ? 9 : w - tip - 1, y: h - 10, "text-anchor": flip ? "start" : "end" }, number));
  else if (holds) {
    const room = w - tip - 16 - (sub ? textWidth(sub, "sub") : 0);
    parts.push(thumbnail(value, flip ? 8 : w - tip, h - 7, Math.min(room, w * 0.62), h - 31 - (written.lines.length - 1) * 9, flip ? "start" : "end"));
  }
  return parts;
}
