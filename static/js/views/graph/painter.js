/**
 * Draws scenes onto the layers: a step touches only the boxes and edges whose look changed.
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../../trace/scene.js").Scene} Scene
 * @typedef {import("./folding.js").Folded} Folded
 * @typedef {import("../../trace/scopes.js").ScopeTree} ScopeTree
 * @typedef {{scene: Scene, chosen: number, animate: boolean, beads: boolean}} Frame   `chosen`: the selected slot, -1 for none
 */
import { wireState } from "../../trace/wires.js";
import { backdrop } from "./backdrop.js";
import { Beads } from "./beads.js";
import { CanvasSurface } from "./canvassurface.js";
import { edgeDress, NONE, nodeDress } from "./decoration.js";
import { showDoors } from "./doors.js";
import { halos, MANY } from "./halos.js";
import { hullParts } from "./hulls.js";
import { bundleLook, gather, nodeLook } from "./looks.js";
import { dressRegion, regionParts } from "./regions.js";
import { SvgSurface } from "./svgsurface.js";

/** Beyond so many boxes the picture is painted on a canvas. */
const MOST_ELEMENTS = 500;
const STRENGTH = /** @type {Record<string, number>} */ ({ "": 0, ghost: 1, off: 2, on: 3, now: 4 });
const NO_BEAD = new Set(["mirror", "saved", "origin", "update"]);

export class Painter {
  /** @param {import("./layers.js").Layers} layers @param {import("./camera.js").Camera} camera */
  constructor(layers, camera) {
    this.layers = layers;
    const beads = new Beads(layers.beads);
    this.drawing = new SvgSurface(layers.wires, layers.nodes, beads, camera);
    this.painting = new CanvasSurface(layers.canvas, layers.nodes, beads, camera);
    /** @type {SvgSurface | CanvasSurface} */
    this.surface = this.drawing;
    /** Whether even a large picture is drawn as shapes: for a file. */
    this.drawsShapes = false;
    /** @type {import("./decoration.js").Decoration | null} */
    this.decoration = null;
    /** @type {Map<number, string>} what each box looked like last */
    this.drawn = new Map();
    /** @type {string[]} what each edge looked like last */
    this.states = [];
    /** @type {SVGElement[][]} what shows each open scope */
    this.regions = [];
    /** @type {{index: TraceIndex, plan: Folded, tree: ScopeTree} | null} */
    this.stage = null;
  }

  clear() {
    this.stage = null;
    this.drawn.clear();
    this.states = [];
    this.surface.clear();
    this.layers.clear();
  }

  /** Sets the stage: everything that no step changes. @param {TraceIndex} index @param {Folded} plan @param {ScopeTree} tree @param {boolean} fixed a static graph */
  open(index, plan, tree, fixed) {
    this.clear();
    this.stage = { index, plan, tree };
    const { behind, ports } = backdrop(plan, fixed);
    const parts = regionParts(plan.regions, tree);
    this.regions = parts.map(({ frame, back, title, values }) => [frame, back, title, values].filter((part) => part !== null));
    const isEdge = /** @param {SVGElement} part */ (part) => part.classList.contains("edge");
    this.layers.behind.append(...behind.filter((part) => !isEdge(part)), ...parts.flatMap(({ frame }) => frame ?? []), ...parts.flatMap(({ back }) => back ?? []), ...behind.filter(isEdge));
    this.layers.ports.append(...ports);
    this.layers.titles.append(...parts.flatMap(({ title, values }) => (values ? [title, values] : [title])));
    const large = plan.boxes.size > MOST_ELEMENTS && !this.drawsShapes;
    this.drawing.whole = this.drawsShapes;
    this.surface = large ? this.painting : this.drawing;
    this.layers.canvas.hidden = !large;
    this.surface.stage(plan, plan.wires);
    this.states = plan.wires.map(() => "");
  }

  /** @param {Frame} frame */
  draw(frame) {
    if (!this.stage) return;
    this.#drawNodes(frame);
    this.#drawRegions(frame.scene);
    this.#drawWires(frame);
    this.#drawHulls(frame.scene);
    this.surface.flush();
  }

  /** @param {Frame} frame */
  #drawNodes({ scene, chosen, animate }) {
    if (!this.stage) return;
    const { index, plan, tree } = this.stage;
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
      const dress = this.decoration ? nodeDress(bundle ? bundle.slots.flatMap((one) => scene.slots.get(one)?.node ?? []) : [state.node], this.decoration) : NONE;
      const look = held ? `${held.there} ${held.held} ${held.gone} ${held.freed} ${held.failed} ${now ? held.now : -1} ${held.selected}` : `${state.node} ${state.state} ${state.value} ${state.arrived} ${state.note} ${now} ${slot === chosen}`;
      const key = dress === NONE ? look : `${look} ${dress.mark} ${dress.label}`;
      const old = this.drawn.get(id);
      if (old === key) continue;
      this.drawn.set(id, key);
      const fresh = old === undefined || (!held && old.split(" ")[0] !== String(state.node));
      const dressed = held ? bundleLook(index, plan, tree, id, now ? held : { ...held, now: -1 }) : nodeLook(index, state, box, now, slot === chosen);
      this.surface.node(id, { ...dressed, dress }, { before: after, motion: !animate ? "" : fresh ? "is-fresh" : now ? "is-changed" : "" });
    }
    for (const id of this.drawn.keys()) {
      if (there.has(id)) continue;
      this.surface.remove(id);
      this.drawn.delete(id);
    }
  }

  /** @param {Scene} scene */
  #drawRegions(scene) {
    if (!this.stage) return;
    const { index, plan, tree } = this.stage;
    plan.regions.forEach((region, i) => {
      const shown = region.slots.some((slot) => scene.slots.has(slot)) ? "visible" : "hidden";
      for (const part of this.regions[i]) if (part.getAttribute("visibility") !== shown) part.setAttribute("visibility", shown);
      const scope = tree.scopes[region.scope];
      if (scope.kind === "control" || scope.kind === "branch") dressRegion(this.regions[i], tree, scope, index, scene);
    });
  }

  /** @param {Frame} frame */
  #drawWires({ scene, beads }) {
    if (!this.stage) return;
    const { index, plan } = this.stage;
    plan.wires.forEach((wire, i) => {
      let state = "";
      for (const member of wire.members) {
        const one = wireState(index, scene, member);
        if (STRENGTH[one] > STRENGTH[state]) state = one;
        if (state === "now") break;
      }
      const dress = this.decoration && state ? edgeDress(wire.members.flatMap(({ source, target, kind }) => {
        const [from, to] = [scene.slots.get(source), scene.slots.get(target)];
        return from && to ? [/** @type {[number, number, string]} */ ([from.node, to.node, kind])] : [];
      }), this.decoration) : NONE;
      const key = dress === NONE ? state : `${state} ${dress.mark} ${dress.label}`;
      if (key === this.states[i] && state !== "now") return;
      this.states[i] = key;
      this.surface.wire(i, state, beads && state === "now" && !NO_BEAD.has(wire.kind), dress);
    });
    showDoors(this.layers.behind, this.layers.ports, index, scene);
  }

  /** @param {Scene} scene */
  #drawHulls(scene) {
    if (!this.stage) return;
    const { index, plan } = this.stage;
    const { behind, words } = scene.hulls.length ? hullParts(index, scene, plan) : { behind: [], words: [] };
    this.layers.hulls.replaceChildren(...behind);
    this.layers.words.replaceChildren(...words);
    this.layers.halos.replaceChildren(...halos(scene, plan));
  }
}
