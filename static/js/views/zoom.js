/** How much of the timeline is on the screen: wheel, pinch and buttons make it wider around a point, dragging sideways moves it. */

export class Zoom {
  /**
   * @param {HTMLElement} pane
   * @param {{left: () => number, plot: () => number, most: () => number, changed: () => void}} on `left`: where the steps begin on the pane, `plot`: the room they have, `most`: the largest scale
   */
  constructor(pane, on) {
    this.pane = pane;
    this.on = on;
    /** How many times wider than the pane the timeline is. */
    this.scale = 1;
    /** Pixels of it that lie left of the pane. */
    this.offset = 0;
    /** @type {Map<number, number>} fingers by their x */
    this.fingers = new Map();
    this.apart = 0;
    pane.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
    pane.addEventListener("pointerdown", (event) => {
      if (event.pointerType !== "touch") return;
      this.fingers.set(event.pointerId, event.clientX);
      this.apart = this.#distance();
    });
    pane.addEventListener("pointermove", (event) => {
      if (!this.fingers.has(event.pointerId)) return;
      this.fingers.set(event.pointerId, event.clientX);
      if (this.fingers.size !== 2) return;
      const apart = this.#distance();
      const [a, b] = [...this.fingers.values()];
      this.by(apart / Math.max(1, this.apart), (a + b) / 2 - pane.getBoundingClientRect().left);
      this.apart = apart;
    });
    for (const end of ["pointerup", "pointercancel"]) pane.addEventListener(end, (event) => this.fingers.delete(/** @type {PointerEvent} */ (event).pointerId));
  }

  get pinching() {
    return this.fingers.size > 1;
  }

  /** Another recording begins whole. */
  reset() {
    this.scale = 1;
    this.offset = 0;
  }

  whole() {
    this.reset();
    this.on.changed();
  }

  /** @param {number} factor @param {number} x the point of the pane that stays where it is */
  by(factor, x) {
    const scale = Math.max(1, Math.min(this.on.most(), this.scale * factor));
    const at = x - this.on.left();
    this.#place((this.offset + at) * (scale / this.scale) - at, scale);
  }

  /** Moves so that a bar is on the pane. @param {number} x from where the steps begin @param {number} width */
  show(x, width) {
    const plot = this.on.plot();
    if (x - width < this.offset || x > this.offset + plot) this.offset = this.#within(x - plot * 0.3, this.scale);
  }

  /** @param {number} offset @param {number} scale */
  #within(offset, scale) {
    return Math.max(0, Math.min(this.on.plot() * (scale - 1), offset));
  }

  /** @param {number} offset @param {number} scale */
  #place(offset, scale) {
    const to = this.#within(offset, scale);
    if (to === this.offset && scale === this.scale) return;
    this.offset = to;
    this.scale = scale;
    this.on.changed();
  }

  /** @param {WheelEvent} event */
  #wheel(event) {
    const aside = event.shiftKey ? event.deltaY || event.deltaX : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
    const scrolls = this.pane.scrollHeight > this.pane.clientHeight + 2;
    if (aside) this.#place(this.offset + aside, this.scale);
    else if (event.ctrlKey || event.metaKey || !scrolls) this.by(Math.exp(-event.deltaY * (event.ctrlKey ? 0.01 : 0.002)), event.clientX - this.pane.getBoundingClientRect().left);
    else return;
    event.preventDefault();
  }

  #distance() {
    const [a, b] = [...this.fingers.values()];
    return b === undefined ? 0 : Math.abs(a - b);
  }
}
