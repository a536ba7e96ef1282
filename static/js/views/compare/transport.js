/** The keys that move both sides, and the counter of moments. */
import { h } from "../dom.js";
import { icon } from "../transport.js";

/** @typedef {import("../../compare/duet.js").Duet} Duet */

export class DuetTransport {
  /** @param {HTMLElement} pane @param {Duet} duet */
  constructor(pane, duet) {
    this.duet = duet;
    const keys = h("div", { class: "keys", role: "toolbar", "aria-label": "Player" });
    /** @param {string} name @param {string} words @param {() => void} action @param {string} [style] */
    const key = (name, words, action, style = "") => {
      const element = h("button", { type: "button", class: style, "aria-label": words, title: words }, icon(name));
      element.addEventListener("click", action);
      keys.append(element);
      return element;
    };
    key("first", "First moment (Home)", () => duet.goTo(0), "edge-key");
    key("lineback", "Back one phase (Ctrl ←)", () => duet.byPhase(-1));
    key("back", "Back one moment (←)", () => duet.goTo(duet.at - 1));
    this.play = key("play", "Play (Space)", () => duet.play(), "play");
    key("next", "Next moment (→)", () => duet.goTo(duet.at + 1, true));
    key("linenext", "Next phase (Ctrl →)", () => duet.byPhase(1));
    key("last", "Last moment (End)", () => duet.goTo(duet.moments.length - 1), "edge-key");
    this.speed = h("button", { type: "button", class: "speed", title: "Speed: the next one", "aria-label": "Speed 1 times, change" }, "1×");
    this.speed.addEventListener("click", () => duet.nextSpeed());
    keys.append(this.speed);
    this.counter = h("span", { id: "counter" });
    this.how = h("span", {});
    pane.append(keys, h("div", { class: "counter" }, this.counter, this.how));
  }

  /** @param {Set<import("../../compare/duet.js").Topic>} topics */
  render(topics) {
    const { duet } = this;
    if (topics.has("playing")) {
      const words = duet.playing ? "Pause (Space)" : "Play (Space)";
      this.play.replaceChildren(icon(duet.playing ? "pause" : "play"));
      this.play.setAttribute("aria-label", words);
      this.play.title = words;
    }
    if (topics.has("speed")) {
      this.speed.textContent = `${duet.speed}×`;
      this.speed.setAttribute("aria-label", `Speed ${duet.speed} times, change`);
    }
    this.counter.replaceChildren("Moment ", h("b", {}, String(duet.at + 1)), ` of ${duet.moments.length}`);
    this.how.textContent = { clock: "by the recorded clock", line: "by source line", phase: "by phase" }[duet.lock];
  }
}
