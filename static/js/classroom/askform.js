/** The teacher asks: which node next, a shape, a value, true or false, a text; sees the votes come, and shows the answer. */
import { button, h } from "../views/dom.js";
import { histogram } from "./histogram.js";
import { choicesFor, rightAnswer } from "./next.js";

const TYPES = /** @type {const} */ ([
  ["node", "Which node runs next?"],
  ["shape", "What shape does it give?"],
  ["value", "What value does it give?"],
  ["truth", "True or false?"],
  ["text", "In your words"],
]);

export class AskForm {
  /**
   * @param {HTMLElement} pane @param {import("./stage.js").Stage} stage
   * @param {{ask: (question: object) => void, reveal: (poll: number) => void, dismiss: (poll: number) => void, program: () => number, words: (value: unknown) => string}} on
   */
  constructor(pane, stage, on) {
    this.stage = stage;
    this.on = on;
    this.type = h("select", { "aria-label": "Kind of question" }, ...TYPES.map(([id, words]) => h("option", { value: id }, words)));
    this.question = h("input", { type: "text", maxlength: 200, "aria-label": "Question", value: TYPES[0][1] });
    this.answer = h("input", { type: "text", maxlength: 200, "aria-label": "Right answer, if there is one", placeholder: "right answer, if any" });
    /** Names to choose from, the right one first, where the node is not drawn yet. @type {string[] | null} */
    this.choices = null;
    this.truth = h("select", { "aria-label": "Right answer", hidden: true }, h("option", { value: "" }, "no right answer"), h("option", { value: "true" }, "True is right"), h("option", { value: "false" }, "False is right"));
    this.found = h("p", { class: "muted", role: "status" });
    this.live = h("section", { class: "tally", "aria-label": "Votes", "aria-live": "off" });
    const form = h("form", { class: "ask-form" }, this.type, this.question, this.answer, this.truth, this.found, h("button", { type: "submit", class: "primary" }, "Ask the class"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#ask();
    });
    this.type.addEventListener("change", () => this.#proposed());
    pane.append(this.live, form);
    stage.player.follow((_, change) => {
      if (change.topics.has("step") || change.topics.has("trace")) this.#right();
    });
  }

  #proposed() {
    this.question.value = TYPES.find(([id]) => id === this.type.value)?.[1] ?? "";
    this.#right();
  }

  /** The right answer of this step, as the recording has it. */
  #right() {
    const type = this.type.value;
    const { index, step } = this.stage.player;
    const { graph } = this.stage.panes;
    const found = index && ["node", "shape", "value"].includes(type) ? rightAnswer(index, step, type) : null;
    this.answer.hidden = type === "node" || type === "truth";
    this.truth.hidden = type !== "truth";
    if (type === "shape" || type === "value") this.answer.value = found === null ? "" : String(found);
    else if (type === "text") this.answer.value = "";
    this.next = found;
    this.choices = index && type === "node" && typeof found === "number" && !graph.scene?.slots.has(found) ? choicesFor(index, step) : null;
    this.found.textContent = this.choices ? `That node is not in the picture yet, so the class chooses among ${this.choices.length} names.` : type === "node" ? (found === null ? "Nothing runs after this step: choose an earlier one." : "The right answer is known from the recording; it is told to nobody before you show it.") : "";
  }

  #ask() {
    const { type, question } = this;
    const right = type.value === "node" ? this.next ?? null : type.value === "truth" ? (this.truth.value ? this.truth.value === "true" : null) : this.answer.value.trim() || null;
    const { choices } = this;
    if (choices) return this.on.ask({ type: "text", question: question.value.trim() || "?", program: this.on.program(), step: this.stage.player.step, answer: choices[0], choices: [...choices].sort((a, b) => a.localeCompare(b)) });
    this.on.ask({ type: type.value, question: question.value.trim() || "?", program: this.on.program(), step: this.stage.player.step, answer: right });
  }

  /** @param {{number: number, votes: number, counts: import("./histogram.js").Count[], answer: unknown} | null} tally @param {import("./pollcard.js").Poll | null} poll @param {number} following */
  show(tally, poll, following) {
    if (!tally || !poll || tally.number !== poll.number) return this.live.replaceChildren();
    const head = h("p", { class: "tally-head" }, h("b", {}, poll.question), h("span", { class: "votes", id: "votes" }, `${tally.votes} of ${Math.max(following, tally.votes)} have answered`));
    const reveal = poll.revealed ? button("Take it away", { class: "outlined", id: "dismiss" }, () => this.on.dismiss(poll.number)) : button("Show the answer", { class: "primary", id: "reveal" }, () => this.on.reveal(poll.number));
    this.live.replaceChildren(head, histogram(tally.counts, this.on.words, { right: poll.revealed }), reveal);
  }
}
