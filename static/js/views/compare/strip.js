/** The phases of both sides over the common moments: a row a side, a cell a phase, one cursor through all rows. */
import { time } from "../../trace/format.js";
import { stretchesOf, timeOf } from "../../trace/moments.js";
import { textWidth } from "../graph/measure.js";
import { s } from "../dom.js";

/** @typedef {import("../../compare/duet.js").Duet} Duet */
/** @typedef {{side: "a" | "b", name: string}} Row */

const THICK = 22;
const PITCH = 30;
const EDGE = 24;

export class StripView {
  /**
   * @param {HTMLElement} pane @param {Duet} duet @param {Row[]} rows @param {{axis: boolean}} how `axis`: with names, times and a handle; else cells and cursor alone
   */
  constructor(pane, duet, rows, { axis }) {
    this.duet = duet;
    this.pane = pane;
    this.rows = rows;
    this.axis = axis;
    this.svg = s("svg", axis ? { class: "strip", role: "slider", tabindex: 0, "aria-label": "Moment", "aria-valuemin": 1 } : { class: "strip", role: "img" });
    pane.append(this.svg);
    new ResizeObserver(() => this.#build()).observe(pane);
    addEventListener("stepgraph-mode", () => this.#build());
    if (axis) this.#listen();
  }

  /** @param {Set<import("../../compare/duet.js").Topic>} topics */
  render(topics) {
    if (topics.has("trace") || topics.has("lock")) this.#build();
    else if (topics.has("at")) this.#move();
  }

  get top() {
    return this.axis ? 28 : 8;
  }

  /** How wide the moments are in all, in pixels. */
  get plot() {
    return this.width - this.left - (this.axis ? EDGE : 1);
  }

  /** @param {number} at */
  #x(at) {
    return this.left + (at / Math.max(1, this.duet.moments.length)) * this.plot;
  }

  #build() {
    const { moments, both } = this.duet;
    this.width = this.pane.clientWidth;
    if (!both || !this.width || !moments.length) return;
    const size = (parseFloat(getComputedStyle(this.pane).getPropertyValue("--type-sm")) || 12) / 12;
    this.left = this.axis ? Math.max(24, ...this.rows.map(({ name }) => textWidth(name, "label") * size + 36)) : 1;
    this.height = this.top + PITCH * this.rows.length + (this.axis ? 18 : 0);
    this.svg.setAttribute("viewBox", `0 0 ${this.width} ${this.height}`);
    this.svg.setAttribute("height", String(this.height));
    if (this.axis) this.svg.setAttribute("aria-valuemax", String(moments.length));
    /** @type {{first: number, last: number, phase: number, name: string, cell: SVGGElement, side: "a" | "b"}[]} */
    this.cells = [];
    /** @type {SVGElement[]} */
    const out = [];
    this.rows.forEach(({ side, name }, i) => {
      const y = this.top + i * PITCH;
      if (this.axis) out.push(s("text", { class: "side-name", x: 24, y: y + 15 }, name));
      for (const one of stretchesOf(both[side], moments, side)) {
        const x = this.#x(one.first);
        const w = Math.max(0.8, this.#x(one.last + 1) - x - 2);
        const cell = s("g", {}, s("rect", { x, y, width: w, height: THICK, rx: Math.min(2, w / 3) }));
        if (one.name && textWidth(one.name, "label") * size * 1.06 + 16 < w) cell.append(s("text", { x: x + 8, y: y + 15 }, one.name));
        this.cells?.push({ ...one, cell, side });
        out.push(cell);
      }
    });
    if (this.axis && this.duet.lock === "clock") out.push(...this.#ticks(both), s("text", { class: "tick", x: this.width - EDGE, y: 15, "text-anchor": "end" }, "not to scale: every moment has the same width"));
    this.headBed = s("path", { class: "head-bed" });
    this.head = s("path", { class: "head" });
    this.cap = s("g", { class: "cap" }, s("rect", { y: 4, height: 18, rx: 4 }), s("text", { y: 17, "text-anchor": "middle" }));
    this.svg.replaceChildren(...out, this.headBed, this.head, ...(this.axis ? [this.cap] : []));
    this.#move();
  }

  /** Times along the axis. Each step has the same room, so the clock is stretched, and every tick says its time. @param {{a: import("../../trace/index.js").TraceIndex, b: import("../../trace/index.js").TraceIndex}} both */
  #ticks(both) {
    const { moments } = this.duet;
    const room = Math.max(2, Math.floor((this.width - this.left) / 110));
    return Array.from({ length: room + 1 }, (_, i) => {
      const at = Math.min(moments.length - 1, Math.round((i / room) * (moments.length - 1)));
      return s("text", { class: "tick", x: this.#x(at), y: this.height - 3, "text-anchor": i === room ? "end" : i ? "middle" : "start" }, time(timeOf(both.a, both.b, moments[at])));
    });
  }

  /** What the cursor says. */
  get word() {
    const { both, moments, at, lock } = this.duet;
    return both && lock === "clock" ? time(timeOf(both.a, both.b, moments[at])) : `${at + 1}`;
  }

  #move() {
    const { at, moments, both } = this.duet;
    if (!both || !this.head || !this.cells) return;
    const x = Math.round(this.#x(at + 1)) - 1;
    const d = `M${x} ${this.axis ? 22 : 1}V${this.top + PITCH * this.rows.length - 1}`;
    this.headBed?.setAttribute("d", d);
    this.head.setAttribute("d", d);
    for (const { cell, first, last, phase } of this.cells) cell.setAttribute("class", `${phase < 0 ? "waiting " : ""}${at > last ? "past" : at >= first ? "current" : "later"}`);
    const now = this.rows.map(({ side, name }) => `${name}: ${this.cells?.find((one) => one.side === side && at >= one.first && at <= one.last)?.name || "not begun"}`).join(", ");
    if (!this.axis) return this.svg.setAttribute("aria-label", now);
    const { word } = this;
    const wide = textWidth(word, "label") * 1.1 + 18;
    const centre = Math.max(wide / 2 + 2, Math.min(this.width - wide / 2 - 2, x));
    const [rect, text] = this.cap?.children ?? [];
    rect?.setAttribute("x", String(centre - wide / 2));
    rect?.setAttribute("width", String(wide));
    text?.setAttribute("x", String(centre));
    if (text) text.textContent = word;
    this.svg.setAttribute("aria-valuenow", String(at + 1));
    this.svg.setAttribute("aria-valuetext", `Moment ${at + 1} of ${moments.length}, ${word}: ${now}`);
  }

  #listen() {
    const go = /** @param {PointerEvent} event */ (event) => {
      const box = this.svg.getBoundingClientRect();
      this.duet.play(false);
      this.duet.goTo(((event.clientX - box.left - this.left) / Math.max(1, this.plot)) * this.duet.moments.length - 0.5);
    };
    this.svg.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      this.svg.setPointerCapture(event.pointerId);
      go(event);
    });
    this.svg.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) go(event);
    });
  }

  width = 0;
  height = 0;
  left = 1;
}
