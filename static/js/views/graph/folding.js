/**
 * The picture with some scopes closed. A closed scope is one box at the place of its first op, and one below for its gradients;
 * the room of what it hides is squeezed out by a rising map of each axis, so that whatever stays keeps its order.
 * @typedef {import("./geometry.js").Plan} Plan
 * @typedef {import("./geometry.js").Box} Box
 * @typedef {import("./geometry.js").Wire} Wire
 * @typedef {import("../../trace/scopes.js").ScopeTree} ScopeTree
 * @typedef {Wire & {members: Wire[]}} FoldedWire   `members`: what it stands for
 * @typedef {{scope: number, lower: boolean, slots: number[]}} Bundle   the slots in a closed scope's box
 * @typedef {{scope: number, x: number, y: number, width: number, height: number, level: number, clean: boolean, slots: number[], back: {from: [number, number], to: [number, number], y: number} | null, frames: import("./geometry.js").Frame[]}} Region   an open scope; `clean`: nothing foreign stands in it; `slots`: its forward ops; `back`: where a loop goes back; `frames`: of a batch, whose ops stand in rows among others, one for each stretch of a row
 * @typedef {Omit<Plan, "wires"> & {wires: FoldedWire[], shown: Map<number, number>, bundles: Map<number, Bundle>, regions: Region[]}} Folded   `shown`: the box that shows a slot
 */

import { levelled, rising } from "./packing.js";

const LOWER = new Set(["backward", "gradients", "updates"]);
const WIDE = 132;
/** Marks a picture of so many boxes that edges of closed scopes are not led round them. */
const MANY = NaN;
const ROOM = { x: 56, y: 26 };
const GAP = { x: 14, y: 26 };
/** Between the top of a frame and its ops, at least: its name stands on the line. */
const TITLE = 15;

/** The id of a closed scope's box: below zero, slots are not. @param {number} scope @param {boolean} lower */
export const bundleId = (scope, lower) => -2 - 2 * scope - (lower ? 1 : 0);

/** @param {Plan} plan @param {ScopeTree} tree @param {ReadonlySet<number>} closed @returns {Folded} */
export function fold(plan, tree, closed) {
  /** @type {Map<number, number>} */
  const shown = new Map();
  /** @type {Map<number, Bundle>} */
  const bundles = new Map();
  for (const [slot, box] of plan.boxes) {
    const scope = outermostClosed(tree, closed, slot);
    if (scope < 0) shown.set(slot, slot);
    else {
      const lower = LOWER.has(box.band);
      const id = bundleId(scope, lower);
      const bundle = bundles.get(id) ?? { scope, lower, slots: [] };
      bundle.slots.push(slot);
      bundles.set(id, bundle);
      shown.set(slot, id);
    }
  }
  const folded = bundles.size ? squeeze(plan, shown, bundles) : { ...plan, boxes: new Map(plan.boxes) };
  const wires = bundles.size ? joined(plan, folded.boxes, shown, folded.map ?? ((x, y) => [x, y])) : plan.wires.filter((wire) => shown.has(wire.source) && shown.has(wire.target)).map((wire) => ({ ...wire, members: [wire] }));
  return { ...folded, wires, shown, bundles, regions: regionsOf(folded, tree, closed, shown, bundles) };
}

/** @param {ScopeTree} tree @param {ReadonlySet<number>} closed @param {number} slot */
export function outermostClosed(tree, closed, slot) {
  let found = -1;
  for (let at = tree.of.get(slot) ?? -1; at >= 0; at = tree.scopes[at].parent) if (closed.has(at)) found = at;
  return found;
}

/**
 * @param {Plan} plan @param {Map<number, number>} shown @param {Map<number, Bundle>} bundles
 * @returns {Plan & {map?: (x: number, y: number) => [number, number]}}
 */
