/** Open scopes: a frame behind their ops with the scope's name, which closes it. */
import { count } from "../../trace/format.js";
import { isLoop } from "../../trace/looptable.js";
import { scopeWords } from "../../trace/scopes.js";
import { activationOf, regionState } from "../../trace/regions.js";
import { s } from "../dom.js";
import { headPath, path } from "./geometry.js";
import { clip, textWidth } from "./measure.js";

const VALUES = "values";
/** How high a title is. */
const TITLE = 18;

/** @param {import("./folding.js").Region[]} regions @param {import("../../trace/scopes.js").ScopeTree} tree @returns {{frame: SVGElement | null, back: SVGElement | null, title: SVGElement, values: SVGElement | null}[]} */
export function regionParts(regions, tree) {
  /** @type {{x: number, right: number, y: number}[]} where titles stand */
  const titled = [];
  return regions.map((region) => {
    const scope = tree.scopes[region.scope];
    const text = clip(scope.label, "note", Math.max(region.frames.length ? 130 : 40, region.width - 34));
    const width = textWidth(text, "note") + 28;
    const values = isLoop(tree, scope) ? textWidth(VALUES, "note") + 10 : 0;
    // A title that would cover that of the scope around it stands beside it.
    let x = region.x;
    for (const one of titled) if (Math.abs(one.y - region.y) < TITLE && x < one.right && x + width > one.x) x = one.right;
    titled.push({ x, right: x + width + (values && values + 6) + 4, y: region.y });
    const control = scope.kind === "control" || scope.kind === "branch";
    const rect = region.clean ? s("rect", { class: `region level-${Math.min(region.level, 3)}${control ? " k-control" : ""}`, x: region.x, y: region.y, width: region.width, height: region.height, rx: 8 }) : null;
    const back = region.back && s("g", { class: "loop-back k-control" }, s("path", { class: "wire", d: path(region.back.from, region.back.to, "bb", [[region.back.from[0], region.back.y], [region.back.to[0], region.back.y]], 5) }), s("path", { class: "head", d: headPath(region.back.to, "b") }));
    const batch = region.frames.map((f) => s("rect", { class: "hull batch", ...f, rx: 12 }));
    const frame = rect || batch.length ? s("g", {}, rect, ...batch) : null;
    const title = s("g", { class: `region-title${control ? " k-control" : ""}`, transform: `translate(${x} ${region.y})`, role: "button", tabindex: 0, "data-scope": scope.id, "aria-expanded": "true", "aria-label": `${scopeWords(scope)}, open, ${count(scope.all.length, "node")}` },
      s("title", {}, `${scopeWords(scope)}: ${count(scope.all.length, "node")}. Click to close.`), s("rect", { class: "region-bed", x: 4, y: -9, width, height: 18, rx: 4 }), s("text", { x: 9, y: 4 }, text), s("path", { class: "fold", d: `M${width - 11} 0h8` }));
    // Its own button: the title closes the loop, this one shows it pass by pass.
    const passes = values ? s("g", { class: "region-title region-values", transform: `translate(${x + width + 6} ${region.y})`, role: "button", tabindex: 0, "data-loop": scope.key, "aria-label": `${scopeWords(scope)}: values per pass` }, s("title", {}, "What it held in each pass"), s("rect", { class: "region-bed", x: 4, y: -9, width: values, height: 18, rx: 4 }), s("text", { x: 9, y: 4 }, VALUES)) : null;
    return { frame, back, title, values: passes };
  });
}

/**
 * What a branch or a loop is doing, in its title: taken or not, in which pass.
 * @param {SVGElement[]} parts @param {import("../../trace/scopes.js").ScopeTree} tree @param {import("../../trace/scopes.js").Scope} scope
 * @param {import("../../trace/index.js").TraceIndex} index @param {import("../../trace/scene.js").Scene} scene
 */
export function dressRegion(parts, tree, scope, index, scene) {
  const body = scope.region >= 0 ? scope : scope.children.map((id) => tree.scopes[id]).find((one) => one.label === "body");
  if (!body || body.region < 0) return;
  const { state, ...entered } = regionState(index, scene, body.region);
  const loop = scope.kind === "control";
  // The condition is asked at the beginning of a pass: then that pass is going on.
  const passes = loop && entered.of ? activationOf(index, scene, body.region) : [];
  const of = passes.length || entered.of;
  const pass = passes.filter(({ from }) => from < index.limit(scene.step)).length || entered.pass;
  const words = loop ? (of ? `${scope.label}: pass ${pass} of ${of}` : scope.label) : of ? scope.label : state === "taken" ? `${scope.label}: taken` : state === "passed" ? `${scope.label}: not taken` : scope.label;
  const now = loop && of > 0 && [...scene.now].some((slot) => scope.all.includes(slot));
  const title = parts.find((part) => part.classList.contains("region-title"));
  for (const part of parts) {
    if (part.classList.contains("region-values")) {
      const at = /translate\((\S+) (\S+)\)/.exec(title?.getAttribute("transform") ?? "");
      const wide = Number(title?.querySelector(".region-bed")?.getAttribute("width"));
      if (at) part.setAttribute("transform", `translate(${Number(at[1]) + wide + 6} ${at[2]})`);
      continue;
    }
    part.classList.toggle("is-passed", state === "passed");
    part.classList.toggle("is-now", now);
    const text = part.querySelector("text");
    if (!text || text.textContent === words) continue;
    text.textContent = words;
    const width = textWidth(words, "note") + 28;
    part.querySelector(".region-bed")?.setAttribute("width", String(width));
    part.querySelector(".fold")?.setAttribute("d", `M${width - 11} 0h8`);
    part.setAttribute("aria-label", `${words}, open, ${count(scope.all.length, "node")}`);
  }
}
