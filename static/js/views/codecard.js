/** The card over a name or an op in the program: what it is at this step, old against new. */
import { num, rangeText, shapeText } from "../trace/format.js";
import { miniature } from "./graph/thumbnail.js";
import { h } from "./dom.js";

const NUMBERS = 8;

/** @param {import("../trace/hovered.js").Hovered} found @param {number} step @param {number} at the line it stands in */
export function codeCard({ name, words, value, text, old, line }, step, at) {
  const shape = value?.shape ? h("code", {}, `${shapeText(value.shape)} ${value.dtype ?? ""}`) : null;
  const card = h("div", { class: "codecard" }, h("p", { class: "hover-title" }, h("b", {}, name), shape ?? (words ? h("i", {}, words) : null), h("span", {}, `step ${step + 1}`)));
  if (shape && words) card.append(h("p", {}, words));
  if (value?.size && value.size > 1) {
    const numbers = (value.data ?? value.head ?? []).slice(0, NUMBERS);
    card.append(h("p", { class: "hover-numbers" }, miniature(value, 9), h("code", {}, numbers.map((x) => num(x)).join("  "), value.size > numbers.length ? " …" : "")));
    card.append(h("p", {}, rangeText(value)));
  } else if (text) card.append(h("p", { class: "hover-numbers" }, h("code", {}, text)));
  if (old) card.append(h("p", {}, "before: ", h("code", {}, old)));
  if (line > 0 && line !== at) card.append(h("p", {}, `made in line ${line}`));
  return card;
}
