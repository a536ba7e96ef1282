/**
 * Boxes and edges on a canvas, looking as they do in SVG. Colours come from the tokens of the theme.
 * @typedef {import("./looks.js").Dressed} Dressed
 */
import { num } from "../../trace/format.js";
import { SIGNS } from "./decoration.js";
import { sign } from "./glyphs.js";
import { clip, shorten, textWidth } from "./measure.js";
import { labelOf, LINE, silhouette } from "./node.js";
import { picture } from "./thumbnail.js";

const HOLLOW = new Set(["empty", "skipped", "inner", "pending", "building", "ghost", "merged", "folded", "freed", "seen"]);
const GONE = new Set(["ghost", "merged", "folded", "skipped"]);
const MARKS = /** @type {Record<string, Path2D | undefined>} */ ({});
/** Below this scale there are no letters, below the other no details. */
export const LEGIBLE = 0.42;
const DETAILED = 0.62;
/** How much is left of what a decoration pales. */
export const PALE = 0.3;

/** @type {Map<string, Path2D>} */
const shapes = new Map();

/** @param {string} form @param {number} w @param {number} h */
function shape(form, w, h) {
  const key = `${form} ${w} ${h}`;
  let path = shapes.get(key);
  if (!path) shapes.set(key, (path = new Path2D(silhouette(form, w, h))));
  return path;
}

/** The theme's colours, read once. @param {Element} element */
export function palette(element) {
  const style = getComputedStyle(element);
  /** @type {Map<string, string>} */
  const known = new Map();
  return /** @param {string} name */ (name) => {
    let value = known.get(name);
    if (value === undefined) known.set(name, (value = style.getPropertyValue(`--${name}`).trim()));
    return value;
  };
}

/** @typedef {ReturnType<typeof palette>} Palette */

/** @param {CanvasRenderingContext2D} c @param {Dressed} look @param {Palette} ink @param {number} scale */
export function paintNode(c, look, ink, scale) {
  const { box, state, category } = look;
  const { width: w, height: h } = box;
  const form = look.bundle ? (category === "gradient" ? "grad" : "op") : box.form;
  const body = shape(form, w, h);
  const gone = GONE.has(state) || state === "freed";
  const k = state === "error" ? ink("error-ink") : gone ? ink("line-3") : ink(`k-${category}`);
  c.save();
  c.translate(box.x, box.y);
  const mark = look.dress?.mark ?? "";
  if (mark && mark !== "dim") outline(c, mark, form, w, h, ink);
  c.lineWidth = 1.5;
  c.strokeStyle = k;
  if (look.bundle) {
    c.save();
    c.translate(5, 5);
    c.fillStyle = ink("surface-paper");
    c.fill(body);
    c.stroke(body);
    c.restore();
  }
  c.fillStyle = state === "error" ? ink("error-wash") : ink("surface-paper");
  if (!gone || look.bundle) c.fill(body);
  if (state === "value") {
    c.globalAlpha = (parseFloat(ink("tint")) || 10) / 100;
    c.fillStyle = k;
    c.fill(body);
    c.globalAlpha = 1;
  }
  if (GONE.has(state)) c.setLineDash([4, 4]);
  else if (state === "pending" && form === "storage") c.setLineDash([3, 3]);
  c.globalAlpha = state === "seen" ? 0.55 : 1;
  c.stroke(body);
  c.globalAlpha = 1;
  c.setLineDash([]);
  if (state === "freed") hatch(c, body, w, h, ink("line-2"));
  if (form === "variable" || form === "storage") {
    c.fillStyle = k;
    c.fillRect(-4, h - 1, w + 8, form === "variable" ? 4 : 2);
    if (form === "storage") c.fillRect(-4, h + 3, w + 8, 2);
  }
  if (look.arrived) {
    c.fillStyle = ink("k-gradient");
    c.fill(new Path2D(`M${w / 2 - 8} ${h}h16l-8 8z`));
  }
  if (scale < LEGIBLE) {
    if (!HOLLOW.has(state) && !look.bundle) tile(c, form === "grad" ? w - 15 : 15, 16, k, true);
  } else if (look.bundle) closed(c, look, look.bundle, ink);
  else inside(c, look, ink, k, scale);
  const words = [look.note, look.dress?.label].filter(Boolean).join(", ");
  if (words && scale >= LEGIBLE) write(c, clip(words, "note", Math.max(w + 8, 100)), w / 2, h + 15, `430 11px ${ink("font-text")}`, ink("ink-3"), "center");
  if (mark === "dim") {
    c.globalAlpha = 1 - PALE;
    c.fillStyle = ink("surface-paper");
    c.fillRect(-8, -19, w + 16, h + 37);
  }
  c.restore();
}

