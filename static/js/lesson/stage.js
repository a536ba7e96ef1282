/**
 * Where the player stands in a step of the lesson, and what is open round the graph.
 * @typedef {import("./types.js").PlayerPlace} PlayerPlace
 * @typedef {"graph" | "code"} Showing   the graph over three lines of code, or the whole program beside it
 */
import { byId } from "../views/dom.js";

/** As many steps are played where an answer is shown; beyond, the player jumps. */
const MOST_PLAYED = 12;
const CODE_PANES = ["code", "variables", "output"];

export class Stage {
  /** @param {import("../player/player.js").Player} player @param {import("../panes.js").Panes} panes */
  constructor(player, panes) {
    this.player = player;
    this.panes = panes;
    this.app = byId("app");
    /** Where playing a part stops, -1 if it goes on. */
    this.stop = -1;
    /** Called when something else is shown. */
    this.changed = () => {};
    player.follow((_, change) => this.#follow(change));
    // The keys C, V, O, T and whatever opens a pane.
    panes.tabs.shown = (id) => {
      if (CODE_PANES.includes(id)) this.show("code");
      else if (id === "times") this.times(true);
      else if (id === "node") this.inspect(true);
    };
  }

  /** @param {import("../player/player.js").Change} change */
  #follow(change) {
    const { player } = this;
    const { index } = player;
    this.app.toggleAttribute("data-held", player.furthest >= 0);
    // What a program stopped at is explained beside the graph; the room for it is there from the start, so that nothing moves.
    if (index && change.topics.has("trace")) this.app.toggleAttribute("data-failed", ["error", "limit"].includes(index.trace.document.end.kind));
    if (this.stop < 0) return;
    if (player.step >= this.stop) {
      if (player.step > this.stop) player.goTo(this.stop);
      player.play(false);
    }
    if (!player.playing) this.stop = -1;
  }

  /** @param {PlayerPlace} place @param {boolean} answered */
  stand(place, answered) {
    const { player, panes } = this;
    this.stop = -1;
    player.hold(place.hide && !answered ? place.at : -1);
    player.goTo(place.at);
    player.select(place.select ?? -1);
    const { open } = place;
    if (open === "xray") panes.xray(place.select);
    else if (open === "output" || open === "variables") panes.tabs.show(open);
    else if (open && open !== "graph") {
      this.times(true);
      panes.timings.show(/** @type {import("../views/timings/timings.js").Tab} */ (open === "measure" ? "measured" : open));
    }
  }

  /** Plays from one step to another, and stops there. @param {number} from @param {number} until */
  playPart(from, until) {
    this.player.goTo(from);
    this.player.play(true);
    this.stop = until;
  }

  /** Shows what came: played where it is near, else at once. @param {number} to */
  reveal(to) {
    const { player } = this;
    const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (to > player.step && to - player.step <= MOST_PLAYED && !still) this.playPart(player.step, to);
    else player.goTo(to);
  }

  /** @param {Showing} what */
  show(what) {
    this.app.dataset.lesson = what;
    this.changed();
  }

  /** Lanes, phases, memory and the other charts of time, or the phases alone. @param {boolean} open */
  times(open) {
    this.app.toggleAttribute("data-times", open);
    this.changed();
  }

  /** The node that the step is about, or the selected one, beside the graph. @param {boolean} open */
  inspect(open) {
    this.app.toggleAttribute("data-inspect", open);
    this.changed();
  }

  /** @param {"times" | "inspect"} what */
  isOpen(what) {
    return this.app.hasAttribute(`data-${what}`);
  }
}
