/**
 * Numbered places in the picture: what a question offers, whether or not anything stands there yet.
 * @typedef {import("../../player/player.js").Player} Player
 * @typedef {{node: number, number: string, words: string}} Choice   `words`: what will stand there, never markup
 */
import { s } from "../dom.js";

/** How far the outline stands off the box, and the size of the number's circle. */
const OFF = 6;
const CIRCLE = 11;

export class Choices {
  /** @param {import("./graph.js").GraphView} view @param {(number: string) => void} pick a place was clicked */
  constructor(view, pick) {
    this.view = view;
    this.pick = pick;
    /** @type {Choice[]} */
    this.choices = [];
    this.off = false;
    this.layer = s("g", { class: "choices", "aria-hidden": "true" });
    view.layers.world.append(this.layer);
    view.onStage.push(() => this.#draw());
  }

  /** @param {Choice[]} choices none: nothing is asked */
  show(choices) {
    this.choices = choices;
    this.#draw();
  }

  get hidden() {
    return this.off;
  }

  /** Another recording is shown than the question is about. @param {boolean} hidden */
  set hidden(hidden) {
    if (hidden === this.off) return;
    this.off = hidden;
    this.#draw();
  }

  /** @param {Player} _ @param {import("../../player/player.js").Change} change */
  render(_, change) {
    if (change.topics.has("trace") || change.topics.has("step") || change.topics.has("view")) this.#draw();
  }

  #draw() {
    const { index } = this.view.player;
    const { plan, scene } = this.view;
    /** @type {Map<number, Choice[]>} several nodes may share one place: the passes of a loop */
    const places = new Map();
    if (index && plan && !this.off) {
      for (const choice of this.choices) {
        const id = index.trace.nodes.graph[choice.node] === this.view.graph ? plan.shown.get(index.trace.nodes.slot[index.host(choice.node)]) : undefined;
        if (id !== undefined) places.set(id, [...(places.get(id) ?? []), choice]);
      }
    }
    this.layer.replaceChildren(...[...places].flatMap(([id, choices]) => {
      const box = plan?.boxes.get(id);
      if (!box) return [];
      const empty = ![...(scene?.slots.keys() ?? [])].some((slot) => plan?.shown.get(slot) === id);
      return [this.#place(box, choices, empty)];
    }));
  }

  /** @param {import("./geometry.js").Box} box @param {Choice[]} choices @param {boolean} empty whether nothing stands there yet */
  #place(box, choices, empty) {
    const numbers = choices.map((choice) => choice.number).join(" ");
    const wide = CIRCLE + 5 * (numbers.length - 1);
    const group = s("g", { class: empty ? "choice is-absent" : "choice", transform: `translate(${box.x} ${box.y})` },
      s("rect", { class: "choice-outline", x: -OFF, y: -OFF, width: box.width + 2 * OFF, height: box.height + 2 * OFF, rx: 10 }),
      ...(empty ? [s("text", { class: "choice-words", x: box.width / 2, y: box.height / 2 + 4, "text-anchor": "middle" }, choices[0].words)] : []),
      s("g", { class: "choice-number", transform: `translate(${-OFF + 2} ${-OFF + 2})` }, s("rect", { x: -wide, y: -CIRCLE, width: 2 * wide, height: 2 * CIRCLE, rx: CIRCLE }), s("text", { y: 4.5, "text-anchor": "middle" }, numbers)));
    group.addEventListener("click", (event) => {
      event.stopPropagation();
      if (!this.view.camera.moved) this.pick(choices[0].number);
    });
    return group;
  }
}