/** What a decoration puts round a box. @param {CanvasRenderingContext2D} c @param {string} mark @param {string} form @param {number} w @param {number} h @param {Palette} ink */
function outline(c, mark, form, w, h, ink) {
  const look = marked({ colour: ink("ink-1"), width: 3, dash: [], head: false }, mark, ink);
  c.save();
  c.translate(-5, -5);
  c.strokeStyle = look.colour;
  c.lineWidth = look.width;
  c.setLineDash(look.dash);
  c.stroke(shape(form, w + 10, h + 10));
  c.restore();
  if (!SIGNS[mark]) return;
  c.beginPath();
  c.arc(-3, -3, 8, 0, 7);
  c.fillStyle = look.colour;
  c.fill();
  write(c, SIGNS[mark], -3, 1, `700 12px ${ink("font-text")}`, ink("surface-paper"), "center");
}

/** A stroke as a decoration wants it. @param {ReturnType<typeof stroke>} look @param {string} mark @param {Palette} ink */
export function marked(look, mark, ink) {
  if (mark === "cut") return { ...look, colour: ink("error-ink"), width: 4, dash: [2, 3] };
  if (mark === "critical") return { ...look, colour: ink("ink-1"), width: 3.5, dash: [] };
  if (mark === "added") return { ...look, colour: ink("ink-1"), width: 2, dash: [] };
  if (mark === "removed") return { ...look, colour: ink("ink-2"), width: 2, dash: [6, 4] };
  if (mark === "changed") return { ...look, colour: ink("ink-1"), width: 2, dash: [1.5, 3.5] };
  return mark === "path" ? { ...look, colour: ink("ink-1"), width: 2 } : look;
}

/** @param {CanvasRenderingContext2D} c @param {number} x @param {number} y @param {string} k @param {boolean} full */
function tile(c, x, y, k, full) {
  c.beginPath();
  c.arc(x, y, 8.5, 0, 7);
  c.fillStyle = c.strokeStyle = k;
  if (full) c.fill();
  c.stroke();
}

/** @param {CanvasRenderingContext2D} c @param {Dressed} look @param {{count: number, held: number}} bundle @param {Palette} ink */
function closed(c, look, bundle, ink) {
  const { width: w, height: h } = look.box;
  write(c, shorten(look.label, "strong", w - 30), 10, 20, `650 12px ${ink("font-code")}`, ink("ink-1"));
  write(c, clip(look.sub, "sub", w - 18), 10, h - 14, `430 11px ${ink("font-code")}`, ink("ink-2"));
  c.fillStyle = ink("ink-2");
  c.fillRect(w - 18, 15.2, 9, 1.6);
  c.fillRect(w - 14.3, 11.5, 1.6, 9);
  c.fillStyle = ink("line-2");
  c.fillRect(10, h - 8, w - 20, 2);
  c.fillStyle = ink("ink-2");
  c.fillRect(10, h - 8, ((w - 20) * bundle.held) / Math.max(1, bundle.count), 2);
}

/** @param {CanvasRenderingContext2D} c @param {Dressed} look @param {Palette} ink @param {string} k @param {number} scale */
function inside(c, look, ink, k, scale) {
  const { box, state, value } = look;
  const { width: w, height: h, form } = box;
  const weak = HOLLOW.has(state);
  const text = weak ? ink("ink-3") : ink("ink-1");
  if (form === "const") {
    write(c, shorten(look.label, "strong", w - 16), w / 2, h / 2 + 4, `650 12px ${ink("font-code")}`, text, "center");
    return;
  }
  const flip = form === "grad";
  const bare = form === "variable" || form === "storage";
  if (!bare) {
    const gx = flip ? w - 15 : 15;
    tile(c, gx, 16, k, !weak);
    glyph(c, look, gx, 16, weak ? k : ink("surface-paper"), ink("font-text"));
  }
  const written = labelOf(look);
  written.lines.forEach((line, i) => write(c, line, written.x, written.y + i * LINE, bare ? `650 12px ${ink("font-code")}` : flip && i ? `430 11px ${ink("font-text")}` : `520 12px ${ink("font-text")}`, text, flip ? "right" : "left"));
  if (look.name) write(c, shorten(look.name, "name", w + 10), 1, -7, `700 12px ${ink("font-code")}`, ink("ink-1"));
  if (scale < DETAILED || GONE.has(state)) return;
  const tip = form === "input" || form === "control" ? 13 : 8;
  const number = value?.size === 1 && value.data && !weak ? num(value.data[0]) : "";
  const sub = number && (flip || look.sub === "scalar" || textWidth(look.sub, "sub") + textWidth(number, "strong") + 18 > w - tip) ? "" : look.sub;
  if (sub) write(c, clip(sub, "sub", w - 16), flip ? w - 9 : 9, h - 10, state === "pending" ? `italic 430 11px ${ink("font-text")}` : `430 11px ${ink("font-code")}`, ink(state === "pending" ? "ink-3" : "ink-2"), flip ? "right" : "left");
  if (number) write(c, number, flip ? 9 : w - tip - 1, h - 10, `650 12px ${ink("font-code")}`, ink("ink-1"), flip ? "left" : "right");
  else if (value && !weak) hinton(c, value, flip ? 8 : w - tip, h - 7, Math.min(w - tip - 16 - (sub ? textWidth(sub, "sub") : 0), w * 0.62), h - 31 - (written.lines.length - 1) * 9, flip, ink);
}

