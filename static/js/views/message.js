/** A message under the bar: whole, until it is read and closed. What went wrong interrupts a screen reader, the rest waits. */
import { button, h } from "./dom.js";

export class MessageView {
  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.pane = pane;
    this.words = h("p", { id: "message-words" });
    this.extra = h("div", { class: "extra" });
    pane.append(this.words, this.extra, button("✕", { class: "close", "aria-label": "Close this message", title: "Close" }, () => this.hide()));
  }

  /** @param {string} words @param {boolean} [bad] @param {...HTMLElement} extra stands under the words */
  show(words, bad = false, ...extra) {
    this.pane.hidden = false;
    this.pane.setAttribute("role", bad ? "alert" : "status");
    this.pane.classList.toggle("bad", bad);
    this.words.textContent = words;
    this.extra.replaceChildren(...extra);
  }

  hide() {
    if (this.pane.hidden) return;
    this.pane.hidden = true;
    this.words.textContent = "";
    this.extra.replaceChildren();
  }
}
