/** A line chart in SVG: lines differ in dash and marker, spreads are bands, and what is said of a place stands at it. */
import { textWidth } from "../graph/measure.js";
import { s } from "../dom.js";

/**
 * @typedef {{x: number, y: number, low?: number, high?: number, mark?: boolean}} Point
 * @typedef {{name: string, style: "one" | "two", points: Point[], stepped?: boolean}} Series   `stepped`: the value stays until the next point
 * @typedef {{x: number, to?: number | null, words: string, more?: string}} Note   at a place of the x axis, or from `x` `to` another (null: to the end)
 * @typedef {{y: number, words: string}} Level   a line across
 * @typedef {{series: Series[], xWords: string, yWords: string, xText: (x: number) => string, yText: (y: number) => string, notes?: Note[], levels?: Level[], cursor?: number | null, zero?: boolean, label: string}} Chart
 */

const HEIGHT = 250;
const LOWEST = 150;
const PAD = { top: 34, right: 96, bottom: 36, left: 70 };

/** @param {Chart} chart @param {number} width in pixels @param {number} [room] the height that there is @returns {SVGSVGElement} */
export function plot(chart, width, room = HEIGHT) {
  const height = Math.max(LOWEST, Math.min(HEIGHT, room));
  const { series, notes = [], levels = [] } = chart;
  const narrow = width < 520;
  const left = narrow ? 54 : PAD.left;
  // The names at the ends of the lines have room, up to a third of the chart.
  const named = Math.max(...series.map(({ name }) => textWidth(name, "label"))) * 1.1 + 14;
  const right = narrow ? 14 : Math.max(PAD.right, Math.min(named, width / 3));
  const all = series.flatMap(({ points }) => points);
  const x0 = Math.min(...all.map((p) => p.x));
  const x1 = Math.max(x0 + 1, ...all.map((p) => p.x));
  const y1 = Math.max(1, ...all.map((p) => p.high ?? p.y), ...levels.map((l) => l.y)) * 1.06;
  const px = /** @param {number} x */ (x) => left + ((x - x0) / (x1 - x0)) * (width - left - right);
  const py = /** @param {number} y */ (y) => height - PAD.bottom - (y / y1) * (height - PAD.top - PAD.bottom);
  /** @type {SVGElement[]} */
  const out = [s("text", { class: "t-axis", x: left - 8, y: 12, "text-anchor": "start" }, chart.yWords)];
  for (const y of ticks(y1, 4)) out.push(s("path", { class: y ? "grid" : "base", d: `M${left} ${py(y)}H${width - right}` }), s("text", { class: "t-tick", x: left - 8, y: py(y) + 4, "text-anchor": "end" }, chart.yText(y)));
  const marks = ticks(x1, narrow ? 3 : 5).filter((x) => x > x0 && px(x1) - px(x) > 8 + 7 * chart.xText(x1).length);
  for (const x of [x0, ...marks]) if (x === x0 || px(x) - px(x0) > 30) out.push(s("text", { class: "t-tick", x: px(x), y: height - PAD.bottom + 16, "text-anchor": "middle" }, chart.xText(x)));
  out.push(s("text", { class: "t-tick", x: px(x1), y: height - PAD.bottom + 16, "text-anchor": narrow ? "end" : "middle" }, chart.xText(x1)), s("text", { class: "t-axis", x: (left + width - right) / 2, y: height - 4, "text-anchor": "middle" }, chart.xWords));
  for (const note of notes) if (note.to !== undefined) out.push(s("rect", { class: "overlap", x: px(Math.max(x0, Math.min(note.x, x1))), y: PAD.top - 6, width: Math.max(1, px(Math.min(note.to ?? x1, x1)) - px(Math.max(x0, Math.min(note.x, x1)))), height: height - PAD.top - PAD.bottom + 6 }));
  for (const one of series) out.push(...band(one, px, py));
  for (const one of series) out.push(...line(one, px, py));
  for (const level of levels) out.push(s("path", { class: "level", d: `M${left} ${py(level.y)}H${width - right}` }), s("text", { class: "t-note", x: width - right - 4, y: py(level.y) - 5, "text-anchor": "end" }, level.words));
  out.push(...placed(notes.filter((note) => note.x <= x1), px, left, width - right, height));
  if (!narrow) out.push(...ends(series, px, py));
  if (chart.cursor !== null && chart.cursor !== undefined) out.push(s("path", { class: "cursor-bed", d: `M${px(chart.cursor)} ${PAD.top - 6}V${height - PAD.bottom}` }), s("path", { class: "cursor", d: `M${px(chart.cursor)} ${PAD.top - 6}V${height - PAD.bottom}` }));
  return s("svg", { class: "plot", viewBox: `0 0 ${width} ${height}`, height, role: "img", "aria-label": chart.label }, ...out);
}

