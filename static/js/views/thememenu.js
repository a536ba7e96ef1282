/** Themes and the projector: remembered in this browser only. */
import { button, h } from "./dom.js";

const THEMES = /** @type {const} */ ([["system", "As the system"], ["light", "Light"], ["dark", "Dark"], ["contrast", "High contrast"]]);

export function chosenTheme() {
  try {
    return localStorage.getItem("stepgraph.theme") ?? "system";
  } catch {
    return "system";
  }
}

/** @param {string} theme */
export function setTheme(theme) {
  try {
    localStorage.setItem("stepgraph.theme", theme);
  } catch {
    /* A browser that stores nothing still gets the theme for this visit: see below. */
  }
  document.documentElement.dispatchEvent(new Event("stepgraph-theme"));
  if (chosenTheme() !== theme && theme !== "system") document.documentElement.dataset.theme = theme;
}

export const isProjector = () => document.documentElement.dataset.mode === "projector";

/** @param {boolean} [on] */
export function toggleProjector(on = !isProjector()) {
  if (on) document.documentElement.dataset.mode = "projector";
  else delete document.documentElement.dataset.mode;
  dispatchEvent(new Event("stepgraph-mode"));
}

export function themeItems() {
  const chosen = chosenTheme();
  const items = THEMES.map(([id, words]) => button(words, { role: "menuitemradio", "aria-checked": String(id === chosen) }, () => setTheme(id)));
  return [...items, h("hr"), button("Projector (P)", { role: "menuitemcheckbox", "aria-checked": String(isProjector()) }, () => toggleProjector())];
}
