/** What stands below the two graphs: calls over time, memory, the difference. One tab at a time; each has its table beside it. */
import { ofPasses, ofPlan, ofRecordings } from "../trace/difference.js";
import { count } from "../trace/format.js";
import { called } from "../trace/names.js";
import { mark, plain } from "../trace/parts.js";
import { BreakEvenView } from "../views/charts/breakeven.js";
import { MemoryView } from "../views/charts/memory.js";
import { readMeasurement } from "../trace/breakeven.js";
import { madeAgain } from "../trace/plans.js";
import { differenceList, differenceMarks } from "../views/compare/differences.js";
import { h } from "../views/dom.js";
import { TABS } from "./place.js";

/** @typedef {import("./place.js").Tab} Tab */
/** @typedef {import("../trace/index.js").TraceIndex} TraceIndex */
/** @typedef {import("./duet.js").Duet} Duet */

const TITLES = { calls: "Which is faster", memory: "Memory", difference: "What differs" };

export class Below {
  /**
   * @param {{tabs: HTMLElement, panel: HTMLElement}} places @param {Duet} duet @param {{a: import("../views/graph/graph.js").GraphView, b: import("../views/graph/graph.js").GraphView}} graphs
   * @param {{load: (a: TraceIndex, b: TraceIndex) => void, names: [string, string], changed: () => void, measure: (program: {source: string, name: string}, say: (words: string) => void) => Promise<any>}} page `load`: shows two recordings at their ends
   */
  constructor({ tabs, panel }, duet, graphs, page) {
    this.panel = panel;
    this.duet = duet;
    this.graphs = graphs;
    this.page = page;
    /** @type {Tab} */
    this.tab = "calls";
    /** Which two graphs are compared: "" the two recordings, `plan.a.0`, `passes.b.0.1`. */
    this.diff = "";
    /** @type {{a: {source: string, name: string} | null, b: {source: string, name: string} | null}} */
    this.sources = { a: null, b: null };
    /** @type {{a: TraceIndex, b: TraceIndex} | null} the two recordings, also while one of them is compared with itself */
    this.loaded = null;
    this.calls = new BreakEvenView(panel, { measure: () => void this.#measure(), again: (side) => (this.loaded ? madeAgain(this.loaded[side]) : []), go: (side, step) => this.duet.goToStep(side, step), names: page.names });
    this.memory = new MemoryView(panel, (side) => (side ? this.duet.b : this.duet.a).step);
    this.buttons = TABS.map((tab) => {
      const one = h("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": "chart", "aria-selected": String(tab === this.tab), tabindex: tab === this.tab ? 0 : -1 }, TITLES[tab]);
      one.addEventListener("click", () => this.show(tab));
      return one;
    });
    tabs.append(...this.buttons);
    tabs.addEventListener("keydown", (event) => {
      const way = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
      if (!way) return;
      event.preventDefault();
      event.stopPropagation();
      this.show(TABS[(TABS.indexOf(this.tab) + way + TABS.length) % TABS.length]);
      this.buttons[TABS.indexOf(this.tab)].focus();
    });
  }

  /** @param {Tab} tab */
  show(tab) {
    this.tab = tab;
    this.buttons.forEach((one, i) => {
      one.setAttribute("aria-selected", String(TABS[i] === tab));
      one.tabIndex = TABS[i] === tab ? 0 : -1;
    });
    this.panel.setAttribute("aria-labelledby", `tab-${tab}`);
    if (tab !== "difference" && this.diff) this.choose("");
    this.#draw();
    this.page.changed();
  }

  /** @param {Set<import("./duet.js").Topic>} topics */
  render(topics) {
    if (topics.has("trace")) {
      if (!this.diff && this.loaded?.a !== this.duet.both?.a) this.calls.show(null);
      if (!this.diff && this.loaded?.b !== this.duet.both?.b) this.calls.show(null);
      if (!this.diff) this.loaded = this.duet.both;
      const { both } = this.duet;
      const [one, two] = this.page.names;
      if (both) this.memory.show(both.a === both.b ? [{ name: one, index: both.a }] : [{ name: one, index: both.a }, { name: two, index: both.b }]);
      this.#draw();
    } else if (topics.has("at") && this.tab === "memory") this.memory.move();
  }

  /** Measures both programs, one after the other, so that neither slows the other down. */
  async #measure() {
    const { a, b } = this.sources;
    const { calls } = this;
    if (!a || !b) return;
    calls.show(null);
    const say = /** @param {string} words */ (words) => {
      calls.busy = words;
      if (this.tab === "calls") calls.draw();
    };
    try {
      say("Measuring …");
      const [one, two] = [...this.page.names];
      const left = readMeasurement(await this.page.measure(a, (words) => say(`${one}: ${words}`)));
      const right = a.source === b.source ? left : readMeasurement(await this.page.measure(b, (words) => say(`${two}: ${words}`)));
      if (this.sources.a !== a || this.sources.b !== b) return;
      calls.show({ a: { name: one, of: left }, b: { name: two, of: right } });
    } catch (error) {
      calls.show(null);
      calls.problem = error instanceof Error ? `${error.message} ${"hint" in error ? error.hint : ""}` : String(error);
    }
    if (this.tab === "calls") calls.draw();
  }

