/** A value as a table of numbers, tinted by sign and size; negative cells also carry a bar, so that hue is not needed. */
import { count, num, shapeText } from "../../trace/format.js";
import { h } from "../dom.js";

/** More rows or columns than these scroll. */
const ROWS = 12;
const COLUMNS = 3;

/** @param {import("../../trace/types.js").Value} value @returns {HTMLElement} */
export function heat(value) {
  if (value.python !== undefined) return h("p", { class: "mono" }, value.text ?? value.python);
  const shape = value.shape ?? [];
  const whole = value.data !== undefined;
  if (!whole && !value.grid && value.head?.length) return h("p", { class: "muted" }, `Of ${count(value.size ?? 0, "number")} the recording kept the first ${value.head.length}: `, h("code", {}, value.head.map((x) => num(x)).join(", ")), ".");
  const columns = whole ? (shape.length ? shape[shape.length - 1] : 1) : value.grid?.columns ?? 0;
  const data = value.data ?? value.grid?.data ?? [];
  const rows = columns ? data.length / columns : 0;
  if (!rows) return h("p", { class: "muted" }, value.size ? `The recording kept no single one of these ${value.size} numbers: it would grow too large. What is known of all of them:` : `An empty value of shape ${shapeText(shape)}.`);
  const largest = Math.max(...data.map((x) => (typeof x === "number" ? Math.abs(x) : 0)), 1e-30);
  const body = h("tbody");
  for (let i = 0; i < rows; i++) {
    const row = h("tr");
    for (let j = 0; j < columns; j++) row.append(cell(data[i * columns + j], largest, whole && data.length > 1 ? place(shape, i * columns + j) : ""));
    body.append(row);
  }
  const large = rows > ROWS || columns > COLUMNS;
  const scroll = h("div", { class: "heat-scroll", tabindex: large ? 0 : null, role: large ? "group" : null, "aria-label": large ? `Values, ${shapeText(shape)}` : null }, h("table", { class: "heat" }, body));
  const note = !whole ? `Each cell is the mean of a block: the value is ${shapeText(shape)}.` : shape.length > 2 ? `Rows run over ${shape.slice(0, -1).join(" × ")}.` : "";
  return note ? h("div", {}, scroll, h("p", { class: "muted" }, note)) : scroll;
}

/** `[1, 0, 2]` of the flat position. @param {number[]} shape @param {number} flat */
function place(shape, flat) {
  const at = [];
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    at.unshift(flat % shape[axis]);
    flat = Math.floor(flat / shape[axis]);
  }
  return `[${at.join(", ")}]`;
}

/** @param {import("../../trace/types.js").Element} x @param {number} largest @param {string} where */
function cell(x, largest, where) {
  const strange = typeof x !== "number" && typeof x !== "boolean";
  const n = typeof x === "number" ? x : Number(x);
  const td = h("td", { class: strange ? "strange" : Math.abs(n) < 1e-12 ? "zero" : n > 0 ? "pos" : "neg", title: `${where ? `${where}: ` : ""}${String(x)}` }, num(x));
  if (!strange) td.style.setProperty("--m", `${Math.round((100 * Math.abs(n)) / largest)}%`);
  return td;
}
