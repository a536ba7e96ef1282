/** A menu under a button of the bar: arrow keys walk, Escape and a click elsewhere close it. */
import { h } from "./dom.js";

/**
 * @param {HTMLElement} opener
 * @param {() => (Node | string)[]} content built anew each time it opens
 */
export function attachMenu(opener, content) {
  /** @type {HTMLElement | null} */
  let menu = null;
  const close = (refocus = false) => {
    menu?.remove();
    menu = null;
    opener.setAttribute("aria-expanded", "false");
    if (refocus) opener.focus();
  };
  const open = () => {
    menu = h("div", { class: "menu", role: "menu", "aria-label": opener.textContent ?? "" }, ...content());
    document.body.append(menu);
    const box = opener.getBoundingClientRect();
    // A menu of the bar begins below the bar; on a narrow screen it has all the room there is.
    menu.style.setProperty("top", `${Math.max(box.bottom, opener.closest(".bar")?.getBoundingClientRect().bottom ?? 0) + 4}px`);
    menu.style.setProperty("right", `${innerWidth < 700 ? 8 : Math.max(8, innerWidth - box.right)}px`);
    opener.setAttribute("aria-expanded", "true");
    items()[0]?.focus();
    menu.addEventListener("click", (event) => {
      if (event.target instanceof Element && event.target.closest("button")) close();
    });
    menu.addEventListener("keydown", (event) => {
      const all = items();
      const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      if (event.key === "Escape") close(true);
      else if (event.key === "ArrowDown") all[(at + 1) % all.length]?.focus();
      else if (event.key === "ArrowUp") all[(at - 1 + all.length) % all.length]?.focus();
      else if (event.key === "Tab") return close();
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  };
  const items = () => [...(menu?.querySelectorAll("button") ?? [])];
  opener.addEventListener("click", () => (menu ? close() : open()));
  document.addEventListener("pointerdown", (event) => {
    if (menu && event.target instanceof Node && !menu.contains(event.target) && !opener.contains(event.target)) close();
  });
}
