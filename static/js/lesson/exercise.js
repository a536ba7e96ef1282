/**
 * An exercise: the reader edits the program, runs it, and hears what the checks say about the recording.
 * @typedef {import("./types.js").Exercise} Exercise
 * @typedef {import("./types.js").CheckResult} CheckResult
 * @typedef {{solved: boolean, solution: string, mine: () => string, onRun: () => void, onReset: () => void, onSolution: () => void, onSolved: () => void}} Around   `solution`: its text; `mine`: the reader's
 */
import { button, h } from "../views/dom.js";
import { markup } from "./markup.js";
import { solutionView } from "./solution.js";

export class ExerciseView {
  /** @param {Exercise} exercise @param {Around} around */
  constructor(exercise, around) {
    this.exercise = exercise;
    this.around = around;
    this.shown = 0;
    this.solved = around.solved;
    this.result = h("div", { class: "result", role: "status" });
    this.hints = h("ol", { class: "hints" });
    this.helps = h("div", { class: "helps" });
    this.hintButton = button("Give me a hint", { class: "link" }, () => this.#hint());
    this.helps.append(
      this.hintButton,
      button("Start again", { class: "link", title: "The program as the lesson gave it. What you typed comes back with Ctrl Z." }, () => around.onReset()),
      button("Show a solution", { class: "link" }, () => this.#solution()),
    );
    this.check = button("Run and check", { class: "primary", id: "check" }, () => around.onRun());
    this.element = h("section", { class: "quiz exercise", "aria-label": "Exercise" }, h("div", { class: "task" }, ...markup(exercise.task)), h("div", { class: "do" }, this.check), this.result, this.hints, this.helps);
    if (this.solved) this.result.replaceChildren(h("p", { class: "passed" }, "You have solved this one before. The program is as you left it."));
  }

  /** @param {string} words */
  busy(words) {
    this.check.textContent = words || "Run and check";
    this.check.toggleAttribute("disabled", Boolean(words));
  }

  /** @param {string} words */
  failed(words) {
    this.result.replaceChildren(h("p", { class: "problem" }, words));
  }

  /** @param {CheckResult} found */
  show({ passed, checks, mistake }) {
    if (passed) {
      this.solved = true;
      this.result.replaceChildren(h("p", { class: "passed" }, "Solved. Every check holds."), this.#compared());
      return this.around.onSolved();
    }
    const right = checks.filter((one) => one.passed).length;
    const failing = checks.filter((one) => !one.passed);
    const told = mistake ? [] : failing.slice(0, 1);
    const rest = failing.slice(told.length);
    this.result.replaceChildren(
      h("p", { class: "count" }, h("span", { class: "marks", "aria-hidden": "true" }, ...checks.map((one) => h("i", { class: one.passed ? "holds" : "fails" }, one.passed ? "✓" : "×"))), `${right} of ${checks.length} ${checks.length === 1 ? "check holds" : "checks hold"}.`),
      ...(mistake ? [h("p", { class: "why mistake" }, ...markup(mistake))] : []),
      ...told.map((one) => h("p", { class: "why" }, ...markup(one.html))),
      ...(rest.length ? [h("details", {}, h("summary", {}, mistake ? "What the checks say" : rest.length === 1 ? "The other check that does not hold" : `The other ${rest.length} checks that do not hold`), ...rest.map((one) => h("p", { class: "why" }, ...markup(one.html))))] : []),
    );
  }

  /** A solution beside what the reader has, and why it is one. */
  #compared() {
    const { solution } = this.exercise;
    return h("div", {},
      ...(solution.html ? [h("p", { class: "why" }, ...markup(solution.html))] : []),
      h("p", { class: "why" }, "One solution, beside yours. Yours may look different and be as good."),
      solutionView(this.around.mine(), this.around.solution));
  }

  #hint() {
    const { hints } = this.exercise;
    if (this.shown < hints.length) this.hints.append(h("li", {}, ...markup(hints[this.shown++])));
    this.hintButton.textContent = this.shown < hints.length ? "Another hint" : "No more hints";
    this.hintButton.toggleAttribute("disabled", this.shown >= hints.length);
  }

  #solution() {
    this.result.replaceChildren(this.#compared(), h("div", { class: "helps" }, button("Put it into the editor", { class: "link" }, () => this.around.onSolution())));
  }
}
