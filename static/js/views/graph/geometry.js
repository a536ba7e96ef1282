/**
 * Where boxes stand and how edges run, from the layout document. A phone turns the picture a quarter: forward runs down.
 * @typedef {import("../../trace/types.js").GraphLayout} GraphLayout
 * @typedef {{x: number, y: number, width: number, height: number, form: string, band: string, line: number}} Box   `line`: index into bands
 * @typedef {{source: number, target: number, kind: string, sides: string, via: [number, number][]}} Wire
 * @typedef {{x: number, y: number, width: number, height: number}} Frame
 * @typedef {{width: number, height: number, boxes: Map<number, Box>, wires: Wire[], doors: GraphLayout["doors"], wall: Frame | null, bands: {name: string, from: number, to: number}[], turned: boolean, note: string, left: number, shown?: Map<number, number>}} Plan   `shown`: the box that shows a slot, where scopes are closed
 */
import { decodeColumn } from "../../trace/decode.js";

const NORMAL = /** @type {Record<string, [number, number]>} */ ({ l: [-1, 0], r: [1, 0], t: [0, -1], b: [0, 1] });
const TURNED = /** @type {Record<string, string>} */ ({ l: "t", t: "l", r: "b", b: "r" });
const PHONE = { width: 92, height: 50, gapX: 16, gapY: 26 };

/** @param {GraphLayout} layout @param {boolean} turned @returns {Plan} */
export function planOf(layout, turned) {
  /** @type {Map<number, Box>} */
  const boxes = new Map();
  const table = layout.slots;
  const [slot, x, y, width, height, band] = [table.slot, table.x, table.y, table.width, table.height, table.band].map((column) => decodeColumn(column));
  slot.forEach((id, i) => boxes.set(id, { x: x[i], y: y[i], width: width[i], height: height[i], form: table.form[i], band: layout.bands[band[i]]?.name ?? "", line: band[i] }));
  const e = layout.edges;
  const [source, target] = [decodeColumn(e.source), decodeColumn(e.target)];
  const wires = source.map((from, i) => ({ source: from, target: target[i], kind: e.kind[i], sides: e.sides[i], via: e.via?.[i] ?? [] }));
  const bands = layout.bands.map((b) => ({ name: b.name, from: b.y, to: b.y + b.height }));
  const plan = { width: layout.width, height: layout.height, boxes, wires, doors: layout.doors ?? [], wall: layout.wall, bands, turned: false, note: layout.note ?? "", left: 0 };
  return turned ? turn(plan) : plan;
}

/** @param {Plan} plan @returns {Plan} */
function turn(plan) {
  const all = [...plan.boxes.values()];
  const fx = stretch(all.map((b) => [b.y + b.height / 2, b.height / 2]), PHONE.width, PHONE.gapX);
  const fy = stretch(all.map((b) => [b.x + b.width / 2, b.width / 2]), PHONE.height, PHONE.gapY);
  const place = /** @param {number} px @param {number} py @returns {[number, number]} */ (px, py) => [fx(py), fy(px)];
  /** @type {Map<number, Box>} */
  const boxes = new Map();
  for (const [id, b] of plan.boxes) {
    const [cx, cy] = place(b.x + b.width / 2, b.y + b.height / 2);
    const w = b.form === "const" ? Math.min(b.width, 72) : PHONE.width;
    const h = b.form === "const" ? Math.min(b.height, 40) : PHONE.height;
    boxes.set(id, { ...b, x: cx - w / 2, y: cy - h / 2, width: w, height: h });
  }
  const turnedSides = /** @param {string} sides */ (sides) => [...sides].map((side) => TURNED[side]).join("");
  const turnedWay = /** @param {[number, number][]} via */ (via) => via.map(([px, py]) => place(px, py));
  const wires = plan.wires.map((w) => ({ ...w, sides: turnedSides(w.sides), via: turnedWay(w.via) }));
  const corner = plan.wall ? place(plan.wall.x, plan.wall.y) : null;
  const far = plan.wall ? place(plan.wall.x + plan.wall.width, plan.wall.y + plan.wall.height) : null;
  const wall = corner && far ? { x: corner[0], y: corner[1], width: far[0] - corner[0], height: far[1] - corner[1] } : null;
  const doors = plan.doors.map((door) => {
    const [x, y] = place(door.x, door.y);
    return { ...door, x, y, side: turnedSides(door.side), via: turnedWay(door.via) };
  });
  const turned = [...boxes.values()];
  const right = Math.max(...turned.map((b) => b.x + b.width), wall ? wall.x + wall.width : 0);
  const bottom = Math.max(...turned.map((b) => b.y + b.height), wall ? wall.y + wall.height : 0);
  return { ...plan, boxes, wires, doors, wall, bands: plan.bands.map((b) => ({ name: b.name, from: fx(b.from), to: fx(b.to) })), turned: true, width: right + 10, height: bottom + 24 };
}

