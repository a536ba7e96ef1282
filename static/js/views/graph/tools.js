/** The line above the graph: what it shows, and the tools: graph or plan, legend, fit, zoom, full screen. */
import { actionWords } from "../../trace/title.js";
import { button, h } from "../dom.js";
import { openLegend } from "../legend.js";
import { attachMenu } from "../menu.js";
import { closedFor } from "../../trace/scopes.js";
import { HoverCard } from "./hovercard.js";
import { Minimap } from "./minimap.js";
import { Search } from "./search.js";
import { READABLE } from "./folds.js";
import { graphTitles, graphWords } from "../../trace/traces.js";

/** @typedef {import("./graph.js").GraphView} GraphView */


export class GraphTools {
  /** @param {GraphView} view @param {() => void} onFull */
  constructor(view, onFull) {
    this.view = view;
    this.title = h("span", { class: "caption-text", id: "graph-title" });
    this.whole = button("Graph", { "aria-pressed": "false", title: "Show the whole graph that the program built" }, () => this.#choose(-1));
    this.plan = button("Plan", { "aria-pressed": "false", title: "Show the plan made from it for this call" }, () => this.#choose(1));
    this.percent = button("100 %", { title: "Original size", class: "wide" }, () => this.view.camera.zoom(1 / this.view.camera.scale));
    this.search = new Search(view);
    view.openSearch = () => this.search.open();
    this.map = new Minimap(view);
    this.hover = new HoverCard(view);
    this.scopes = h("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", title: "Close and open modules, functions, loops" }, "Scopes");
    attachMenu(this.scopes, () => this.#scopeItems());
    this.graphs = h("button", { type: "button", "aria-haspopup": "menu", "aria-expanded": "false", title: "The other graphs of this program" }, "Graphs");
    attachMenu(this.graphs, () => this.#graphItems());
    const tools = h("span", { class: "tools" }, this.graphs, this.whole, this.plan, button("Search", { title: "Search the graph (/)" }, () => this.search.open()), this.scopes, button("Legend", { class: "wide" }, openLegend), button("Fit", { title: "Fit (0)" }, () => view.fit()),
      button("−", { title: "Smaller (−)", "aria-label": "Smaller" }, () => view.camera.zoom(1 / 1.2)), this.percent, button("+", { title: "Larger (+)", "aria-label": "Larger" }, () => view.camera.zoom(1.2)),
      button("Full screen", { class: "wide", title: "This pane alone (F)" }, onFull));
    view.pane.prepend(h("div", { class: "corner" }, this.title, tools));
    view.onZoom.push(() => {
      this.percent.textContent = `${Math.round(view.camera.scale * 100)} %`;
      this.percent.setAttribute("aria-label", `${this.percent.textContent}: back to original size`);
    });
  }

  /** @param {number} plan */
  #choose(plan) {
    const { player } = this.view;
    const index = player.index;
    if (!index) return;
    const own = index.stepPlan?.[player.step] ?? -1;
    if (plan < 0) player.show({ graph: index.stepGraph?.[player.step] ?? 0, plan: -1 });
    else player.show(own >= 0 ? null : { graph: index.stepGraph?.[player.step] ?? 0, plan: this.#lastPlan() });
  }

  #scopeItems() {
    const { view } = this;
    const all = view.tree.scopes;
    const set = /** @param {Iterable<number>} ids */ (ids) => () => {
      view.refold((closed) => {
        closed.clear();
        for (const id of ids) closed.add(id);
      });
    };
    const places = new Set(view.whole?.boxes.keys() ?? []);
    const top = all.filter((scope) => scope.depth === 0).map((scope) => scope.id);
    const levels = Math.max(0, ...all.map((scope) => scope.depth)) + 1;
    /** @type {HTMLElement[]} */
    const items = [button("Open all", { role: "menuitem" }, set([])), button("Close all", { role: "menuitem" }, set(top))];
    for (let depth = 1; depth < Math.min(levels, 5); depth++) items.push(button(`Open ${depth === 1 ? "one level" : `${depth} levels`}`, { role: "menuitem" }, set(all.filter((scope) => scope.depth === depth).map((scope) => scope.id))));
    items.push(button("As many as can be read", { role: "menuitem" }, set(closedFor(view.tree, places, READABLE))));
    return items;
  }

  /** Every graph that the program built: each trace of a function has its own. */
  #graphItems() {
    const { player, scene } = this.view;
    const { index } = player;
    if (!index) return [];
    const items = graphTitles(index).filter(({ graph }) => index.trace.nodes.graph.includes(graph)).map(({ graph }) => button(graphWords(index, graph), { role: "menuitemradio", "aria-checked": String(scene?.graph === graph) }, () => player.show({ graph, plan: -1 })));
    return [button("The one of this step", { role: "menuitemradio", "aria-checked": String(!player.view) }, () => player.show(null)), ...items];
  }

  #lastPlan() {
    const { index, step } = this.view.player;
    for (let k = step; index && k >= 0; k--) if ((index.stepPlan?.[k] ?? -1) >= 0) return index.stepPlan?.[k] ?? -1;
    return -1;
  }

  /** @param {import("../../player/player.js").Player} player @param {import("../../player/player.js").Change} change */
  render(player, change) {
    if (!["trace", "step", "view"].some((topic) => change.topics.has(/** @type {any} */ (topic))) || !player.index) return;
    const scene = this.view.scene;
    const fixed = scene && scene.graph >= 0 && player.index.isStatic(scene.graph);
    const any = fixed && player.index.trace.count.plans > 0 && this.#lastPlan() >= 0;
    this.whole.hidden = this.plan.hidden = !any;
    this.whole.setAttribute("aria-pressed", String(!!scene && scene.plan < 0));
    this.plan.setAttribute("aria-pressed", String(!!scene && scene.plan >= 0));
    this.graphs.hidden = new Set(player.index.trace.nodes.graph).size < 2;
    this.scopes.hidden = !this.view.tree.scopes.length;
    this.map.later();
    this.hover.render();
    const words = scene ? actionWords(player.index, scene) : "";
    if (this.title.textContent === words) return;
    this.title.textContent = words;
    this.title.title = words; // in full where the line is cut off
  }
}
