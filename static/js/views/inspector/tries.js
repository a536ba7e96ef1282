/** What to try, of a card: a short numbered list. */
import { h } from "../dom.js";

/** @param {import("../../trace/types.js").Card} card @returns {Node[]} */
export function tries(card) {
  if (!card.tries.length) return [];
  return [h("h3", {}, card.tries.length > 1 ? "Try one of these" : "Try this"), h("ol", { class: "tries" }, ...card.tries.map((one) => h("li", {}, one)))];
}
