/** Memory over the steps of a recording, with what its plans need, and the same as a table. */
import { count } from "../../trace/format.js";
import { bytesText, heldOver, plannedMemory } from "../../trace/memory.js";
import { phaseLabel } from "../../trace/where.js";
import { h } from "../dom.js";
import { plot } from "./plot.js";

/** @typedef {import("../../trace/index.js").TraceIndex} TraceIndex */

export class MemoryView {
  /** @param {HTMLElement} panel @param {(side: number) => number} cursor the step of each side @param {boolean} [scrolls] whether the panel has a height of its own, which the chart should not leave */
  constructor(panel, cursor, scrolls = false) {
    this.panel = panel;
    this.cursor = cursor;
    this.scrolls = scrolls;
    /** @type {{name: string, index: TraceIndex}[]} */
    this.sides = [];
    /** @type {import("../../trace/memory.js").Held[][]} */
    this.held = [];
    /** @type {HTMLElement[]} */
    this.charts = [];
    this.sizes = new ResizeObserver(() => this.move());
  }

  /** @param {{name: string, index: TraceIndex}[]} sides */
  show(sides) {
    this.sides = sides;
    this.held = [];
  }

  draw() {
    if (!this.held.length) this.held = this.sides.map(({ index }) => heldOver(index));
    this.sizes.disconnect();
    this.charts = this.sides.map(() => h("div", { class: "chart" }));
    const parts = this.sides.map(({ name, index }, i) => h("section", { "aria-label": name }, h("p", { class: "pane-title" }, name), this.charts[i], this.#table(index, this.held[i])));
    this.panel.replaceChildren(h("div", { class: "chart-head" }, h("h2", {}, "Memory over time")), h("div", { class: `chart-split even n-${parts.length}` }, ...parts), h("p", { class: "how" }, "Bytes of all values that something still holds, counted in the recording at each step; views of one buffer count once. Lines across: what the memory plan says that one run needs, and what it would need with every value in memory of its own. The engine’s own books are not in it. This is the teaching engine, not TensorFlow or PyTorch."));
    this.move();
    for (const sized of [...this.charts, ...(this.scrolls ? [this.panel] : [])]) this.sizes.observe(sized);
  }

  /** The cursor moved, or the room changed. */
  move() {
    this.sides.forEach(({ name, index }, i) => {
      const width = this.charts[i]?.clientWidth ?? 0;
      if (!width || !this.held[i]) return;
      const plans = plannedMemory(index);
      const largest = plans.sort((x, y) => y.before - x.before)[0];
      const levels = largest ? [{ y: largest.after, words: `plan: ${bytesText(largest.after)}` }, { y: largest.before, words: `without sharing: ${bytesText(largest.before)}` }] : [];
      this.charts[i].replaceChildren(plot({ series: [{ name: "", style: i ? "two" : "one", points: this.held[i].map(({ step, bytes }) => ({ x: step + 1, y: bytes })), stepped: true }], xWords: "steps", yWords: "bytes held", xText: (x) => String(Math.round(x)), yText: bytesText, levels, cursor: this.cursor(i) + 1, label: `Memory of ${name} over its steps. The table below has the figures.` }, width, this.#room(this.charts[i])));
    });
  }

  /** The height from a chart's top to the panel's lower edge. @param {HTMLElement} chart */
  #room(chart) {
    if (!this.scrolls) return undefined;
    return this.panel.clientHeight - (chart.getBoundingClientRect().top - this.panel.getBoundingClientRect().top + this.panel.scrollTop) - 6;
  }

  /** The most that each phase held. @param {TraceIndex} index @param {import("../../trace/memory.js").Held[]} held */
  #table(index, held) {
    /** @type {Map<number, import("../../trace/memory.js").Held>} */
    const peaks = new Map();
    for (const one of held) {
      const phase = index.phaseOf(one.step);
      if (one.bytes > (peaks.get(phase)?.bytes ?? -1)) peaks.set(phase, one);
    }
    const rows = [...peaks].slice(0, 60).map(([phase, { step, bytes, values }]) => h("tr", {}, h("td", {}, phase >= 0 ? phaseLabel(index, phase) : "before"), h("td", {}, String(step + 1)), h("td", {}, count(values, "value")), h("td", {}, bytesText(bytes))));
    const plans = plannedMemory(index).map(({ words }) => h("p", { class: "how" }, `Memory plan: ${words}.`));
    return h("div", {}, h("div", { class: "table-scroll short", tabindex: 0, role: "group", "aria-label": "Largest memory of each phase" }, h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Phase", "at step", "held", "most"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows))), ...plans);
  }
}
