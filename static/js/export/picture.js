/**
 * Pictures of steps: the graph as the page draws it, as an SVG that stands alone, moving or still, and as pixels.
 * A graph pane of its own, out of sight, draws them, so that the reader's pane keeps still.
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {{index: TraceIndex, view: import("../player/player.js").ChosenView, decoration: import("../views/graph/decoration.js").Decoration | null}} What
 * @typedef {{key: string, markup: string}} Piece   one element of a frame; `key`: which layer and which of it
 */
import { Player } from "../player/player.js";
import { asText } from "../trace/parts.js";
import { sentence } from "../trace/sentences.js";
import { h } from "../views/dom.js";
import { GraphView } from "../views/graph/graph.js";
import { escaped } from "./graphml.js";

/** What of its look an element carries along. */
const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-linecap", "stroke-linejoin", "stroke-opacity", "opacity", "font-family", "font-size", "font-weight", "font-style", "text-anchor", "text-decoration-line", "letter-spacing", "paint-order", "dominant-baseline"];
const PLAIN = /** @type {Record<string, string>} */ ({ "fill-opacity": "1", "stroke-dasharray": "none", "stroke-linecap": "butt", "stroke-linejoin": "miter", "stroke-opacity": "1", opacity: "1", "font-style": "normal", "text-anchor": "start", "text-decoration-line": "none", "letter-spacing": "normal", "paint-order": "normal", "dominant-baseline": "auto", stroke: "none" });
const TEXT_ONLY = new Set(["font-family", "font-size", "font-weight", "font-style", "text-anchor", "text-decoration-line", "letter-spacing", "dominant-baseline"]);
const MARGIN = 16;
/** Frames of a moving picture stand so long, in seconds. */
export const BEAT = 0.8;
export const MOST_FRAMES = 300;

/** Draws steps on a stage of its own. */
export class Stage {
  /** @param {What} what */
  constructor({ index, view, decoration }) {
    this.index = index;
    this.pane = h("div", { class: "graph offstage", "aria-hidden": "true", inert: true });
    document.body.append(this.pane);
    this.player = new Player();
    this.graph = new GraphView(this.pane, this.player, { shared: true });
    // A file has no canvas: all is drawn as shapes.
    this.graph.painter.drawsShapes = true;
    this.player.follow((player, change) => this.graph.render(player, change));
    this.player.load(index);
    if (view) this.player.show(view);
    if (decoration) this.graph.decorate(decoration);
    /** @type {Map<string, string>} looks that were met, and their class */
    this.looks = new Map();
  }

  close() {
    this.pane.remove();
  }

  /** The pieces of one step's picture. @param {number} step @returns {Piece[]} */
  pieces(step) {
    this.player.goTo(step);
    const { layers } = this.graph;
    /** @type {Piece[]} */
    const out = [];
    [layers.behind, layers.hulls, layers.halos, layers.wires, layers.ports, layers.words, layers.nodes, layers.titles].forEach((layer, at) => {
      [...layer.children].forEach((child, i) => {
        const markup = this.#markup(child);
        if (markup) out.push({ key: `${at} ${child.getAttribute("data-slot") ?? i}`, markup });
      });
    });
    return out;
  }

  /** Where everything lies. */
  frame() {
    const { layers } = this.graph;
    const boxes = layers.worlds.map((group) => group.getBBox()).filter((box) => box.width > 0);
    const left = Math.min(...boxes.map((box) => box.x)) - MARGIN;
    const top = Math.min(...boxes.map((box) => box.y)) - MARGIN;
    return { x: left, y: top, width: Math.max(...boxes.map((box) => box.x + box.width)) + MARGIN - left, height: Math.max(...boxes.map((box) => box.y + box.height)) + MARGIN - top };
  }

  /** An element that is seen, with its looks as a class. @param {Element} element @returns {string} */
  #markup(element) {
    const style = getComputedStyle(element);
    if (style.display === "none" || (element.children.length === 0 && style.visibility === "hidden") || element.getAttribute("visibility") === "hidden") return "";
    const name = element.tagName.toLowerCase();
    const inner = element.children.length ? [...element.childNodes].map((child) => (child instanceof Element ? this.#markup(child) : escaped(child.textContent ?? ""))).join("") : escaped(element.textContent ?? "");
    const group = name === "g";
    if (group && !inner) return "";
    const looks = LOOKS.filter((look) => (group ? look === "opacity" : name === "text" || name === "tspan" || !TEXT_ONLY.has(look)))
      .map((look) => [look, style.getPropertyValue(look).replace(/^url\("?.*#hatch"?\)$/, "url(#hatch)").replaceAll('"', "'")])
      .filter(([look, value]) => value && PLAIN[look] !== value && !(look.startsWith("stroke-") && style.stroke === "none")).map(([look, value]) => `${look}:${value}`).join(";");
    const attributes = [...element.attributes].filter(({ name: one }) => !/^(?:class|style|tabindex|role|aria-.*|data-.*|visibility)$/.test(one)).map(({ name: one, value }) => ` ${one}="${escaped(value)}"`).join("");
    const spoken = element.getAttribute("aria-label");
    return `<${name}${looks ? ` class="${this.#class(looks)}"` : ""}${attributes}>${group && spoken ? `<title>${escaped(spoken)}</title>` : ""}${inner}</${name}>`;
  }

  /** @param {string} looks */
  #class(looks) {
    const known = this.looks.get(looks) ?? `s${this.looks.size}`;
    this.looks.set(looks, known);
    return known;
  }
}

