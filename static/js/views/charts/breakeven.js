/** Which side is faster, and from how many calls on: the chart, its sliders, its table. */
import { time } from "../../trace/format.js";
import { breakEven, costOf, cumulative } from "../../trace/breakeven.js";
import { button, h } from "../dom.js";
import { barred } from "./bar.js";
import { plot } from "./plot.js";

/** @typedef {import("../../trace/breakeven.js").Measurement} Measurement */
/** @typedef {import("../../trace/breakeven.js").Cost} Cost */
/** @typedef {{name: string, of: Measurement}} Side */

const NOT_THEIRS = "This is the teaching engine on this machine, not TensorFlow or PyTorch.";

export class BreakEvenView {
  /**
   * @param {HTMLElement} panel
   * @param {{measure: () => void, again: (side: "a" | "b") => import("../../trace/plans.js").Made[], go: (side: "a" | "b", step: number) => void, names: [string, string]}} page `measure` begins to measure both programs; `again`: what a recording prepared more than once; `go` shows a step of a side
   */
  constructor(panel, page) {
    this.panel = panel;
    this.page = page;
    /** @type {{a: Side, b: Side} | null} */
    this.sides = null;
    this.problem = "";
    this.busy = "";
    this.calls = 0;
    this.shapes = 1;
    /** What is counted: passes of the loops, or session runs. @type {"passes" | "runs"} */
    this.basis = "passes";
    this.chart = h("div", { class: "chart" });
    this.how = h("p", { class: "how" });
    this.table = h("div", { class: "table-scroll", tabindex: 0, role: "group", "aria-label": "The same as a table" });
    new ResizeObserver(() => {
      if (this.chart.clientWidth && this.chart.clientWidth !== this.drawn) this.#plot();
    }).observe(this.chart);
    this.drawn = 0;
  }

  /** @param {{a: Side, b: Side} | null} sides */
  show(sides) {
    this.sides = sides;
    this.calls = 0;
    this.shapes = 1;
    this.problem = "";
    this.busy = "";
  }