/** @param {CanvasRenderingContext2D} c @param {Dressed} look @param {number} x @param {number} y @param {string} colour @param {string} font */
function glyph(c, look, x, y, colour, font) {
  const { path, text } = sign(look.symbol, look.category);
  if (path) {
    c.save();
    c.translate(x, y);
    c.scale(0.9, 0.9);
    c.lineWidth = 1.7;
    c.strokeStyle = colour;
    c.stroke((MARKS[path] ??= new Path2D(path)));
    c.restore();
  } else write(c, text, x, y + 3.6, `700 ${text.length > 2 ? 7.5 : text.length > 1 ? 8.5 : 11}px ${font}`, colour, "center");
}

/** @param {CanvasRenderingContext2D} c @param {import("../../trace/types.js").Value} value @param {number} edge @param {number} bottom @param {number} width @param {number} height @param {boolean} flip @param {Palette} ink */
function hinton(c, value, edge, bottom, width, height, flip, ink) {
  const p = picture(value);
  if (!p || p.rows * p.columns <= 1) return;
  const cell = Math.min(7, width / p.columns, height / p.rows);
  if (cell < 2) return;
  const left = flip ? edge : edge - p.columns * cell;
  const top = bottom - p.rows * cell;
  const largest = Math.max(...p.data.filter(Number.isFinite).map(Math.abs), 1e-30);
  p.data.forEach((x, i) => {
    const size = Math.max(cell * 0.32, (cell - 1) * Math.sqrt(Math.min(1, Math.abs(Number.isFinite(x) ? x : largest) / largest)));
    const cx = left + ((i % p.columns) + 0.5) * cell;
    const cy = top + (Math.floor(i / p.columns) + 0.5) * cell;
    c.fillStyle = c.strokeStyle = Number.isFinite(x) ? ink(x < 0 ? "value-neg" : "value-pos") : ink("error-ink");
    c.lineWidth = 1.1;
    if (x < 0) c.strokeRect(cx - size / 2, cy - size / 2, size, size);
    else c.fillRect(cx - size / 2, cy - size / 2, size, size);
  });
}

/** @param {CanvasRenderingContext2D} c @param {Path2D} body @param {number} w @param {number} h @param {string} colour */
function hatch(c, body, w, h, colour) {
  c.save();
  c.clip(body);
  c.beginPath();
  for (let x = -h; x < w; x += 7) {
    c.moveTo(x, h);
    c.lineTo(x + h, 0);
  }
  c.strokeStyle = colour;
  c.lineWidth = 1.2;
  c.stroke();
  c.restore();
}

/** @param {CanvasRenderingContext2D} c @param {string} text @param {number} x @param {number} y @param {string} font @param {string} colour @param {CanvasTextAlign} [align] */
function write(c, text, x, y, font, colour, align = "left") {
  c.font = font;
  c.fillStyle = colour;
  c.textAlign = align;
  c.fillText(text, x, y);
}

/** How an edge of a kind and state is drawn. @param {string} kind @param {string} state @param {Palette} ink @returns {{colour: string, width: number, dash: number[], head: boolean}} */
export function stroke(kind, state, ink) {
  const head = kind !== "mirror" && kind !== "saved";
  if (state === "ghost") return { colour: ink("line-2"), width: 1.25, dash: [4, 4], head };
  const on = state === "on";
  if (kind === "mirror") return { colour: ink("line-2"), width: 1, dash: [1, 4], head };
  if (kind === "saved") return { colour: ink(on ? "ink-3" : "line-2"), width: 1.25, dash: [5, 3], head };
  if (kind === "update") return { colour: ink("line-2"), width: 1, dash: [], head };
  if (kind === "origin") return { colour: ink("ink-3"), width: 1.25, dash: [7, 3, 1.5, 3], head };
  if (kind === "enters") return { colour: ink(on ? "k-control" : "line-3"), width: on ? 1.5 : 1.25, dash: [], head };
  if (kind === "control") return { colour: ink("k-control"), width: 2, dash: [1.5, 4], head };
  if (kind === "grad") return { colour: ink(on ? "k-gradient" : "line-2"), width: on ? 3 : 2.4, dash: [], head };
  return { colour: ink(on ? "ink-2" : "line-3"), width: on ? 1.5 : 1.25, dash: [], head };
}
