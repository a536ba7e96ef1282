/**
 * A card beside the node under the pointer or the focus: its whole name, what it is and what it holds, in a few lines. It stays while the pointer is on it, and Escape
 * sends it away. The inspector says the same at length.
 */
import { stateWords } from "../../trace/describe.js";
import { num, rangeText, shapeText } from "../../trace/format.js";
import { chapters, timesRun } from "../../trace/history.js";
import { called, label } from "../../trace/names.js";
import { h } from "../dom.js";
import { miniature } from "./thumbnail.js";

const PATIENCE = 260;
const NUMBERS = 8;

export class HoverCard {
  /** @param {import("./graph.js").GraphView} view */
  constructor(view) {
    this.view = view;
    this.card = h("div", { class: "hovercard", hidden: true, "aria-hidden": "true" });
    view.pane.append(this.card);
    /** @type {number | null} */
    this.at = null;
    this.timer = 0;
    view.svg.addEventListener("pointermove", (event) => this.#move(event));
    view.svg.addEventListener("pointerdown", () => this.hide());
    view.svg.addEventListener("focusin", (event) => this.#focused(event));
    view.svg.addEventListener("focusout", () => this.hide());
    view.pane.addEventListener("pointerleave", () => this.hide());
    view.onZoom.push(() => this.hide());
    document.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  /** @param {PointerEvent} event */
  #move(event) {
    if (event.pointerType === "touch" || event.buttons) return;
    const id = this.view.hit(event);
    if (id === this.at) return;
    this.hide();
    this.at = id;
    if (id !== null) this.timer = window.setTimeout(() => this.#show(id), PATIENCE);
  }

  /** Who walks by keys reads it too. @param {FocusEvent} event */
  #focused(event) {
    const node = event.target instanceof Element && event.target.matches(":focus-visible") ? event.target.closest(".node") : null;
    this.hide();
    if (!node) return;
    this.at = Number(node.getAttribute("data-slot"));
    this.timer = window.setTimeout(() => this.#show(Number(node.getAttribute("data-slot"))), PATIENCE);
  }

  hide() {
    clearTimeout(this.timer);
    this.at = null;
    this.card.hidden = true;
  }

  /** What stands in it follows the step. */
  render() {
    if (!this.card.hidden && this.at !== null) this.#show(this.at);
  }

  /** @param {number} id */
  #show(id) {
    const { plan, scene, player, camera } = this.view;
    const { index } = player;
    const box = plan?.boxes.get(id);
    const state = scene?.slots.get(id);
    if (!plan || !scene || !index || !box || plan.bundles.has(id) || !state) return;
    const value = state.value >= 0 ? index.trace.document.values[state.value] : null;
    const { node } = state;
    const span = index.trace.nodes.span[node];
    const title = called(index, node);
    const op = label(index, node);
    const lines = [
      h("p", { class: "hover-title" }, h("b", {}, title), op !== title ? ` ${op}` : "", span >= 0 ? h("span", {}, `line ${index.trace.spans.line[span]}`) : null),
      h("p", {}, stateWords(index, state), value?.shape ? h("code", {}, ` ${shapeText(value.shape)} ${value.dtype ?? ""}`) : null),
    ];
    if (value?.size) {
      const numbers = (value.data ?? value.head ?? []).slice(0, NUMBERS);
      const picture = miniature(value, 9);
      lines.push(h("p", { class: "hover-numbers" }, picture, h("code", {}, numbers.map((x) => num(x)).join("  "), value.size > numbers.length ? " …" : "")));
      if (value.size > 1) lines.push(h("p", {}, rangeText(value)));
    }
    lines.push(h("p", {}, life(index, node, player.step)));
    this.card.replaceChildren(...lines);
    this.card.hidden = false;
    this.at = id;
    const { width, height } = camera.size;
    const left = box.x * camera.scale + camera.x;
    const under = (box.y + box.height) * camera.scale + camera.y + 10;
    const size = { width: this.card.offsetWidth, height: this.card.offsetHeight };
    const above = box.y * camera.scale + camera.y - size.height - 22;
    this.card.style.setProperty("left", `${Math.max(6, Math.min(width - size.width - 6, left))}px`);
    this.card.style.setProperty("top", `${under + size.height < height - 4 || above < 40 ? under : above}px`);
  }
}

/** "born at step 7, merged, plan 2, ran 3 times": its life up to a step in one line. @param {import("../../trace/index.js").TraceIndex} index @param {number} node @param {number} step */
function life(index, node, step) {
  const past = chapters(index, node).filter((one) => one.step <= step);
  const runs = timesRun(index, node, index.limit(step));
  const others = past.slice(1).filter(({ words }) => /^(merged|folded|removed|replaced|fused|moved|failed|let go)/.test(words)).map(({ words }) => words);
  return [`${past[0]?.words ?? "born"} at step ${(past[0]?.step ?? 0) + 1}`, ...others.slice(-2), runs ? `ran ${runs === 1 ? "once" : `${runs} times`}` : "never ran"].join(", ");
}
