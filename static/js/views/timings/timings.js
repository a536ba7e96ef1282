/** The time pane: lanes, where each phase's time went, the critical path, memory. One at a time, all with the same cursor. */
import { h } from "../dom.js";
import { MemoryView } from "../charts/memory.js";
import { TimelineView } from "../timeline.js";
import { CriticalView } from "./critical.js";
import { measured } from "./measured.js";
import { phaseTable } from "./phases.js";

/** @typedef {import("../../player/player.js").Player} Player */
/** @typedef {"lanes" | "phases" | "critical" | "memory" | "measured"} Tab */

const TABS = /** @type {[Tab, string][]} */ ([["lanes", "Lanes"], ["phases", "Phases"], ["critical", "Critical path"], ["memory", "Memory"], ["measured", "Measure"]]);

export class TimingsView {
  /** @param {HTMLElement} pane @param {Player} player @param {(decoration: import("../graph/decoration.js").Decoration | null) => void} decorate lays marks over the graph @param {import("../../measuring.js").Measuring} measuring */
  constructor(pane, player, decorate, measuring) {
    this.pane = pane;
    this.player = player;
    this.measuring = measuring;
    measuring.changed = () => this.tab === "measured" && this.#draw();
    /** @type {Tab} */
    this.tab = "lanes";
    this.buttons = TABS.map(([tab, words]) => {
      const one = h("button", { type: "button", role: "tab", id: `time-${tab}`, "aria-controls": "time-panel", "aria-selected": String(tab === "lanes"), tabindex: tab === "lanes" ? 0 : -1 }, words);
      one.addEventListener("click", () => this.show(tab));
      return one;
    });
    const list = h("div", { class: "time-tabs", role: "tablist", "aria-label": "Time" }, ...this.buttons);
    list.addEventListener("keydown", (event) => {
      const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!way || event.ctrlKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      const next = (TABS.findIndex(([tab]) => tab === this.tab) + way + TABS.length) % TABS.length;
      this.show(TABS[next][0]);
      this.buttons[next].focus();
    });
    this.lanes = h("div", { class: "lanes-panel", id: "time-panel", role: "tabpanel", "aria-labelledby": "time-lanes" });
    this.panel = h("div", { class: "timing-panel", tabindex: 0, role: "tabpanel", hidden: true });
    pane.append(list, this.lanes, this.panel);
    this.timeline = new TimelineView(this.lanes, player);
    this.critical = new CriticalView(player, decorate);
    this.memory = new MemoryView(this.panel, () => player.step);
  }

  /** @param {Tab} tab */
  show(tab) {
    const left = this.tab;
    this.tab = tab;
    this.buttons.forEach((one, i) => {
      const on = TABS[i][0] === tab;
      one.setAttribute("aria-selected", String(on));
      one.tabIndex = on ? 0 : -1;
      one.setAttribute("aria-controls", TABS[i][0] === "lanes" ? "time-panel" : "timing-panel");
    });
    this.lanes.hidden = tab !== "lanes";
    this.panel.hidden = tab === "lanes";
    this.panel.id = "timing-panel";
    this.panel.setAttribute("aria-labelledby", `time-${tab}`);
    if (left === "critical" && tab !== "critical") this.critical.show(false);
    this.#draw();
  }

  #draw() {
    const { index } = this.player;
    if (!index || this.tab === "lanes") return;
    if (this.tab === "phases") this.panel.replaceChildren(h("div", { class: "timing-table" }, ...phaseTable(this.player)));
    else if (this.tab === "measured") this.panel.replaceChildren(measured(this.measuring, this.player));
    else if (this.tab === "critical") {
      this.panel.replaceChildren(this.critical.element);
      this.critical.show(true);
    } else {
      this.memory.show([{ name: "this program", index }]);
      this.memory.draw();
    }
  }

  /** @param {Player} player @param {import("../../player/player.js").Change} change */
  render(player, change) {
    this.timeline.render(player, change);
    if (change.topics.has("trace")) {
      this.critical.show(false);
      this.measuring.forget();
      this.#draw();
    } else if (change.topics.has("step") || change.topics.has("view")) {
      if (this.tab === "critical") this.critical.move();
      else if (this.tab === "memory") this.memory.move();
      // Whoever is about to press one of its buttons keeps it.
      else if (this.tab === "measured" && !this.panel.contains(document.activeElement)) this.#draw();
    }
  }
}
