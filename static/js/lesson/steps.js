/** Back, the dots of the steps, Next: which step of the lesson is shown, and which may be. */
import { button, byId, h } from "../views/dom.js";

export class StepsView {
  /** @param {number} count @param {(at: number) => void} go */
  constructor(count, go) {
    this.count = count;
    this.back = byId("lesson-back");
    this.next = byId("lesson-next");
    this.at = 0;
    this.back.addEventListener("click", () => go(this.at - 1));
    this.next.addEventListener("click", () => go(this.at + 1));
    this.dots = Array.from({ length: count }, (_, at) => h("li", {}, button("", { "aria-label": `Step ${at + 1}` }, () => go(at))));
    byId("lesson-dots").append(...this.dots);
  }

  /** @param {number} at @param {number} reached the furthest step that was seen @param {boolean} open whether the next one may be seen @param {string | null} after the lesson that follows */
  show(at, reached, open, after) {
    this.at = at;
    this.back.toggleAttribute("disabled", at === 0);
    const last = at === this.count - 1;
    this.next.textContent = !open ? "Next, once answered" : last ? (after ? "Next lesson" : "All lessons") : "Next";
    this.next.toggleAttribute("disabled", !open);
    this.next.classList.toggle("ready", open);
    this.dots.forEach((dot, n) => {
      dot.className = n === at ? "here" : n <= reached ? "done" : "todo";
      const one = /** @type {HTMLButtonElement} */ (dot.firstElementChild);
      one.disabled = n > reached && !(n === at + 1 && open);
      if (n === at) one.setAttribute("aria-current", "step");
      else one.removeAttribute("aria-current");
    });
  }
}