  draw() {
    const { sides } = this;
    if (!sides) {
      const words = this.busy || this.problem || "Nothing is measured yet. Each program is run again several times with the recorder off; that takes a few seconds.";
      const go = button("Measure both", { class: "run", disabled: this.busy !== "" }, () => this.page.measure());
      return this.panel.replaceChildren(h("div", { class: "chart-head" }, h("h2", {}, "Which is faster depends on how often you call it")), h("p", { class: "teach", role: "status" }, words), h("p", { class: "ask-measure" }, go), ...this.#again());
    }
    const costs = this.#costs();
    if (!costs) {
      const lacking = [sides.a, sides.b].filter(({ of }) => !costOf(of, true) && !costOf(of, false)).map(({ name }) => name).join(" and ");
      return this.panel.replaceChildren(h("div", { class: "chart-head" }, h("h2", {}, "Which is faster depends on how often you call it")), h("p", { class: "teach" }, `${lacking || "A side"} does nothing twice, so there are no calls to add up: put the call into a loop of some passes. In all, ${sides.a.name} took ${time(sides.a.of.total.median)}, ${sides.b.name} ${time(sides.b.of.total.median)} (medians of ${sides.a.of.repeats} runs, recorder off). ${NOT_THEIRS}`), this.#kernel(sides), ...this.#again());
    }
    if (!this.calls) this.calls = this.#sensible(costs);
    const verdict = this.#verdict(costs, sides);
    const basis = h("select", { "aria-label": "What counts as a call" }, h("option", { value: "passes", selected: this.basis === "passes" }, "a call: a pass of the loop, all that is in it"), h("option", { value: "runs", selected: this.basis === "runs" }, "a call: a session run alone, where there is one"));
    basis.addEventListener("change", () => {
      this.basis = basis.value === "runs" ? "runs" : "passes";
      this.calls = 0;
      this.draw();
    });
    const controls = h("div", { class: "sliders" }, this.#slider("Calls", Math.log10(Math.max(2, this.calls)), { min: 0.4, max: 6, step: 0.02 }, (v) => (this.calls = Math.max(2, Math.round(10 ** v))), () => this.calls.toLocaleString("en")), this.#slider("Distinct shapes", this.shapes, { min: 1, max: 20, step: 1 }, (v) => (this.shapes = v), () => String(this.shapes)));
    this.panel.replaceChildren(h("div", { class: "chart-head" }, h("h2", {}, "Which is faster depends on how often you call it"), basis, button("Measure again", { class: "link" }, () => this.page.measure())), h("div", { class: "chart-split" }, h("div", {}, h("p", { class: "verdict", role: "status" }, verdict), controls, this.chart, this.how), h("div", {}, h("p", { class: "pane-title" }, "The same as a table"), this.table, this.#kernel(sides))), ...this.#again());
    this.#plot();
  }

  #costs() {
    if (!this.sides) return null;
    const { a, b } = this.sides;
    const passes = this.basis === "passes";
    const cost = /** @param {Measurement} of */ (of) => (passes ? costOf(of, true) ?? costOf(of, false) : costOf(of, false) ?? costOf(of, true));
    const [one, two] = [cost(a.of), cost(b.of)];
    return one && two ? { a: one, b: two } : null;
  }

  /** A number of calls at which one sees what happens. @param {{a: Cost, b: Cost}} costs */
  #sensible(costs) {
    const found = breakEven(costs.a, costs.b, this.shapes);
    return found.kind === "at" ? Math.min(1_000_000, Math.ceil(found.n * 1.7) + 3) : Math.max(20, costs.a.calls.length, costs.b.calls.length);
  }

  /** @param {{a: Cost, b: Cost}} costs @param {{a: Side, b: Side}} sides */
  #verdict(costs, sides) {
    const found = breakEven(costs.a, costs.b, this.shapes);
    if (found.kind === "unclear") return "Never clearly: from the first call on each side lies within the spread of the other.";
    const { name } = sides[found.winner];
    if (found.kind === "never") return `Never: ${name} is ahead from the first call on, and each further call costs it no more.`;
    const interval = found.from === found.n && found.to === found.n ? "" : found.to === null ? `; the spreads overlap from call ${found.from.toLocaleString("en")} on and never part, so that this is no certain figure` : `; the spreads overlap from call ${found.from.toLocaleString("en")} to ${found.to.toLocaleString("en")}`;
    return `${name} is ahead from call ${found.n.toLocaleString("en")} on${interval}.`;
  }

  /** @param {string} name @param {number} value @param {{min: number, max: number, step: number}} range @param {(v: number) => void} set @param {() => string} text */
  #slider(name, value, range, set, text) {
    const output = h("output", {}, text());
    const input = h("input", { type: "range", ...range, value, "aria-label": name, "aria-valuetext": text() });
    input.addEventListener("input", () => {
      set(Number(input.value));
      output.textContent = text();
      input.setAttribute("aria-valuetext", text());
      const costs = this.#costs();
      const words = this.panel.querySelector(".verdict");
      if (costs && this.sides && words) words.textContent = this.#verdict(costs, this.sides);
      this.#plot();
    });
    return h("label", {}, h("span", {}, name), input, output);
  }

  #plot() {
    const costs = this.#costs();
    const width = (this.drawn = this.chart.clientWidth);
    if (!costs || !this.sides || !width) return;
    const n = this.calls;
    const { a, b } = this.sides;
    const found = breakEven(costs.a, costs.b, this.shapes);
    // Shapes come up one after the other, evenly over the calls.
    const first = Array.from({ length: Math.min(this.shapes, n) - 1 }, (_, i) => 1 + Math.round(((i + 1) * (n - 1)) / Math.min(this.shapes, n)));
    const seen = /** @param {number} k */ (k) => 1 + first.filter((at) => at <= k).length;
    const grid = Array.from({ length: 61 }, (_, i) => Math.max(1, Math.round(1 + (i * (n - 1)) / 60)));
    const xs = [...new Set([...grid, ...[1, 2, 3, 4].filter((k) => k <= n), ...first.flatMap((k) => [Math.max(1, k - 1), k])])].sort((x, y) => x - y);
    const shown = new Set(grid.filter((_, i) => i % 10 === 0));
    const points = /** @param {Cost} cost */ (cost) => xs.map((k) => {
      const { low, median, high } = cumulative(cost, k, cost.again ? seen(k) : 1);
      return { x: k, y: median, low, high, mark: shown.has(k) };
    });
    const recompiles = first.slice(0, 4).map((k, i) => ({ x: k, words: i ? "" : "a new shape", more: i ? "" : `a plan for it: ${time(Math.max(costs.a.again, costs.b.again))}` })).filter((note) => note.words);
    const once = /** @type {const} */ (["a", "b"]).flatMap((side) => {
      const cost = costs[side];
      const at = cost.again ? cost.calls.slice(0, cost.settled).findIndex((ns) => ns > cost.again * 0.6) : -1;
      return at >= 0 && n < 400 ? [{ x: at + 1, words: `${this.sides?.[side].name} makes its plan`, more: `in call ${at + 1}: ${time(cost.calls[at])}` }] : [];
    });
    const crossing = found.kind === "at" && found.n <= n ? [{ x: found.n, words: `${found.n.toLocaleString("en")} calls`, more: `from here on ${this.sides[found.winner].name} is ahead` }, ...(found.from !== found.to ? [{ x: found.from, to: found.to, words: "", more: "" }] : [])] : [];
    const chart = { series: [{ name: a.name, style: /** @type {"one"} */ ("one"), points: points(costs.a) }, { name: b.name, style: /** @type {"two"} */ ("two"), points: points(costs.b) }], xWords: "calls", yWords: "time since start", xText: (/** @type {number} */ x) => Math.round(x).toLocaleString("en"), yText: (/** @type {number} */ y) => (y ? time(y) : "0"), notes: [...crossing, ...once, ...recompiles], label: `Time since start against calls, for ${a.name} and ${b.name}. The table beside it has the figures.` };
    this.chart.replaceChildren(plot(chart, width), ...this.#legend(a.name, b.name));
    const repeats = a.of.repeats === b.of.repeats ? `${a.of.repeats}` : `${a.of.repeats} and ${b.of.repeats}`;
    this.how.replaceChildren(`Median of ${repeats} runs with the recorder off, each in a process of its own; band: lower to upper quartile. ${a.name}: ${costs.a.unit}, ${costs.a.calls.length} measured, beyond them each costs the median of those from call ${costs.a.settled + 1} on. ${b.name}: ${costs.b.unit}, ${costs.b.calls.length} measured, from call ${costs.b.settled + 1} on. ${this.shapes > 1 ? "Each further shape is taken to need a plan of its own, at the measured cost of optimising and compiling one. " : ""}${NOT_THEIRS}`);
    this.#list(costs, found, seen);
  }

  /** What was traced, compiled or planned again in the recordings, each with its reason. */
  #again() {
    const { names, again, go } = this.page;
    const rows = /** @type {const} */ (["a", "b"]).flatMap((side, i) => again(side).map((made) => h("tr", {}, h("td", {}, names[i]), h("td", {}, button(`step ${made.step + 1}, line ${made.line}`, { class: "link" }, () => go(side, made.step))), h("td", {}, made.what), h("td", {}, made.why, made.took >= 0 ? h("span", { class: "muted" }, ` compiling took ${time(made.took)}`) : null))));
    if (!rows.length) return [];
    return [h("section", { class: "again", "aria-label": "Made again, and why" }, h("h2", {}, "Made again, and why"), h("p", { class: "how" }, "From the recordings: each time that a side traced, compiled or planned, with the reason."), h("div", { class: "table-scroll", tabindex: 0, role: "group", "aria-label": "Made again, and why: table" }, h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Side", "Where", "What", "Why"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows))))];
  }

  /** On a narrow screen the lines have no room for names at their ends. @param {string} one @param {string} two */
  #legend(one, two) {
    return this.drawn < 520 ? [h("p", { class: "plot-legend" }, h("span", { class: "s-one" }, `○ ${one}, solid`), " ", h("span", { class: "s-two" }, `□ ${two}, dashed`))] : [];
  }

  /** @param {{a: Cost, b: Cost}} costs @param {import("../../trace/breakeven.js").BreakEven} found @param {(k: number) => number} seen */
  #list(costs, found, seen) {
    if (!this.sides) return;
    const n = this.calls;
    const rows = [...new Set([1, 2, 3, 10, 30, 100, 300, 1000, 10000, 100000, n, ...(found.kind === "at" ? [found.n] : [])])].filter((k) => k <= n).sort((x, y) => x - y);
    const cell = /** @param {Cost} cost @param {number} k @param {boolean} best */ (cost, k, best) => {
      const { low, median, high } = cumulative(cost, k, cost.again ? seen(k) : 1);
      return h("td", {}, best ? h("b", {}, time(Math.round(median))) : time(Math.round(median)), h("span", { class: "muted" }, ` ± ${time(Math.round((high - low) / 2))}`));
    };
    const body = rows.map((k) => {
      const [x, y] = [cumulative(costs.a, k, costs.a.again ? seen(k) : 1).median, cumulative(costs.b, k, costs.b.again ? seen(k) : 1).median];
      return h("tr", { class: found.kind === "at" && found.n === k ? "is-even" : "" }, h("td", {}, k.toLocaleString("en")), cell(costs.a, k, x < y), cell(costs.b, k, y < x), h("td", {}, (x / y).toPrecision(2)));
    });
    this.table.replaceChildren(h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Calls", this.sides.a.name, this.sides.b.name, "ratio"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...body)));
  }

  /** Where the time of the whole program went. @param {{a: Side, b: Side}} sides */
  #kernel(sides) {
    const rows = [sides.a, sides.b].map(({ name, of }) => {
      const share = of.total.median > 0 ? of.kernel.median / of.total.median : 0;
      return h("tr", {}, h("td", {}, name), h("td", {}, of.kernel.resolved ? time(of.kernel.median) : "too short to measure"), h("td", {}, time(of.overhead.median)), h("td", {}, ...barred(share, `${(100 * share).toPrecision(2)} %`)));
    });
    return h("div", { class: "kernel" }, h("p", { class: "pane-title" }, "Kernels against everything else, whole program"), h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Program", "kernels", "framework, Python", "kernels’ share"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows)), ...[...new Set([...sides.a.of.notes, ...sides.b.of.notes])].map((note) => h("p", { class: "how" }, note)), ...[sides.a, sides.b].filter(({ of }) => of.end.kind !== "ok").map(({ name, of }) => h("p", { class: "how" }, `${name} did not end well (${of.end.kind}${of.end.message ? `: ${of.end.message}` : ""}); it is measured up to there.`)));
  }
}
