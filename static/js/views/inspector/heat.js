/** A value as a table of numbers, tinted by sign and size; negative cells also carry a bar, so that hue is not needed. */
import { num, shapeText } from "../../trace/format.js";
import { h } from "../dom.js";

const ROWS = 12;
const COLUMNS = 8;

/** @param {import("../../trace/types.js").Value} value @returns {HTMLElement} */
export function heat(value) {
  if (value.python !== undefined) return h("p", { class: "mono" }, value.text ?? value.python);
  const shape = value.shape ?? [];
  const whole = value.data !== undefined;
  const columns = whole ? (shape.length ? shape[shape.length - 1] : 1) : value.grid?.columns ?? 0;
  const data = value.data ?? value.grid?.data ?? [];
  const rows = columns ? data.length / columns : 0;
  if (!rows) return h("p", { class: "muted" }, `An empty value of shape ${shapeText(shape)}.`);
  const largest = Math.max(...data.map((x) => (typeof x === "number" ? Math.abs(x) : 0)), 1e-30);
  const body = h("tbody");
  for (let i = 0; i < Math.min(rows, ROWS); i++) {
    const row = h("tr");
    for (let j = 0; j < Math.min(columns, COLUMNS); j++) row.append(cell(data[i * columns + j], largest));
    if (columns > COLUMNS) row.append(h("td", { class: "more" }, "…"));
    body.append(row);
  }
  if (rows > ROWS) body.append(h("tr", {}, h("td", { class: "more", colspan: Math.min(columns, COLUMNS) }, `… ${rows - ROWS} more rows`)));
  const table = h("div", { class: "heat-scroll" }, h("table", { class: "heat" }, body));
  if (!whole) table.append(h("p", { class: "muted" }, `Each cell is the mean of a block: the value is ${shapeText(shape)}.`));
  else if (shape.length > 2) table.append(h("p", { class: "muted" }, `Rows run over ${shape.slice(0, -1).join(" × ")}.`));
  return table;
}

/** @param {import("../../trace/types.js").Element} x @param {number} largest */
function cell(x, largest) {
  const strange = typeof x !== "number" && typeof x !== "boolean";
  const n = typeof x === "number" ? x : Number(x);
  const td = h("td", { class: strange ? "strange" : Math.abs(n) < 1e-12 ? "zero" : n > 0 ? "pos" : "neg" }, num(x));
  if (!strange) td.style.setProperty("--m", `${Math.round((100 * Math.abs(n)) / largest)}%`);
  return td;
}
