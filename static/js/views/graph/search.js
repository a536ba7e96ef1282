/** Searching the graph: a line to type in, a list that the arrow keys walk, Enter shows the node wherever it is. */
import { count } from "../../trace/format.js";
import { lookup } from "../../trace/lookup.js";
import { tile } from "./glyphs.js";
import { button, h } from "../dom.js";

/** @typedef {import("../../trace/lookup.js").Found} Found */

export class Search {
  /** @param {import("./graph.js").GraphView} view */
  constructor(view) {
    this.view = view;
    /** @type {Found[]} */
    this.found = [];
    this.at = 0;
    this.input = h("input", { type: "search", role: "combobox", "aria-label": "Search the graph", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "found-nodes", placeholder: "name, op, line 7", autocomplete: "off", spellcheck: "false" });
    this.list = h("ul", { id: "found-nodes", role: "listbox", "aria-label": "Nodes found" });
    this.count = h("p", { class: "found-count", role: "status" });
    this.panel = h("div", { class: "search", role: "search", hidden: true }, h("div", { class: "search-line" }, this.input, button("Close", { class: "link", title: "Esc" }, () => this.close())), this.list, this.count);
    view.pane.append(this.panel);
    this.input.addEventListener("input", () => this.#look());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.list.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("li") : null;
      if (item) this.#choose(Number(item.dataset.at));
    });
  }

  open() {
    this.panel.hidden = false;
    this.input.focus();
    this.input.select();
    this.#look();
  }

  close() {
    if (this.panel.hidden) return;
    this.panel.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
    this.view.focus();
  }

  #look() {
    const { index } = this.view.player;
    const { found, total } = index ? lookup(index, this.input.value) : { found: [], total: 0 };
    this.found = found;
    this.at = 0;
    this.list.replaceChildren(...found.map((one, i) => this.#item(one, i)));
    this.list.hidden = !found.length;
    const asked = this.input.value.trim() !== "";
    this.count.textContent = !asked ? "Variables, ops, names, scopes, lines. Arrow keys choose, Enter shows." : total ? `${count(total, "node")}${total > found.length ? `, the first ${found.length} are listed` : ""}` : "Nothing is called so. Try an op, such as matmul, or a line, such as line 7.";
    this.input.setAttribute("aria-expanded", String(found.length > 0));
    this.#mark();
  }

  /** @param {Found} one @param {number} i */
  #item(one, i) {
    const { index, step } = this.view.player;
    const definition = index?.definition(one.node);
    const born = index ? index.stepOf(index.trace.nodes.seq[one.node]) : 0;
    return h("li", { role: "option", id: `found-${i}`, "data-at": i, "aria-selected": "false" }, tile(definition?.symbol ?? "", definition?.category ?? "arith"), h("b", {}, one.title), one.op !== one.title ? h("span", {}, one.op) : null, one.scope ? h("span", { class: "in" }, one.scope) : null,
      h("span", { class: "place" }, `${one.line > 0 ? `line ${one.line}` : ""}${born > step ? `${one.line > 0 ? ", " : ""}from step ${born + 1}` : ""}`));
  }

  #mark() {
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.at)));
    const item = this.list.children[this.at];
    if (item) {
      this.input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    } else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown") this.at = Math.min(this.found.length - 1, this.at + 1);
    else if (event.key === "ArrowUp") this.at = Math.max(0, this.at - 1);
    else if (event.key === "Enter") this.#choose(this.at);
    else if (event.key === "Escape") this.close();
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#mark();
  }

  /** Goes to where the node is, in time and in the picture. @param {number} at */
  #choose(at) {
    const one = this.found[at];
    const { player } = this.view;
    const { index } = player;
    if (!one || !index) return;
    if (!this.view.scene?.slots.has(one.slot)) {
      player.show(null);
      if (!this.view.scene?.slots.has(one.slot)) player.goTo(index.stepOf(index.trace.nodes.seq[one.node]));
    }
    this.panel.hidden = true;
    this.view.find(one.slot);
    player.select(this.view.scene?.slots.get(one.slot)?.node ?? one.node);
    this.view.focusBox(one.slot);
  }
}