  /** What can be compared: both recordings; each graph with its plans; passes of each loop. @returns {[string, string][]} */
  get options() {
    if (!this.loaded) return [];
    /** @type {[string, string][]} */
    const out = [["", "left and right"]];
    const [one, two] = this.page.names;
    for (const side of /** @type {const} */ (["a", "b"])) {
      if (side === "b" && this.loaded.a === this.loaded.b) break;
      const index = this.loaded[side];
      const name = this.diff ? (side === "a" ? "left" : "right") : side === "a" ? one : two;
      for (let plan = 0; plan < index.trace.count.plans; plan++) {
        if (!index.rewrites?.get(plan)?.length) continue;
        const fetches = (index.trace.document.lists[index.trace.plans.fetches[plan]] ?? []).slice(0, 2).map((n) => called(index, n)).join(", ");
        out.push([`plan.${side}.${plan}`, `${name}: before and after optimising for ${fetches}`]);
      }
      const outer = Array.from({ length: index.trace.count.episodes }, (_, e) => e).filter((e) => index.trace.episodes.parent[e] < 0);
      if (outer.length > 1) {
        out.push([`passes.${side}.${outer[0]}.${outer[1]}`, `${name}: iterations 1 and 2`]);
        if (outer.length > 2) out.push([`passes.${side}.${outer[0]}.${outer[outer.length - 1]}`, `${name}: iterations 1 and ${outer.length}`]);
      }
    }
    return out;
  }

  /** @param {string} id */
  choose(id) {
    const { loaded } = this;
    if (id === this.diff) return;
    if (!loaded || (id && !this.options.some(([one]) => one === id))) {
      this.diff = "";
      return;
    }
    this.diff = id;
    const [kind, side, first, second] = id.split(".");
    if (!kind) this.page.load(loaded.a, loaded.b);
    else {
      const index = side === "b" ? loaded.b : loaded.a;
      this.tab = "difference";
      this.page.load(index, index);
      const plan = Number(first);
      if (kind === "plan") {
        this.duet.a.show({ graph: index.trace.plans.graph[plan], plan: -1 });
        this.duet.b.show({ graph: index.trace.plans.graph[plan], plan });
        this.duet.b.goTo(this.#compiled(index, plan));
        this.duet.a.goTo(this.#compiled(index, plan));
      } else {
        this.duet.a.goTo(index.trace.episodes.last[Number(first)]);
        this.duet.b.goTo(index.trace.episodes.last[Number(second)]);
      }
      this.graphs.a.fit();
      this.graphs.b.fit();
      this.show("difference");
    }
    this.#draw();
  }

  /** The step at which a plan is ready. @param {TraceIndex} index @param {number} plan */
  #compiled(index, plan) {
    const { compiled } = index.trace.events;
    const row = compiled?.seq?.findIndex((_, r) => compiled.plan[r] === plan) ?? -1;
    const changes = index.rewrites?.get(plan) ?? [];
    return index.stepOf(row >= 0 ? compiled.seq[row] : changes[changes.length - 1]?.seq ?? 0);
  }

  /** What is compared, in words, and how each side of it is called; null while both recordings play. @returns {{heads: [string, string], parts: import("../trace/parts.js").Part[]} | null} */
  get words() {
    const { difference, diff } = this;
    if (!diff || !difference) return null;
    const [kind, , , second] = diff.split(".");
    const number = /** @param {string} of */ (of) => difference.entries.filter((entry) => entry.kind === of).length;
    const heads = /** @type {[string, string]} */ (kind === "plan" ? ["before", "after"] : ["iteration 1", `iteration ${(this.duet.both?.a.trace.episodes.index[Number(second)] ?? 1) + 1}`]);
    const opening = kind === "plan" ? [mark("The optimiser"), plain(` took away ${count(number("removed"), "node")}, added ${number("added")} and changed ${number("changed")}. `)] : [mark(heads[1]), plain(` has ${count(number("changed"), "node")} with other values than ${heads[0]}, ${number("removed")} fewer and ${number("added")} more. `)];
    return { heads, parts: [...opening, plain(`${difference.same} stay as they are.`)] };
  }

  get difference() {
    const { both } = this.duet;
    if (!both) return null;
    const [kind, , first, second] = this.diff.split(".");
    if (kind === "plan") return ofPlan(both.a, Number(first));
    if (kind === "passes") return ofPasses(both.a, Number(first), Number(second));
    return ofRecordings(both.a, both.b, this.duet.pairs);
  }

  #draw() {
    const difference = this.tab === "difference" ? this.difference : null;
    this.graphs.a.decorate(difference ? differenceMarks(difference, "left") : null);
    this.graphs.b.decorate(difference ? differenceMarks(difference, "right") : null);
    if (difference) {
      this.panel.replaceChildren(...differenceList(difference, { options: this.options, chosen: this.diff, choose: (id) => this.choose(id), go: (entry) => {
        if (entry.left >= 0) this.duet.a.select(entry.left);
        if (entry.right >= 0) this.duet.b.select(entry.right);
        if (entry.left >= 0) this.graphs.a.find(this.#slot(entry.left));
        if (entry.right >= 0) this.graphs.b.find(this.#slot(entry.right));
      } }));
    } else if (this.tab === "calls") this.calls.draw();
    else if (this.tab === "memory" && this.duet.both) this.memory.draw();
  }

  /** @param {number} node */
  #slot(node) {
    return this.duet.both?.a.trace.nodes.slot[node] ?? -1;
  }
}
