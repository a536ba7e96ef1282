/**
 * The player's state and the only place that changes it. Views listen; nobody else keeps a copy.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {{graph: number, plan: number} | null} ChosenView   null: follow the step
 * @typedef {"trace" | "step" | "playing" | "speed" | "selection" | "view" | "stale" | "breaks"} Topic
 * @typedef {{topics: Set<Topic>, animate: boolean}} Change
 * @typedef {(player: Player, change: Change) => void} Follower
 */
import { advance, byBreak, byIteration, byLine, byPhase, byValue, clamp, SPEEDS } from "./transport.js";

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
  /** Lines at which playing stops. @type {Set<number>} */
  breaks = new Set();
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
    const same = this.index?.trace.document.program.source === index.trace.document.program.source;
    if (!same) this.breaks = new Set();
    Object.assign(this, { index, step: 0, playing: false, selected: -1, view: null, stale: false });
    this.#tell(["trace", "step", "playing", "selection", "view", "stale", "breaks"]);
  }

  /**
   * Goes to a step. One step forward may be animated, a jump never is.
   * @param {number} step @param {{animate?: boolean, keepPlaying?: boolean}} [options]
   */
  goTo(step, { animate = false, keepPlaying = false } = {}) {
    if (!this.index) return;
    const to = clamp(this.index, step);
    const stop = this.playing && !keepPlaying;
    if (stop) this.playing = false;
    if (to === this.step && !stop) return;
    const by = to - this.step;
    this.step = to;
    this.#tell(stop ? ["step", "playing"] : ["step"], animate && by === 1);
  }

  /** @param {1 | -1} way @param {"step" | "line" | "iteration" | "phase"} [grain] */
  move(way, grain = "step") {
    if (!this.index) return;
    if (grain === "line") this.goTo(byLine(this.index, this.step, way));
    else if (grain === "iteration") this.goTo(byIteration(this.index, this.step, way));
    else if (grain === "phase") this.goTo(byPhase(this.index, this.step, way));
    else this.goTo(this.step + way, { animate: true });
  }

  /** @param {1 | -1} way to the next or previous value of the selected node */
  moveByValue(way) {
    if (this.index && this.selected >= 0) this.goTo(byValue(this.index, this.selected, this.step, way));
  }

  /** Sets a breakpoint on a line, or takes it away. @param {number} [line] that of this step if none is given */
  toggleBreak(line = this.index?.trace.steps.line[this.step] ?? -1) {
    if (line < 1) return;
    if (!this.breaks.delete(line)) this.breaks.add(line);
    this.#tell(["breaks"]);
  }

  /** To the next or previous visit of a line with a breakpoint. @param {1 | -1} way */
  moveByBreak(way) {
    if (this.index) this.goTo(byBreak(this.index, this.breaks, this.step, way) ?? this.step);
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
    const stop = byBreak(this.index, this.breaks, this.step, 1);
    if (steps > 0 && stop !== null && stop <= this.step + steps) return this.goTo(stop, { animate: stop === this.step + 1 });
    if (steps > 0) this.goTo(this.step + steps, { animate: steps === 1 && this.speed < 16, keepPlaying: true });
    if (this.step >= this.index.stepCount - 1) this.play(false);
  }

  /** @param {number} node -1 for nothing */
  select(node) {
    if (node === this.selected) return;
    this.selected = node;
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
