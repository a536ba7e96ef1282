/**
 * Handles between panes: dragged, or moved with the arrow keys; a double click, or Home, gives the first size back. Sizes stay in this browser.
 * A handle `data-size="NAME"` sets the property `--own-NAME` of the page, which the style sheets read.
 */
import { keepSizes, keptSizes } from "../kept.js";

/** Which pane a handle sizes, along which axis, and which way it grows. */
const PANES = /** @type {Record<string, {pane: string, axis: "x" | "y", sign: 1 | -1, least: number, most: () => number}>} */ ({
  code: { pane: "#left", axis: "x", sign: 1, least: 260, most: () => innerWidth * 0.55 },
  inspector: { pane: "#inspector", axis: "x", sign: -1, least: 200, most: () => innerWidth * 0.4 },
  under: { pane: "#under", axis: "y", sign: -1, least: 120, most: () => innerHeight * 0.6 },
  output: { pane: "#output-pane", axis: "y", sign: -1, least: 56, most: () => innerHeight * 0.5 },
});

/** @param {HTMLElement} app */
export function attachHandles(app) {
  const sizes = keptSizes();
  for (const handle of app.querySelectorAll("[data-size]")) {
    if (handle instanceof HTMLElement) attach(app, handle, handle.dataset.size ?? "", sizes);
  }
}

/** @param {HTMLElement} app @param {HTMLElement} handle @param {string} name @param {Record<string, number>} sizes */
function attach(app, handle, name, sizes) {
  const { pane: selector, axis, sign, least, most } = PANES[name];
  const pane = /** @type {HTMLElement} */ (app.querySelector(selector));
  const now = () => (axis === "x" ? pane.offsetWidth : pane.offsetHeight);
  /** @param {number | null} size */
  const set = (size) => {
    if (size === null) {
      delete sizes[name];
      app.style.removeProperty(`--own-${name}`);
    } else {
      sizes[name] = Math.round(Math.max(least, Math.min(most(), size)));
      app.style.setProperty(`--own-${name}`, `${sizes[name]}px`);
    }
  };
  handle.setAttribute("aria-valuemin", String(least));
  // A pane's size also changes with the window: what is announced is what it is.
  new ResizeObserver(() => {
    handle.setAttribute("aria-valuenow", String(now()));
    handle.setAttribute("aria-valuemax", String(Math.max(now(), Math.round(most()))));
  }).observe(pane);
  if (sizes[name] > 0) set(sizes[name]);
  let from = 0;
  let start = 0;
  handle.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    from = axis === "x" ? event.clientX : event.clientY;
    start = now();
    handle.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  handle.addEventListener("pointermove", (event) => {
    if (handle.hasPointerCapture(event.pointerId)) set(start + sign * ((axis === "x" ? event.clientX : event.clientY) - from));
  });
  handle.addEventListener("pointerup", () => keepSizes(sizes));
  handle.addEventListener("dblclick", () => {
    set(null);
    keepSizes(sizes);
  });
  handle.addEventListener("keydown", (event) => {
    const way = event.key === (axis === "x" ? "ArrowRight" : "ArrowDown") ? 1 : event.key === (axis === "x" ? "ArrowLeft" : "ArrowUp") ? -1 : 0;
    if (!way && event.key !== "Home") return;
    set(way ? now() + way * sign * 16 : null);
    keepSizes(sizes);
    event.preventDefault();
    event.stopPropagation();
  });
}
