/** What stands behind the nodes: the wall of a static graph with its doors, the shelf, the axis, the names of the bands. */
import { s } from "../dom.js";
import { anchor, headPath, path } from "./geometry.js";
import { textWidth } from "./measure.js";

/** @typedef {import("./geometry.js").Plan} Plan */

const SHELF = /** @type {Record<string, [string, string, string]>} */ ({
  static: ["Variables", "live in the session,", "outlast every run"],
  dynamic: ["Parameters", "stay while ops", "come and go"],
});

/** How far the title of an open scope reaches above its frame. */
const TITLED = 12;

/** What must be on the pane: boxes with their names, notes and shelves, open scopes with their titles, the wall with its doors, the names of the bands. @param {Plan & {regions?: import("./geometry.js").Frame[]}} plan */
export function extent(plan) {
  const boxes = [...plan.boxes.values()];
  const { wall, regions = [] } = plan;
  const labels = !plan.turned && plan.bands.some((b) => b.name === "variables" || b.name === "gradients");
  const left = Math.min(...boxes.map((b) => b.x - 10), wall?.x ?? Infinity, labels ? -gutter(plan) : Infinity);
  const top = Math.min(...boxes.map((b) => b.y - 24), ...regions.map((r) => r.y - TITLED), wall ? wall.y - 12 : Infinity) - (plan.turned ? 22 : 0);
  const right = Math.max(...boxes.map((b) => b.x + b.width + 12), wall ? wall.x + wall.width + (plan.turned ? 8 : 46) : -Infinity);
  const bottom = Math.max(...boxes.map((b) => b.y + b.height + 24), ...regions.map((r) => r.y + r.height + 4), wall ? wall.y + wall.height + (wall.width >= ONE_LINE ? 26 : 38) : -Infinity);
  return boxes.length ? { x: left, y: top, width: right - left, height: bottom - top } : { x: 0, y: 0, width: plan.width || 1, height: plan.height || 1 };
}

/**
 * The stretch along x in which what one follows happens: all of it, but turned for a phone not the column of updates at its end.
 * @param {Plan} plan @returns {[number, number]}
 */
export function mainStretch(plan) {
  const { x, width } = extent(plan);
  if (!plan.turned || plan.wall) return [x, x + width];
  const main = [...plan.boxes.values()].filter((b) => b.band !== "updates");
  return main.length ? [x, Math.max(...main.map((b) => b.x + b.width)) + 6] : [x, x + width];
}

/** Room that the names of the bands need left of the boxes. @param {Plan} plan */
export function gutter(plan) {
  if (plan.turned) return 0;
  const lines = ["variables", "gradients"].map((name) => plan.bands.findIndex((b) => b.name === name));
  const left = Math.min(...[...plan.boxes.values()].filter((b) => lines.includes(b.line)).map((b) => b.x), Infinity);
  return Number.isFinite(left) ? Math.max(0, 108 - left) : 0;
}

const ABOUT_WALL = ["Inside the wall: the graph.", "Values come in by feeds, leave by fetches."];
/** Width of both in one line, and of the longest. */
const ONE_LINE = 372;
const TWO_LINES = 226;

/** What the wall is, under it: in two lines and about its middle where it is narrow, so that nothing of it is cut off beside it. @param {NonNullable<Plan["wall"]>} wall @returns {SVGElement[]} */
function underWall(wall) {
  const y = wall.y + wall.height + 18;
  if (wall.width >= ONE_LINE) return [s("text", { class: "t on-page", x: wall.x, y }, ABOUT_WALL.join(" "))];
  const x = wall.width >= TWO_LINES ? wall.x : wall.x + wall.width / 2;
  const align = wall.width >= TWO_LINES ? "start" : "middle";
  return ABOUT_WALL.map((words, line) => s("text", { class: "t on-page", x, y: y + 14 * line, "text-anchor": align }, words));
}