function squeeze(plan, shown, bundles) {
  /** @type {Map<number, Box>} */
  const kept = new Map();
  /** @type {[number, number][]} */
  const hiddenX = [];
  /** @type {[number, number][]} */
  const hiddenY = [];
  for (const [slot, box] of plan.boxes) if (shown.get(slot) === slot) kept.set(slot, box);
  for (const [id, { slots }] of bundles) {
    const all = slots.map((slot) => /** @type {Box} */ (plan.boxes.get(slot)));
    const main = all.filter((box) => box.band !== "variables" && box.form !== "const");
    const first = (main.length ? main : all).reduce((a, b) => (b.x < a.x - 0.5 || (b.x < a.x + 0.5 && b.y < a.y) ? b : a));
    kept.set(id, { ...first, height: Math.max(first.height, plan.turned ? 44 : 48), form: "scope" });
    for (const box of all) {
      hiddenY.push([box.y - GAP.y, box.y + box.height + GAP.y]);
    }
    hiddenX.push([Math.min(...all.map((box) => box.x)), Math.max(...all.map((box) => box.x + box.width))]);
  }
  const boxes = [...kept.values()];
  const mapX = rising(hiddenX, boxes.map((box) => [box.x - GAP.x, box.x + box.width + GAP.x]), ROOM.x);
  const mapY = rising(hiddenY, boxes.map((box) => [box.y - GAP.y, box.y + box.height + GAP.y]), ROOM.y);
  const level = levelled(linesOf(kept, mapX, mapY, plan.turned), [...bundles.values()].flatMap(({ slots }) => slots.map((slot) => centre(/** @type {Box} */ (plan.boxes.get(slot)), mapX, mapY, plan.turned))));
  const map = /** @type {(x: number, y: number) => [number, number]} */ ((x, y) => (plan.turned ? [level(mapX(x)), mapY(y)] : [mapX(x), level(mapY(y))]));
  /** @type {Map<number, Box>} */
  const placed = new Map();
  for (const [id, box] of kept) {
    const [x, y] = map(box.x + box.width / 2, box.y + box.height / 2);
    placed.set(id, { ...box, x: x - box.width / 2, y: y - box.height / 2 });
  }
  for (const [id] of bundles) widen(placed, id, plan.turned ? 100 : WIDE);
  const { wall } = plan;
  const right = Math.max(...[...placed.values()].map((box) => box.x + box.width), 0);
  const [width, height] = map(plan.width, plan.height);
  const corner = wall && map(wall.x, wall.y);
  const far = wall && map(wall.x + wall.width, wall.y + wall.height);
  return {
    ...plan, map, boxes: placed, width: Math.max(width, right), height,
    wall: corner && far && { x: corner[0], y: corner[1], width: Math.max(far[0], right + 24) - corner[0], height: far[1] - corner[1] },
    doors: plan.doors.filter((door) => shown.get(door.slot) === door.slot || door.kind === "fetch").map((door) => {
      const [x, y] = map(door.x, door.y);
      return { ...door, x, y, via: shown.get(door.slot) === door.slot ? door.via.map(([px, py]) => map(px, py)) : [] };
    }),
    bands: plan.bands.map((band) => {
      const [from, to] = [band.from, band.to].map((at) => (plan.turned ? map(at, 0)[0] : map(0, at)[1]));
      return { name: band.name, from, to };
    }),
  };
}

/** Where a box's middle comes to stand along the axis across the flow. @param {Box} box @param {(at: number) => number} mapX @param {(at: number) => number} mapY @param {boolean} turned */
const centre = (box, mapX, mapY, turned) => (turned ? mapX(box.x + box.width / 2) : mapY(box.y + box.height / 2));

/**
 * The lines in which boxes stand side by side along the flow: rows, or columns where the picture is turned.
 * @param {Map<number, Box>} boxes @param {(at: number) => number} mapX @param {(at: number) => number} mapY @param {boolean} turned @returns {import("./packing.js").Line[]}
 */
