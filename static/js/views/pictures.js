/** What the program has shown by this step: its latest picture, the curves that it keeps, as far as they have come. */
import { countBefore } from "../trace/index.js";
import { num } from "../trace/format.js";
import { button, h, s } from "./dom.js";

/** @typedef {import("../player/player.js").Player} Player */

const WIDTH = 300;
const HEIGHT = 72;
const MOST_CURVES = 8;

export class PicturesView {
  /** @param {HTMLElement} app @param {HTMLElement} pane @param {Player} player */
  constructor(app, pane, player) {
    this.app = app;
    this.pane = pane;
    this.player = player;
    this.title = h("span", {});
    this.image = h("img", { alt: "" });
    this.large = h("img", { alt: "" });
    this.dialog = h("dialog", { class: "picture-dialog", "aria-label": "The picture in its own size" }, this.large, button("Close", { class: "close" }, () => this.dialog.close()));
    const back = button("‹", { class: "link", title: "The picture before", "aria-label": "The picture before" }, () => this.#go(-1));
    const on = button("›", { class: "link", title: "The next picture", "aria-label": "The next picture" }, () => this.#go(1));
    const open = h("button", { type: "button", class: "picture", title: "Show it in its own size" }, this.image);
    open.addEventListener("click", () => this.dialog.showModal());
    this.figure = h("div", { class: "figure" }, h("p", { class: "pane-title" }, this.title, h("span", { class: "turn" }, back, on)), open);
    this.empty = h("p", { class: "teach" }, "No picture has been shown by this step.");
    this.curves = h("div", { class: "curves" });
    pane.append(this.figure, this.empty, this.curves, this.dialog);
    this.shown = "";
  }

  /** @param {Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    const { index, step } = player;
    if (!index || !(change.topics.has("trace") || change.topics.has("step"))) return;
    const { pictures = [], charts = [] } = index.trace.document;
    const { picture, charted } = index.trace.events;
    const any = pictures.length > 0 || charts.length > 0;
    this.pane.hidden = !any;
    this.app.toggleAttribute("data-shown", any);
    if (!any) return;
    const limit = index.limit(step);
    const n = countBefore(picture?.seq ?? [], limit, (seq) => seq);
    const m = countBefore(charted?.seq ?? [], limit, (seq) => seq);
    const shows = `${n} ${m}`;
    if (shows === this.shown && !change.topics.has("trace")) return;
    this.shown = shows;
    const row = n - 1;
    const one = row >= 0 ? pictures[picture.picture[row]] : undefined;
    this.figure.hidden = !one;
    this.empty.hidden = Boolean(one) || !pictures.length;
    if (one) {
      const name = index.text(picture.name[row]) || "A picture";
      const words = `${name}, picture ${n} of ${picture.seq.length}`;
      this.title.textContent = words;
      for (const image of [this.image, this.large]) {
        image.src = `data:image/png;base64,${one.png}`;
        image.width = one.width;
        image.height = one.height;
        image.alt = `What the program drew: ${words}`;
      }
    }
    this.curves.replaceChildren(...this.#curves(index, m));
  }

  /** To the step of the picture before, or of the next one. @param {1 | -1} way */
  #go(way) {
    const { index, step } = this.player;
    const seq = index?.trace.events.picture?.seq ?? [];
    if (!index || !seq.length) return;
    const n = countBefore(seq, index.limit(step), (one) => one);
    const to = seq[Math.max(0, Math.min(seq.length - 1, n - 1 + way))];
    this.player.goTo(index.stepOf(to));
  }

  /** @param {import("../trace/index.js").TraceIndex} index @param {number} rows how many points there are by now */
  #curves(index, rows) {
    const { charts = [] } = index.trace.document;
    const { chart = [] } = index.trace.events.charted ?? {};
    const counts = charts.map(() => 0);
    for (let row = 0; row < rows; row++) if (chart[row] >= 0) counts[chart[row]]++;
    return charts.slice(0, MOST_CURVES).map((one, at) => curve(one, counts[at]));
  }
}

/** A curve with the points that are there dark, and those to come light. @param {{name: string, x: number[], y: import("../trace/types.js").Element[]}} chart @param {number} count */
function curve({ name, x, y }, count) {
  const points = x.map((at, i) => [at, Number(y[i])]).filter(([, value]) => Number.isFinite(value));
  const [low, high] = [Math.min(...points.map((p) => p[1])), Math.max(...points.map((p) => p[1]))];
  const [first, last] = [Math.min(...x), Math.max(...x)];
  const place = /** @param {number[]} p */ ([at, value]) => `${(((at - first) / (last - first || 1)) * (WIDTH - 8) + 4).toFixed(1)} ${(HEIGHT - 6 - ((value - low) / (high - low || 1)) * (HEIGHT - 12)).toFixed(1)}`;
  const path = /** @param {number[][]} some */ (some) => (some.length ? `M${some.map(place).join("L")}` : "");
  const now = points.slice(0, count);
  const value = now.length ? num(now[now.length - 1][1]) : "no point yet";
  const words = `${name}: ${value}${now.length ? ` at ${now[now.length - 1][0]}` : ""}; from ${num(low)} to ${num(high)} over ${points.length} points in all`;
  const tip = now.length ? place(now[now.length - 1]).split(" ") : null;
  const drawing = s("svg", { class: "curve", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": words }, s("path", { class: "later", d: path(points) }), s("path", { class: "now", d: path(now) }), tip && s("circle", { cx: tip[0], cy: tip[1], r: 3 }));
  return h("figure", {}, h("figcaption", {}, h("code", {}, name), h("span", {}, value)), drawing);
}
