/**
 * The graph pane: every slot has its place for the whole life of the graph; a step redraws only the nodes that changed.
 * @typedef {import("../../player/player.js").Player} Player
 * @typedef {import("../../player/player.js").Change} Change
 * @typedef {import("../../trace/scene.js").Scene} Scene
 */
import { sceneAt } from "../../trace/scene.js";
import { h } from "../dom.js";
import { extent, mainStretch } from "./backdrop.js";
import { Camera } from "./camera.js";
import { CanvasSurface } from "./canvassurface.js";
import { emptyWords } from "./emptystate.js";
import { Folds } from "./folds.js";
import { GraphNote } from "./graphnote.js";
import { Layers } from "./layers.js";
import { forgetWidths } from "./measure.js";
import { Painter } from "./painter.js";
import { Pointing } from "./pointing.js";

const TOP = 44;
/** A pane narrower than this is a phone's: the picture is turned a quarter. CSS pixels. */
const NARROW = 560;
const AROUND = { x: 12, y: 22 };
/** What the words of an empty graph need. CSS pixels. */
const ROOM = { width: 260, height: 110 };

export class GraphView {
  /** @param {HTMLElement} pane @param {Player} player @param {{top?: number, shared?: boolean}} [how] `top`: how much of the pane's head is covered by others, in pixels; `shared`: another graph is on the screen too, so that all of this one is shown, if smaller */
  constructor(pane, player, { top = TOP, shared = false } = {}) {
    this.top = top;
    this.shared = shared;
    this.player = player;
    this.pane = pane;
    this.layers = new Layers(pane);
    this.svg = this.layers.svg;
    this.empty = h("div", { class: "empty", hidden: true }, h("p"));
    pane.append(this.empty);
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
    this.camera = new Camera(this.svg, this.layers.worlds, () => {
      this.painter.surface.moved();
      this.#placeWords();
      this.onZoom.forEach((tell) => tell());
    });
    this.painter = new Painter(this.layers, this.camera);
    this.folds = new Folds();
    this.graph = -1;
    this.still = matchMedia("(prefers-reduced-motion: reduce)");
    this.turned = false;
    /** Whether the reader asked for the whole graph. */
    this.asked = false;
    /** @type {Scene | null} */
    this.scene = null;
    this.pointing = new Pointing(this, top);
    new ResizeObserver(() => this.#resized()).observe(pane);
    document.fonts?.ready.then(() => {
      forgetWidths();
      this.#rebuild();
    });
  }

  get whole() {
    return this.folds.whole;
  }

  get plan() {
    return this.folds.plan;
  }

  get tree() {
    return this.folds.tree;
  }

  /** Lays what others have to say over the picture; null takes it away. @param {import("./decoration.js").Decoration | null} decoration */
  decorate(decoration) {
    this.painter.decoration = decoration;
    if (this.player.index) this.#show(false, false);
  }

  /** @param {Player} player @param {Change} change */
  render(player, change) {
    if (change.topics.has("trace")) {
      this.folds.forget();
      this.painter.decoration = null;
      this.#rebuild();
    } else if (change.topics.has("step") || change.topics.has("view") || change.topics.has("selection")) this.#show(change.animate, change.topics.has("step") || change.topics.has("view"));
  }

  get layout() {
    return this.player.index?.trace.document.layout?.graphs.find((g) => g.graph === this.graph) ?? null;
  }

  #rebuild() {
    this.graph = -1;
    this.folds.leave();
    this.painter.clear();
    this.scene = null;
    if (this.player.index) this.#show(false, true);
  }

