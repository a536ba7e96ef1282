/**
 * The picture on a canvas, for thousands of boxes. A step repaints only what changed; the boxes of the step, the selected and
 * the focused one are drawn as SVG on top, so that they look, sound and take the keyboard as in a small graph.
 * @typedef {import("./looks.js").Dressed} Dressed
 * @typedef {import("./folding.js").Folded} Folded
 * @typedef {import("./folding.js").FoldedWire} FoldedWire
 */
import { h } from "../dom.js";
import { marked, paintNode, palette, PALE, stroke } from "./brush.js";
import { anchor, headPath, path } from "./geometry.js";
import { nodeGroup } from "./svgsurface.js";
import { dressWire, wire } from "./wires.js";

const MARGIN = 26;

export class CanvasSurface {
  /** @param {HTMLCanvasElement} canvas for boxes @param {SVGGElement} nodes for what is on top @param {import("./beads.js").Beads} beads @param {import("./camera.js").Camera} camera */
  constructor(canvas, nodes, beads, camera) {
    this.canvas = canvas;
    this.beads = beads;
    this.lines = h("canvas", { class: "paint", "aria-hidden": "true" });
    this.nodes = nodes;
    this.camera = camera;
    /** @type {Map<number, Dressed>} */
    this.looks = new Map();
    /** @type {Map<number, SVGGElement>} */
    this.groups = new Map();
    /** @type {{wire: FoldedWire, points: [number, number][], line: Path2D, head: Path2D, left: number, top: number, right: number, bottom: number, state: string, dress: Required<import("./decoration.js").Dress>}[]} */
    this.edges = [];
    /** @type {Map<number, SVGGElement>} edges of the step */
    this.live = new Map();
    /** @type {Set<number>} */
    this.changed = new Set();
    this.stale = false;
    this.linesStale = false;
    this.focused = -1;
    this.asked = 0;
    /** @type {Folded | null} */
    this.plan = null;
    /** @type {import("./brush.js").Palette | null} */
    this.ink = null;
    new MutationObserver(() => this.#repaint()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-mode"] });
    nodes.addEventListener("focusout", () => (this.focused = -1));
  }

  clear() {
    this.looks.clear();
    this.groups.clear();
    this.live.clear();
    this.edges = [];
    this.changed.clear();
    this.plan = null;
    this.nodes.replaceChildren();
    this.beads.clear();
    this.lines.remove();
  }

  /** @param {Folded} plan @param {FoldedWire[]} wires */
  stage(plan, wires) {
    this.clear();
    this.plan = plan;
    this.canvas.before(this.lines);
    for (const one of wires) {
      const from = plan.boxes.get(one.source);
      const to = plan.boxes.get(one.target);
      if (!from || !to) throw new Error(`an edge without its box: ${one.source} to ${one.target}`);
      const start = anchor(from, one.sides[0]);
      const end = anchor(to, one.sides[1]);
      const xs = [start[0], end[0], ...one.via.map((p) => p[0])];
      const ys = [start[1], end[1], ...one.via.map((p) => p[1])];
      this.edges.push({ wire: one, points: [start, ...one.via, end], line: new Path2D(path(start, end, one.sides, one.via, 4)), head: new Path2D(headPath(end, one.sides[1])), left: Math.min(...xs) - 12, top: Math.min(...ys) - 12, right: Math.max(...xs) + 12, bottom: Math.max(...ys) + 12, state: "", dress: { mark: "", label: "" } });
    }
    this.#repaint();
  }

  /** @param {number} id @param {Dressed} look @param {{motion: string}} how */
  node(id, look, { motion }) {
    this.looks.set(id, look);
    this.changed.add(id);
    this.#lift(id, look, motion);
  }

  /** Draws a box as SVG if it deserves it. @param {number} id @param {Dressed} look @param {string} [motion] */
  #lift(id, look, motion = "") {
    const old = this.groups.get(id) ?? null;
    if (!look.now && !look.selected && id !== this.focused) {
      old?.remove();
      this.groups.delete(id);
      return;
    }
    const group = nodeGroup(old, look, id);
    if (motion) group.classList.add(motion);
    if (!old) this.nodes.append(group);
    this.groups.set(id, group);
  }

