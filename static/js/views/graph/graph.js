/**
 * The graph pane: every slot has its place for the whole life of the graph; a step redraws only the nodes that changed.
 * @typedef {import("../../player/player.js").Player} Player
 * @typedef {import("../../player/player.js").Change} Change
 * @typedef {import("../../trace/scene.js").Scene} Scene
 * @typedef {import("../../trace/scene.js").SlotState} SlotState
 */
import { sceneAt } from "../../trace/scene.js";
import { wireState } from "../../trace/wires.js";
import { closedFor, scopesOf } from "../../trace/scopes.js";
import { h, s } from "../dom.js";
import { backdrop, extent } from "./backdrop.js";
import { Camera } from "./camera.js";
import { CanvasSurface } from "./canvassurface.js";
import { showDoors } from "./doors.js";
import { emptyWords } from "./emptystate.js";
import { fold } from "./folding.js";
import { planOf } from "./geometry.js";
import { GraphNote } from "./graphnote.js";
import { halos, MANY } from "./halos.js";
import { bundleLook, gather, nodeLook } from "./looks.js";
import { forgetWidths } from "./measure.js";
import { hullParts } from "./hulls.js";
import { Pointing } from "./pointing.js";
import { dressRegion, regionParts } from "./regions.js";
import { SvgSurface } from "./svgsurface.js";

const TOP = 44;
/** Beyond so many boxes scopes close by themselves. */
export const READABLE = 300;
/** Beyond so many boxes the picture is painted on a canvas. */
const MOST_ELEMENTS = 500;
const STRENGTH = /** @type {Record<string, number>} */ ({ "": 0, ghost: 1, off: 2, on: 3, now: 4 });
const NO_BEAD = new Set(["mirror", "saved", "origin", "update"]);

export class GraphView {
  /** @param {HTMLElement} pane @param {Player} player */
  constructor(pane, player) {
    this.player = player;
    this.pane = pane;
    this.behind = s("g", { "aria-hidden": "true" });
    this.halos = s("g", { class: "halos", "aria-hidden": "true" });
    this.wires = s("g", { class: "wires", "aria-hidden": "true" });
    this.nodes = s("g", { class: "nodes" });
    this.words = s("g", { "aria-hidden": "true" });
    this.titles = s("g", { class: "region-titles" });
    this.ports = s("g", { class: "ports", "aria-hidden": "true" });
    this.hulls = s("g");
    this.under = s("g", { class: "world" }, this.behind, this.hulls);
    this.world = s("g", { class: "world" }, this.halos, this.wires, this.ports, this.words, this.nodes, this.titles);
    const hatch = s("pattern", { id: "hatch", width: 5, height: 5, patternUnits: "userSpaceOnUse", patternTransform: "rotate(45)" }, s("path", { class: "hatchline", d: "M0 0V5" }));
    this.ground = s("svg", { class: "g ground", "aria-hidden": "true" }, this.under);
    this.canvas = h("canvas", { class: "paint", "aria-hidden": "true", hidden: true });
    this.svg = s("svg", { class: "g", role: "group", "aria-label": "Graph" }, s("defs", {}, hatch), this.world);
    this.empty = h("div", { class: "empty", hidden: true }, h("p"));
    pane.append(this.ground, this.canvas, this.svg, this.empty);
    this.note = new GraphNote(pane, (height) => {
      this.camera.foot = height;
      if (!this.camera.touched) this.#adjust();
    });
    /** @type {(() => void)[]} */
    this.onZoom = [];
    /** Whoever draws the search says how it opens. */
    this.openSearch = () => {};
    /** @type {(() => void)[]} called when other boxes are shown */
    this.onStage = [];
    this.camera = new Camera(this.svg, [this.world, this.under], () => {
      this.surface.moved();
      this.onZoom.forEach((tell) => tell());
    });
    this.drawing = new SvgSurface(this.wires, this.nodes);
    this.painting = new CanvasSurface(this.canvas, this.nodes, this.camera);
    /** @type {SvgSurface | CanvasSurface} */
    this.surface = this.drawing;
    /** @type {import("./geometry.js").Plan | null} the whole picture */
    this.whole = null;
    /** @type {import("./folding.js").Folded | null} the picture with closed scopes */
    this.plan = null;
    /** @type {import("../../trace/scopes.js").ScopeTree} */
    this.tree = { scopes: [], of: new Map() };
    /** @type {Set<number>} */
    this.closed = new Set();
    /** @type {Map<number, Set<number>>} closed scopes of each graph, as the reader left them */
    this.left = new Map();
    this.graph = -1;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.turned = false;
    /** Whether the reader asked for the whole graph. */
    this.asked = false;
    /** @type {Scene | null} */
    this.scene = null;
    /** @type {Map<number, string>} what each box looked like last */
    this.drawn = new Map();
    /** @type {string[]} */
    this.states = [];
    /** @type {SVGElement[][]} what shows each open scope */
    this.regions = [];
    this.pointing = new Pointing(this, TOP);
    new ResizeObserver(() => this.#resized()).observe(pane);
    document.fonts?.ready.then(() => {
      forgetWidths();
      this.#rebuild();
    });
  }

  /** @param {Player} player @param {Change} change */
  render(player, change) {
    if (change.topics.has("trace")) {
      this.left.clear();
      this.#rebuild();
    } else if (change.topics.has("step") || change.topics.has("view") || change.topics.has("selection")) this.#show(change.animate, change.topics.has("step") || change.topics.has("view"));
  }

  get layout() {
    return this.player.index?.trace.document.layout?.graphs.find((g) => g.graph === this.graph) ?? null;
  }

  #rebuild() {
    this.graph = -1;
    this.plan = null;
    this.#clear();
    this.scene = null;
    if (this.player.index) this.#show(false, true);
  }