function linesOf(boxes, mapX, mapY, turned) {
  /** @type {Map<number, import("./packing.js").Line>} */
  const lines = new Map();
  for (const box of boxes.values()) {
    const at = centre(box, mapX, mapY, turned);
    const line = lines.get(Math.round(at)) ?? { at, half: 0, band: "", spans: [] };
    // A closed scope goes with ops or gradients, whatever it holds.
    const band = box.form !== "scope" ? box.band : LOWER.has(box.band) ? "backward" : "forward";
    if (!line.band || box.form !== "scope") line.band = band;
    line.half = Math.max(line.half, (turned ? box.width : box.height) / 2);
    const along = turned ? mapY(box.y + box.height / 2) : mapX(box.x + box.width / 2);
    const half = (turned ? box.height : box.form === "scope" ? Math.max(box.width, WIDE) : box.width) / 2 + GAP.x;
    line.spans.push([along - half, along + half]);
    lines.set(Math.round(at), line);
  }
  return [...lines.values()].sort((a, b) => a.at - b.at);
}

/** A closed scope's box may be wider than an op, where there is room beside it. @param {Map<number, Box>} boxes @param {number} id @param {number} wanted */
function widen(boxes, id, wanted) {
  const own = /** @type {Box} */ (boxes.get(id));
  let room = wanted;
  for (const [other, box] of boxes) if (other !== id && box.x > own.x && box.y < own.y + own.height + 8 && box.y + box.height > own.y - 8) room = Math.min(room, box.x - own.x - 20);
  boxes.set(id, { ...own, width: Math.max(own.width, room) });
}

/**
 * Edges between what is shown: those of two ops as they were, those of closed scopes joined and led anew.
 * @param {Plan} plan @param {Map<number, Box>} boxes @param {Map<number, number>} shown @param {(x: number, y: number) => [number, number]} map @returns {FoldedWire[]}
 */
function joined(plan, boxes, shown, map) {
  /** @type {Map<string, FoldedWire>} */
  const out = new Map();
  const rows = rowsOf(boxes);
  plan.wires.forEach((wire, i) => {
    const source = shown.get(wire.source);
    const target = shown.get(wire.target);
    if (source === undefined || target === undefined || source === target) return;
    if (source >= 0 && target >= 0) {
      const via = wire.via.map(([x, y]) => map(x, y));
      const [a, b] = [/** @type {Box} */ (boxes.get(source)), /** @type {Box} */ (boxes.get(target))];
      // Where rows moved into one, its old way may lead through a box.
      out.set(`own ${i}`, { ...wire, ...(isFree(via, a, b, rows) ? { via } : way(a, b, rows, plan.turned)), members: [wire] });
      return;
    }
    const key = `${source} ${target} ${wire.kind}`;
    const known = out.get(key);
    if (known) known.members.push(wire);
    else out.set(key, { source, target, kind: wire.kind, ...way(/** @type {Box} */ (boxes.get(source)), /** @type {Box} */ (boxes.get(target)), rows, plan.turned), members: [wire] });
  });
  return [...out.values()];
}

/** @param {Map<number, Box>} boxes */
function rowsOf(boxes) {
  /** @type {Map<number, Box[]>} */
  const rows = new Map();
  if (boxes.size > 600) rows.set(MANY, []);
  for (const box of boxes.values()) {
    const key = Math.round(box.y + box.height / 2);
    const row = rows.get(key);
    if (row) row.push(box);
    else rows.set(key, [box]);
  }
  return rows;
}

/** Whether no stretch between the corners of a way crosses a box. With thousands of boxes nobody asks. @param {[number, number][]} via @param {Box} a @param {Box} b @param {Map<number, Box[]>} rows */
function isFree(via, a, b, rows) {
  if (rows.get(MANY)) return true;
  const points = [[a.x + a.width / 2, a.y + a.height / 2], ...via, [b.x + b.width / 2, b.y + b.height / 2]];
  for (const row of rows.values()) {
    for (const box of row) {
      if (box === a || box === b) continue;
      for (let i = 1; i < points.length; i++) {
        const [p, q] = [points[i - 1], points[i]];
        if (Math.max(p[0], q[0]) > box.x - 3 && Math.min(p[0], q[0]) < box.x + box.width + 3 && Math.max(p[1], q[1]) > box.y - 3 && Math.min(p[1], q[1]) < box.y + box.height + 3) return false;
      }
    }
  }
  return true;
}

