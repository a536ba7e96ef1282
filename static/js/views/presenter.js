/** For a lecture: a spot that follows the mouse, and a screen without anything on it. */
import { h } from "./dom.js";

/** @type {HTMLElement | null} */
let spot = null;
/** @type {HTMLElement | null} */
let blank = null;
const at = { x: innerWidth / 2, y: innerHeight / 2 };

addEventListener("pointermove", (event) => {
  at.x = event.clientX;
  at.y = event.clientY;
  if (spot) place(spot);
});

/** @param {HTMLElement} element */
function place(element) {
  element.style.setProperty("left", `${at.x}px`);
  element.style.setProperty("top", `${at.y}px`);
}

/** @param {boolean} [on] @returns {boolean} whether anything changed */
export function togglePointer(on = !spot) {
  if (on === !!spot) return false;
  if (on) {
    spot = h("div", { class: "pointer", "aria-hidden": "true" });
    place(spot);
    document.body.append(spot);
  } else {
    spot?.remove();
    spot = null;
  }
  return true;
}

/** @param {boolean} [on] @returns {boolean} whether anything changed */
export function toggleBlank(on = !blank) {
  if (on === !!blank) return false;
  if (on) {
    blank = h("div", { class: "blank", role: "img", "aria-label": "The screen is blank. B shows the page again." });
    document.body.append(blank);
  } else {
    blank?.remove();
    blank = null;
  }
  return true;
}
