/**
 * The program's variables at this step: name, shape, value; what changed is marked, old against new. A chosen one says what can be asked about it.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../trace/variables.js").VisibleVariable} VisibleVariable
 */
import { comparedWith } from "../player/transport.js";
import { resolve } from "../trace/asking/lexical.js";
import { brief, num, sizeText } from "../trace/format.js";
import { frameOf, variableRows, visibleVariables } from "../trace/variables.js";
import { deeds, focusOn, refill } from "./deeds.js";
import { miniature } from "./graph/thumbnail.js";
import { button, h } from "./dom.js";

const TOPICS = /** @type {const} */ (["trace", "step", "selection", "name", "grain", "watches"]);

export class VariablesView {
  /** @param {HTMLElement} pane @param {HTMLElement} title @param {import("../player/player.js").Player} player @param {{ask: (query: string) => void, set?: (name: string, text: string) => void}} on `set`: gives a variable another value from this step on and runs again; throws what is wrong with it */
  constructor(pane, title, player, on) {
    this.pane = pane;
    this.title = title;
    this.player = player;
    this.on = on;
    /** The variable that is given another value, "" for none. */
    this.setting = "";
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    const { index, step, grain, name } = player;
    if (!index || !TOPICS.some((topic) => change.topics.has(topic))) return;
    const frame = frameOf(index, step);
    const since = comparedWith(index, step, grain);
    const rows = visibleVariables(index, step, since);
    // A chosen variable of another function stays in sight while its own function waits.
    const away = name && !rows.some((row) => row.name === name) ? resolve(index, step, name) : null;
    if (away) rows.unshift(...variableRows(index, away.variable, step, since).slice(0, 1));
    this.title.textContent = frame > 0 ? `Variables in ${index.text(index.trace.frames.function[frame])}` : "Variables";
    if (!rows.length) {
      this.pane.replaceChildren(h("p", { class: "teach" }, "None yet. A name appears here when the program gives it something."));
      return;
    }
    const body = h("tbody");
    for (const row of rows) {
      body.append(this.#row(index, row));
      if (row.name === name && !player.watches.includes(name)) body.append(this.#deeds(name));
    }
    refill(this.pane, h("table", { class: "vars" }, body));
    if (name && (change.topics.has("step") || change.topics.has("name"))) this.pane.querySelector(".chosen")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {string} name */
  #deeds(name) {
    const { player } = this;
    const watch = button("watch", { class: "link", title: `Watch ${name}`, "data-focus": `watch ${name}` }, () => player.setWatches([...player.watches, name]));
    const change = this.on.set ? [button("set …", { class: "link", title: `Give ${name} another value at this step, and run again`, "data-focus": `set ${name}` }, () => this.#asked(name))] : [];
    const cell = h("td", { colspan: 3 }, deeds(player, name, this.on.ask, watch, ...change));
    if (this.setting === name) cell.append(this.#form(name));
    return h("tr", { class: "deeds-row" }, cell);
  }

  /** @param {string} name */
  #asked(name) {
    this.setting = this.setting === name ? "" : name;
    const old = this.pane.querySelector(".set-line");
    old?.remove();
    if (!this.setting) return;
    const form = this.#form(name);
    this.pane.querySelector(".deeds-row td")?.append(form);
    form.querySelector("input")?.focus();
  }

  /** A line for another value. @param {string} name */
  #form(name) {
    const input = h("input", { type: "text", "aria-label": `Another value of ${name}`, placeholder: "a Python expression", autocomplete: "off", autocapitalize: "off", spellcheck: "false", maxlength: 500 });
    const problem = h("p", { class: "problem", role: "alert" });
    const form = h("form", { class: "set-line" }, h("code", {}, `${name} = `), input, h("button", { type: "submit", class: "link" }, "Run"), problem);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      try {
        this.on.set?.(name, input.value);
        this.setting = "";
        form.remove();
      } catch (error) {
        problem.textContent = error instanceof Error ? error.message : String(error);
      }
    });
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.#asked(name);
      event.stopPropagation();
    });
    return form;
  }

  /** @param {TraceIndex} index @param {VisibleVariable} variable */
  #row(index, variable) {
    const { name, node, value, changed } = variable;
    const { selected, name: chosen } = this.player;
    const choose = () => this.player.choose(chosen === name ? "" : name, node >= 0 ? index.host(node) : -1);
    const row = h("tr", { class: `pick${chosen === name ? " chosen" : ""}${changed ? " changed" : ""}${chosen === name || (node >= 0 && selected === node) ? " selected" : ""}` },
      h("td", {}, h("button", { type: "button", class: "name", title: name, "aria-expanded": String(chosen === name), "data-focus": `row ${name}` }, name)), h("td", {}, shapeWords(index, node, value)), this.#value(index, variable));
    row.addEventListener("click", () => {
      choose();
      focusOn(this.pane, `row ${name}`);
    });
    return row;
  }

  /** @param {TraceIndex} index @param {VisibleVariable} variable */
  #value(index, { node, value, old }) {
    const { values } = index.trace.document;
    if (value < 0) return h("td", { class: "muted" }, index.definition(node).role !== "accumulate" ? "no value" : index.cleared[node].some(({ seq }) => seq < index.limit(this.player.step)) ? "cleared" : "not yet");
    if (old < 0) return h("td", {}, small(values[value]));
    return h("td", {}, h("span", { class: "old", title: span(values[old]) }, small(values[old]), " → "), small(values[value]));
  }
}

/** @param {TraceIndex} index @param {number} node @param {number} value */
function shapeWords(index, node, value) {
  const { document, nodes } = index.trace;
  const held = document.values[value];
  const type = node >= 0 ? document.types[nodes.type[node]] : undefined;
  if (value < 0 && node >= 0 && index.definition(node).role === "accumulate") return "None";
  return (held?.python ?? (held?.shape ? sizeText(held.shape) : type ? sizeText(type.shape) : "")).replaceAll(" × ", "×");
}

/** A value in a cell: its picture, or its text. @param {import("../trace/types.js").Value | undefined} value @returns {Node | string} */
function small(value) {
  if (!value) return "";
  return (value.python === undefined ? miniature(value) : null) ?? brief(value);
}

/** @param {import("../trace/types.js").Value} value */
const span = (value) => (value.python !== undefined || value.size === 1 ? brief(value) : `${sizeText(value.shape)}, ${num(value.min)} … ${num(value.max)}, mean ${num(value.mean)}`);
