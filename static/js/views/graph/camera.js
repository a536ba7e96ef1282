/**
 * Where one looks from: pan, zoom, fit. The camera never moves by itself, except once when the current node is off the screen.
 * @typedef {{x: number, y: number, width: number, height: number}} Frame
 */

const LEAST = 0.2;
const MOST = 4;

export class Camera {
  /** @param {SVGSVGElement} svg @param {SVGGElement[]} worlds what it moves @param {() => void} onZoom */
  constructor(svg, worlds, onZoom) {
    this.svg = svg;
    this.worlds = worlds;
    this.onZoom = onZoom;
    this.scale = 1;
    this.x = 0;
    this.y = 0;
    /** Whether the reader moved it: then a resize leaves it alone. */
    this.touched = false;
    /** @type {Map<number, {x: number, y: number}>} */
    this.pointers = new Map();
    this.moved = false;
    /** How much of the pane is covered at its foot. */
    this.foot = 0;
    /** Where the last fit put the picture. */
    this.home = { x: 0, y: 0, scale: 0 };
    this.known = { width: 0, height: 0 };
    /** @type {Frame} */
    this.content = { x: 0, y: 0, width: 0, height: 0 };
    this.#listen();
  }

  #apply() {
    const transform = `translate(${this.x.toFixed(2)} ${this.y.toFixed(2)}) scale(${this.scale.toFixed(4)})`;
    for (const world of this.worlds) world.setAttribute("transform", transform);
    this.onZoom();
  }

  /** @param {boolean} on */
  #glide(on) {
    for (const world of this.worlds) world.classList.toggle("is-panning", on);
  }

  /** Moves so that a point of the picture lies at a point of the pane. @param {number} x @param {number} y @param {number} px @param {number} py */
  place(x, y, px, py) {
    this.x = px - x * this.scale;
    this.y = py - y * this.scale;
    this.#glide(false);
    this.#apply();
  }

  /** Brings a point of the picture to the middle of the pane. @param {number} x @param {number} y */
  centre(x, y) {
    this.touched = true;
    this.place(x, y, this.size.width / 2, this.size.height / 2);
  }

  get size() {
    if (!this.known.width) this.measure();
    return this.known;
  }

  /** Looks how large the pane is; whoever resizes it says so. */
  measure() {
    /** Where the last fit put the picture. */
    this.home = { x: 0, y: 0, scale: 0 };
    this.known = { width: this.svg.clientWidth, height: this.svg.clientHeight - this.foot };
  }

  /**
   * Shows all of `content`, or, where that would make text too small to read, its upper left at the least readable size.
   * `whole` is how small all of it may become; `main` the stretch along x that is to be seen whole where all of it cannot.
   * @param {Frame} content @param {{least: number, whole: number, most: number, top: number, pad: number, main: [number, number]}} limits
   */
  fit(content, { least, whole: smallest, most, top, pad, main }) {
    const { width, height } = this.size;
    if (!width || !height) return;
    const whole = Math.min((width - 2 * pad) / content.width, (height - top - pad) / content.height);
    // Smaller is better than a picture that is cut off, down to a limit.
    const across = (width - 2 * pad) / Math.max(1, main[1] - main[0]);
    this.scale = whole >= smallest ? Math.min(most, whole) : across >= smallest ? Math.min(Math.max(1, least), Math.max(whole, across)) : least;
    const w = content.width * this.scale;
    const h = content.height * this.scale;
    this.x = (w <= width - 2 * pad ? (width - w) / 2 : pad) - content.x * this.scale;
    this.y = (h <= height - top - pad ? top + (height - top - pad - h) / 2 : top) - content.y * this.scale;
    this.touched = false;
    this.home = { x: this.x, y: this.y, scale: this.scale };
    this.content = content;
    this.#glide(false);
    this.#apply();
  }

  /** @param {number} factor @param {number} [cx] @param {number} [cy] a point on the pane that stays */
  zoom(factor, cx = this.size.width / 2, cy = this.size.height / 2) {
    const to = Math.max(LEAST, Math.min(MOST, this.scale * factor));
    this.x = cx - ((cx - this.x) * to) / this.scale;
    this.y = cy - ((cy - this.y) * to) / this.scale;
    this.scale = to;
    this.touched = true;
    this.#glide(false);
    this.#apply();
  }

  /** Pans once, as little as needed, if `frame` is not wholly on the pane. @param {Frame} frame @param {boolean} animate @param {number} top */
  reveal(frame, animate, top) {
    const { width, height } = this.size;
    const dx = shift(frame.x * this.scale + this.x, frame.width * this.scale, 10, width - 10);
    const dy = shift(frame.y * this.scale + this.y, frame.height * this.scale, top, height - 8);
    if (!dx && !dy) return;
    const { home, scale } = this;
    const atHome = scale === home.scale && !shift(frame.x * scale + home.x, frame.width * scale, 0, width) && !shift(frame.y * scale + home.y, frame.height * scale, top - 8, height);
    // Back to where all began, if it is seen from there: every pass of a loop looks the same.
    if (atHome) Object.assign(this, { x: home.x, y: home.y });
    else if (dx) this.x = within(this.x + dx, this.content.x * this.scale, this.content.width * this.scale, 10, width - 10, frame.x * this.scale, frame.width * this.scale);
    if (dy && !atHome) this.y = within(this.y + dy, this.content.y * this.scale, this.content.height * this.scale, top, height - 8, frame.y * this.scale, frame.height * this.scale);
    this.#glide(animate);
    this.#apply();
  }

  /** @param {number} dx @param {number} dy */
  pan(dx, dy) {
    this.x += dx;
    this.y += dy;
    this.touched = true;
    this.#glide(false);
    this.#apply();
  }

  #listen() {
    const { svg, pointers } = this;
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const box = svg.getBoundingClientRect();
      if (event.ctrlKey || event.metaKey) this.zoom(Math.exp(-event.deltaY / 300), event.clientX - box.left, event.clientY - box.top);
      else if (event.shiftKey) this.pan(-event.deltaY, 0);
      else this.pan(-event.deltaX, -event.deltaY);
    }, { passive: false });
    svg.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      this.moved = false;
    });
    svg.addEventListener("pointermove", (event) => {
      const last = pointers.get(event.pointerId);
      if (!last) return;
      const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
      if (pointers.size === 1) {
        if (!this.moved && Math.hypot(dx, dy) < 4) return;
        if (!this.moved) svg.setPointerCapture(event.pointerId);
        this.moved = true;
        svg.classList.add("is-dragging");
        this.pan(dx, dy);
      } else if (pointers.size === 2) {
        const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
        if (!other) return;
        const box = svg.getBoundingClientRect();
        const before = Math.hypot(last.x - other.x, last.y - other.y);
        const after = Math.hypot(event.clientX - other.x, event.clientY - other.y);
        this.moved = true;
        this.zoom(after / (before || 1), (event.clientX + other.x) / 2 - box.left, (event.clientY + other.y) / 2 - box.top);
        this.pan(dx / 2, dy / 2);
      }
      pointers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    });
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) {
      svg.addEventListener(name, (event) => {
        pointers.delete(event.pointerId);
        svg.classList.remove("is-dragging");
      });
    }
  }
}

/** How far a stretch must move to lie between two ends; a third of the room further, so that the next step needs no pan. @param {number} at @param {number} size @param {number} low @param {number} high */
function shift(at, size, low, high) {
  const spare = Math.max(0, Math.min((high - low) / 3, high - low - size));
  if (at < low) return low + spare - at;
  if (at + size > high) return high - spare - at - size;
  return 0;
}

/** An offset that shows no void beside the content, as long as the frame stays visible. @param {number} at @param {number} start @param {number} size @param {number} low @param {number} high @param {number} frame @param {number} frameSize */
function within(at, start, size, low, high, frame, frameSize) {
  if (size <= high - low) return at;
  const kept = Math.max(high - start - size, Math.min(low - start, at));
  return kept + frame >= low - 1 && kept + frame + frameSize <= high + 1 ? kept : at;
}
