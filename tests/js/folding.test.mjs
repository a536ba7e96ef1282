import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleId, fold } from "../../static/js/views/graph/folding.js";
import { levelled, rising } from "../../static/js/views/graph/packing.js";

/** Numbers that are always the same. @param {number} seed */
const numbers = (seed) => () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;

/** A picture of `rows` by `columns` boxes with gaps that differ. @param {number} rows @param {number} columns @param {() => number} random */
function picture(rows, columns, random) {
  const xs = [0];
  const ys = [0];
  for (let i = 1; i < columns; i++) xs.push(xs[i - 1] + 104 + Math.floor(random() * 40));
  for (let i = 1; i < rows; i++) ys.push(ys[i - 1] + 96 + Math.floor(random() * 60));
  const boxes = new Map();
  for (let r = 0; r < rows; r++) for (let c = 0; c < columns; c++) boxes.set(r * columns + c, { x: xs[c], y: ys[r], width: 88, height: 58, form: "op", band: r > rows / 2 ? "backward" : "forward", line: 0 });
  const wires = [];
  for (let slot = 1; slot < boxes.size; slot++) wires.push({ source: slot - 1, target: slot, kind: "data", sides: "rl", via: /** @type {[number, number][]} */ ([]) });
  return /** @type {any} */ ({ width: xs[columns - 1] + 88, height: ys[rows - 1] + 58, boxes, wires, doors: [], wall: null, bands: [], turned: false, note: "", left: 0 });
}

/** Scopes of two levels over `count` slots. @param {number} count @param {() => number} random */
function forest(count, random) {
  const scopes = /** @type {any[]} */ ([]);
  const of = new Map();
  for (let at = 0; at < count;) {
    const size = 2 + Math.floor(random() * 7);
    const id = scopes.push({ id: scopes.length, key: `s${at}`, label: `s${at}`, kind: "function", parent: -1, children: [], slots: [], all: [], depth: 0, region: -1 }) - 1;
    const inner = size > 5 ? scopes.push({ id: scopes.length, key: `i${at}`, label: `i${at}`, kind: "function", parent: id, children: [], slots: [], all: [], depth: 1, region: -1 }) - 1 : -1;
    if (inner >= 0) scopes[id].children.push(inner);
    for (let i = at; i < Math.min(count, at + size); i++) {
      const own = inner >= 0 && i > at + 2 ? inner : id;
      scopes[own].slots.push(i);
      of.set(i, own);
    }
    at += size;
  }
  for (const scope of [...scopes].reverse()) scope.all = [...scope.slots, ...scope.children.flatMap((/** @type {number} */ child) => scopes[child].all)];
  return { scopes, of };
}

test("with nothing closed, everything stands as the layout says", () => {
  const random = numbers(1);
  const plan = picture(4, 9, random);
  const folded = fold(plan, forest(36, random), new Set());
  assert.deepEqual([...folded.boxes], [...plan.boxes]);
  assert.equal(folded.bundles.size, 0);
});

test("whatever is closed: what stays keeps its order, and no box touches another", () => {
  let squeezed = 0;
  for (let seed = 1; seed <= 60; seed++) {
    const random = numbers(seed);
    const [rows, columns] = [2 + Math.floor(random() * 5), 3 + Math.floor(random() * 14)];
    const plan = picture(rows, columns, random);
    const tree = forest(rows * columns, random);
    const closed = new Set(tree.scopes.filter(() => random() < 0.5).map((scope) => scope.id));
    const { boxes, shown, wires, bundles, width, height } = fold(plan, tree, closed);
    squeezed += width < plan.width || height < plan.height ? 1 : 0;
    const kept = [...plan.boxes.keys()].filter((slot) => shown.get(slot) === slot);
    for (const a of kept) {
      for (const b of kept) {
        for (const axis of /** @type {const} */ (["x", "y"])) {
          const before = Math.sign(plan.boxes.get(a)[axis] - plan.boxes.get(b)[axis]);
          const after = Math.sign((boxes.get(a)?.[axis] ?? NaN) - (boxes.get(b)?.[axis] ?? NaN));
          // Rows that have become sparse may have moved into one.
          assert.ok(after === before || (axis === "y" && after === 0), `seed ${seed}: ${a} and ${b} along ${axis}`);
        }
      }
    }
    const all = [...boxes.entries()];
    all.forEach(([i, a], n) => all.slice(n + 1).forEach(([j, b]) => {
      const apart = a.x + a.width + 4 <= b.x || b.x + b.width + 4 <= a.x || a.y + a.height + 4 <= b.y || b.y + b.height + 4 <= a.y;
      assert.ok(apart, `seed ${seed}: ${i} and ${j} touch`);
    }));
    const hidden = [...bundles.values()].flatMap((bundle) => bundle.slots);
    assert.equal(new Set([...kept, ...hidden]).size, plan.boxes.size, `seed ${seed}: every slot is shown somewhere`);
    for (const wire of wires) assert.ok(boxes.has(wire.source) && boxes.has(wire.target) && wire.source !== wire.target, `seed ${seed}: edges join boxes that are there`);
    const inside = plan.wires.filter((/** @type {any} */ w) => shown.get(w.source) === shown.get(w.target)).length;
    assert.equal(wires.reduce((sum, wire) => sum + wire.members.length, 0) + inside, plan.wires.length, `seed ${seed}: no edge is lost`);
  }
  assert.ok(squeezed > 5, `${squeezed} pictures became smaller`);
});

test("a closed scope stands where its first op stood, its gradients in a box below", () => {
  const plan = picture(4, 6, numbers(3));
  const scope = { id: 0, key: "s", label: "layer", kind: "module", parent: -1, children: [], slots: [1, 2, 3, 19, 20], all: [1, 2, 3, 19, 20], depth: 0, region: -1 };
  const tree = /** @type {any} */ ({ scopes: [scope], of: new Map(scope.all.map((slot) => [slot, 0])) });
  const { boxes, bundles } = fold(plan, tree, new Set([0]));
  const upper = boxes.get(bundleId(0, false));
  assert.deepEqual([upper?.x, upper?.y], [plan.boxes.get(1).x, plan.boxes.get(1).y]);
  assert.deepEqual(bundles.get(bundleId(0, true)), { scope: 0, lower: true, slots: [19, 20] });
});

test("a rising map shortens only what is hidden and not kept", () => {
  const map = rising([[0, 1000]], [[300, 400]], 50);
  assert.equal(map(0), 0);
  assert.equal(map(300), 50);
  assert.equal(map(400) - map(300), 100);
  assert.equal(map(1000) - map(400), 50);
  assert.equal(map(1500) - map(1000), 500);
  for (let at = -100; at < 1200; at += 7) assert.ok(map(at + 7) > map(at));
});

test("a sparse row moves into the row before, where their boxes do not meet", () => {
  /** @param {number} at @param {[number, number][]} spans @param {string} [band] */
  const line = (at, spans, band = "forward") => ({ at, half: 29, band, spans });
  const lines = [line(0, [[0, 100]]), line(96, [[120, 220]]), line(192, [[60, 160]]), line(288, [[400, 500]]), line(384, [[600, 700]], "backward")];
  const map = levelled(lines, [96, 288]);
  assert.deepEqual(lines.map(({ at }) => map(at)), [0, 0, 96, 96, 192]);
  assert.equal(map(-50), -50);
  assert.equal(map(500), 308);
  const untouched = levelled(lines, []);
  for (const at of [-9, 0, 40, 96, 200, 384, 999]) assert.equal(untouched(at), at);
});