  #clear() {
    this.drawn.clear();
    this.states = [];
    this.surface.clear();
    for (const layer of [this.behind, this.hulls, this.words, this.halos, this.ports, this.titles]) layer.replaceChildren();
  }

  /** Sets the stage for another graph. @param {number} graph */
  #stage(graph) {
    const index = this.player.index;
    this.graph = graph;
    this.turned = this.pane.clientWidth > 0 && this.pane.clientWidth < 560;
    const layout = this.layout;
    this.whole = layout ? planOf(layout, this.turned) : null;
    this.plan = null;
    if (!this.whole || !index) return this.#clear();
    this.tree = scopesOf(index, graph);
    this.closed = this.left.get(graph) ?? closedFor(this.tree, new Set(this.whole.boxes.keys()), READABLE);
    this.left.set(graph, this.closed);
    this.#fold();
    this.asked = false;
    this.#adjust();
  }

  /** Builds the picture for the scopes that are closed now. */
  #fold() {
    const index = this.player.index;
    if (!this.whole || !index) return;
    this.#clear();
    const plan = fold(this.whole, this.tree, this.closed);
    this.plan = plan;
    const { behind, ports } = backdrop(plan, index.isStatic(this.graph));
    const parts = regionParts(plan.regions, this.tree);
    const titles = parts.map(({ title }) => title);
    this.regions = parts.map(({ frame, back, title }) => [frame, back, title].filter((part) => part !== null));
    const isEdge = /** @param {SVGElement} part */ (part) => part.classList.contains("edge");
    this.behind.append(...behind.filter((part) => !isEdge(part)), ...parts.flatMap(({ frame }) => frame ?? []), ...parts.flatMap(({ back }) => back ?? []), ...behind.filter(isEdge));
    this.ports.append(...ports);
    this.titles.append(...titles);
    const large = plan.boxes.size > MOST_ELEMENTS;
    this.surface = large ? this.painting : this.drawing;
    this.canvas.hidden = !large;
    this.surface.stage(plan, plan.wires);
    this.states = plan.wires.map(() => "");
    this.onStage.forEach((tell) => tell());
  }

  /**
   * Closes or opens scopes. The box that one looks at keeps its place on the screen.
   * @param {(closed: Set<number>) => void} change @param {number} [anchor] a slot or a closed scope's box
   */
  refold(change, anchor) {
    const before = this.plan;
    const kept = anchor ?? this.#attended();
    const slots = before?.bundles.get(kept)?.slots ?? [kept];
    const old = before?.boxes.get(before.shown.get(kept) ?? kept);
    const from = old && { x: old.x * this.camera.scale + this.camera.x, y: old.y * this.camera.scale + this.camera.y };
    change(this.closed);
    this.#fold();
    this.camera.content = this.plan ? extent(this.plan) : this.camera.content;
    const box = slots.map((slot) => this.plan?.boxes.get(this.plan.shown.get(slot) ?? slot)).filter((one) => one !== undefined).sort((a, b) => a.x - b.x || a.y - b.y)[0];
    if (box && from) this.camera.place(box.x, box.y, from.x, from.y);
    this.#show(false, false);
  }

  /** The box that one looks at: the focused one, the selected one, else that of the step. */
  #attended() {
    const focused = document.activeElement?.closest?.(".node")?.getAttribute("data-slot");
    if (focused) return Number(focused);
    const { index, selected } = this.player;
    if (index && selected >= 0) return index.trace.nodes.slot[index.host(selected)];
    return this.scene ? [...this.scene.now][0] ?? -1 : -1;
  }

  /** @param {number} scope @param {boolean} open @param {number} [anchor] */
  toggle(scope, open, anchor) {
    const first = this.tree.scopes[scope]?.all[0];
    this.refold((closed) => (open ? closed.delete(scope) : closed.add(scope)), anchor ?? first);
    const id = first === undefined ? undefined : this.plan?.shown.get(first);
    if (id !== undefined) this.surface.focus(id);
  }

  /** Opens every scope round a slot. @param {number} slot */
  unfold(slot) {
    /** @type {number[]} */
    const round = [];
    for (let at = this.tree.of.get(slot) ?? -1; at >= 0; at = this.tree.scopes[at].parent) if (this.closed.has(at)) round.push(at);
    if (round.length) this.refold((closed) => round.forEach((scope) => closed.delete(scope)), slot);
  }

  /** @param {boolean} animate @param {boolean} moved whether the step or the view changed */
  #show(animate, moved) {
    const { index, step, view } = this.player;
    if (!index) return;
    const scene = sceneAt(index, step, view ?? undefined);
    this.scene = scene;
    if (scene.graph !== this.graph) this.#stage(scene.graph);
    this.svg.classList.toggle("animate", animate);
    this.pane.classList.toggle("in-run", scene.run >= 0);
    this.pane.classList.toggle("is-static", scene.graph >= 0 && index.isStatic(scene.graph));
    this.#drawNodes(scene, animate);
    this.#drawWires(scene, animate);
    this.#drawHalo(scene);
    this.surface.flush();
    this.#teach(scene);
    if (moved) this.#follow(scene, animate);
  }

  /** @param {Scene} scene @param {boolean} animate */
  #drawNodes(scene, animate) {
    const { index, selected } = this.player;
    const plan = this.plan;
    if (!index || !plan) return;
    const chosen = selected >= 0 ? index.trace.nodes.slot[index.host(selected)] : -1;
    /** @type {Set<number>} */
    const there = new Set();
    /** @type {number | null} slots come in the order in which the program made them; so do their boxes, for the Tab key */
    let before = null;
    for (const [slot, state] of scene.slots) {
      const id = plan.shown.get(slot);
      if (id === undefined || there.has(id)) continue;
      const box = /** @type {import("./geometry.js").Box} */ (plan.boxes.get(id));
      there.add(id);
      const after = before;
      before = id;
      const bundle = plan.bundles.get(id);
      const held = bundle ? gather(scene, bundle, chosen) : null;
      const now = scene.now.size <= MANY && (held ? held.now >= 0 : scene.now.has(slot));
      const key = held ? `${held.there} ${held.held} ${held.gone} ${held.freed} ${held.failed} ${now ? held.now : -1} ${held.selected}` : `${state.node} ${state.state} ${state.value} ${state.arrived} ${state.note} ${now} ${slot === chosen}`;
      const old = this.drawn.get(id);
      if (old === key) continue;
      this.drawn.set(id, key);
      const fresh = old === undefined || (!held && old.split(" ")[0] !== String(state.node));
      const look = held ? bundleLook(index, plan, this.tree, id, now ? held : { ...held, now: -1 }) : nodeLook(index, state, box, now, slot === chosen);
      this.surface.node(id, look, { before: after, motion: !animate ? "" : fresh ? "is-fresh" : now ? "is-changed" : "" });
    }
    for (const id of this.drawn.keys()) {
      if (there.has(id)) continue;
      this.surface.remove(id);
      this.drawn.delete(id);
    }
    plan.regions.forEach((region, i) => {
      const shown = region.slots.some((slot) => scene.slots.has(slot)) ? "visible" : "hidden";
      for (const part of this.regions[i]) if (part.getAttribute("visibility") !== shown) part.setAttribute("visibility", shown);
      const scope = this.tree.scopes[region.scope];
      if (scope.kind === "control" || scope.kind === "branch") dressRegion(this.regions[i], this.tree, scope, index, scene);
    });
  }

  /** @param {Scene} scene @param {boolean} animate */
  #drawWires(scene, animate) {
    const { index, speed, playing } = this.player;
    const plan = this.plan;
    if (!index || !plan) return;
    const beads = animate && !(playing && speed >= 4) && !this.still.matches;
    plan.wires.forEach((wire, i) => {
      let state = "";
      for (const member of wire.members) {
        const one = wireState(index, scene, member);
        if (STRENGTH[one] > STRENGTH[state]) state = one;
        if (state === "now") break;
      }
      if (state === this.states[i] && state !== "now") return;
      this.states[i] = state;
      this.surface.wire(i, state, beads && state === "now" && !NO_BEAD.has(wire.kind));
    });
    showDoors(this.behind, this.ports, index, scene);
  }

  /** @param {Scene} scene */
  #drawHalo(scene) {
    const { index } = this.player;
    const { behind, words } = index && this.plan && scene.hulls.length ? hullParts(index, scene, this.plan) : { behind: [], words: [] };
    this.hulls.replaceChildren(...behind);
    this.words.replaceChildren(...words);
    this.halos.replaceChildren(...(this.plan ? halos(scene, this.plan) : []));
  }

  /** Empty states teach. @param {Scene} scene */
  #teach(scene) {
    const words = emptyWords(this.player.index, scene, !!this.layout);
    this.note.show(this.player.index, this.graph);
    this.empty.hidden = !words;
    if (this.empty.firstElementChild) this.empty.firstElementChild.textContent = words;
    this.svg.setAttribute("aria-label", `Graph: ${scene.slots.size} nodes at step ${scene.step + 1}`);
  }

  /** @param {Scene} scene @param {boolean} animate */
  #follow(scene, animate) {
    const slot = [...scene.now][0];
    const box = slot === undefined ? undefined : this.plan?.boxes.get(this.plan.shown.get(slot) ?? slot);
    if (box && scene.now.size <= 4) this.camera.reveal({ x: box.x - 12, y: box.y - 22, width: box.width + 24, height: box.height + 44 }, animate, TOP);
  }

  /** Shows the whole graph where its text stays recognisable; asked for by the reader. */
  fit() {
    this.asked = true;
    this.#adjust();
  }

  #adjust() {
    this.camera.measure();
    const plan = this.plan;
    if (!plan) return;
    const content = extent(plan);
    const projector = document.documentElement.dataset.mode === "projector";
    this.camera.fit(content, { least: projector ? innerWidth / 960 : 0.82, whole: projector ? (0.9 * innerWidth) / 960 : this.asked ? 0.5 : 0.7, most: projector ? 3 : 1.5, top: TOP - 6, pad: plan.turned ? 6 : 12 });
    if (this.scene && this.scene.graph === this.graph) this.#follow(this.scene, false);
  }

  #resized() {
    this.note.measure();
    this.camera.measure();
    this.surface.moved();
    const turned = this.pane.clientWidth > 0 && this.pane.clientWidth < 560;
    if (this.plan && turned !== this.turned) this.#rebuild();
    else if (!this.camera.touched) this.#adjust();
  }

  /** The box under a point of the pane, where nothing says so itself: on the canvas. @param {MouseEvent} event */
  hit(event) {
    const group = event.target instanceof Element ? event.target.closest(".node") : null;
    if (group) return Number(group.getAttribute("data-slot"));
    const frame = this.svg.getBoundingClientRect();
    return this.surface instanceof CanvasSurface ? this.surface.at(event.clientX - frame.left, event.clientY - frame.top) : null;
  }

  /** @param {number} id a slot or a closed scope's box */
  focusBox(id) {
    const box = this.plan?.boxes.get(id);
    if (box) this.camera.reveal(box, false, TOP);
    this.surface.focus(id);
  }

  /** Shows a slot wherever it is: opens its scopes and brings it on the pane. @param {number} slot */
  find(slot) {
    this.unfold(slot);
    const box = this.plan?.boxes.get(slot);
    if (box) this.camera.reveal({ x: box.x - 12, y: box.y - 22, width: box.width + 24, height: box.height + 44 }, false, TOP);
  }

  focus() {
    const slot = this.scene ? [...this.scene.now][0] ?? [...this.scene.slots.keys()][0] : undefined;
    if (slot !== undefined) this.focusBox(this.plan?.shown.get(slot) ?? slot);
  }
}