  /** @param {number} id */
  remove(id) {
    this.looks.delete(id);
    this.groups.get(id)?.remove();
    this.groups.delete(id);
    this.changed.add(id);
  }

  /** @param {number} i @param {string} state @param {boolean} runs @param {Required<import("./decoration.js").Dress>} dress */
  wire(i, state, runs, dress) {
    const edge = this.edges[i];
    if (!edge) return;
    this.live.get(i)?.remove();
    this.live.delete(i);
    this.beads.stop(i);
    if (state === "now" && this.plan) {
      const from = this.plan.boxes.get(edge.wire.source);
      const to = this.plan.boxes.get(edge.wire.target);
      if (from && to && this.live.size < 40) {
        const group = wire(edge.wire.kind, from, to, edge.wire.sides, edge.wire.via);
        group.setAttribute("class", `edge e-${edge.wire.kind} is-now`);
        this.nodes.prepend(group);
        dressWire(group, dress);
        this.live.set(i, group);
        if (runs) this.beads.run(i, group);
      }
    }
    edge.state = state;
    edge.dress = dress;
    this.linesStale = true;
  }

  flush() {
    if (this.stale) this.#later();
    else {
      if (this.linesStale) this.#later();
      this.#touch();
    }
  }

  /** The view moved. */
  moved() {
    if (!this.plan) return;
    this.stale = true;
    this.#later();
  }

