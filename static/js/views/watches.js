/**
 * Watched names and expressions, above the variables: what each is at this step, old against new where it changed.
 * @typedef {import("../player/player.js").Player} Player
 */
import { comparedWith } from "../player/transport.js";
import { isExpression, parse } from "../trace/asking/grammar.js";
import { thingText } from "../trace/asking/words.js";
import { alike, answer } from "../trace/changes.js";
import { deeds, refill } from "./deeds.js";
import { button, h } from "./dom.js";

export class WatchesView {
  /** @param {HTMLElement} pane @param {HTMLElement} opener @param {Player} player @param {{ask: (query: string) => void}} on */
  constructor(pane, opener, player, on) {
    this.player = player;
    this.on = on;
    this.list = h("div");
    this.field = h("input", { type: "text", "aria-label": "Expression to watch", placeholder: "loss.mean, x.shape[0] > 2", maxlength: 200, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    this.problem = h("p", { class: "problem", role: "status", hidden: true });
    this.line = h("form", { class: "watch-line", hidden: true }, this.field, h("button", { type: "submit", class: "link" }, "Watch"), this.problem);
    pane.append(this.list, this.line);
    opener.addEventListener("click", () => this.open());
    this.line.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#add();
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.#shut();
      event.preventDefault();
      event.stopPropagation();
    });
    this.field.addEventListener("blur", () => {
      if (!this.field.value.trim()) this.#shut();
    });
  }

  open() {
    this.line.hidden = false;
    this.field.focus();
  }

  #shut() {
    // The keys belong to the player again at once, not when the browser has drawn the page.
    this.field.value = "";
    this.field.blur();
    this.line.hidden = true;
    this.problem.hidden = true;
  }

  #add() {
    const text = this.field.value.trim();
    try {
      parse(text);
    } catch (error) {
      this.problem.textContent = error instanceof Error ? error.message : String(error);
      this.problem.hidden = false;
      return;
    }
    this.#shut();
    if (!this.player.watches.includes(text)) this.player.setWatches([...this.player.watches, text]);
  }

  /** @param {Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (!["trace", "step", "watches", "grain", "name"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) return;
    const { index, step, grain, watches } = player;
    if (!watches.length) return this.list.replaceChildren();
    const since = index ? comparedWith(index, step, grain) : -1;
    const body = h("tbody");
    for (const text of watches) body.append(...this.#rows(text, since));
    refill(this.list, h("table", { class: "vars watched" }, body));
  }

  /** @param {string} text @param {number} since @returns {HTMLElement[]} */
  #rows(text, since) {
    const { player } = this;
    const { index, step, name } = player;
    const now = index ? answer(index, text, step) : { thing: undefined, problem: "Nothing is recorded yet." };
    const old = index && since >= 0 ? answer(index, text, since).thing : undefined;
    const changed = now.thing !== undefined && !alike(now.thing, old);
    const select = () => player.choose(name === text ? "" : text);
    const value = now.thing === undefined ? h("td", { class: "muted", title: now.problem }, now.problem)
      : h("td", {}, changed && old !== undefined ? h("span", { class: "old" }, `${thingText(old)} → `) : null, thingText(now.thing));
    const row = h("tr", { class: `${changed ? "changed" : ""}${name === text ? " selected" : ""}` },
      h("td", {}, button(text, { class: "name", title: text, "data-focus": `watch ${text}`, "aria-expanded": String(name === text) }, select)), value,
      h("td", {}, button("✕", { class: "away", title: "Watch it no more", "aria-label": `Watch ${text} no more` }, () => player.setWatches(player.watches.filter((one) => one !== text)))));
    return name === text && index && isExpression(text) ? [row, h("tr", { class: "deeds-row" }, h("td", { colspan: 3 }, deeds(player, text, this.on.ask)))] : [row];
  }
}