/** How an edge of a closed scope runs. @param {Box} a @param {Box} b @param {Map<number, Box[]>} rows @param {boolean} turned @returns {{sides: string, via: [number, number][]}} */
function way(a, b, rows, turned) {
  const [ax, bx] = [a.x + a.width / 2, b.x + b.width / 2];
  const [ay, by] = [a.y + a.height / 2, b.y + b.height / 2];
  const right = b.x >= a.x + a.width;
  const left = b.x + b.width <= a.x;
  if (Math.abs(ay - by) < 12 && (left || right)) {
    const between = (rows.get(Math.round(ay)) ?? []).some((box) => box !== a && box !== b && box.x < Math.max(ax, bx) && box.x + box.width > Math.min(ax, bx));
    if (!between) return { sides: right ? "rl" : "lr", via: [] };
    const y = Math.max(a.y + a.height, b.y + b.height) + 16;
    return { sides: "bb", via: [[ax, y], [bx, y]] };
  }
  if (!left && !right) return { sides: by > ay ? "bt" : "tb", via: [] };
  if (turned || (right && b.x - a.x - a.width < 90) || (left && a.x - b.x - b.width < 90)) return { sides: right ? "rl" : "lr", via: [] };
  const down = by > ay;
  const y = down ? b.y - 22 : b.y + b.height + 16;
  const out = right ? a.x + a.width + 9 : a.x - 9;
  const near = right ? b.x - 9 : b.x + b.width + 9;
  /** @type {{sides: string, via: [number, number][]}[]} the plainest first */
  const ways = [
    { sides: down ? "bt" : "tb", via: [[ax, y], [bx, y]] },
    { sides: `${right ? "r" : "l"}${down ? "t" : "b"}`, via: [[out, ay], [out, y], [bx, y]] },
    { sides: right ? "rl" : "lr", via: [[near, ay], [near, by]] },
    { sides: right ? "rl" : "lr", via: [[out, ay], [out, by]] },
  ];
  return ways.find((one) => isFree(one.via, a, b, rows)) ?? ways[1];
}

/**
 * @param {Plan} plan @param {ScopeTree} tree @param {ReadonlySet<number>} closed @param {Map<number, number>} shown @param {Map<number, Bundle>} bundles
 * @returns {Region[]} the outer ones first
 */
function regionsOf({ boxes, turned, wall }, tree, closed, shown, bundles) {
  /** @type {Region[]} */
  const out = [];
  const upper = /** @param {number} id */ (id) => (id < 0 ? !bundles.get(id)?.lower : ["forward", ""].includes(boxes.get(id)?.band ?? "") );
  const levels = new Int32Array(tree.scopes.length);
  for (const scope of [...tree.scopes].reverse()) levels[scope.id] = 1 + Math.max(0, ...scope.children.map((child) => (closed.has(child) ? 0 : levels[child])));
  // With so many boxes a frame round each scope is a thicket: the outermost are enough.
  const many = boxes.size * tree.scopes.length > 200_000;
  const everything = [...boxes.entries()].filter(([id]) => upper(id)).map(([id, box]) => ({ id, x: box.x + box.width / 2, y: box.y + box.height / 2 }));
  for (const scope of tree.scopes) {
    if ((many && scope.depth > 0) || closed.has(scope.id) || isUnderClosed(tree, closed, scope.id)) continue;
    const ids = new Set(scope.all.map((slot) => shown.get(slot)).filter((id) => id !== undefined && upper(id)));
    const own = [...ids].map((id) => boxes.get(/** @type {number} */ (id))).filter((box) => box !== undefined);
    if (!own.length) continue;
    const pad = 5 + 4 * levels[scope.id];
    const x = Math.min(...own.map((box) => box.x)) - pad;
    const top = Math.min(...own.map((box) => box.y));
    const width = Math.max(...own.map((box) => box.x + box.width)) + pad - x;
    const y = Math.max(top - (turned ? 16 + 11 * (levels[scope.id] - 1) : 27 + 15 * (levels[scope.id] - 1)), Math.min(top - TITLE, ceiling(boxes, wall, x, x + width, top)));
    const back = turned ? null : wayBack(boxes, tree, scope, shown);
    const height = Math.max(...own.map((box) => box.y + box.height)) + pad + (back ? 12 : 0) - y;
    const frames = scope.kind === "batch" ? stretches(own, everything.filter((one) => !ids.has(one.id))) : [];
    if (frames.length) {
      const [widest] = [...frames].sort((a, b) => b.width - a.width);
      out.push({ scope: scope.id, ...widest, level: 1, clean: false, slots: scope.all.filter((slot) => ids.has(shown.get(slot))), back: null, frames });
      continue;
    }
    const clean = !everything.some((one) => !ids.has(one.id) && one.x > x && one.x < x + width && one.y > y && one.y < y + height);
    // Without a frame the title stands over its first op in the upper row: at the corner it would be over another's.
    const left = clean ? x : Math.min(...own.filter((box) => box.y === top).map((box) => box.x)) - pad;
    out.push({ scope: scope.id, x: left, y, width: width - (left - x), height, level: levels[scope.id], clean, slots: scope.all.filter((slot) => ids.has(shown.get(slot))), back, frames });
  }
  return out;
}

