/**
 * The graph pane: every slot has its place for the whole life of the graph; a step redraws only the nodes that changed.
 * @typedef {import("../../player/player.js").Player} Player
 * @typedef {import("../../player/player.js").Change} Change
 * @typedef {import("../../trace/scene.js").Scene} Scene
 * @typedef {import("../../trace/scene.js").SlotState} SlotState
 */
import { sceneAt } from "../../trace/scene.js";
import { spoken, stateWords, texts } from "../../trace/describe.js";
import { wireState } from "../../trace/wires.js";
import { h, s } from "../dom.js";
import { backdrop, extent } from "./backdrop.js";
import { Camera } from "./camera.js";
import { planOf } from "./geometry.js";
import { forgetWidths } from "./measure.js";
import { nodeParts } from "./node.js";
import { arrowTo } from "./walk.js";
import { bead, wire } from "./wires.js";

const TOP = 44;

export class GraphView {
  /** @param {HTMLElement} pane @param {Player} player */
  constructor(pane, player) {
    this.player = player;
    this.pane = pane;
    this.behind = s("g", { "aria-hidden": "true" });
    this.halos = s("g", { class: "halos", "aria-hidden": "true" });
    this.wires = s("g", { class: "wires", "aria-hidden": "true" });
    this.nodes = s("g", { class: "nodes" });
    this.ports = s("g", { class: "ports", "aria-hidden": "true" });
    this.world = s("g", { class: "world" }, this.behind, this.halos, this.wires, this.ports, this.nodes);
    const hatch = s("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path", { class: "hatchline", d: "M0 0V5" }));
    this.svg = s("svg", { class: "g", role: "group", "aria-label": "Graph" }, s("defs", {}, hatch), this.world);
    this.empty = h("div", { class: "empty", hidden: true }, h("p"));
    pane.append(this.svg, this.empty);
    /** @type {(() => void)[]} */
    this.onZoom = [];
    this.camera = new Camera(this.svg, this.world, () => this.onZoom.forEach((tell) => tell()));
    /** @type {import("./geometry.js").Plan | null} */
    this.plan = null;
    this.graph = -1;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.turned = false;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Map<number, {group: SVGGElement, key: string}>} */
    this.drawn = new Map();
    /** @type {{wire: import("./geometry.js").Wire, group: SVGGElement, state: string}[]} */
    this.edges = [];
    this.svg.addEventListener("click", (event) => this.#click(event));
    this.svg.addEventListener("keydown", (event) => this.#key(event));
    new ResizeObserver(() => this.#resized()).observe(pane);
    document.fonts?.ready.then(() => {
      forgetWidths();
      this.#rebuild();
    });
  }

  /** @param {Player} player @param {Change} change */
  render(player, change) {
    if (change.topics.has("trace")) this.#rebuild();
    else if (change.topics.has("step") || change.topics.has("view") || change.topics.has("selection")) this.#show(change.animate, change.topics.has("step") || change.topics.has("view"));
  }

  get layout() {
    return this.player.index?.trace.document.layout?.graphs.find((g) => g.graph === this.graph) ?? null;
  }

  #rebuild() {
    this.drawn.clear();
    this.edges = [];
    this.graph = -1;
    for (const layer of [this.behind, this.halos, this.wires, this.nodes, this.ports]) layer.replaceChildren();
    this.scene = null;
    if (this.player.index) this.#show(false, true);
  }

  /** Sets the stage for another graph. @param {number} graph */
  #stage(graph) {
    const index = this.player.index;
    this.drawn.clear();
    this.edges = [];
    for (const layer of [this.behind, this.halos, this.wires, this.nodes, this.ports]) layer.replaceChildren();
    this.graph = graph;
    this.turned = this.pane.clientWidth > 0 && this.pane.clientWidth < 560;
    const layout = this.layout;
    this.plan = layout ? planOf(layout, this.turned) : null;
    if (!this.plan || !index) return;
    const { behind, ports } = backdrop(this.plan, index.isStatic(graph));
    this.behind.append(...behind);
    this.ports.append(...ports);
    for (const one of this.plan.wires) {
      const from = this.plan.boxes.get(one.source);
      const to = this.plan.boxes.get(one.target);
      if (!from || !to) continue;
      const group = wire(one.kind, from, to, one.sides, one.via);
      group.setAttribute("visibility", "hidden");
      this.wires.append(group);
      this.edges.push({ wire: one, group, state: "" });
    }
    this.fit();
  }

  /** @param {boolean} animate @param {boolean} moved whether the step or the view changed */
  #show(animate, moved) {
    const { index, step, view } = this.player;
    if (!index) return;
    const scene = sceneAt(index, step, view ?? undefined);
    if (scene.graph !== this.graph) this.#stage(scene.graph);
    this.svg.classList.toggle("animate", animate);
    this.svg.classList.toggle("in-run", scene.run >= 0);
    this.pane.classList.toggle("is-static", scene.graph >= 0 && index.isStatic(scene.graph));
    this.scene = scene;
    this.#drawNodes(scene, animate);
    this.#drawWires(scene, animate);
    this.#drawHalo(scene);
    this.#teach(scene);
    if (moved) this.#follow(scene, animate);
  }

  /** @param {Scene} scene @param {boolean} animate */
  #drawNodes(scene, animate) {
    const { index, selected } = this.player;
    if (!index || !this.plan) return;
    const { nodes } = index.trace;
    const chosen = selected >= 0 ? nodes.slot[index.host(selected)] : -1;
    for (const [slot, old] of this.drawn) {
      if (!scene.slots.has(slot)) {
        old.group.remove();
        this.drawn.delete(slot);
      }
    }
    /** @type {SVGGElement | null} slots come in the order in which the program made them; so do their nodes, for the Tab key */
    let before = null;
    for (const [slot, state] of scene.slots) {
      const box = this.plan.boxes.get(slot);
      if (!box) continue;
      const place = before;
      before = this.drawn.get(slot)?.group ?? null;
      const now = scene.now.has(slot);
      const key = `${state.node} ${state.state} ${state.value} ${state.arrived} ${state.note} ${now} ${slot === chosen}`;
      const old = this.drawn.get(slot);
      if (old?.key === key) continue;
      const group = old?.group ?? s("g", { transform: `translate(${box.x} ${box.y})`, tabindex: 0, role: "img", "data-slot": slot });
      const definition = index.definition(state.node);
      const words = texts(index, state, box.form);
      const value = state.value >= 0 ? index.trace.document.values[state.value] : null;
      const fresh = !old || old.key.split(" ")[0] !== String(state.node);
      const changed = animate && now && !fresh;
      group.setAttribute("class", `node k-${definition.category} f-${box.form} is-${state.state}${now ? " is-now" : ""}${slot === chosen ? " is-selected" : ""}${animate && fresh ? " is-fresh" : ""}${changed ? " is-changed" : ""}`);
      group.setAttribute("aria-label", spoken(index, state));
      group.replaceChildren(...nodeParts({ box, state: state.state, symbol: definition.symbol, category: definition.category, ...words, value, arrived: state.arrived, selected: slot === chosen, why: `${words.name ? `${words.name}, ` : ""}${words.label}: ${stateWords(index, state)}` }));
      if (!old && place) place.after(group);
      else if (!old) this.nodes.prepend(group);
      before = group;
      this.drawn.set(slot, { group, key });
    }
  }

  /** @param {Scene} scene @param {boolean} animate */
  #drawWires(scene, animate) {
    const { index, speed, playing } = this.player;
    if (!index || !this.plan) return;
    const beads = animate && !(playing && speed >= 4) && !this.still.matches;
    for (const edge of this.edges) {
      const state = wireState(index, scene, edge.wire);
      if (state === edge.state && state !== "now") continue;
      edge.group.setAttribute("visibility", state ? "visible" : "hidden");
      edge.group.setAttribute("class", `edge e-${edge.wire.kind} is-${state || "off"}`);
      edge.group.querySelector(".token")?.remove();
      if (beads && state === "now" && !["mirror", "saved", "origin", "update"].includes(edge.wire.kind)) bead(edge.group);
      edge.state = state;
    }
    for (const fetch of this.behind.querySelectorAll(".e-fetch")) {
      const state = scene.slots.get(Number(fetch.getAttribute("data-slot")));
      const asked = this.#isFetched(scene, Number(fetch.getAttribute("data-slot")));
      fetch.setAttribute("visibility", state && asked ? "visible" : "hidden");
      fetch.setAttribute("class", `edge e-data e-fetch is-${state?.state === "value" ? "on" : "off"}`);
    }
    for (const port of this.ports.querySelectorAll("[data-slot]")) {
      const slot = Number(port.getAttribute("data-slot"));
      const door = port.getAttribute("data-door");
      port.classList.toggle("is-now", scene.now.has(slot) && ((door === "fetch" && scene.kind === "fetched") || (door === "feed" && scene.kind === "fed")));
      port.setAttribute("visibility", scene.slots.has(slot) && (door !== "fetch" || this.#isFetched(scene, slot)) ? "visible" : "hidden");
    }
  }

  /** Whether the plan of the scene fetches the node of a slot; without a plan nobody asks for anything. @param {Scene} scene @param {number} slot */
  #isFetched(scene, slot) {
    const index = this.player.index;
    if (!index || scene.plan < 0) return false;
    const { plans, document, nodes } = index.trace;
    return (document.lists[plans.fetches[scene.plan]] ?? []).some((node) => nodes.slot[index.host(node)] === slot);
  }

  /** @param {Scene} scene */
  #drawHalo(scene) {
    const halos = [];
    for (const slot of scene.now) {
      const box = this.plan?.boxes.get(slot);
      if (!box || scene.slots.get(slot)?.state === undefined) continue;
      halos.push(s("rect", { class: "halo", x: box.x - 7, y: box.y - 7, width: box.width + 14, height: box.height + (box.form === "storage" ? 20 : 14), rx: 13 }));
    }
    const wall = this.plan?.wall;
    if (scene.wallNow && wall) halos.push(s("rect", { class: "wall-halo", ...wall, rx: 5 }), s("rect", { class: "wall is-now", ...wall, rx: 3 }));
    this.halos.replaceChildren(...halos);
  }

  /** Empty states teach. @param {Scene} scene */
  #teach(scene) {
    const index = this.player.index;
    let words = "";
    if (!index || index.stepCount === 0) words = "This program did nothing that can be drawn. Make a tensor, and it appears here.";
    else if (scene.graph < 0) words = "No graph: this program used neither tensors nor placeholders. Its lines, variables and output are still here, step by step.";
    else if (!this.layout) words = "This recording has no layout, so its graph cannot be drawn. Its steps, values and output are all here.";
    else if (!scene.slots.size) words = index.isStatic(scene.graph) ? "The graph is empty. Each line that names an op adds a node. None of them computes anything yet." : "Nothing exists yet. A node appears together with its value, when its line runs.";
    this.empty.hidden = !words;
    if (this.empty.firstElementChild) this.empty.firstElementChild.textContent = words;
    this.svg.setAttribute("aria-label", `Graph: ${scene.slots.size} nodes at step ${scene.step + 1}`);
  }

  /** @param {Scene} scene @param {boolean} animate */
  #follow(scene, animate) {
    const slot = [...scene.now][0];
    const box = slot === undefined ? undefined : this.plan?.boxes.get(slot);
    if (box && scene.now.size <= 4) this.camera.reveal({ x: box.x - 12, y: box.y - 22, width: box.width + 24, height: box.height + 44 }, animate, TOP);
  }

  fit() {
    this.camera.measure();
    const plan = this.plan;
    if (!plan) return;
    const content = extent(plan);
    const projector = document.documentElement.dataset.mode === "projector";
    this.camera.fit(content, { least: projector ? innerWidth / 960 : 0.82, most: projector ? 3 : 1.5, top: TOP - 6, pad: plan.turned ? 6 : 12 });
    if (this.scene) this.#follow(this.scene, false);
  }

  #resized() {
    this.camera.measure();
    const turned = this.pane.clientWidth > 0 && this.pane.clientWidth < 560;
    if (this.plan && turned !== this.turned) this.#rebuild();
    else if (!this.camera.touched) this.fit();
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.camera.moved) return;
    const group = event.target instanceof Element ? event.target.closest(".node") : null;
    this.player.select(group ? this.scene?.slots.get(Number(group.getAttribute("data-slot")))?.node ?? -1 : -1);
  }

  /** Tab walks in order, arrows along edges, Enter selects. @param {KeyboardEvent} event */
  #key(event) {
    const group = event.target instanceof Element ? event.target.closest(".node") : null;
    if (!group || !this.plan || !this.scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const slot = Number(group.getAttribute("data-slot"));
    if (event.key === "Enter") this.player.select(this.scene.slots.get(slot)?.node ?? -1);
    else if (event.key.startsWith("Arrow") && !event.shiftKey) {
      const next = arrowTo(this.plan, (id) => this.drawn.has(id), slot, event.key);
      if (next >= 0) this.focusSlot(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** @param {number} slot */
  focusSlot(slot) {
    const group = this.drawn.get(slot)?.group;
    const box = this.plan?.boxes.get(slot);
    group?.focus({ preventScroll: true });
    if (box) this.camera.reveal(box, false, TOP);
  }

  focus() {
    const slot = this.scene ? [...this.scene.now][0] ?? [...this.scene.slots.keys()][0] : undefined;
    if (slot !== undefined) this.focusSlot(slot);
  }
}
