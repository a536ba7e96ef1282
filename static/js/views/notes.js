/** Quiet notes under the program: what could not be recorded, and what ran without an error and is rarely meant. */
import { placeOf } from "../trace/finding/find.js";
import { firstOdd } from "../trace/finding/oddities.js";
import { button, h } from "./dom.js";
import { tries } from "./inspector/tries.js";

export class NotesView {
  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.pane = pane;
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (!change.topics.has("trace")) return;
    const { program, end } = player.index?.trace.document ?? {};
    const notes = (program?.notes ?? []).map((note) => h("p", {}, note));
    const hints = (end?.hints ?? []).map((card) => h("details", {}, h("summary", {}, card.title), h("p", {}, card.explanation), ...tries(card), ...(card.id === "no-number" ? origin(player) : [])));
    this.pane.replaceChildren(...notes, ...hints);
    this.pane.hidden = !notes.length && !hints.length;
  }
}

/** The way to the first NaN or infinity. @param {import("../player/player.js").Player} player @returns {Node[]} */
function origin(player) {
  const { index } = player;
  const odd = index && firstOdd(index);
  if (!odd) return [];
  return [h("p", {}, button(`Show the first: ${placeOf(index, odd.step)}`, { class: "link" }, () => {
    player.show(null);
    player.goTo(odd.step);
    if (odd.node >= 0) player.select(index.host(odd.node));
  }))];
}
