/** A program that asks: what it has printed so far, its question, and a line for the answer, in the output pane. */
import { button, h } from "./dom.js";

const MOST = 4000;

export class AskView {
  /** @param {HTMLElement} pane the output of the recording, which makes room meanwhile @param {{show: () => void, leave: () => void}} on `show`: bring the pane into view; `leave`: the focus goes elsewhere */
  constructor(pane, on) {
    this.pane = pane;
    this.on = on;
    this.text = "";
    /** @type {((text: string | null) => Promise<void>) | null} */
    this.give = null;
    this.out = h("div", { class: "out" });
    this.label = h("label", { for: "answer" });
    this.field = h("input", { id: "answer", type: "text", maxlength: 5000, autocomplete: "off", autocapitalize: "off", spellcheck: "false" });
    this.field.setAttribute("aria-describedby", "answer-hint");
    const hint = h("p", { class: "teach", id: "answer-hint" }, "Your program waits for input. Enter sends it; Escape says that there is no more.");
    this.form = h("form", { class: "ask" }, this.label, this.field, h("button", { type: "submit", class: "link" }, "Send"), button("No more input", { class: "link" }, () => void this.#send(null)));
    this.box = h("div", { hidden: true, class: "asking" }, this.out, this.form, hint);
    pane.after(this.box);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      void this.#send(this.field.value);
    });
    this.form.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      event.preventDefault();
      event.stopPropagation();
      void this.#send(null);
    });
  }

  /** A run begins: nothing of the last one is left. */
  begin() {
    this.text = "";
  }

  /** @param {string} text */
  print(text) {
    this.text = (this.text + text).slice(-MOST);
    if (!this.box.hidden) this.#draw("");
  }

  /** The program asks; `give` takes the answer, or null for the end of the input. @param {string} prompt @param {(text: string | null) => Promise<void>} give */
  ask(prompt, give) {
    this.give = give;
    this.pane.hidden = true;
    this.box.hidden = false;
    this.#draw(prompt);
    this.field.readOnly = false;
    this.field.value = "";
    this.on.show();
    this.field.focus();
    this.form.scrollIntoView({ block: "nearest" });
  }

  /** The run has ended, whichever way: the recording's output has its place again. */
  end() {
    this.give = null;
    if (this.box.hidden) return;
    const focused = this.box.contains(document.activeElement);
    this.box.hidden = true;
    this.pane.hidden = false;
    if (focused) this.on.leave();
  }

  /** @param {string} prompt what stands beside the field need not stand above it too */
  #draw(prompt) {
    this.out.textContent = prompt && this.text.endsWith(prompt) ? this.text.slice(0, -prompt.length) : this.text;
    this.label.textContent = prompt || "Input:";
  }

  /** @param {string | null} text */
  async #send(text) {
    const give = this.give;
    if (!give) return;
    this.give = null;
    this.field.readOnly = true;
    await give(text);
  }
}
