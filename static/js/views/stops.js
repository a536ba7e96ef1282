/**
 * Breakpoints, in a strip under the program: what stops, on which condition, how often; there only while there are any.
 * @typedef {import("../player/player.js").Player} Player
 * @typedef {import("../trace/stops.js").Stop} Stop
 */
import { count } from "../trace/format.js";
import { byStop, stopKey, stopName, visits } from "../trace/stops.js";
import { button, h } from "./dom.js";

export class StopsView {
  /** @param {HTMLElement} pane @param {Player} player @param {{goToLine: (line: number) => void}} on */
  constructor(pane, player, on) {
    this.pane = pane;
    this.player = player;
    this.on = on;
    /** @type {Map<string, {row: HTMLElement, count: HTMLElement, field: HTMLInputElement, problem: HTMLElement}>} */
    this.rows = new Map();
    this.back = button("‹", { "aria-label": "Visit before of a breakpoint", title: "Visit before (Ctrl B)" }, () => player.moveByStop(-1));
    this.next = button("›", { "aria-label": "Next visit of a breakpoint", title: "Next visit (Shift B)" }, () => player.moveByStop(1));
    this.list = h("ul");
    pane.append(h("p", { class: "pane-title" }, "Stops at", h("span", { class: "ways" }, this.back, this.next)), this.list);
  }

  /** @param {Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (!["stops", "trace", "step", "stale"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) return;
    const { stops, index, stale } = player;
    this.pane.hidden = !stops.length;
    if (!stops.length && !this.rows.size) return;
    if (change.topics.has("stops") || change.topics.has("trace")) {
      const keys = new Set(stops.map(stopKey));
      for (const [key, { row }] of this.rows) {
        if (keys.has(key)) continue;
        row.remove();
        this.rows.delete(key);
      }
      for (const stop of stops) this.#row(stop);
    }
    const ready = !!index && !stale;
    this.back.disabled = !ready || byStop(index, stops, player.step, -1) === null;
    this.next.disabled = !ready || byStop(index, stops, player.step, 1) === null;
  }

  /** @param {Stop} stop */
  #row(stop) {
    const key = stopKey(stop);
    const { index } = this.player;
    let entry = this.rows.get(key);
    if (!entry) {
      const name = stopName(index, stop);
      const field = h("input", { type: "text", placeholder: stop.kind === "line" ? "a condition: loss > 1" : "a condition: value.nan > 0", "aria-label": `Condition of ${name}`, maxlength: 200, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
      const where = stop.kind === "line" ? button(name, { class: "link", title: "Show this line" }, () => this.on.goToLine(stop.line)) : h("b", {}, name);
      const times = h("span", { class: "times" });
      const problem = h("p", { class: "problem", role: "status", hidden: true });
      const row = h("li", {}, where, h("span", { class: "if" }, "if"), field, times, button("✕", { "aria-label": `Do not stop at ${name}`, title: "Take it away" }, () => this.player.toggleStop(stop)), problem);
      field.addEventListener("change", () => this.#condition(key, field.value));
      field.addEventListener("keydown", (event) => {
        if (event.key !== "Enter") return;
        this.#condition(key, field.value);
        event.preventDefault();
      });
      this.rows.set(key, (entry = { row, count: times, field, problem }));
      this.list.append(row);
    }
    if (document.activeElement !== entry.field || entry.field.value.trim() === stop.when) entry.field.value = stop.when;
    const found = index ? visits(index, stop) : null;
    entry.count.textContent = found ? (found.steps.length ? count(found.steps.length, "time") : "never") : "";
    entry.problem.textContent = found?.problem ?? "";
    entry.problem.hidden = !found?.problem;
    entry.field.setAttribute("aria-invalid", String(!!found?.problem));
  }

  /** @param {string} key @param {string} when */
  #condition(key, when) {
    const { stops } = this.player;
    if (stops.some((stop) => stopKey(stop) === key && stop.when !== when.trim())) this.player.setStops(stops.map((stop) => (stopKey(stop) === key ? { ...stop, when: when.trim() } : stop)));
  }
}
