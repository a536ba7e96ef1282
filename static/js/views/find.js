/**
 * The find box: a line to type in, answers under it. It asks the recording, goes to steps, sets breakpoints, and does what the keys do.
 * @typedef {import("../player/player.js").Player} Player
 * @typedef {import("../trace/finding/find.js").Row} Row
 * @typedef {import("../trace/finding/find.js").Command} Command
 */
import { find, keeps } from "../trace/finding/find.js";
import { readSteps } from "../trace/finding/steptext.js";
import { stopKey } from "../trace/stops.js";
import { tile } from "./graph/glyphs.js";
import { button, h } from "./dom.js";

/** Milliseconds that a long recording is read at a time. */
const PIECE = 30;

export class FindView {
  /**
   * @param {HTMLElement} opener @param {Player} player
   * @param {{commands: () => Command[], run: (command: string) => void, hint: (at: number) => void, shown: () => void}} on `shown`: a step or a breakpoint is to be seen
   */
  constructor(opener, player, on) {
    this.opener = opener;
    this.player = player;
    this.on = on;
    /** @type {Row[]} */
    this.rows = [];
    /** @type {number[]} */
    this.steps = [];
    this.at = 0;
    this.timer = 0;
    /** The words that the rows answer. */
    this.asked = "";
    this.input = h("input", { type: "search", role: "combobox", "aria-label": "Find in this recording", "aria-autocomplete": "list", "aria-expanded": "false", "aria-controls": "found-rows", placeholder: "What are you looking for?", maxlength: 200, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    this.list = h("ul", { id: "found-rows", role: "listbox", "aria-label": "Found" });
    this.note = h("p", { class: "found-note", role: "status" });
    this.where = h("span", { class: "found-where" });
    const back = button("‹", { "aria-label": "Match before", title: "Match before (Shift N)" }, () => this.#walk(-1));
    const next = button("›", { "aria-label": "Next match", title: "Next match (N)" }, () => this.#walk(1));
    this.ways = h("span", { class: "ways", hidden: true }, this.where, back, next);
    this.panel = h("div", { class: "find", role: "search", "aria-label": "Find", hidden: true }, h("div", { class: "find-line" }, this.input, this.ways, button("Close", { class: "link", title: "Esc" }, () => this.close(true))), this.list, this.note);
    document.body.append(this.panel);
    this.input.addEventListener("input", () => this.#look());
    this.input.addEventListener("keydown", (event) => this.#key(event));
    this.panel.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || event.defaultPrevented) return;
      this.close(true);
      event.preventDefault();
      event.stopPropagation();
    });
    this.list.addEventListener("click", (event) => {
      const item = event.target instanceof Element ? event.target.closest("li") : null;
      if (item) this.#choose(Number(item.dataset.at));
    });
    opener.addEventListener("click", () => (this.panel.hidden ? this.open() : this.close(true)));
    document.addEventListener("pointerdown", (event) => {
      if (!this.panel.hidden && event.target instanceof Node && !this.panel.contains(event.target) && !opener.contains(event.target)) this.close(false);
    });
  }

  /** @param {string} [query] what is asked at once; otherwise the box is empty */
  open(query = "") {
    this.panel.hidden = false;
    this.opener.setAttribute("aria-expanded", "true");
    this.input.value = query.trim();
    this.input.focus();
    this.#look();
  }

  /** @param {boolean} back whether the focus goes back to where one came from */
  close(back) {
    if (this.panel.hidden) return;
    clearTimeout(this.timer);
    const inside = this.panel.contains(document.activeElement);
    this.panel.hidden = true;
    this.opener.setAttribute("aria-expanded", "false");
    this.input.setAttribute("aria-expanded", "false");
    if (inside && back) this.opener.focus();
  }

  /** @param {Player} _player @param {import("../player/player.js").Change} change */
  render(_player, change) {
    if (this.panel.hidden) return;
    if (change.topics.has("trace")) this.#look();
    else if (change.topics.has("step")) this.#counted();
  }

  #look() {
    const { index } = this.player;
    clearTimeout(this.timer);
    if (!index) {
      this.rows = [];
      this.list.replaceChildren();
      this.list.hidden = true;
      this.note.hidden = false;
      this.note.textContent = "Nothing is recorded yet. Press Run, then ask.";
      return;
    }
    if (this.input.value.trim() && !readSteps(index, PIECE)) {
      // A long recording is read piece by piece; what is typed meanwhile counts.
      this.note.hidden = false;
      this.note.textContent = "Reading the recording …";
      this.timer = window.setTimeout(() => this.#look(), 0);
      return;
    }
    const { rows, note, steps } = find(index, this.input.value, this.player, this.on.commands());
    this.asked = this.input.value;
    this.rows = rows;
    this.steps = [...steps].sort((a, b) => a - b);
    // Enter after a few words goes to a step that they fit; what else could be done stands above.
    const first = this.input.value.trim() ? rows.findIndex((row) => row.action.do === "go" && steps.includes(row.action.step)) : -1;
    this.at = Math.max(0, first >= 0 ? first : rows.findIndex((row) => row.action.do !== "none"));
    this.list.replaceChildren(...rows.map((row, i) => this.#item(row, i)));
    this.list.hidden = !rows.length;
    this.note.textContent = note;
    this.note.hidden = !note;
    this.input.setAttribute("aria-expanded", String(rows.length > 0));
    this.#counted();
    this.#mark();
  }

  /** @param {Row} row @param {number} i */
  #item(row, i) {
    const { index } = this.player;
    const definition = row.node >= 0 ? index?.definition(row.node) : null;
    return h("li", { role: "option", id: `found-row-${i}`, "data-at": i, "aria-selected": "false", "aria-disabled": row.action.do === "none" ? "true" : null },
      definition ? tile(definition.symbol, definition.category) : null,
      h("span", { class: "found-text" }, h("span", { class: "found-title" }, ...emphasised(row.title, row.action.do === "go" ? this.input.value : "")), row.detail ? h("span", { class: "found-detail" }, row.detail) : null),
      row.place ? h("span", { class: "place" }, row.place) : null);
  }

  /** Which of the matches this step is. */
  #counted() {
    const asked = keeps(this.input.value) && this.steps.length > 0;
    this.ways.hidden = !asked;
    const at = this.steps.indexOf(this.player.step);
    this.where.textContent = asked ? `${at >= 0 ? at + 1 : "–"} of ${this.steps.length}` : "";
  }

  #mark() {
    [...this.list.children].forEach((item, i) => item.setAttribute("aria-selected", String(i === this.at)));
    const item = this.list.children[this.at];
    if (item) {
      this.input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    } else this.input.removeAttribute("aria-activedescendant");
  }

  /** @param {1 | -1} way */
  #walk(way) {
    this.player.setQuery(this.input.value.trim());
    this.player.moveByMatch(way);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    if (event.key === "ArrowDown") this.at = Math.min(this.rows.length - 1, this.at + 1);
    else if (event.key === "ArrowUp") this.at = Math.max(0, this.at - 1);
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) {
      if (this.asked !== this.input.value) this.#look();
      if (this.asked === this.input.value) this.#choose(this.at);
    } else if (event.key === "Escape") this.close(true);
    else return;
    event.preventDefault();
    event.stopPropagation();
    this.#mark();
  }