/** @param {Stage} stage @param {{x: number, y: number, width: number, height: number}} box @param {string} title @param {string} words @param {string} body @param {string} fonts */
function svg(stage, box, title, words, body, fonts) {
  const look = getComputedStyle(stage.pane);
  const hatch = stage.pane.querySelector("#hatch path");
  const n = /** @param {number} x */ (x) => x.toFixed(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${n(box.x)} ${n(box.y)} ${n(box.width)} ${n(box.height)}" width="${n(box.width)}" height="${n(box.height)}" role="img">\n<title>${escaped(title)}</title>\n<desc>${escaped(words)}</desc>\n`
    + `<style>${fonts}${[...stage.looks].map(([looks, name]) => `.${name}{${looks}}`).join("")}</style>\n`
    + `<defs><pattern id="hatch" width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path d="M0 0V5" stroke="${escaped(hatch ? getComputedStyle(hatch).stroke : "#999")}" stroke-width="${hatch ? escaped(getComputedStyle(hatch).strokeWidth) : 1}"/></pattern></defs>\n`
    + `<rect x="${n(box.x)}" y="${n(box.y)}" width="${n(box.width)}" height="${n(box.height)}" fill="${escaped(look.backgroundColor)}"/>\n${body}\n</svg>\n`;
}

/** The picture of one step. @param {What} what @param {number} step @param {string} [fonts] */
export function toSvg(what, step, fonts = "") {
  const stage = new Stage(what);
  try {
    const body = stage.pieces(step).map((piece) => piece.markup).join("\n");
    if (!body) return "";
    return svg(stage, stage.frame(), what.index.trace.document.program.name, `Step ${step + 1}: ${asText(sentence(what.index, step))}`, body, fonts);
  } finally {
    stage.close();
  }
}

/** When a piece is shown, as an animation that repeats for ever; nothing where it always is. @param {boolean[]} shown one for each frame */
function shownWhen(shown) {
  if (shown.every(Boolean)) return "";
  /** @type {string[]} */
  const values = [];
  /** @type {string[]} */
  const times = [];
  shown.forEach((on, i) => {
    if (i && on === shown[i - 1]) return;
    values.push(on ? "inline" : "none");
    times.push((i / shown.length).toFixed(5));
  });
  return `<animate attributeName="display" calcMode="discrete" dur="${(shown.length * BEAT).toFixed(1)}s" repeatCount="indefinite" values="${values.join(";")}" keyTimes="${times.join(";")}"/>`;
}

/**
 * A moving picture of steps: what stays the same from frame to frame is there once.
 * @param {What} what @param {number} from @param {number} to the last one @param {string} [fonts]
 */
export function toMovingSvg(what, from, to, fonts = "") {
  const stage = new Stage(what);
  try {
    /** @type {Map<string, {markup: string, shown: boolean[]}>} */
    const pieces = new Map();
    const count = to - from + 1;
    let box = { x: Infinity, y: Infinity, right: -Infinity, bottom: -Infinity };
    const steps = Array.from({ length: count }, (_, i) => from + i);
    steps.forEach((step, i) => {
      for (const { key, markup } of stage.pieces(step)) {
        const id = `${key} ${stage.graph.graph} ${markup}`;
        const piece = pieces.get(id) ?? { markup, shown: Array.from({ length: count }, () => false) };
        piece.shown[i] = true;
        pieces.set(id, piece);
      }
      const now = stage.frame();
      if (Number.isFinite(now.x)) box = { x: Math.min(box.x, now.x), y: Math.min(box.y, now.y), right: Math.max(box.right, now.x + now.width), bottom: Math.max(box.bottom, now.y + now.height) };
    });
    const captions = steps.map((step, i) => `<g display="none"><text x="${(box.x + MARGIN).toFixed(1)}" y="${(box.bottom + 20).toFixed(1)}" font-family="Inter Variable, Inter, system-ui, sans-serif" font-size="15" fill="${escaped(getComputedStyle(stage.pane).color)}">${escaped(`${step + 1}. ${asText(sentence(what.index, step))}`)}</text>${shownWhen(steps.map((_, j) => i === j))}</g>`);
    if (!pieces.size) return "";
    // What lies behind comes first, in every frame.
    const layered = [...pieces.entries()].sort(([a], [b]) => Number(a.split(" ")[0]) - Number(b.split(" ")[0]));
    const body = layered.map(([, { markup, shown }]) => {
      const when = shownWhen(shown);
      return when ? `<g${shown[0] ? "" : ' display="none"'}>${markup}${when}</g>` : markup;
    });
    return svg(stage, { x: box.x, y: box.y, width: box.right - box.x, height: box.bottom - box.y + 34 }, what.index.trace.document.program.name, `Steps ${from + 1} to ${to + 1}`, [...body, ...captions].join("\n"), fonts);
  } finally {
    stage.close();
  }
}

/** Pixels of a picture. @param {string} picture @param {number} scale @returns {Promise<Blob>} */
export async function toPng(picture, scale) {
  const image = new Image();
  const done = new Promise((resolve, reject) => {
    image.onload = () => resolve(null);
    image.onerror = () => reject(new Error("The browser could not paint this picture. Save it as SVG instead."));
  });
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(picture)}`;
  await done;
  const canvas = document.createElement("canvas");
  // Browsers paint no canvas that is larger.
  const most = Math.min(scale, 8000 / Math.max(image.width, image.height));
  canvas.width = Math.ceil(image.width * most);
  canvas.height = Math.ceil(image.height * most);
  canvas.getContext("2d")?.drawImage(image, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((/** @type {(blob: Blob | null) => void} */ resolve) => canvas.toBlob(resolve, "image/png"));
  if (!blob) throw new Error("The browser could not make a PNG of this size. Save it as SVG instead.");
  return blob;
}
