/** The step in words: a sentence, and where the program is. Screen readers hear it, at most once in 700 ms. */
import { sentence } from "../trace/sentences.js";
import { asText } from "../trace/parts.js";
import { ahead, where } from "../trace/where.js";
import { h, rich } from "./dom.js";

const QUIET = 700;

export class CaptionView {
  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.pane = pane;
    this.sentence = h("p", { class: "sentence", id: "sentence" });
    this.where = h("p", { class: "where", id: "where" });
    this.live = h("p", { class: "sr", "aria-live": "polite", id: "live" });
    pane.append(this.sentence, this.where, this.live);
    this.spoken = 0;
    this.timer = 0;
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (!player.index || !(change.topics.has("step") || change.topics.has("trace"))) return;
    const parts = sentence(player.index, player.step);
    const text = asText(parts);
    this.sentence.replaceChildren(...rich(parts));
    this.sentence.classList.toggle("long", text.length > 88);
    const hidden = player.furthest === player.step;
    const last = hidden || player.step + 1 >= player.index.stepCount;
    this.where.replaceChildren(...rich(where(player.index, player.step)), h("span", { class: last ? null : "ahead" }, ...rich(ahead(player.index, player.step, hidden))));
    const kind = player.index.text(player.index.trace.steps.kind[player.step]);
    const bad = kind === "failed" || (kind === "error" && player.step === player.index.stepCount - 1);
    this.pane.classList.toggle("is-error", bad);
    this.#say(text, bad);
  }

  /** Nothing is recorded yet. @param {string} words what to say of this program */
  hint(words) {
    this.sentence.replaceChildren(h("mark", {}, "This program"), ` ${words}`);
    this.where.replaceChildren();
    this.pane.classList.remove("is-error");
  }

  /** @param {string} text @param {boolean} urgent */
  #say(text, urgent) {
    clearTimeout(this.timer);
    this.live.setAttribute("aria-live", urgent ? "assertive" : "polite");
    const wait = urgent ? 0 : Math.max(0, this.spoken + QUIET - performance.now());
    this.timer = window.setTimeout(() => {
      this.spoken = performance.now();
      this.live.textContent = text;
    }, wait);
  }
}
