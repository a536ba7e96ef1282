/** The whole picture in a corner, where it is larger than the pane: what one sees is framed; dragging moves it. */
import { h } from "../dom.js";
import { palette } from "./brush.js";

const MOST = { width: 170, height: 84 };
/** So many times the pane the picture must be for a map. */
const MUCH = 1.6;

export class Minimap {
  /** @param {import("./graph.js").GraphView} view */
  constructor(view) {
    this.view = view;
    this.canvas = h("canvas", { class: "minimap", "aria-hidden": "true", hidden: true });
    view.pane.append(this.canvas);
    this.asked = 0;
    view.onZoom.push(() => this.later());
    view.onStage.push(() => this.later());
    let dragging = false;
    const look = /** @param {PointerEvent} event */ (event) => {
      const { x, y, width, height } = view.camera.content;
      const box = this.canvas.getBoundingClientRect();
      view.camera.centre(x + ((event.clientX - box.left) / box.width) * width, y + ((event.clientY - box.top) / box.height) * height);
    };
    this.canvas.addEventListener("pointerdown", (event) => {
      dragging = true;
      this.canvas.setPointerCapture(event.pointerId);
      look(event);
    });
    this.canvas.addEventListener("pointermove", (event) => dragging && look(event));
    for (const end of ["pointerup", "pointercancel"]) this.canvas.addEventListener(end, () => (dragging = false));
    new MutationObserver(() => this.later()).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme", "data-mode"] });
  }

  later() {
    this.asked ||= requestAnimationFrame(() => {
      this.asked = 0;
      this.#draw();
    });
  }

  /** How many boxes stand under a part of the pane, whether they are there yet or not: the map lies where it hides least. @param {number} left @param {number} top @param {number} width @param {number} height */
  #crowd(left, top, width, height) {
    const { camera, plan } = this.view;
    let under = 0;
    for (const box of plan?.boxes.values() ?? []) {
      const x = box.x * camera.scale + camera.x;
      const y = box.y * camera.scale + camera.y;
      if (x < left + width + 24 && x + box.width * camera.scale > left && y < top + height + 24 && y + box.height * camera.scale > top) under++;
    }
    return under;
  }

  #draw() {
    const { camera, plan, scene, player } = this.view;
    const { x, y, width, height } = camera.content;
    const { width: paneWidth, height: paneHeight } = camera.size;
    // A picture that nearly fits needs no map, which would only lie upon it.
    const large = Math.max((width * camera.scale) / paneWidth, (height * camera.scale) / paneHeight) > MUCH;
    const shown = !!plan && plan.boxes.size > 12 && large && paneWidth > 480 && width > 0 && height > 0;
    this.canvas.hidden = !shown;
    if (!shown || !plan || !scene || !player.index) return;
    const fit = Math.min(MOST.width / width, MOST.height / height);
    const [w, hh] = [Math.max(40, Math.round(width * fit)), Math.max(14, Math.round(height * fit))];
    const dpr = Math.min(2, devicePixelRatio || 1);
    Object.assign(this.canvas, { width: w * dpr, height: hh * dpr });
    this.canvas.style.setProperty("width", `${w}px`);
    this.canvas.style.setProperty("height", `${hh}px`);
    this.canvas.classList.toggle("at-left", this.#crowd(paneWidth - w - 24, paneHeight - hh - 24, w, hh) > this.#crowd(0, paneHeight - hh - 24, w, hh));
    const c = this.canvas.getContext("2d");
    if (!c) return;
    const ink = palette(this.canvas);
    c.setTransform((dpr * w) / width, 0, 0, (dpr * hh) / height, (-dpr * x * w) / width, (-dpr * y * hh) / height);
    /** @type {Set<number>} */
    const done = new Set();
    for (const [slot, state] of scene.slots) {
      const id = plan.shown.get(slot);
      if (id === undefined || done.has(id)) continue;
      done.add(id);
      const box = plan.boxes.get(id);
      if (!box) continue;
      const bundle = plan.bundles.get(id);
      c.fillStyle = bundle ? ink(bundle.lower ? "k-gradient" : "ink-3") : ink(`k-${player.index.definition(state.node).category}`);
      c.globalAlpha = state.state === "empty" || state.state === "pending" || state.state === "seen" ? 0.45 : state.state === "ghost" || state.state === "merged" || state.state === "folded" || state.state === "freed" ? 0.2 : 0.9;
      c.fillRect(box.x, box.y, Math.max(box.width, (1.5 * width) / w), Math.max(box.height, (1.5 * height) / hh));
    }
    c.globalAlpha = 1;
    for (const slot of scene.now.size > 60 ? [] : scene.now) {
      const box = plan.boxes.get(plan.shown.get(slot) ?? slot);
      if (!box) continue;
      const grow = (4 * width) / w;
      c.fillStyle = ink("now-mark");
      c.strokeStyle = ink("ink-1");
      c.lineWidth = (1.2 * width) / w;
      c.fillRect(box.x - grow / 2, box.y - grow / 2, box.width + grow, box.height + grow);
      c.strokeRect(box.x - grow / 2, box.y - grow / 2, box.width + grow, box.height + grow);
    }
    c.setTransform(dpr, 0, 0, dpr, 0, 0);
    const scale = camera.scale;
    const left = Math.max(0, ((-camera.x / scale - x) * w) / width);
    const top = Math.max(0, ((-camera.y / scale - y) * hh) / height);
    const right = Math.min(w, (((paneWidth - camera.x) / scale - x) * w) / width);
    const bottom = Math.min(hh, (((paneHeight - camera.y) / scale - y) * hh) / height);
    c.strokeStyle = ink("ink-1");
    c.lineWidth = 1.5;
    c.strokeRect(left + 0.75, top + 0.75, Math.max(3, right - left - 1.5), Math.max(3, bottom - top - 1.5));
  }
}
