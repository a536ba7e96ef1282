/** Pointer, keys and focus in the picture: what a click opens or selects, where the arrows lead. */
import { arrowTo } from "./walk.js";

export class Pointing {
  /** @param {import("./graph.js").GraphView} view @param {number} top how much of the pane is covered at its head */
  constructor(view, top) {
    this.view = view;
    this.top = top;
    view.svg.addEventListener("click", (event) => this.#click(event));
    view.svg.addEventListener("keydown", (event) => this.#key(event));
    view.svg.addEventListener("focusin", (event) => this.#focused(event));
  }

  /** @param {MouseEvent} event */
  #click(event) {
    if (this.view.camera.moved) return;
    const title = event.target instanceof Element ? event.target.closest(".region-title") : null;
    if (title) return this.#press(title);
    this.#choose(this.view.hit(event));
  }

  /** A title closes its scope, the button beside it shows a loop pass by pass. @param {Element} title */
  #press(title) {
    const loop = title.getAttribute("data-loop");
    if (loop === null) this.view.toggle(Number(title.getAttribute("data-scope")), false);
    else this.view.player.watchLoop(loop);
  }

  /** Opens a closed scope, selects a node. @param {number | null} id */
  #choose(id) {
    const { view } = this;
    const bundle = id === null ? undefined : view.plan?.bundles.get(id);
    if (bundle && id !== null) view.toggle(bundle.scope, true, id);
    else view.player.select(id === null ? -1 : view.scene?.slots.get(id)?.node ?? -1);
  }

  /** Tab walks in order, arrows along edges, Enter selects or opens. @param {KeyboardEvent} event */
  #key(event) {
    const { view } = this;
    if (!(event.target instanceof Element) || !view.plan || !view.scene || event.ctrlKey || event.metaKey || event.altKey) return;
    const title = event.target.closest(".region-title");
    const group = event.target.closest(".node");
    const press = event.key === "Enter" || event.key === " ";
    if (title && press) this.#press(title);
    else if (group && event.key === "Enter") this.#choose(Number(group.getAttribute("data-slot")));
    else if (group && event.key.startsWith("Arrow") && !event.shiftKey) {
      const next = arrowTo(view.plan, (id) => view.painter.drawn.has(id), Number(group.getAttribute("data-slot")), event.key);
      if (next !== null) view.focusBox(next);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /** What has the focus is on the pane. @param {FocusEvent} event */
  #focused(event) {
    const { plan, camera } = this.view;
    const target = event.target instanceof Element ? event.target : null;
    const box = plan?.boxes.get(Number(target?.closest(".node")?.getAttribute("data-slot")));
    const region = plan?.regions.find((one) => String(one.scope) === target?.closest(".region-title")?.getAttribute("data-scope"));
    if (box) camera.reveal(box, false, this.top);
    else if (region) camera.reveal({ x: region.x, y: region.y - 12, width: 60, height: 24 }, false, this.top);
  }
}