/**
 * How far up a frame may reach: not into what stands above its ops, nor through the wall.
 * @param {Map<number, Box>} boxes @param {Plan["wall"]} wall @param {number} left @param {number} right @param {number} top of its ops
 */
function ceiling(boxes, wall, left, right, top) {
  let found = wall && wall.y < top ? wall.y + TITLE / 2 : -Infinity;
  for (const box of boxes.values()) if (box.y + box.height < top && box.x < right && box.x + box.width > left) found = Math.max(found, box.y + box.height + TITLE * 0.75);
  return found;
}

/**
 * Frames round the boxes that stand side by side with nothing foreign between them.
 * @param {Box[]} own @param {{x: number, y: number}[]} foreign middles of the other boxes @returns {import("./geometry.js").Frame[]}
 */
function stretches(own, foreign) {
  /** @type {Box[][]} */
  const runs = [];
  for (const box of [...own].sort((a, b) => a.y - b.y || a.x - b.x)) {
    const run = runs[runs.length - 1];
    const last = run?.[run.length - 1];
    const joined = last && Math.abs(last.y + last.height / 2 - box.y - box.height / 2) < 2 && !foreign.some((one) => one.x > last.x && one.x < box.x && one.y > box.y && one.y < box.y + box.height);
    if (joined) run.push(box);
    else runs.push([box]);
  }
  return runs.map((run) => {
    const y = Math.min(...run.map((box) => box.y)) - 20;
    const last = run[run.length - 1];
    return { x: run[0].x - 7, y, width: last.x + last.width + 7 - run[0].x + 7, height: Math.max(...run.map((box) => box.y + box.height)) + 9 - y };
  });
}

/**
 * From the last op of a loop's body back to the first of what it asks.
 * @param {Map<number, Box>} boxes @param {ScopeTree} tree @param {import("../../trace/scopes.js").Scope} scope @param {Map<number, number>} shown @returns {Region["back"]}
 */
function wayBack(boxes, tree, scope, shown) {
  const part = /** @param {string} label */ (label) => {
    const child = scope.children.map((id) => tree.scopes[id]).find((one) => one.label === label);
    return (child?.all ?? []).map((slot) => boxes.get(shown.get(slot) ?? slot)).filter((box) => box !== undefined);
  };
  const [asks, body] = [part("condition"), part("body")];
  if (scope.kind !== "control" || !asks.length || !body.length) return null;
  const last = body.reduce((a, b) => (b.x > a.x + 1 || (b.x > a.x - 1 && b.y > a.y) ? b : a));
  const first = asks.reduce((a, b) => (b.x < a.x - 1 || (b.x < a.x + 1 && b.y > a.y) ? b : a));
  const y = Math.max(...[...asks, ...body].map((box) => box.y + box.height)) + 18;
  return { from: [last.x + last.width / 2, last.y + last.height], to: [first.x + first.width / 2, first.y + first.height], y };
}

/** @param {ScopeTree} tree @param {ReadonlySet<number>} closed @param {number} scope */
function isUnderClosed(tree, closed, scope) {
  for (let at = tree.scopes[scope].parent; at >= 0; at = tree.scopes[at].parent) if (closed.has(at)) return true;
  return false;
}
