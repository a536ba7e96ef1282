/** Which node an arrow key leads to: along an edge if one runs that way, else the nearest on that side. */

/** @typedef {import("./geometry.js").Plan} Plan */

const WAYS = /** @type {Record<string, [number, number]>} */ ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] });

/**
 * @param {Pick<Plan, "boxes" | "wires">} plan @param {(slot: number) => boolean} shown @param {number} slot @param {string} key
 * @returns {number | null} a box, null where there is nothing on that side
 */
export function arrowTo(plan, shown, slot, key) {
  const from = plan.boxes.get(slot);
  const way = WAYS[key];
  if (!from || !way) return null;
  const neighbours = new Set(plan.wires.flatMap((w) => (w.source === slot ? [w.target] : w.target === slot ? [w.source] : [])));
  /** @type {number | null} */
  let best = null;
  let least = Infinity;
  for (const [id, box] of plan.boxes) {
    if (id === slot || !shown(id)) continue;
    const dx = box.x + box.width / 2 - from.x - from.width / 2;
    const dy = box.y + box.height / 2 - from.y - from.height / 2;
    const along = dx * way[0] + dy * way[1];
    if (along <= 1) continue;
    const across = Math.abs(dx * way[1] + dy * way[0]);
    const cost = along + 2.2 * across + (neighbours.has(id) ? 0 : 400);
    if (cost < least) {
      least = cost;
      best = id;
    }
  }
  return best;
}
