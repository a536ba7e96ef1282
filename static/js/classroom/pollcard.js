/** A question, for whoever answers it: clicked in the graph, typed, or chosen; then how all have answered. */
import { button, h } from "../views/dom.js";
import { answerWords, histogram } from "./histogram.js";
import { nodeName } from "./next.js";

/** @typedef {{number: number, type: string, question: string, program: number, step: number, choices: string[] | null, revealed: boolean, counts?: import("./histogram.js").Count[], answer?: unknown}} Poll */

export class PollCard {
  /** @param {HTMLElement} pane @param {import("./stage.js").Stage} stage @param {(poll: Poll, value: unknown) => Promise<void>} vote */
  constructor(pane, stage, vote) {
    this.pane = pane;
    this.stage = stage;
    this.vote = vote;
    /** @type {Poll | null} */
    this.poll = null;
    /** @type {unknown} */
    this.mine = null;
    /** Whether the program of the question is the one on the stage. */
    this.here = () => true;
    stage.player.follow((player, change) => {
      if (change.topics.has("selection") && player.selected >= 0) this.#clicked(player.selected);
    });
  }

  /** @param {Poll | null} poll */
  show(poll) {
    if (poll?.number !== this.poll?.number) this.mine = null;
    this.poll = poll;
    this.draw();
  }

  /** What this browser has answered before a reload. @param {{poll: number | null, vote: unknown}} me */
  remember(me) {
    if (!this.poll || me.poll !== this.poll.number || this.mine === me.vote) return;
    this.mine = me.vote;
    this.draw();
  }

  /** Selected by hand, not because the teacher selects it. @type {() => boolean} */
  byHand = () => true;

  /** @param {number} node */
  #clicked(node) {
    const { poll } = this;
    const { index } = this.stage.player;
    if (!poll || poll.type !== "node" || poll.revealed || !index || !this.byHand() || !this.here()) return;
    const slot = index.trace.nodes.slot[index.host(node)];
    if (slot >= 0 && slot !== this.mine) this.#send(slot);
  }

  /** @param {unknown} value */
  #send(value) {
    const { poll } = this;
    if (!poll) return;
    this.mine = value;
    this.draw();
    void this.vote(poll, value);
  }

  /** @param {unknown} value */
  words(value) {
    const { index } = this.stage.player;
    return answerWords(index, this.poll?.type ?? "", value, (node) => (index ? nodeName(index, node) : ""));
  }

  draw() {
    const { poll, pane } = this;
    pane.hidden = !poll;
    this.#mark();
    if (!poll) return pane.replaceChildren();
    const title = h("p", { class: "question" }, poll.question);
    if (poll.revealed) {
      const said = poll.answer === null || poll.answer === undefined ? null : h("p", { class: "right-answer" }, "Right: ", h("b", {}, this.words(poll.answer)), this.mine === null ? "" : `. You said ${this.words(this.mine)}.`);
      return pane.replaceChildren(title, histogram(poll.counts ?? [], (value) => this.words(value), { right: true }), said ?? "");
    }
    const sent = this.mine === null ? null : h("p", { class: "sent", role: "status" }, "Your answer: ", h("b", {}, this.words(this.mine)), ". You can change it until the answer is shown.");
    pane.replaceChildren(title, this.#input(poll), sent ?? "");
  }

  /** @param {Poll} poll */
  #input(poll) {
    const choose = /** @param {string} word @param {unknown} value */ (word, value) => button(word, { class: "choice", "aria-pressed": String(this.mine === value) }, () => this.#send(value));
    if (poll.type === "truth") return h("div", { class: "choices" }, choose("True", true), choose("False", false));
    if (poll.choices?.length) return h("div", { class: "choices" }, ...poll.choices.map((one) => choose(one, one)));
    if (poll.type === "node") return h("p", { class: "how" }, "Click the node in the graph.");
    const field = h("input", { type: "text", maxlength: 200, "aria-label": poll.question, placeholder: poll.type === "shape" ? "[3, 4]" : poll.type === "value" ? "0.5" : "", autocomplete: "off", value: this.mine === null ? "" : String(this.mine) });
    const form = h("form", { class: "typed" }, field, h("button", { type: "submit", class: "primary" }, "Send"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      if (field.value.trim()) this.#send(field.value.trim());
    });
    return form;
  }

  /** Answers in the picture itself. */
  #mark() {
    const { poll } = this;
    const { graph } = this.stage.panes;
    const { index } = this.stage.player;
    if (!poll || poll.type !== "node" || !index || !this.here()) {
      if (this.marking) graph.decorate(null);
      this.marking = false;
      return;
    }
    const counts = new Map((poll.counts ?? []).map((one) => [Number(one.value), one.count]));
    this.marking = true;
    graph.decorate({
      node: (node) => {
        const slot = index.trace.nodes.slot[node];
        if (poll.revealed && slot === poll.answer) return { mark: "critical", label: `right, ${counts.get(slot) ?? 0}` };
        if (poll.revealed && counts.has(slot)) return { mark: "path", label: String(counts.get(slot)) };
        return !poll.revealed && slot === this.mine ? { mark: "path", label: "your answer" } : null;
      },
    });
  }
}
