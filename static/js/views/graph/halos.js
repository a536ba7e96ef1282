/** What is lit in a step: a halo round each box that something happens to, and round the wall if it is about the whole graph. */
import { s } from "../dom.js";

/** With so many boxes of one step, none is more in the light than another. */
export const MANY = 60;

/** @param {import("../../trace/scene.js").Scene} scene @param {import("./folding.js").Folded} plan @returns {SVGElement[]} */
export function halos(scene, plan) {
  const out = [];
  const fused = new Set(scene.hulls.filter((hull) => hull.now).flatMap((hull) => hull.slots));
  for (const id of scene.now.size > MANY ? [] : new Set([...scene.now].filter((slot) => scene.slots.has(slot) && !fused.has(slot)).map((slot) => plan.shown.get(slot) ?? slot))) {
    const box = plan.boxes.get(id);
    if (!box) continue;
    out.push(s("rect", { class: "halo", x: box.x - 7, y: box.y - 7, width: box.width + 14, height: box.height + (box.form === "storage" ? 20 : 14), rx: 13 }));
  }
  const { wall } = plan;
  if (scene.wallNow && wall) out.push(s("rect", { class: "wall-halo", ...wall, rx: 5 }), s("rect", { class: "wall is-now", ...wall, rx: 3 }));
  return out;
}
