/** What the signs in the graph mean, as a dialog. */
import { button, h, s } from "./dom.js";
import { nodeParts } from "./graph/node.js";
import { wire } from "./graph/wires.js";

/** @param {string} state @param {string} [form] @param {string} [category] */
function sample(state, form = "op", category = "matmul") {
  const box = { x: 0, y: 0, width: 44, height: 24, form, band: "", line: 0 };
  const parts = nodeParts({ box, state, symbol: "", category, label: "", name: "", sub: "", value: null, note: "", arrived: false, selected: state === "selected", why: "" }).filter((part) => !part.classList.contains("glyph"));
  return s("svg", { viewBox: "-8 -6 60 36", "aria-hidden": "true" }, s("g", { class: `node k-${category} f-${form} is-${state}` }, ...parts));
}

/** @param {string} kind @param {string} state */
function line(kind, state) {
  const ends = [{ x: -4, y: 0, width: 2, height: 24 }, { x: 48, y: 0, width: 2, height: 24 }];
  const group = wire(kind, ends[0], ends[1], "rl");
  group.setAttribute("class", `edge e-${kind} is-${state} k-gradient`);
  return s("svg", { viewBox: "-4 -6 60 36", "aria-hidden": "true" }, group);
}

/** @param {boolean} round */
function door(round) {
  return s("svg", { viewBox: "-4 -6 60 36", "aria-hidden": "true" }, round ? s("circle", { class: "port", cx: 24, cy: 12, r: 8 }) : s("rect", { class: "port", x: 16, y: 4, width: 16, height: 16 }));
}

const ROWS = /** @type {[() => Element, string][]} */ ([
  [() => sample("building"), "being built: corner brackets"],
  [() => sample("empty"), "holds no value: outline"],
  [() => sample("value"), "holds a value: filled"],
  [() => sample("seen"), "its value was seen here, nothing keeps it"],
  [() => sample("value", "variable", "variable"), "variable: stands on a shelf, outlasts ops"],
  [() => sample("pending", "grad", "gradient"), "gradient op, not yet run: cut corners"],
  [() => sample("value", "storage", "gradient"), ".grad: a place that stores, not an op"],
  [() => sample("freed", "grad", "gradient"), "let go of what it had saved"],
  [() => sample("ghost"), "gone from this plan, with the reason under it"],
  [() => sample("error"), "failed here"],
  [() => line("data", "on"), "a value has passed"],
  [() => line("grad", "on"), "a gradient has passed, backwards"],
  [() => line("saved", "on"), "saved for backward"],
  [() => line("origin", "on"), "replaced by"],
  [() => line("control", "on"), "runs before"],
  [() => door(true), "round door: feed, fetch"],
  [() => door(false), "square door: a variable is read"],
]);

export function openLegend() {
  const list = h("div", { class: "legend" });
  for (const [draw, words] of ROWS) list.append(draw(), h("span", {}, words));
  const dialog = h("dialog", { "aria-label": "Legend" }, h("h2", {}, "Hue says what kind of op, drawing says which state, yellow says now"), list);
  dialog.append(button("Close", { class: "close" }, () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}
