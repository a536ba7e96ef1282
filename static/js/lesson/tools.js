/** The row over the player: which of two programs is shown, playing this part, what is open, Run. */
import { button, byId, h } from "../views/dom.js";

/** @typedef {import("./types.js").PlayerPlace} PlayerPlace */

export class ToolsView {
  /**
   * @param {import("./stage.js").Stage} stage @param {import("./desk.js").LessonDesk} desk
   * @param {{change: (program: string) => void, back: () => void}} on `change`: the other program; `back`: the lesson's own one again
   */
  constructor(stage, desk, on) {
    this.stage = stage;
    this.desk = desk;
    this.on = on;
    /** @type {PlayerPlace | undefined} */
    this.place = undefined;
    this.pair = h("span", { class: "pair" });
    this.compare = h("a", { class: "link", href: "/compare", hidden: true }, "Side by side");
    // Where the bar has no room for it.
    this.playground = h("a", { class: "link playground", href: "/play" }, "Open in the playground");
    this.part = button("Play this part", { class: "link", hidden: true }, () => this.place?.until !== undefined && this.stage.playPart(this.place.at, this.place.until));
    this.back = button("Back to the lesson’s program", { class: "link", hidden: true }, () => this.on.back());
    const toggle = /** @param {string} words @param {string} title @param {() => void} action */ (words, title, action) => button(words, { class: "tab", title, "aria-pressed": "false" }, action);
    this.edit = toggle("Edit the program", "The whole program beside its graph, with its variables and its output (C)", () => stage.show(stage.app.dataset.lesson === "code" ? "graph" : "code"));
    this.times = toggle("Times", "Lanes, phases, critical path, memory (T)", () => stage.times(!stage.isOpen("times")));
    this.details = toggle("Details", "The selected node, or the one of this step (I)", () => stage.inspect(!stage.isOpen("inspect")));
    this.word = h("span", {}, "Run");
    this.run = h("button", { type: "button", class: "run", id: "run-here", title: "Run the program (Ctrl Enter)" }, this.word);
    byId("lesson-tools").append(this.pair, this.compare, this.part, this.back, this.playground, h("span", { class: "fill" }), this.details, this.times, this.edit, this.run);
    stage.changed = () => this.draw();
  }

  /** @param {PlayerPlace | undefined} place of this step */
  show(place) {
    this.place = place;
    const names = place?.beside ? [place.program, place.beside] : [];
    this.pair.replaceChildren(...names.map((name) => button(name, { class: "tab", "data-program": name }, () => this.on.change(name))));
    this.compare.hidden = !names.length;
    if (names.length) void this.desk.besideAddress(names[0], names[1]).then((address) => this.compare.setAttribute("href", address));
    this.draw();
  }

  draw() {
    const { stage, desk, place } = this;
    for (const one of this.pair.children) one.setAttribute("aria-pressed", String(one.getAttribute("data-program") === desk.program));
    this.part.hidden = place?.until === undefined || desk.own || desk.program !== place.program;
    this.back.hidden = !desk.own;
    this.edit.setAttribute("aria-pressed", String(stage.app.dataset.lesson === "code"));
    this.times.setAttribute("aria-pressed", String(stage.isOpen("times")));
    this.details.setAttribute("aria-pressed", String(stage.isOpen("inspect")));
    this.run.classList.toggle("stale", stage.player.stale);
  }
}