/** @param {Series} one @param {(x: number) => number} px @param {(y: number) => number} py */
function band({ points, style }, px, py) {
  if (!points.some((p) => p.high !== undefined)) return [];
  const upper = points.map((p) => `${px(p.x).toFixed(1)} ${py(p.high ?? p.y).toFixed(1)}`);
  const lower = points.map((p) => `${px(p.x).toFixed(1)} ${py(p.low ?? p.y).toFixed(1)}`).reverse();
  return [s("path", { class: `band s-${style}`, d: `M${[...upper, ...lower].join("L")}Z` })];
}

/** @param {Series} one @param {(x: number) => number} px @param {(y: number) => number} py */
function line({ points, style, stepped }, px, py) {
  const d = points.map((p, i) => (i === 0 ? `M${px(p.x).toFixed(1)} ${py(p.y).toFixed(1)}` : stepped ? `H${px(p.x).toFixed(1)}V${py(p.y).toFixed(1)}` : `L${px(p.x).toFixed(1)} ${py(p.y).toFixed(1)}`)).join("");
  const dots = points.filter((p) => p.mark).map((p) => (style === "one" ? s("circle", { class: `dot s-${style}`, cx: px(p.x), cy: py(p.y), r: 3.75 }) : s("rect", { class: `dot s-${style}`, x: px(p.x) - 3.5, y: py(p.y) - 3.5, width: 7, height: 7 })));
  return [s("path", { class: `line s-${style}`, d }), ...dots];
}

/** Names at the ends of the lines, apart from each other. @param {Series[]} series @param {(x: number) => number} px @param {(y: number) => number} py */
function ends(series, px, py) {
  const last = series.filter(({ points }) => points.length).map(({ name, points }) => ({ name, x: px(points[points.length - 1].x), y: py(points[points.length - 1].y) + 4 })).sort((a, b) => a.y - b.y);
  for (let i = 1; i < last.length; i++) last[i].y = Math.max(last[i].y, last[i - 1].y + 16);
  return last.map(({ name, x, y }) => s("text", { class: "t-end", x: x + 9, y }, name));
}

/** Words at places of the x axis, each in the first free row. @param {Note[]} notes @param {(x: number) => number} px @param {number} low @param {number} high @param {number} height of the chart */
function placed(notes, px, low, high, height) {
  /** @type {number[]} where each row is taken up to */
  const rows = [];
  /** @type {SVGElement[]} */
  const out = [];
  for (const note of [...notes].sort((a, b) => a.x - b.x)) {
    const x = Math.max(low, Math.min(high, px(note.x)));
    const wide = Math.max(textWidth(note.words, "label"), textWidth(note.more ?? "", "note")) + 14;
    const flip = x + wide > high + 60;
    const from = flip ? x - wide : x;
    let row = rows.findIndex((taken) => taken < from);
    if (row < 0) row = rows.length;
    if (row > 3) continue;
    rows[row] = from + wide;
    const y = PAD.top + 8 + row * 30;
    out.push(s("path", { class: "pin", d: `M${x} ${PAD.top - 6}V${height - PAD.bottom}` }), s("text", { class: "t-strong", x: flip ? x - 7 : x + 7, y, "text-anchor": flip ? "end" : "start" }, note.words));
    if (note.more) out.push(s("text", { class: "t-note", x: flip ? x - 7 : x + 7, y: y + 13, "text-anchor": flip ? "end" : "start" }, note.more));
  }
  return out;
}

/** Round numbers from 0 up to `most`. @param {number} most @param {number} about */
export function ticks(most, about) {
  const raw = most / about;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((m) => m * power).find((m) => m >= raw) ?? raw;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, i) => i * step);
}
