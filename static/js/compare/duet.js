/**
 * Two players moved as one: the state of the side-by-side, and the only place that changes it.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../trace/moments.js").Lock} Lock
 * @typedef {import("../trace/moments.js").Moment} Moment
 * @typedef {"trace" | "at" | "playing" | "speed" | "lock" | "selection"} Topic
 * @typedef {(duet: Duet, topics: Set<Topic>) => void} Follower
 */
import { Player } from "../player/player.js";
import { advance, SPEEDS } from "../player/transport.js";
import { moments } from "../trace/moments.js";
import { pairing } from "../trace/pairing.js";

export class Duet {
  a = new Player();
  b = new Player();
  /** @type {Moment[]} */
  moments = [];
  /** @type {import("../trace/pairing.js").Pairing} */
  pairs = { ab: new Map(), ba: new Map() };
  /** @type {Lock} */
  lock = "clock";
  at = 0;
  playing = false;
  speed = 1;
  /** Whether it begins anew at its end. */
  loops = false;
  /** How long a moment stays at speed 1, in parts of a step of the player. */
  pace = 0.5;
  /** @type {Follower[]} */
  #followers = [];
  #owed = 0;
  #last = -1;

  /** @param {Follower} follower */
  follow(follower) {
    this.#followers.push(follower);
  }

  /** @param {...Topic} topics */
  #tell(...topics) {
    for (const follower of this.#followers) follower(this, new Set(topics));
  }

  /** Both recordings, null while one is missing. @returns {{a: TraceIndex, b: TraceIndex} | null} */
  get both() {
    return this.a.index && this.b.index ? { a: this.a.index, b: this.b.index } : null;
  }

  /** @param {TraceIndex} a @param {TraceIndex} b */
  load(a, b) {
    this.playing = false;
    this.pairs = pairing(a, b);
    this.moments = moments(a, b, this.lock, this.pairs);
    this.at = 0;
    this.a.load(a);
    this.b.load(b);
    this.#settle(false);
    this.#tell("trace", "at", "playing", "lock", "selection");
  }

  /** Another lock: the left side keeps its step. @param {Lock} lock */
  setLock(lock) {
    if (lock === this.lock) return;
    const step = this.moments[this.at]?.a ?? 0;
    this.lock = lock;
    const { both } = this;
    if (both) {
      this.moments = moments(both.a, both.b, lock, this.pairs);
      this.at = Math.max(0, this.moments.findIndex((moment) => moment.a >= step));
      this.#settle(false);
    }
    this.#tell("lock", "at");
  }

  /** @param {number} at @param {boolean} [animate] */
  goTo(at, animate = false) {
    const to = Math.max(0, Math.min(this.moments.length - 1, Math.round(at)));
    if (to === this.at) return;
    const one = animate && to === this.at + 1;
    this.at = to;
    this.#settle(one);
    this.#tell("at");
  }

  /** To the moment at which a side reaches a step. @param {"a" | "b"} side @param {number} step */
  goToStep(side, step) {
    const at = this.moments.findIndex((moment) => moment[side] >= step);
    if (at >= 0) this.goTo(at);
  }

  /** By whole phases: to where the next one of either side begins. @param {1 | -1} way */
  byPhase(way) {
    const { both } = this;
    if (!both) return;
    const phase = /** @param {number} at */ (at) => `${both.a.phaseOf(Math.max(0, this.moments[at].a))} ${both.b.phaseOf(Math.max(0, this.moments[at].b))}`;
    let to = this.at + way;
    while (to > 0 && to < this.moments.length - 1 && phase(to) === phase(to - 1)) to += way;
    this.goTo(to);
  }

  /** @param {boolean} animate */
  #settle(animate) {
    const moment = this.moments[this.at];
    if (!moment) return;
    this.a.goTo(Math.max(0, moment.a), { animate });
    this.b.goTo(Math.max(0, moment.b), { animate });
  }

  /** @param {boolean} [on] */
  play(on = !this.playing) {
    if (!this.moments.length || on === this.playing) return;
    this.playing = on && this.moments.length > 1;
    this.#owed = 0;
    this.#last = -1;
    if (this.playing && this.at >= this.moments.length - 1) this.goTo(0);
    this.#tell("playing");
  }

  nextSpeed() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    this.#tell("speed");
  }

  /** @param {number} now in ms */
  tick(now) {
    if (!this.playing) return;
    if (this.#last >= 0) this.#owed += Math.min(now - this.#last, 1000);
    this.#last = now;
    const { steps, rest } = advance(this.#owed, this.speed / this.pace);
    this.#owed = rest;
    if (steps > 0) this.goTo(this.at + steps, steps === 1 && this.speed < 4);
    if (this.at < this.moments.length - 1) return;
    if (this.loops) {
      // The end stays for a moment before it begins anew.
      if (this.#owed > 1500 * this.pace) this.goTo(0);
    } else this.play(false);
  }

  /** Selects a node of one side and its counterpart. @param {"a" | "b"} side @param {number} node -1 for nothing */
  select(side, node) {
    const own = this[side];
    const other = side === "a" ? this.b : this.a;
    own.select(node);
    const slot = node >= 0 ? this.counterpart(side, node) : -1;
    other.select(slot >= 0 && other.index ? nodeAt(other.index, slot, other.step) : -1);
    this.#tell("selection");
  }

  /** The slot of the other side that corresponds to a node, -1 if there is none. @param {"a" | "b"} side @param {number} node */
  counterpart(side, node) {
    const index = this[side].index;
    if (!index) return -1;
    return (side === "a" ? this.pairs.ab : this.pairs.ba).get(index.trace.nodes.slot[index.host(node)]) ?? -1;
  }
}

/** The node that stands at a slot at a step: the last one made. @param {TraceIndex} index @param {number} slot @param {number} step */
export function nodeAt(index, slot, step) {
  const limit = index.limit(step);
  const made = index.slotNodes[slot].filter((node) => index.trace.nodes.seq[node] < limit);
  return made[made.length - 1] ?? index.slotNodes[slot][0] ?? -1;
}
