/** The time pane: lanes, where each phase's time went, the critical path, memory. One at a time, all with the same cursor. */
import { h } from "../dom.js";
import { HIDDEN } from "../../trace/finding/veil.js";
import { MemoryView } from "../charts/memory.js";
import { TimelineView } from "../timeline.js";
import { CriticalView } from "./critical.js";
import { measured } from "./measured.js";
import { phaseTable } from "./phases.js";
import { XrayView } from "../xray/xray.js";

/** @typedef {import("../../player/player.js").Player} Player */
/** @typedef {"lanes" | "phases" | "critical" | "memory" | "measured" | "xray"} Tab */

const TABS = /** @type {[Tab, string][]} */ ([["lanes", "Lanes"], ["phases", "Phases"], ["critical", "Critical path"], ["xray", "X-ray"], ["memory", "Memory"], ["measured", "Measure"]]);

export class TimingsView {
  /** @param {HTMLElement} pane @param {Player} player @param {(decoration: import("../graph/decoration.js").Decoration | null) => void} decorate lays marks over the graph @param {import("../../measuring.js").Measuring | null} measuring null where nothing can be run @param {(line: number) => void} goToLine */
  constructor(pane, player, decorate, measuring, goToLine) {
    this.pane = pane;
    this.player = player;
    this.measuring = measuring;
    if (measuring) measuring.changed = () => this.tab === "measured" && this.#draw();
    /** @type {Tab} */
    this.tab = "lanes";
    /** Whether a lesson hides what comes. */
    this.veiled = false;
    const tabs = TABS.filter(([tab]) => measuring || tab !== "measured");
    this.tabs = tabs.map(([tab]) => tab);
    this.buttons = tabs.map(([tab, words]) => {
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
      const next = (this.tabs.indexOf(this.tab) + way + tabs.length) % tabs.length;
      this.show(this.tabs[next]);
      this.buttons[next].focus();
    });
    this.lanes = h("div", { class: "lanes-panel", id: "time-panel", role: "tabpanel", "aria-labelledby": "time-lanes" });
    this.panel = h("div", { class: "timing-panel", tabindex: 0, role: "tabpanel", hidden: true });
    pane.append(list, this.lanes, this.panel);
    this.timeline = new TimelineView(this.lanes, player);
    this.critical = new CriticalView(player, decorate);
    this.xray = new XrayView(player, decorate, goToLine);
    this.memory = new MemoryView(this.panel, () => player.step, true);
  }

  /** @param {Tab} tab */
  show(tab) {
    const left = this.tab;
    this.tab = tab;
    this.buttons.forEach((one, i) => {
      const on = this.tabs[i] === tab;
      one.setAttribute("aria-selected", String(on));
      one.tabIndex = on ? 0 : -1;
      one.setAttribute("aria-controls", this.tabs[i] === "lanes" ? "time-panel" : "timing-panel");
    });
    this.lanes.hidden = tab !== "lanes";
    this.panel.hidden = tab === "lanes";
    this.panel.id = "timing-panel";
    this.panel.setAttribute("aria-labelledby", `time-${tab}`);
    if (left === "critical" && tab !== "critical") this.critical.show(false);
    if (left === "xray" && tab !== "xray") this.xray.show(false);
    this.#draw();
  }

  #draw() {
    const { index } = this.player;
    this.veiled = this.player.furthest >= 0;
    if (!index || this.tab === "lanes") return;
    if (this.veiled && this.tab !== "phases") {
      // These tell of the whole run.
      this.critical.show(false);
      this.xray.show(false);
      this.panel.replaceChildren(h("p", { class: "how" }, HIDDEN));
    } else if (this.tab === "phases") this.panel.replaceChildren(h("div", { class: "timing-table" }, ...phaseTable(this.player)));
    else if (this.tab === "xray") {
      if (!this.panel.contains(this.xray.element)) this.panel.replaceChildren(this.xray.element);
      this.xray.show(true);
    } else if (this.tab === "measured" && this.measuring) this.panel.replaceChildren(measured(this.measuring, this.player));
    else if (this.tab === "critical") {
      this.panel.replaceChildren(this.critical.element);
      this.critical.show(true);
    } else {
      this.memory.show([{ name: "this program", index }]);
      this.memory.draw();
    }
  }

  /** Whether what is shown here marks the graph. */
  get marks() {
    return this.tab === "critical" || this.tab === "xray";
  }

  /** Why does it not learn? @param {number} [node] the parameter in question; otherwise the first that does not learn */
  learn(node = -1) {
    this.xray.choose(node);
    this.show("xray");
  }

  /** @param {Player} player @param {import("../../player/player.js").Change} change */
  render(player, change) {
    this.timeline.render(player, change);
    if (change.topics.has("trace")) {
      this.critical.show(false);
      this.xray.show(false);
      this.xray.forget();
      this.measuring?.forget();
      this.#draw();
    } else if (this.veiled !== player.furthest >= 0) this.#draw();
    else if (!this.veiled && (change.topics.has("step") || change.topics.has("view"))) {
      if (this.tab === "critical") this.critical.move();
      else if (this.tab === "xray") this.xray.move();
      else if (this.tab === "memory") this.memory.move();
      // Whoever is about to press one of its buttons keeps it.
      else if (this.tab === "measured" && !this.panel.contains(document.activeElement)) this.#draw();
    }
  }
}