  /** Sets the stage for another graph. @param {number} graph */
  #stage(graph) {
    const index = this.player.index;
    this.graph = graph;
    this.turned = this.pane.clientWidth > 0 && this.pane.clientWidth < NARROW;
    this.folds.leave();
    this.painter.clear();
    const layout = this.layout;
    if (!layout || !index) return;
    this.folds.open(index, layout, this.turned);
    this.#open();
    this.asked = false;
    this.#adjust();
  }

  /** Shows the picture for the scopes that are closed now. */
  #open() {
    const index = this.player.index;
    if (!this.plan || !index) return;
    this.painter.open(index, this.plan, this.tree, index.isStatic(this.graph));
    this.onStage.forEach((tell) => tell());
  }

  /**
   * Closes or opens scopes. The box that one looks at keeps its place on the screen.
   * @param {(closed: Set<number>) => void} change @param {number} [anchor] a slot or a closed scope's box
   */
  refold(change, anchor) {
    const kept = anchor ?? this.#attended();
    const slots = this.plan?.bundles.get(kept)?.slots ?? [kept];
    const old = this.folds.box(kept);
    const from = old && { x: old.x * this.camera.scale + this.camera.x, y: old.y * this.camera.scale + this.camera.y };
    change(this.folds.closed);
    this.folds.refold();
    this.#open();
    this.camera.content = this.plan ? extent(this.plan) : this.camera.content;
    const box = slots.map((slot) => this.folds.box(slot)).filter((one) => one !== undefined).sort((a, b) => a.x - b.x || a.y - b.y)[0];
    if (box && from) this.camera.place(box.x, box.y, from.x, from.y);
    this.#show(false, false);
  }

  /** The box that one looks at: the focused one, the selected one, else that of the step. */
  #attended() {
    const focused = document.activeElement?.closest?.(".node")?.getAttribute("data-slot");
    if (focused) return Number(focused);
    const chosen = this.#chosen();
    return chosen >= 0 ? chosen : this.scene ? [...this.scene.now][0] ?? -1 : -1;
  }

  /** The selected slot, -1 for none. */
  #chosen() {
    const { index, selected } = this.player;
    return index && selected >= 0 ? index.trace.nodes.slot[index.host(selected)] : -1;
  }

  /** @param {number} scope @param {boolean} open @param {number} [anchor] */
  toggle(scope, open, anchor) {
    const first = this.tree.scopes[scope]?.all[0];
    this.refold((closed) => (open ? closed.delete(scope) : closed.add(scope)), anchor ?? first);
    const id = first === undefined ? undefined : this.plan?.shown.get(first);
    if (id !== undefined) this.painter.surface.focus(id);
  }

  /** Opens every scope round a slot. @param {number} slot */
  unfold(slot) {
    const round = this.folds.closedRound(slot);
    if (round.length) this.refold((closed) => round.forEach((scope) => closed.delete(scope)), slot);
  }

  /** @param {boolean} animate @param {boolean} moved whether the step or the view changed */
  #show(animate, moved) {
    const { index, step, view, speed, playing } = this.player;
    if (!index) return;
    const scene = sceneAt(index, step, view ?? undefined);
    this.scene = scene;
    if (scene.graph !== this.graph) this.#stage(scene.graph);
    this.svg.classList.toggle("animate", animate);
    this.pane.classList.toggle("in-run", scene.run >= 0);
    this.pane.classList.toggle("is-static", scene.graph >= 0 && index.isStatic(scene.graph));
    this.painter.draw({ scene, chosen: this.#chosen(), animate, beads: animate && !(playing && speed >= 4) && !this.still.matches });
    this.#teach(scene);
    if (moved) this.#follow(scene, animate);
  }

  /** Empty states teach. @param {Scene} scene */
  #teach(scene) {
    const words = emptyWords(this.player.index, scene, !!this.layout);
    this.note.show(this.player.index, this.graph);
    this.empty.hidden = !words;
    if (this.empty.firstElementChild) this.empty.firstElementChild.textContent = words;
    this.#placeWords();
    this.svg.setAttribute("aria-label", `Graph: ${scene.slots.size} nodes at step ${scene.step + 1}`);
  }

  /** The words of an empty static graph stand inside its wall, as its nodes will. */
  #placeWords() {
    if (this.empty.hidden) return;
    const { scale, x, y } = this.camera;
    // A wall that is too small for them has them across it.
    const wall = this.plan?.wall && this.plan.wall.width * scale >= ROOM.width && this.plan.wall.height * scale >= ROOM.height ? this.plan.wall : null;
    const inset = ["0", "0", "0", "0"];
    if (wall) {
      const { width, height } = this.camera.size;
      const within = /** @param {number} room @param {number} limit */ (room, limit) => `${Math.max(0, Math.min(room, limit)).toFixed(0)}px`;
      inset[0] = within(wall.y * scale + y, height / 2);
      inset[1] = within(width - (wall.x + wall.width) * scale - x, width / 3);
      inset[2] = within(height - (wall.y + wall.height) * scale - y, height / 3);
      inset[3] = within(wall.x * scale + x, width / 3);
    }
    this.empty.classList.toggle("within", !!wall);
    this.empty.style.inset = inset.join(" ");
  }

  /** @param {Scene} scene @param {boolean} animate */
  #follow(scene, animate) {
    const slot = [...scene.now][0];
    if (slot !== undefined && scene.now.size <= 4) this.#reveal(slot, animate);
  }

  /** Brings a box with what stands round it onto the pane. @param {number} id @param {boolean} animate */
  #reveal(id, animate) {
    const box = this.folds.box(id);
    if (box) this.camera.reveal({ x: box.x - AROUND.x, y: box.y - AROUND.y, width: box.width + 2 * AROUND.x, height: box.height + 2 * AROUND.y }, animate, this.top);
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
    const projector = !this.shared && document.documentElement.dataset.mode === "projector";
    this.camera.fit(content, { least: projector ? innerWidth / 960 : 0.82, whole: projector ? innerWidth / 960 : this.asked ? (this.shared ? 0.38 : 0.5) : 0.7, most: projector ? 3 : this.shared ? 2.2 : 1.5, top: Math.max(0, this.top - 6), pad: plan.turned ? 6 : 12, main: mainStretch(plan) });
    if (this.scene && this.scene.graph === this.graph) this.#follow(this.scene, false);
  }

  #resized() {
    this.note.measure();
    this.camera.measure();
    this.painter.surface.moved();
    const turned = this.pane.clientWidth > 0 && this.pane.clientWidth < NARROW;
    if (this.plan && turned !== this.turned) this.#rebuild();
    else if (!this.camera.touched) this.#adjust();
  }

  /** The box under a point of the pane, where nothing says so itself: on the canvas. @param {MouseEvent} event */
  hit(event) {
    const group = event.target instanceof Element ? event.target.closest(".node") : null;
    if (group) return Number(group.getAttribute("data-slot"));
    const frame = this.svg.getBoundingClientRect();
    return this.painter.surface instanceof CanvasSurface ? this.painter.surface.at(event.clientX - frame.left, event.clientY - frame.top) : null;
  }

  /** @param {number} id a slot or a closed scope's box */
  focusBox(id) {
    const box = this.plan?.boxes.get(id);
    if (box) this.camera.reveal(box, false, this.top);
    this.painter.surface.focus(id);
  }

  /** Shows a slot wherever it is: opens its scopes and brings it on the pane. @param {number} slot */
  find(slot) {
    this.unfold(slot);
    this.#reveal(slot, false);
  }

  focus() {
    const slot = this.scene ? [...this.scene.now][0] ?? [...this.scene.slots.keys()][0] : undefined;
    if (slot !== undefined) this.focusBox(this.plan?.shown.get(slot) ?? slot);
  }
}
