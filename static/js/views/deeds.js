/** What one can ask about a variable or expression: its changes, who made it, who uses it; as a line of small keys under its row. */
import { changesOf } from "../trace/changes.js";
import { button, h } from "./dom.js";

/**
 * @param {import("../player/player.js").Player} player @param {string} text @param {(query: string) => void} ask opens the find box
 * @param {...HTMLElement} more keys of its own
 */
export function deeds(player, text, ask, ...more) {
  const { index, step } = player;
  const steps = index ? changesOf(index, text, step) : [];
  /** @param {string} word @param {string} title @param {string} key @param {() => void} action @param {boolean} [idle] */
  const deed = (word, title, key, action, idle = false) => button(word, { title, "aria-label": title, class: "link", disabled: idle, "data-focus": `${key} ${text}` }, action);
  const plain = /^[\p{L}_][\p{L}\p{N}_]*$/u.test(text);
  return h("span", { class: "deeds" },
    deed("‹ change", `Change before of ${text} (Shift X)`, "back", () => player.moveByChange(-1, text), !steps.some((k) => k < step)),
    deed("change ›", `Next change of ${text} (X)`, "next", () => player.moveByChange(1, text), !steps.some((k) => k > step)),
    ...(plain ? [deed("made by", `Who made ${text} (M)`, "made", () => ask(`made ${text}`)), deed("used by", `Who uses ${text} (Shift M)`, "used", () => ask(`used ${text}`))] : []),
    ...more);
}

/** Replaces what a pane shows; the focus stays at what has the same `data-focus`. @param {HTMLElement} pane @param {...(Node | string)} content */
export function refill(pane, ...content) {
  const key = pane.contains(document.activeElement) ? document.activeElement?.getAttribute("data-focus") : null;
  pane.replaceChildren(...content);
  if (key) focusOn(pane, key);
}

/** @param {HTMLElement} pane @param {string} key */
export function focusOn(pane, key) {
  const again = [...pane.querySelectorAll("[data-focus]")].find((one) => one.getAttribute("data-focus") === key);
  if (again instanceof HTMLElement) again.focus({ preventScroll: true });
}
