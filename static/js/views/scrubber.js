/** The scrubber of a phone: phases and a knob. */
import { axis, bars, stepAt } from "../trace/lanes.js";
import { phaseShort } from "../trace/where.js";
import { h, s } from "./dom.js";
import { textWidth } from "./graph/measure.js";

export class ScrubberView {
  /** @param {HTMLElement} pane @param {import("../player/player.js").Player} player */
  constructor(pane, player) {
    this.player = player;
    this.svg = s("svg", { class: "lanes" });
    this.box = h("div", { class: "scrub", "aria-hidden": "true" }, this.svg);
    pane.prepend(this.box);
    /** @type {import("../trace/lanes.js").Axis | null} */
    this.axis = null;
    new ResizeObserver(() => this.#build()).observe(this.box);
    const seek = /** @param {PointerEvent} event */ (event) => {
      if (this.axis) player.goTo(stepAt(this.axis, event.clientX - this.svg.getBoundingClientRect().left));
    };
    this.box.addEventListener("pointerdown", (event) => {
      this.box.setPointerCapture(event.pointerId);
      seek(event);
    });
    this.box.addEventListener("pointermove", (event) => {
      if (event.buttons & 1) seek(event);
    });
  }

  /** @param {import("../player/player.js").Player} _player @param {import("../player/player.js").Change} change */
  render(_player, change) {
    if (change.topics.has("trace")) this.#build();
    else if (change.topics.has("step")) this.#move();
  }

  #build() {
    const index = this.player.index;
    const width = this.box.clientWidth;
    if (!index || !width || !index.stepCount) return;
    this.axis = axis(index, bars(index), width - 2, []);
    this.bands = s("g", {}, ...this.axis.phase.map((at, p) => s("g", {}, s("rect", { class: "band", x: at.x + 1, y: 12, width: Math.max(1, at.width - 2), height: 12, rx: Math.min(3, at.width / 3) }), ...this.#name(index, p, at))));
    this.head = s("path", { class: "head" });
    this.knob = s("circle", { class: "cap", cy: 18, r: 8 });
    this.svg.setAttribute("viewBox", `0 0 ${width} 34`);
    this.svg.replaceChildren(this.bands, this.head, this.knob);
    this.#move();
  }

  /** The name of a phase, where it fits. @param {import("../trace/index.js").TraceIndex} index @param {number} p @param {{x: number, width: number}} at */
  #name(index, p, at) {
    const words = p < index.trace.count.phases ? phaseShort(index, p) : "";
    return words && textWidth(words, "label") + 14 < at.width ? [s("text", { class: "phase", x: at.x + 8, y: 22 }, words)] : [];
  }

  #move() {
    const { index, step } = this.player;
    if (!index || !this.axis || !this.bands || !this.head || !this.knob) return;
    const x = Math.max(8, Math.min(this.box.clientWidth - 9, this.axis.bar[step] + this.axis.width[step]));
    this.head.setAttribute("d", `M${x.toFixed(1)} 4V32`);
    this.knob.setAttribute("cx", x.toFixed(1));
    const phase = index.phaseOf(step);
    for (const [p, group] of [...this.bands.children].entries()) group.setAttribute("class", p === phase ? "current" : p > phase ? "later" : "");
  }
}
