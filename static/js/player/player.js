/**
 * The player's state and the only place that changes it. Views listen; nobody else keeps a copy.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {{graph: number, plan: number} | null} ChosenView   null: follow the step
 * @typedef {import("../trace/stops.js").Stop} Stop
 * @typedef {import("./transport.js").Grain} Grain
 * @typedef {"trace" | "step" | "playing" | "speed" | "selection" | "view" | "stale" | "stops" | "grain" | "watches" | "name" | "query" | "held"} Topic   `held`: the furthest step was reached, and more was asked for
 * @typedef {{topics: Set<Topic>, animate: boolean}} Change
 * @typedef {(player: Player, change: Change) => void} Follower
 */
import { outOfCall } from "../trace/calls.js";
import { byChange } from "../trace/changes.js";
import { byMatch } from "../trace/finding/find.js";
import { byStop, stopKey, visits } from "../trace/stops.js";
import { advance, byGrain, byValue, clamp, GRAINS, SPEEDS } from "./transport.js";

export class Player {
  /** @type {TraceIndex | null} */
  index = null;
  step = 0;
  playing = false;
  speed = 1;
  /** The selected node, -1 if none. */
  selected = -1;
  /** @type {ChosenView} */
  view = null;
  /** Whether the program was edited since it was recorded. */
  stale = false;
  /** Where playing stops, each thing once. @type {Stop[]} */
  stops = [];
  /** How far a press of a key goes. @type {Grain} */
  grain = "step";
  /** Expressions that are watched. @type {string[]} */
  watches = [];
  /** The loop whose passes are shown: the key of its scope, "" for none. */
  loop = "";
  /** The selected variable, "" if none. */
  name = "";
  /** What was searched for last, "" if nothing. */
  query = "";
  /** The furthest step that may be shown, -1 for all: a lesson hides what it asks about. */
  furthest = -1;
  /** @type {Follower[]} */
  #followers = [];
  #owed = 0;
  #last = -1;

  /** @param {Follower} follower */
  follow(follower) {
    this.#followers.push(follower);
  }

  /** @param {Topic[]} topics @param {boolean} [animate] */
  #tell(topics, animate = false) {
    for (const follower of this.#followers) follower(this, { topics: new Set(topics), animate });
  }

  /** Shows another recording, from its first step. @param {TraceIndex} index */
  load(index) {
    const before = this.index?.trace.document.program.source;
    const after = index.trace.document.program.source;
    // In an edited program a breakpoint stays where its line still says the same; places in the old graph mean nothing in the new one.
    if (before !== undefined && before !== after) this.stops = this.stops.filter((stop) => stop.kind === "op" || (stop.kind === "line" && before.split("\n")[stop.line - 1] === after.split("\n")[stop.line - 1]));
    Object.assign(this, { index, step: 0, playing: false, selected: -1, loop: "", view: null, stale: false, furthest: -1 });
    this.#tell(["trace", "step", "playing", "selection", "view", "stale", "stops", "grain", "watches", "name", "query"]);
  }

  /** Another program comes: what was set for this one is forgotten. */
  forget() {
    Object.assign(this, { stops: [], watches: [], name: "", query: "", grain: "step" });
    this.#tell(["stops", "watches", "name", "query", "grain"]);
  }

  /**
   * Goes to a step. One step forward may be animated, a jump never is.
   * @param {number} step @param {{animate?: boolean, keepPlaying?: boolean}} [options]
   */
  goTo(step, { animate = false, keepPlaying = false } = {}) {
    if (!this.index) return;
    const wanted = clamp(this.index, step);
    const to = this.furthest >= 0 ? Math.min(wanted, this.furthest) : wanted;
    if (to < wanted) {
      this.playing = false;
      this.#tell(["held", "playing"]);
    }
    const stop = this.playing && !keepPlaying;
    if (stop) this.playing = false;
    if (to === this.step && !stop) return;
    const by = to - this.step;
    this.step = to;
    this.#tell(stop ? ["step", "playing"] : ["step"], animate && by === 1);
  }

  /** Hides what comes after a step, or shows all again. @param {number} step -1: nothing is hidden */
  hold(step) {
    if (this.furthest === step) return;
    this.furthest = step;
    if (step >= 0) this.goTo(Math.min(this.step, step));
    this.#tell(["step"]);
  }

  /** @param {1 | -1} way @param {Grain} [grain] */
  move(way, grain = this.grain) {
    if (this.index) this.goTo(byGrain(this.index, this.step, way, grain), { animate: grain === "step" });
  }

  /** @param {1 | -1} way out of the call that this step is in */
  moveOut(way) {
    if (this.index) this.goTo(outOfCall(this.index, this.step, way));
  }

  /** @param {Grain} grain */
  setGrain(grain) {
    if (grain === this.grain) return;
    this.grain = grain;
    this.#tell(["grain"]);
  }

  nextGrain() {
    this.setGrain(GRAINS[(GRAINS.indexOf(this.grain) + 1) % GRAINS.length]);
  }

  /** @param {1 | -1} way to the next or previous value of the selected node */
  moveByValue(way) {
    if (this.index && this.selected >= 0) this.goTo(byValue(this.index, this.selected, this.step, way));
  }

