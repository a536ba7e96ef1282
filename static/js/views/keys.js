/** The keys, and the list of them. Single letters stay out of the way while somebody types. */
import { button, h } from "./dom.js";

/** @typedef {{keys: string, words: string, match: (event: KeyboardEvent) => boolean, run: (event: KeyboardEvent) => void, always?: boolean}} Key   `always`: while somebody types, too */

/** @param {string} key @param {{shift?: boolean, ctrl?: boolean}} [with_] */
export const on = (key, { shift = false, ctrl = false } = {}) => /** @param {KeyboardEvent} event */ (event) =>
  event.key.toLowerCase() === key.toLowerCase() && (key.length === 1 && !/[a-z]/i.test(key) ? true : event.shiftKey === shift) && (event.ctrlKey || event.metaKey) === ctrl && !event.altKey;

/** @param {EventTarget | null} target */
function isTyping(target) {
  return target instanceof Element && !!target.closest("input, textarea, select, .cm-editor, [contenteditable=true]");
}

/** @param {Key[]} keys */
export function listen(keys) {
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog[open], .menu")) return;
    const typing = isTyping(event.target);
    const onControl = event.target instanceof Element && event.target.closest("button, a, summary, [role=slider]");
    for (const key of keys) {
      if (!key.match(event)) continue;
      if (typing && !key.always) return;
      if (onControl && (event.key === " " || event.key === "Enter") && !event.ctrlKey) return;
      event.preventDefault();
      key.run(event);
      return;
    }
  });
}

/** @param {Key[]} keys */
export function openKeyList(keys) {
  if (document.querySelector("dialog[open]")) return;
  const list = h("dl", { class: "keylist" });
  for (const key of keys) list.append(h("div", {}, h("dt", {}, key.words), h("dd", {}, ...key.keys.split(" ").flatMap((k, i) => [i ? " " : "", h("kbd", {}, k)]))));
  const dialog = h("dialog", { "aria-label": "Keys" }, h("h2", {}, "Keys"), list, h("p", { class: "teach" }, "While the cursor is in the program, Escape leaves it and gives the keys back to the player."));
  dialog.append(button("Close", { class: "close" }, () => dialog.close()));
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  dialog.scrollTop = 0;
}
