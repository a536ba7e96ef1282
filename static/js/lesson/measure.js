/**
 * A claim about speed, judged by what the reader's own machine has just measured.
 * @typedef {import("./types.js").Measure} Measure
 * @typedef {import("./types.js").Verdict} Verdict
 * @typedef {import("../trace/breakeven.js").Measurement} Measurement
 * @typedef {{source: (program: string) => string, judge: (runs: Record<string, string>) => Promise<Verdict>}} Around
 */
import { Cancelled, cancel, follow, ServerError, submitMeasure } from "../api.js";
import { readMeasurement } from "../trace/breakeven.js";
import { time } from "../trace/format.js";
import { BreakEvenView } from "../views/charts/breakeven.js";
import { button, h } from "../views/dom.js";
import { markup } from "./markup.js";

export class MeasureView {
  /** @param {Measure} measure @param {Around} around */
  constructor(measure, around) {
    this.measure = measure;
    this.around = around;
    /** That of the run, from when it is handed in: Stop may be pressed before the server has answered. @type {Promise<string> | null} */
    this.id = null;
    this.busy = false;
    this.words = h("p", { class: "progress-words", role: "status" });
    this.result = h("div", { class: "result", role: "status" });
    this.start = button("Measure it here", { class: "primary" }, () => (this.busy ? void this.#stop() : void this.#run()));
    this.element = h("section", { class: "quiz measure", "aria-label": "Measurement" },
      h("h2", {}, "Measure it"), h("p", { class: "claim" }, "Claim: ", ...markup(measure.claim)), h("div", { class: "do" }, this.start, this.words), this.result);
  }

  async #run() {
    this.busy = true;
    this.start.textContent = "Stop";
    this.result.replaceChildren();
    /** @type {Record<string, string>} */
    const runs = {};
    /** @type {Record<string, Measurement>} */
    const found = {};
    try {
      for (const program of this.measure.programs) {
        this.words.textContent = `${program}: handing in …`;
        this.id = submitMeasure(this.around.source(program), program);
        runs[program] = await this.id;
        found[program] = readMeasurement(await follow(runs[program], {
          queued: (place) => (this.words.textContent = `${program}: waiting${place > 0 ? `, place ${place}` : ""}`),
          measuring: (done, of) => (this.words.textContent = `${program}: run ${Math.min(done + 1, of)} of ${of}`),
        }));
      }
      this.#show(await this.around.judge(runs), found);
      this.words.textContent = "";
    } catch (error) {
      this.words.textContent = error instanceof Cancelled ? "Stopped." : error instanceof ServerError ? `${error.message} ${error.hint}` : String(error);
    } finally {
      this.id = null;
      this.busy = false;
      this.start.textContent = this.result.childElementCount ? "Measure again" : "Measure it here";
    }
  }

  async #stop() {
    await this.id?.then(cancel).catch(() => {});
  }

  /** @param {Verdict} verdict @param {Record<string, Measurement>} found */
  #show({ verdict, words, rows }, found) {
    const machine = Object.values(found)[0].machine;
    const cell = /** @param {number} ns */ (ns) => h("td", { class: "number" }, time(ns));
    this.result.replaceChildren(
      h("p", { class: `verdict ${verdict}` }, h("b", {}, verdict === "holds" ? "✓ " : verdict === "fails" ? "× " : "≈ "), words),
      h("table", { class: "measured" },
        h("caption", { class: "sr" }, "What was measured"),
        h("thead", {}, h("tr", {}, ...["Program", "median", "middle half"].map((name) => h("th", { scope: "col" }, name)))),
        h("tbody", {}, ...rows.map(([program, what, median, low, high]) => h("tr", {}, h("th", { scope: "row" }, h("code", {}, program), ` ${what}`), cell(median), h("td", { class: "number" }, `${time(low)} to ${time(high)}`))))),
      h("p", { class: "how" }, `Measured on the teaching engine, here and now (Python ${machine.python}, NumPy ${machine.numpy}), without the recorder. It is not the speed of TensorFlow or PyTorch.`),
          );
    if (this.measure.also === "break-even" && this.measure.programs.length === 2) this.#breakEven(found);
  }

  /** From how many calls on one of them is ahead: the chart of the page that puts two side by side. @param {Record<string, Measurement>} found */
  #breakEven(found) {
    const [a, b] = this.measure.programs.map((name) => ({ name, of: found[name] }));
    const panel = h("div", { class: "break-even" });
    this.result.append(panel);
    const view = new BreakEvenView(panel, { measure: () => void this.#run(), again: () => [], go: () => {}, names: [a.name, b.name] });
    view.show({ a, b });
    view.draw();
  }
}