  /** Sets a breakpoint, or takes it away. @param {Stop} stop */
  toggleStop(stop) {
    const key = stopKey(stop);
    const rest = this.stops.filter((one) => stopKey(one) !== key);
    this.setStops(rest.length < this.stops.length ? rest : [...rest, stop]);
  }

  /** @param {number} [line] that of this step if none is given */
  toggleBreak(line = this.index?.trace.steps.line[this.step] ?? -1) {
    if (line >= 1) this.toggleStop({ kind: "line", line, when: "" });
  }

  /** @param {Stop[]} stops */
  setStops(stops) {
    this.stops = stops;
    this.#tell(["stops"]);
  }

  /** To the next or previous visit of a breakpoint; gives whether there is one. @param {1 | -1} way @param {Stop[]} [stops] */
  moveByStop(way, stops = this.stops) {
    const to = this.index ? byStop(this.index, stops, this.step, way) : null;
    if (to !== null) this.goTo(to);
    return to !== null;
  }

  /** To the next visit of a line, or the first one if there is no next; gives whether the line was ever run. @param {number} line */
  runTo(line) {
    if (!this.index) return false;
    /** @type {Stop} */
    const stop = { kind: "line", line, when: "" };
    const to = byStop(this.index, [stop], this.step, 1) ?? visits(this.index, stop).steps[0];
    if (to !== undefined) this.goTo(to);
    return to !== undefined;
  }

  /** @param {string[]} watches */
  setWatches(watches) {
    this.watches = watches;
    this.#tell(["watches"]);
  }

  /** Selects a variable and, if it holds a tensor, its node. @param {string} name "" for none @param {number} [node] */
  choose(name, node = -1) {
    const topics = /** @type {Topic[]} */ ([...(name !== this.name ? ["name"] : []), ...(node !== this.selected || this.loop ? ["selection"] : [])]);
    Object.assign(this, { name, selected: node, loop: "" });
    if (topics.length) this.#tell(topics);
  }

  /** To the next or previous change of a variable or expression; gives whether there is one. @param {1 | -1} way @param {string} [text] */
  moveByChange(way, text = this.name) {
    const to = this.index && text ? byChange(this.index, text, this.step, way) : null;
    if (to !== null) this.goTo(to);
    return to !== null;
  }

  /** @param {string} query */
  setQuery(query) {
    if (query === this.query) return;
    this.query = query;
    this.#tell(["query"]);
  }

  /** To the next or previous step that the kept search fits; gives whether there is one. @param {1 | -1} way */
  moveByMatch(way) {
    const to = this.index && this.query ? byMatch(this.index, this.query, this, way) : null;
    if (to !== null) this.goTo(to);
    return to !== null;
  }

  first() {
    this.goTo(0);
  }

  last() {
    if (this.index) this.goTo(this.index.stepCount - 1);
  }

  /** @param {boolean} [on] */
  play(on = !this.playing) {
    if (!this.index || on === this.playing) return;
    const atEnd = this.step >= this.index.stepCount - 1;
    this.playing = on && this.index.stepCount > 1;
    this.#owed = 0;
    this.#last = -1;
    if (this.playing && atEnd) {
      this.step = 0;
      this.#tell(["playing", "step"]);
    } else this.#tell(["playing"]);
  }

  /** @param {number} speed */
  setSpeed(speed) {
    this.speed = speed;
    this.#tell(["speed"]);
  }

  nextSpeed() {
    this.setSpeed(SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length]);
  }

  /** The clock ticks: called with a time in ms as often as the screen is drawn. @param {number} now */
  tick(now) {
    if (!this.playing || !this.index) return;
    if (this.#last >= 0) this.#owed += Math.min(now - this.#last, 1000);
    this.#last = now;
    const { steps, rest } = advance(this.#owed, this.speed);
    this.#owed = rest;
    if (steps > 0) {
      let to = this.step;
      for (let n = 0; n < steps && to < this.index.stepCount - 1; n++) to = byGrain(this.index, to, 1, this.grain);
      const stop = byStop(this.index, this.stops, this.step, 1);
      if (stop !== null && stop <= to) return this.goTo(stop, { animate: stop === this.step + 1 });
      this.goTo(to, { animate: steps === 1 && this.speed < 16 && this.grain === "step", keepPlaying: true });
    }
    if (this.step >= this.index.stepCount - 1) this.play(false);
  }

  /** @param {number} node -1 for nothing */
  select(node) {
    this.choose("", node);
  }

  /** Shows a loop pass by pass, or no longer. @param {string} key of its scope */
  watchLoop(key) {
    Object.assign(this, { loop: this.loop === key ? "" : key, selected: -1 });
    this.#tell(["selection"]);
  }

  /** @param {ChosenView} view */
  show(view) {
    this.view = view;
    this.#tell(["view"]);
  }

  /** @param {boolean} stale */
  markStale(stale) {
    if (stale === this.stale) return;
    this.stale = stale;
    if (stale) this.playing = false;
    this.#tell(["stale", "playing"]);
  }
}