  /** @param {number} at */
  #choose(at) {
    const action = this.rows[at]?.action;
    const { player } = this;
    if (!action || action.do === "none") return;
    if (action.do === "ask") return this.open(action.query);
    const query = this.input.value.trim();
    this.close(false);
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    switch (action.do) {
      case "go":
        if (keeps(query)) player.setQuery(query);
        player.show(null);
        player.goTo(action.step);
        if (action.node >= 0 && player.index) player.select(player.index.host(action.node));
        return this.on.shown();
      case "change":
        player.choose(action.text, player.selected);
        player.moveByChange(action.way);
        return this.on.shown();
      case "stop":
        if (!player.stops.some((stop) => stopKey(stop) === stopKey(action.stop))) player.setStops([...player.stops, action.stop]);
        return;
      case "watch":
        if (!player.watches.includes(action.text)) player.setWatches([...player.watches, action.text]);
        return;
      case "hint": return this.on.hint(action.at);
      case "command": return this.on.run(action.command);
      default:
    }
  }
}

/** What was typed stands out in what was found. @param {string} title @param {string} query @returns {(string | Node)[]} */
function emphasised(title, query) {
  const words = query.trim().split(/\s+/).filter(Boolean).map((word) => word.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  if (!words.length) return [title];
  return title.split(new RegExp(`(${words.join("|")})`, "i")).map((piece, i) => (i % 2 ? h("b", {}, piece) : piece));
}
