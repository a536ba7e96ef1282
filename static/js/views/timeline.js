/**
 * Phases and lanes over the steps: a bar is an op, as long as it took. Past bars are solid, future ones outlined; both are
 * drawn once and cut at the play head, so that a step moves two rectangles and nothing else.
 * @typedef {import("../player/player.js").Player} Player
 */
import { duration, time } from "../trace/format.js";
import { axis, bars, laneNames, stepAt } from "../trace/lanes.js";
import { outermost } from "../trace/phases.js";
import { actor, phaseLabel, phaseShort } from "../trace/where.js";
import { stepsOf } from "../player/transport.js";
import { textWidth } from "./graph/measure.js";
import { button, h, s } from "./dom.js";
import { Zoom } from "./zoom.js";

const EDGE = 28;
/** Where the lanes begin, and the least and most room of one, in pixels. */
const TOP = 46;
const LEAST = 13;
const MOST = 28;

export class TimelineView {
  /** @param {HTMLElement} pane @param {Player} player */
  constructor(pane, player) {
    this.pane = pane;
    this.player = player;
    this.svg = s("svg", { class: "lanes", role: "slider", tabindex: 0, "aria-label": "Timeline", "aria-valuemin": 1 });
    this.how = h("p", { class: "how" });
    this.scroller = h("div", { class: "lanes-scroll" }, this.svg);
    this.zoom = new Zoom(this.scroller, { left: () => this.left, plot: () => this.#plot(), most: () => Math.max(1, ((player.index?.stepCount ?? 0) * 24) / this.#plot()), changed: () => this.#later() });
    const buttons = h("span", { class: "zooms" }, button("−", { title: "Timeline narrower (wheel)", "aria-label": "Timeline narrower" }, () => this.zoom.by(1 / 1.6, this.#headX())), button("+", { title: "Timeline wider (wheel)", "aria-label": "Timeline wider" }, () => this.zoom.by(1.6, this.#headX())), button("Whole", { title: "The whole timeline" }, () => this.zoom.whole()));
    pane.append(this.scroller, h("div", { class: "lanes-foot" }, buttons, this.how));
    this.svg.addEventListener("keydown", (event) => {
      const factor = event.key === "+" || event.key === "=" ? 1.6 : event.key === "-" ? 1 / 1.6 : 0;
      if ((!factor && event.key !== "0") || event.ctrlKey || event.metaKey) return;
      if (factor) this.zoom.by(factor, this.#headX());
      else this.zoom.whole();
      event.preventDefault();
      event.stopPropagation();
    });
    /** @type {import("../trace/lanes.js").Bar[]} */
    this.bars = [];
    /** @type {import("../trace/lanes.js").Axis | null} */
    this.axis = null;
    this.left = 112;
    /** @type {Map<string, number>} */
    this.rows = new Map();
    this.height = 0;
    this.thick = 12;
    this.width = 0;
    this.waits = 0;
    new ResizeObserver(() => this.#build()).observe(this.scroller);
    this.scroller.addEventListener("pointerdown", (event) => this.#scrub(event, true));
    this.scroller.addEventListener("pointermove", (event) => (event.buttons & 1 && this.scrubbing && !this.zoom.pinching ? this.#scrub(event, false) : this.#hint(event)));
    this.scroller.addEventListener("pointerup", () => (this.scrubbing = false));
    this.scrubbing = false;
    this.tip = s("title");
  }

  /** @param {Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (change.topics.has("trace") && player.index) {
      this.bars = bars(player.index);
      // While it cannot be seen nothing is drawn, and the places of another recording are no places of this one.
      this.axis = null;
      this.zoom.reset();
      this.#build();
    } else if (change.topics.has("step")) this.#move();
    if (change.topics.has("selection")) this.#pick();
  }

  /** Drawn anew when the screen is, not at every turn of a wheel. */
  #later() {
    cancelAnimationFrame(this.waits);
    this.waits = requestAnimationFrame(() => this.#build());
  }

  /** The room that the steps have on the screen, in pixels. */
  #plot() {
    return Math.max(40, this.width - this.left - EDGE);
  }

  /** Where the head stands on the pane. */
  #headX() {
    const { step } = this.player;
    return this.axis ? this.left + (this.axis.bar[step] ?? 0) - this.zoom.offset : this.left;
  }

  #build() {
    const index = this.player.index;
    const width = (this.width = this.scroller.clientWidth);
    if (!index || !width) return;
    const names = laneNames(this.bars);
    const size = (parseFloat(getComputedStyle(this.pane).getPropertyValue("--type-xs")) || 11) / 11;
    const room = this.scroller.clientHeight || 130;
    const pitch = Math.max(LEAST, Math.min(MOST, (room - TOP - 3) / Math.max(1, names.length)));
    this.thick = Math.min(12, pitch - 3);
    this.height = Math.max(room - 2, TOP + 2 + pitch * names.length);
    this.left = Math.max(72, ...names.map((name) => textWidth(name, "note") * size * 1.1 + 44));
    this.rows = new Map(names.map((name, i) => [name, TOP + pitch * (i + 0.5)]));
    const labels = Array.from({ length: index.trace.count.phases }, (_, p) => textWidth(phaseShort(index, p), "label") * size + 18);
    this.axis = axis(index, this.bars, this.#plot() * this.zoom.scale, labels);
    this.svg.setAttribute("viewBox", `0 0 ${width} ${this.height}`);
    this.svg.setAttribute("height", String(this.height));
    this.svg.setAttribute("aria-valuemax", String(index.stepCount));
    this.pastClip = s("rect", { x: 0, y: 44, height: this.height });
    this.laterClip = s("rect", { y: 44, height: this.height });
    const clips = s("defs", {}, s("clipPath", { id: "plot" }, s("rect", { x: this.left - 2, y: 0, width: this.#plot() + EDGE, height: this.height })), s("clipPath", { id: "past" }, this.pastClip), s("clipPath", { id: "later" }, this.laterClip));
    const rules = names.flatMap((name) => [s("text", { x: 24, y: (this.rows.get(name) ?? 0) + 4 }, name), s("path", { class: "rule", d: `M${this.left} ${this.rows.get(name)}H${width - EDGE}` })]);
    this.phases = s("g");
    this.picked = s("path", { class: "bar is-picked" });
    this.now = s("rect", { class: "bar is-now", rx: 2, height: this.thick, visibility: "hidden" });
    this.head = s("path", { class: "head" });
    this.cap = s("rect", { class: "cap", y: 3, height: 17, rx: 4 });
    this.captext = s("text", { class: "captext", y: 15.5, "text-anchor": "middle" });
    this.world = s("g", {}, this.phases, s("g", { class: "bars-later", "clip-path": "url(#later)" }, ...this.#paths()), s("g", { class: "bars-past", "clip-path": "url(#past)" }, ...this.#paths()), this.picked, this.now, this.head, this.cap, this.captext);
    this.svg.replaceChildren(this.tip, clips, ...rules, this.zoom.scale > 1 ? s("g", { "clip-path": "url(#plot)" }, this.world) : this.world);
    this.#drawPhases();
    this.#pick();
    this.#move();
    this.how.textContent = this.bars.some((bar) => bar.duration >= 0) ? `bar length: kernel time, compared within a lane · clock ${time(index.trace.document.machine.timer_ns)} · a line: not timed, or too short to measure` : "";
  }

  get trace() {
    return /** @type {import("../trace/index.js").TraceIndex} */ (this.player.index).trace.document;
  }

  /** One path for each kind of bar: as many elements for ten steps as for ten thousand. */
  #paths() {
    /** @type {Map<string, string[]>} */
    const shapes = new Map();
    const resolution = this.trace.machine.timer_ns;
    this.bars.forEach((bar, step) => {
      const y = this.rows.get(bar.lane);
      if (y === undefined || !this.axis) return;
      const x = this.left + this.axis.bar[step];
      const measured = bar.duration > resolution;
      const style = `${bar.failed ? "failure" : measured || bar.lane === "Python builds" ? "" : "tick"} ${bar.category ? `k-${bar.category}` : ""}`;
      const list = shapes.get(style) ?? [];
      const room = (this.axis.x[step + 1] ?? Infinity) - this.axis.x[step];
      const w = Math.min(Math.max(room, 0.2), Math.max(bar.lane === "Python builds" ? 2 : 1.5, bar.lane === "Python builds" ? Math.min(9, this.axis.width[step] * 1.5) : this.axis.width[step]));
      list.push(style.startsWith("tick") ? `M${(x + 0.75).toFixed(1)} ${(y - this.thick / 2 + 1).toFixed(1)}v${(this.thick - 2).toFixed(1)}` : `M${x.toFixed(2)} ${(y - this.thick / 2).toFixed(1)}h${w.toFixed(2)}v${this.thick.toFixed(1)}h${(-w).toFixed(2)}z`);
      shapes.set(style, list);
    });
    return [...shapes].map(([style, d]) => s("path", { class: `bar ${style}`, d: d.join("") }));
  }

  #drawPhases() {
    const index = this.player.index;
    if (!index || !this.axis) return;
    const { episode } = index.trace.phases;
    const out = [];
    let before = -1;
    let free = 0;
    const end = this.left + this.#plot() * this.zoom.scale + EDGE - 4;
    for (const [p, at] of this.axis.phase.entries()) {
      if (p >= index.trace.count.phases) continue;
      const x = this.left + at.x;
      const words = phaseShort(index, p);
      const group = s("g", { "data-phase": p }, s("rect", { class: "band", x: x + 1, y: 22, width: Math.max(1, at.width - 2), height: 20, rx: Math.min(3, at.width / 3) }));
      if (textWidth(words, "label") + 12 < at.width) group.append(s("text", { class: "phase", x: x + 8, y: 36 }, words));
      const e = outermost(index.trace, episode[p]);
      if (e >= 0 && e !== before && x > free) {
        const name = `iteration ${index.trace.episodes.index[e] + 1}`;
        const wide = textWidth(name, "label");
        // The last ones would reach beyond the edge: there is no room for their names.
        if (x + 2 + wide <= end) group.append(s("text", { class: "phase iteration", x: x + 2, y: 14 }, name));
        free = x + wide + 12;
      }
      before = e;
      out.push(group);
    }
    this.phases?.replaceChildren(...out);
  }

  #pick() {
    const { index, selected } = this.player;
    if (!index || !this.axis || !this.picked) return;
    const nodes = selected < 0 ? [] : [selected];
    const d = nodes.flatMap((node) => stepsOf(index, node)).map((step) => {
      const y = this.rows.get(this.bars[step].lane);
      return y === undefined || !this.axis ? "" : `M${(this.left + this.axis.bar[step] - 2).toFixed(1)} ${(y - 8).toFixed(1)}h${(Math.max(3, this.axis.width[step]) + 4).toFixed(1)}v16h${(-Math.max(3, this.axis.width[step]) - 4).toFixed(1)}z`;
    });
    this.picked.setAttribute("d", d.join(""));
  }

  #move() {
    const { index, step } = this.player;
    if (!index || !this.axis || !this.head || !this.cap || !this.captext || !this.now || !index.stepCount) return;
    const bar = this.bars[step];
    const x = this.left + this.axis.bar[step] + (bar.duration >= 0 ? this.axis.width[step] : 1.5);
    this.pastClip?.setAttribute("width", String(x));
    this.laterClip?.setAttribute("x", String(x));
    this.laterClip?.setAttribute("width", String(Math.max(0, this.width * this.zoom.scale - x)));
    const label = String(index.number(step));
    const wide = Math.max(30, label.length * 8 + 12);
    if (this.zoom.scale > 1) this.zoom.show(x - this.left, this.axis.width[step]);
    const { offset } = this.zoom;
    this.world?.setAttribute("transform", `translate(${-offset} 0)`);
    // The label stays over the lanes: at either end it stands beside the head, never over the names or the edge.
    const centre = Math.max(this.left + offset + wide / 2 - 1, Math.min(offset + this.width - EDGE / 2 - wide / 2, x));
    this.head.setAttribute("d", `M${x.toFixed(1)} 20V${this.height - 6}`);
    this.cap.setAttribute("x", (centre - wide / 2).toFixed(1));
    this.cap.setAttribute("width", String(wide));
    this.captext.setAttribute("x", centre.toFixed(1));
    this.captext.textContent = label;
    const y = this.rows.get(bar.lane);
    this.now.setAttribute("visibility", y === undefined ? "hidden" : "visible");
    if (y !== undefined) {
      this.now.setAttribute("x", (this.left + this.axis.bar[step] - 0.5).toFixed(1));
      this.now.setAttribute("y", (y - this.thick / 2).toFixed(1));
      this.now.setAttribute("width", Math.max(4, this.axis.width[step]).toFixed(1));
    }
    const phase = index.phaseOf(step);
    for (const [p, group] of [...(this.phases?.children ?? [])].entries()) {
      group.setAttribute("class", p === phase ? "current" : p > phase ? "later" : "");
      const name = group.querySelector(".iteration");
      if (name instanceof SVGElement) name.setAttribute("visibility", Math.abs(Number(name.getAttribute("x")) + 30 - centre) < 34 + wide / 2 ? "hidden" : "visible");
    }
    this.svg.setAttribute("aria-valuenow", String(step + 1));
    this.svg.setAttribute("aria-valuetext", `Step ${index.number(step)} of ${index.wholeCount}${phase >= 0 ? `, ${phaseLabel(index, phase)}` : ""}`);
  }

  /** @param {PointerEvent} event */
  #at(event) {
    const box = this.svg.getBoundingClientRect();
    return this.axis ? stepAt(this.axis, event.clientX - box.left - this.left + this.zoom.offset) : 0;
  }

  /** @param {PointerEvent} event @param {boolean} start */
  #scrub(event, start) {
    if (event.button > 0 || !this.player.index || this.zoom.pinching) return;
    if (start) {
      this.scrubbing = true;
      this.scroller.setPointerCapture(event.pointerId);
    }
    this.player.goTo(this.#at(event));
  }

  /** @param {PointerEvent} event */
  #hint(event) {
    const index = this.player.index;
    if (!index || !this.axis || !index.stepCount) return;
    const step = this.#at(event);
    this.tip.textContent = "";
    if (this.player.furthest >= 0 && step > this.player.furthest) return;
    const bar = this.bars[step];
    this.tip.textContent = `Step ${index.number(step)}: ${actor(index, step)}${bar.duration >= 0 ? `, ${duration(bar.duration, index.trace.document.machine.timer_ns)}` : ", not timed"}`;
  }
}