/** @param {Plan} plan @param {boolean} fixed a static graph @returns {{behind: SVGElement[], ports: SVGElement[]}} */
export function backdrop(plan, fixed) {
  /** @type {SVGElement[]} */
  const behind = [];
  /** @type {SVGElement[]} */
  const ports = [];
  const wall = plan.wall;
  if (wall) {
    behind.push(s("rect", { class: "outside", x: -4000, y: -4000, width: 12000, height: 12000 }), s("rect", { class: "wall-in", ...wall }), s("rect", { class: "wall", ...wall, rx: 3 }));
    if (!plan.turned) behind.push(...underWall(wall));
    for (const door of plan.doors) {
      const box = plan.boxes.get(plan.shown?.get(door.slot) ?? door.slot);
      if (door.kind === "variable") ports.push(s("rect", { class: "port", x: door.x - 5, y: door.y - 5, width: 10, height: 10, "data-slot": door.slot, "data-door": door.kind }));
      else {
        ports.push(s("circle", { class: "port", cx: door.x, cy: door.y, r: door.kind === "fetch" ? 8 : 5, "data-slot": door.slot, "data-door": door.kind }));
        if (door.kind === "fetch") ports.push(s("text", plan.turned ? { class: "t on-page", x: door.x + 13, y: door.y + 12, "data-slot": door.slot, "data-door": door.kind } : { class: "t on-page", x: door.x + 13, y: door.y + 4, "data-slot": door.slot, "data-door": door.kind }, "fetch"));
      }
      if (door.kind === "fetch" && box && door.side) {
        const start = anchor(box, door.side);
        const last = door.via[door.via.length - 1] ?? start;
        const enters = Math.abs(last[0] - door.x) > Math.abs(last[1] - door.y) ? (last[0] < door.x ? "l" : "r") : last[1] < door.y ? "t" : "b";
        const end = /** @type {[number, number]} */ (enters === "l" ? [door.x - 8, door.y] : enters === "r" ? [door.x + 8, door.y] : enters === "t" ? [door.x, door.y - 8] : [door.x, door.y + 8]);
        behind.push(s("g", { class: "edge e-data e-fetch is-off", "data-slot": door.slot }, s("path", { class: "wire", d: path(start, end, door.side + enters, door.via, 5) }), s("path", { class: "head", d: headPath(end, enters) })));
      }
    }
  }
  const names = plan.turned ? columns(plan, fixed) : rows(plan, fixed);
  behind.push(...names.filter((name) => name.tagName !== "text"));
  ports.push(...names.filter((name) => name.tagName === "text"));
  return { behind, ports };
}

/** @param {Plan} plan @param {boolean} fixed */
function rows(plan, fixed) {
  /** @type {SVGElement[]} */
  const out = [];
  const x = -gutter(plan);
  const middle = /** @param {string} name */ (name) => {
    const band = plan.bands.find((b) => b.name === name);
    return band ? (band.from + band.to) / 2 : null;
  };
  const label = /** @param {number} y @param {[string, string, string]} words */ (y, [strong, one, two]) => {
    const style = fixed ? "band-sub on-page" : "band-sub";
    out.push(s("text", { class: fixed ? "band-label on-page" : "band-label", x, y: y - 8 }, strong), s("text", { class: style, x, y: y + 8 }, one), s("text", { class: style, x, y: y + 22 }, two));
  };
  const shelf = middle("variables");
  const hasVariable = [...plan.boxes.values()].some((b) => b.band === "variables" && b.form === "variable");
  if (shelf !== null && hasVariable) label(shelf, SHELF[fixed ? "static" : "dynamic"]);
  const grads = middle("gradients");
  if (grads !== null && !fixed) label(grads, ["Gradients", "kept until they", "are cleared"]);
  const forward = plan.bands.find((b) => b.name === "forward");
  const backward = plan.bands.find((b) => b.name === "backward");
  if (forward && backward && backward.to > backward.from) {
    const low = Math.max(...[...plan.boxes.values()].filter((b) => b.band === "forward").map((b) => b.y + b.height), forward.from);
    const high = Math.min(...[...plan.boxes.values()].filter((b) => b.band === "backward").map((b) => b.y), backward.to);
    // Nearer to forward: below it stand the words of hulls.
    const y = low + Math.min(40, (high - low) / 2);
    const from = plan.wall ? plan.wall.x + 12 : x;
    const to = plan.wall ? plan.wall.x + plan.wall.width - 12 : plan.width;
    if (high - low > 44) out.push(s("path", { class: "axis", d: `M${from} ${y}H${to}` }), s("text", { class: "band-sub", x: from, y: y - 8 }, "forward: values flow right →"), s("text", { class: "band-sub", x: from, y: y + 17 }, "backward: ← gradients flow left"));
  }
  return out;
}

/** @param {Plan} plan @param {boolean} fixed */
function columns(plan, fixed) {
  const words = /** @type {Record<string, string>} */ ({ variables: fixed ? "variables" : "parameters", forward: "forward ↓", backward: "↑ backward", gradients: "gradients", updates: "updates" });
  const y = Math.min(...[...plan.boxes.values()].map((b) => b.y), plan.wall?.y ?? Infinity) - 24;
  const heads = [...new Set(plan.bands.map((b) => b.name))].flatMap((name) => {
    const boxes = [...plan.boxes.values()].filter((b) => b.band === name);
    // Beside parameters stand values that are none; alone they are no shelf.
    if (!boxes.length || !words[name] || (name === "variables" && !boxes.some((b) => b.form === "variable"))) return [];
    return [{ text: words[name], x: boxes.reduce((sum, b) => sum + b.x + b.width / 2, 0) / boxes.length }];
  });
  heads.sort((a, b) => a.x - b.x);
  let free = -Infinity;
  return heads.map(({ text, x }) => {
    const half = textWidth(text, "note") / 2;
    const at = Math.max(x, free + half);
    free = at + half + 10;
    return s("text", { class: "band-sub on-page", x: at, y, "text-anchor": "middle" }, text);
  });
}
