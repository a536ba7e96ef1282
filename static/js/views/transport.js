/** The keys under the code: first, back, play, on, last, speed; the counter, and how far one press goes. */
import { GRAINS } from "../player/transport.js";
import { phaseLabel } from "../trace/where.js";
import { h, s } from "./dom.js";

const ICONS = /** @type {Record<string, string>} */ ({
  first: "M5 4v12M16 4 8 10l8 6Z", lineback: "M11 4 5 10l6 6M16 4l-6 6 6 6", back: "M13 4 6 10l7 6", play: "M6 3.5v13l11-6.5Z", pause: "M6 4h3v12H6ZM12 4h3v12h-3Z",
  next: "m7 4 7 6-7 6", linenext: "m4 4 6 6-6 6M9 4l6 6-6 6", last: "M15 4v12M4 4l8 6-8 6Z",
});

/** How far one press goes: in the list, and in the words of the keys. */
const GRAIN_WORDS = /** @type {Record<import("../player/transport.js").Grain, [string, string]>} */ ({
  step: ["by event", "step"], line: ["by line", "line"], call: ["by line, over calls", "line, over calls"], iteration: ["by iteration", "iteration"], phase: ["by phase", "phase"],
});

/** @param {string} name */
export const icon = (name) => s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

export class TransportView {
  /** @param {HTMLElement} pane @param {import("../player/player.js").Player} player */
  constructor(pane, player) {
    const keys = h("div", { class: "keys", role: "toolbar", "aria-label": "Player" });
    /** @param {string} name @param {string} words @param {() => void} action @param {string} [style] */
    const key = (name, words, action, style = "") => {
      const element = h("button", { type: "button", class: style, "aria-label": words, title: words }, icon(name));
      element.addEventListener("click", action);
      keys.append(element);
      return element;
    };
    key("first", "First step (Home)", () => player.first(), "edge-key");
    key("lineback", "Back one line (Shift ←)", () => player.move(-1, "line"));
    this.back = key("back", "", () => player.move(-1));
    this.play = key("play", "Play (Space)", () => player.play(), "play");
    this.next = key("next", "", () => player.move(1));
    key("linenext", "Next line (Shift →)", () => player.move(1, "line"));
    key("last", "Last step (End)", () => player.last(), "edge-key");
    this.speed = h("button", { type: "button", class: "speed", title: "Speed: the next one" }, "1×");
    this.speed.addEventListener("click", () => player.nextSpeed());
    keys.append(this.speed);
    this.step = h("span", { id: "counter" });
    this.phase = h("span");
    this.grain = h("select", { class: "grain", id: "grain", "aria-label": "How far one press goes", title: "How far → and ← go, and play (E: the next)" });
    this.grain.append(...GRAINS.map((grain) => h("option", { value: grain }, GRAIN_WORDS[grain][0])));
    this.grain.addEventListener("change", () => {
      player.setGrain(/** @type {import("../player/transport.js").Grain} */ (this.grain.value));
      // The arrow keys belong to the player again.
      this.grain.blur();
    });
    // Before anything is recorded there is no press.
    this.grain.hidden = true;
    this.#grains(player);
    pane.append(keys, h("div", { class: "counter" }, this.step, this.phase, this.grain));
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    const { index, step } = player;
    if (change.topics.has("playing")) {
      this.play.replaceChildren(icon(player.playing ? "pause" : "play"));
      const words = player.playing ? "Pause (Space)" : "Play (Space)";
      this.play.setAttribute("aria-label", words);
      this.play.title = words;
    }
    if (change.topics.has("speed")) {
      this.speed.textContent = `${player.speed}×`;
      this.speed.setAttribute("aria-label", `Speed ${player.speed} times, change`);
    }
    if (change.topics.has("grain")) this.#grains(player);
    if (!index || !(change.topics.has("step") || change.topics.has("trace"))) return;
    this.grain.hidden = false;
    this.step.replaceChildren("Step ", h("b", {}, String(index.stepCount ? index.number(step) : 0)), ` of ${index.wholeCount}`);
    const phase = index.phaseOf(step);
    const { first, last } = index.trace.phases;
    const ended = index.trace.document.end.kind !== "ok" && step === index.stepCount - 1;
    this.phase.textContent = ended ? endWords(index.trace.document.end) : phase >= 0 ? `${phaseLabel(index, phase)}, ${step - first[phase] + 1} of ${last[phase] - first[phase] + 1}` : "";
  }

  /** @param {import("../player/player.js").Player} player */
  #grains({ grain }) {
    this.grain.value = grain;
    const unit = GRAIN_WORDS[grain][1];
    for (const [element, words] of /** @type {const} */ ([[this.back, grain === "step" ? "Back one step (←)" : `Back by ${unit} (←)`], [this.next, `Next ${unit} (→)`]])) {
      element.setAttribute("aria-label", words);
      element.title = words;
    }
  }
}

/** @param {import("../trace/types.js").End} end */
function endWords(end) {
  if (end.kind === "error") return "ended with an error";
  if (end.kind === "limit") return `ended by the ${end.limit} limit`;
  return `exit status ${end.exit_code}`;
}
