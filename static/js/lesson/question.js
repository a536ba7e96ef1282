/**
 * A question: predicted before it is shown. Options have numbers; those that are nodes can be pointed at in the graph.
 * @typedef {import("./types.js").Question} Question
 * @typedef {{answered: string[], typed: string, onType: (text: string) => void, onAnswer: (tried: string[], right: boolean) => void, onOptions: (choices: import("../views/graph/choices.js").Choice[]) => void}} Around
 *   `answered`: what was tried before; `typed`: an answer that was not given yet; `onOptions`: which nodes carry which number
 */
import { button, h } from "../views/dom.js";
import { markup } from "./markup.js";

/** What stands for an answer that was shown, not given. */
export const SHOWN = "\u0000shown";

export class QuestionView {
  /** @param {Question} question @param {Around} around */
  constructor(question, around) {
    this.question = question;
    this.around = around;
    this.tried = [...around.answered];
    this.said = h("div", { class: "says", role: "status" });
    this.list = h("div", { class: "opts" });
    this.lead = h("p", { class: "lead" });
    this.hint = h("p", { class: "hint-text", hidden: true });
    this.helps = h("div", { class: "helps" });
    this.element = h("section", { class: "quiz", "aria-label": "Question" }, h("h2", {}, ...markup(question.ask)), this.lead, this.list, this.said, this.hint, this.helps);
    if (question.hint) this.helps.append(button("Give me a hint", { class: "link" }, () => this.#showHint()));
    this.helps.append(button("Show me", { class: "link" }, () => this.#show()));
    if (!question.options.length) this.#field();
    this.#draw();
  }

  get done() {
    const last = this.tried.at(-1);
    return last !== undefined && (last === SHOWN || this.#isRight(last));
  }

  /** @param {string} text */
  #isRight(text) {
    const { options, answer } = this.question;
    if (options.length) return options.some((option) => option.right && option.text === text);
    if (answer?.number !== undefined) {
      const given = Number.parseFloat(text.replace(",", ".").replace("−", "-"));
      return Number.isFinite(given) && Math.abs(given - answer.number) <= Math.max(answer.tolerance ?? 0, 1e-9);
    }
    const plain = /** @param {string} one */ (one) => one.replace(/[\s()[\]"'{}]+/g, " ").replace(/\s*,\s*/g, ",").trim().replace(/,$/, "").toLowerCase();
    return plain(text) === plain(answer?.text ?? "");
  }

  /** @param {number} number from 1 */
  choose(number) {
    const option = this.question.options[number - 1];
    if (option && !this.done && !this.tried.includes(option.text)) this.#give(option.text);
  }

  /** The node was pointed at in the graph. @param {number} node */
  point(node) {
    const at = this.question.options.findIndex((option) => option.node === node);
    if (at >= 0) this.choose(at + 1);
  }

  #field() {
    const numeric = this.question.answer?.number !== undefined;
    const input = h("input", { type: "text", id: "answer", autocomplete: "off", spellcheck: "false", inputmode: numeric ? "decimal" : "text", "aria-label": "Your answer", maxlength: 1000 });
    input.value = this.around.typed;
    input.addEventListener("input", () => this.around.onType(input.value));
    const form = h("form", { class: "answer-form" }, input, h("button", { type: "submit", class: "secondary" }, "Answer"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (input.value.trim() && !this.done) this.#give(input.value.trim());
    });
    this.list.replaceWith(form);
    this.form = form;
    this.input = input;
  }

  /** @param {string} text */
  #give(text) {
    this.tried.push(text);
    this.#draw();
    this.around.onAnswer(this.tried, this.done);
  }

  #show() {
    if (this.done) return;
    this.tried.push(SHOWN);
    this.#draw();
    this.around.onAnswer(this.tried, true);
  }

  #showHint() {
    this.hint.hidden = false;
    this.hint.replaceChildren(...markup(this.question.hint ?? ""));
  }

  #draw() {
    const { options, answer, explain, kind } = this.question;
    const { done, tried } = this;
    const given = tried.filter((text) => text !== SHOWN);
    const wrong = given.filter((text) => !this.#isRight(text));
    this.lead.textContent = done ? (tried.at(-1) === SHOWN ? "Shown." : wrong.length === 0 ? "Right." : `Right at try ${wrong.length + 1}.`) : wrong.length ? "Not that one. Try again." : kind === "node" ? "Point at it in the graph, or press its number." : options.length ? "Choose one, or press its number." : kind === "number" ? "A number." : "Type it.";
    this.list.replaceChildren(...options.map((option, at) => {
      const state = done && option.right ? "correct" : tried.includes(option.text) && !option.right ? "tried" : done ? "off" : "";
      const sign = state === "correct" ? "✓" : state === "tried" ? "×" : String(at + 1);
      const one = button("", { class: state, disabled: done || state === "tried", "aria-keyshortcuts": String(at + 1) }, () => this.choose(at + 1));
      one.append(h("i", { "aria-hidden": "true" }, sign), h("span", {}, ...markup(option.html)));
      if (state === "correct") one.append(h("span", { class: "sr" }, " (right)"));
      if (state === "tried") one.append(h("span", { class: "sr" }, " (not this one)"));
      return one;
    }));
    this.list.classList.toggle("long", options.some((option) => option.text.length > 26));
    const last = given.at(-1);
    const option = options.find((one) => one.text === (done ? options.find((two) => two.right)?.text : last));
    const words = [];
    if (option?.says && (done || last !== undefined)) words.push(h("p", { class: "why" }, ...markup(option.says)));
    if (!options.length && last !== undefined && !done) words.push(h("p", { class: "why" }, "That is not it."));
    if (done && !options.length) words.push(h("p", { class: "why" }, "The answer is ", h("b", {}, answer?.text ?? String(answer?.number ?? "")), "."));
    if (done && explain) words.push(h("p", { class: "why" }, ...markup(explain)));
    this.said.replaceChildren(...words);
    this.helps.hidden = done;
    if (done) this.hint.hidden = true;
    if (this.input) this.input.disabled = done;
    if (this.form) this.form.hidden = done;
    this.around.onOptions(done ? [] : options.flatMap((one, at) => (one.node === undefined || tried.includes(one.text) ? [] : [{ node: one.node, number: String(at + 1), words: one.text }])));
  }
}