/**
 * A rising map of one axis: lines of boxes become `size` wide whatever they were, the gaps between them shrink, but not below
 * `gap`. What lay in a gap (a lane, the wall) stays in it.
 * @param {[number, number][]} lines centre and half size of each box @param {number} size @param {number} gap
 * @returns {(at: number) => number}
 */
function stretch(lines, size, gap) {
  /** @type {Map<number, number>} */
  const halves = new Map();
  for (const [centre, half] of lines) halves.set(Math.round(centre), Math.max(halves.get(Math.round(centre)) ?? 0, half));
  const centres = [...halves.keys()].sort((a, b) => a - b);
  /** @type {[number, number][]} */
  const stops = [];
  let at = 0;
  centres.forEach((centre, i) => {
    const before = i ? centre - centres[i - 1] : Infinity;
    const after = i + 1 < centres.length ? centres[i + 1] - centre : Infinity;
    const half = Math.max(1, Math.min(halves.get(centre) ?? 0, before / 2 - 3, after / 2 - 3));
    const close = before < 60;
    if (i) at += Math.max(gap, Math.min(60, (centre - half - stops[stops.length - 1][0]) * 0.4));
    const span = close ? size * 0.6 : size;
    stops.push([centre - half, at], [centre + half, at + span]);
    at += span;
  });
  if (!stops.length) return (value) => value;
  return (value) => {
    const last = stops.length - 1;
    const next = stops.findIndex(([from]) => from >= value);
    if (next === 0) return stops[0][1] - Math.max(0, stops[0][0] - value) * 0.55;
    if (next < 0) return stops[last][1] + (value - stops[last][0]) * 0.55;
    const [a, b] = [stops[next - 1], stops[next]];
    return a[1] + ((value - a[0]) / (b[0] - a[0] || 1)) * (b[1] - a[1]);
  };
}

/** The middle of a side. @param {Frame} box @param {string} side @returns {[number, number]} */
export function anchor(box, side) {
  const [dx, dy] = NORMAL[side];
  return [box.x + (box.width * (1 + dx)) / 2, box.y + (box.height * (1 + dy)) / 2];
}

/**
 * The path of an edge: straight where its ends are level, a cubic otherwise, round corners at waypoints.
 * @param {[number, number]} start @param {[number, number]} end @param {string} sides @param {[number, number][]} via @param {number} short how far before the end it stops
 */
export function path(start, end, sides, via, short) {
  const [nx, ny] = NORMAL[sides[1]];
  const tip = [end[0] + nx * short, end[1] + ny * short];
  const at = /** @param {number[]} p */ (p) => `${p[0].toFixed(1)} ${p[1].toFixed(1)}`;
  if (via.length) {
    const points = [start, ...via, /** @type {[number, number]} */ (tip)];
    let d = `M${at(points[0])}`;
    for (let i = 1; i < points.length - 1; i++) {
      const [before, here, after] = [points[i - 1], points[i], points[i + 1]];
      const r = Math.min(8, distance(before, here) / 2, distance(here, after) / 2);
      d += `L${at(towards(here, before, r))}Q${at(here)} ${at(towards(here, after, r))}`;
    }
    return `${d}L${at(points[points.length - 1])}`;
  }
  const dx = Math.abs(end[0] - start[0]);
  const dy = Math.abs(end[1] - start[1]);
  if (dx <= 0.5 || dy <= 0.5) return `M${at(start)}L${at(tip)}`;
  const control = /** @param {[number, number]} p @param {string} side */ (p, side) => {
    const [ax, ay] = NORMAL[side];
    const reach = Math.max(10, Math.min(46, 0.5 * (ax ? dx : dy)));
    return [p[0] + ax * reach, p[1] + ay * reach];
  };
  return `M${at(start)}C${at(control(start, sides[0]))} ${at(control(end, sides[1]))} ${at(tip)}`;
}

/** @param {number[]} a @param {number[]} b */
const distance = (a, b) => Math.hypot(b[0] - a[0], b[1] - a[1]);

/** @param {number[]} from @param {number[]} to @param {number} r */
function towards(from, to, r) {
  const d = distance(from, to) || 1;
  return [from[0] + ((to[0] - from[0]) * r) / d, from[1] + ((to[1] - from[1]) * r) / d];
}

/** An arrow head whose tip is at (x, y), entering `side` of its target. @param {[number, number]} end @param {string} side @param {number} [size] */
export function headPath(end, side, size = 6) {
  const [nx, ny] = NORMAL[side];
  const [x, y] = end;
  const b = size * 0.62;
  return `M${x.toFixed(1)} ${y.toFixed(1)}L${(x + nx * size - ny * b).toFixed(1)} ${(y + ny * size + nx * b).toFixed(1)}L${(x + nx * size + ny * b).toFixed(1)} ${(y + ny * size - nx * b).toFixed(1)}Z`;
}
