/** Beads: each runs along its edge once, in a layer of its own, which is all that the browser paints meanwhile. */
import { s } from "../dom.js";

export class Beads {
  /** @param {SVGGElement} layer */
  constructor(layer) {
    this.layer = layer;
    /** @type {Map<number, SVGElement>} by the number of the edge */
    this.running = new Map();
  }

  clear() {
    this.running.clear();
    this.layer.replaceChildren();
  }

  /** @param {number} edge */
  stop(edge) {
    this.running.get(edge)?.remove();
    this.running.delete(edge);
  }

  /** @param {number} edge @param {SVGGElement} group its picture */
  run(edge, group) {
    this.stop(edge);
    const along = group.querySelector(".wire");
    if (!(along instanceof SVGPathElement)) return;
    const token = s("circle", { class: "token", r: 4.5, visibility: "hidden" });
    this.layer.append(token);
    this.running.set(edge, token);
    const begin = performance.now();
    let [span, length] = [0, -1];
    /** @param {number} now */
    const move = (now) => {
      if (!token.isConnected) return;
      if (length < 0) {
        // Asked here, when everything of the step is in its place: asked earlier, the browser would lay it out twice.
        span = parseFloat(getComputedStyle(token).getPropertyValue("--motion-flow")) || 0;
        length = along.getTotalLength();
        token.setAttribute("visibility", "visible");
      }
      const t = span ? Math.min(1, Math.max(0, now - begin) / span) : 1;
      const at = along.getPointAtLength(length * (t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) * (1 - t)));
      token.setAttribute("cx", String(at.x));
      token.setAttribute("cy", String(at.y));
      if (t < 1) requestAnimationFrame(move);
      else token.remove();
    };
    requestAnimationFrame(move);
  }
}
