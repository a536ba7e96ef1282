/** Under 1000 px the panes become tabs. */
import { h } from "./dom.js";

const TABS = /** @type {const} */ ([["graph", "Graph"], ["code", "Code"], ["node", "Node"], ["variables", "Variables"], ["output", "Output"], ["times", "Times"]]);

export class TabsView {
  /** @param {HTMLElement} bar @param {HTMLElement} app */
  constructor(bar, app) {
    this.app = app;
    /** Called when a pane is asked for, whether or not the tabs are on the screen. @type {(id: string) => void} */
    this.shown = () => {};
    this.buttons = TABS.map(([id, words]) => {
      const tab = h("button", { type: "button", role: "tab", "data-pane": id, "aria-selected": String(id === "graph") }, words);
      tab.addEventListener("click", () => this.show(id));
      return tab;
    });
    bar.append(...this.buttons);
    bar.addEventListener("keydown", (event) => {
      const at = this.buttons.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
      const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!way || at < 0) return;
      const next = this.buttons[(at + way + this.buttons.length) % this.buttons.length];
      next.focus();
      next.click();
      event.preventDefault();
      event.stopPropagation();
    });
  }

  /** @param {string} id */
  show(id) {
    this.app.dataset.tab = id;
    this.shown(id);
    for (const tab of this.buttons) tab.setAttribute("aria-selected", String(tab.dataset.pane === id));
  }
}