  #repaint() {
    if (!this.plan) return;
    this.ink = null;
    this.moved();
  }

  #later() {
    if (this.asked) return;
    this.asked = requestAnimationFrame(() => {
      this.asked = 0;
      if (this.linesStale || this.stale) this.#paintLines();
      if (this.stale) this.#paintAll();
    });
  }

  /** @param {HTMLCanvasElement} canvas @param {boolean} clear */
  #context(canvas, clear) {
    const c = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
    const dpr = Math.min(2, devicePixelRatio || 1);
    const { width, height } = this.camera.size;
    const [w, hh] = [Math.round(width * dpr), Math.round(height * dpr)];
    if (canvas.width !== w || canvas.height !== hh) Object.assign(canvas, { width: w, height: hh });
    else if (clear) {
      c.setTransform(1, 0, 0, 1, 0, 0);
      c.clearRect(0, 0, w, hh);
    }
    const { x, y, scale } = this.camera;
    c.setTransform(dpr * scale, 0, 0, dpr * scale, dpr * x, dpr * y);
    this.ink ??= palette(canvas);
    return { c, ink: this.ink };
  }

  #view() {
    const { x, y, scale, size } = this.camera;
    return { left: -x / scale, top: -y / scale, right: (size.width - x) / scale, bottom: (size.height - y) / scale };
  }

  #paintLines() {
    this.linesStale = false;
    const { c, ink } = this.#context(this.lines, true);
    const view = this.#view();
    /** @type {Map<string, {line: Path2D, head: Path2D, kind: string, state: string, mark: string, drawn: Set<string>}>} */
    const batches = new Map();
    const [wide, high] = [1.5 * (view.right - view.left), 1.5 * (view.bottom - view.top)];
    for (const edge of this.edges) {
      if (!edge.state || edge.right < view.left || edge.left > view.right || edge.bottom < view.top || edge.top > view.bottom) continue;
      const state = edge.state === "now" ? "on" : edge.state;
      const key = `${edge.wire.kind} ${state} ${edge.dress.mark}`;
      let batch = batches.get(key);
      if (!batch) batches.set(key, (batch = { line: new Path2D(), head: new Path2D(), kind: edge.wire.kind, state, mark: edge.dress.mark, drawn: new Set() }));
      // A long bus is the same line for thousands of edges: only what is seen of it is drawn, and that once.
      if (edge.points.length > 2 && (edge.right - edge.left > wide || edge.bottom - edge.top > high)) clipped(edge.points, view, batch.line, batch.drawn);
      else batch.line.addPath(edge.line);
      const end = edge.points[edge.points.length - 1];
      if (end[0] > view.left - 9 && end[0] < view.right + 9 && end[1] > view.top - 9 && end[1] < view.bottom + 9) batch.head.addPath(edge.head);
    }
    for (const { line, head, kind, state, mark } of batches.values()) {
      const look = marked(stroke(kind, state, ink), mark, ink);
      c.globalAlpha = mark === "dim" ? PALE : 1;
      c.strokeStyle = c.fillStyle = look.colour;
      c.lineWidth = look.width;
      c.setLineDash(look.dash);
      c.stroke(line);
      c.setLineDash([]);
      if (look.head) c.fill(head);
      if (kind === "grad") {
        c.strokeStyle = ink("surface-paper");
        c.lineWidth = 1;
        c.stroke(line);
      }
    }
    c.globalAlpha = 1;
  }

  #paintAll() {
    this.stale = false;
    this.changed.clear();
    const { c, ink } = this.#context(this.canvas, true);
    const view = this.#view();
    for (const look of this.looks.values()) if (inView(look.box, view)) paintNode(c, look, ink, this.camera.scale);
  }

  /** Repaints the boxes that changed, each in its own place. */
  #touch() {
    if (!this.plan || !this.changed.size) return;
    const { c, ink } = this.#context(this.canvas, false);
    const view = this.#view();
    for (const id of this.changed) {
      const box = this.plan.boxes.get(id);
      if (!box || !inView(box, view)) continue;
      c.clearRect(box.x - 12, box.y - 19, box.width + 24, box.height + 39);
      const look = this.looks.get(id);
      if (look) paintNode(c, look, ink, this.camera.scale);
    }
    this.changed.clear();
  }

  /** The box at a point of the pane. @param {number} px @param {number} py @returns {number | null} */
  at(px, py) {
    const { x, y, scale } = this.camera;
    const [wx, wy] = [(px - x) / scale, (py - y) / scale];
    for (const [id, { box }] of this.looks) if (wx >= box.x && wx <= box.x + box.width && wy >= box.y && wy <= box.y + box.height) return id;
    return null;
  }

  /** @param {number} id */
  focus(id) {
    const last = this.focused;
    this.focused = id;
    const before = this.looks.get(last);
    if (before) this.#lift(last, before);
    const look = this.looks.get(id);
    if (!look) return;
    this.#lift(id, look);
    this.groups.get(id)?.focus({ preventScroll: true });
    this.focused = id;
  }
}

/**
 * The stretches of a line that lie in view, each once.
 * @param {[number, number][]} points @param {{left: number, top: number, right: number, bottom: number}} view @param {Path2D} into @param {Set<string>} drawn
 */
function clipped(points, view, into, drawn) {
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1], points[i]];
    if (Math.min(a[0], b[0]) > view.right || Math.max(a[0], b[0]) < view.left || Math.min(a[1], b[1]) > view.bottom || Math.max(a[1], b[1]) < view.top) continue;
    const level = Math.abs(a[1] - b[1]) < 0.5;
    const upright = Math.abs(a[0] - b[0]) < 0.5;
    const x = /** @param {number} at */ (at) => (level ? Math.max(view.left - 9, Math.min(view.right + 9, at)) : at);
    const y = /** @param {number} at */ (at) => (upright ? Math.max(view.top - 9, Math.min(view.bottom + 9, at)) : at);
    const key = [x(a[0]), y(a[1]), x(b[0]), y(b[1])].map(Math.round).join(" ");
    if (drawn.has(key)) continue;
    drawn.add(key);
    into.moveTo(x(a[0]), y(a[1]));
    into.lineTo(x(b[0]), y(b[1]));
  }
}

/** @param {import("./geometry.js").Box} box @param {{left: number, top: number, right: number, bottom: number}} view */
const inView = (box, view) => box.x - MARGIN < view.right && box.x + box.width + MARGIN > view.left && box.y - MARGIN < view.bottom && box.y + box.height + MARGIN > view.top;
