/** The keys under the code: first, back, play, on, last, speed; and the counter. */
import { phaseLabel } from "../trace/where.js";
import { h, s } from "./dom.js";

const ICONS = /** @type {Record<string, string>} */ ({
  first: "M5 4v12M16 4 8 10l8 6Z", lineback: "M11 4 5 10l6 6M16 4l-6 6 6 6", back: "M13 4 6 10l7 6", play: "M6 3.5v13l11-6.5Z", pause: "M6 4h3v12H6ZM12 4h3v12h-3Z",
  next: "m7 4 7 6-7 6", linenext: "m4 4 6 6-6 6M9 4l6 6-6 6", last: "M15 4v12M4 4l8 6-8 6Z",
});

/** @param {string} name */
const icon = (name) => s("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, s("path", { d: ICONS[name] }));

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
    key("back", "Back one step (←)", () => player.move(-1));
    this.play = key("play", "Play (Space)", () => player.play(), "play");
    key("next", "Next step (→)", () => player.move(1));
    key("linenext", "Next line (Shift →)", () => player.move(1, "line"));
    key("last", "Last step (End)", () => player.last(), "edge-key");
    this.speed = h("button", { type: "button", class: "speed", title: "Speed: the next one" }, "1×");
    this.speed.addEventListener("click", () => player.nextSpeed());
    keys.append(this.speed);
    this.step = h("span", { id: "counter" });
    this.phase = h("span");
    pane.append(keys, h("div", { class: "counter" }, this.step, this.phase));
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
    if (!index || !(change.topics.has("step") || change.topics.has("trace"))) return;
    this.step.replaceChildren("Step ", h("b", {}, String(index.stepCount ? step + 1 : 0)), ` of ${index.stepCount}`);
    const phase = index.phaseOf(step);
    const { first, last } = index.trace.phases;
    const ended = index.trace.document.end.kind !== "ok" && step === index.stepCount - 1;
    this.phase.textContent = ended ? endWords(index.trace.document.end) : phase >= 0 ? `${phaseLabel(index, phase)}, ${step - first[phase] + 1} of ${last[phase] - first[phase] + 1}` : "";
  }
}

/** @param {import("../trace/types.js").End} end */
function endWords(end) {
  if (end.kind === "error") return "ended with an error";
  if (end.kind === "limit") return `ended by the ${end.limit} limit`;
  return `exit status ${end.exit_code}`;
}
