/** Open scopes: a frame behind their ops with the scope's name, which closes it. */
import { count } from "../../trace/format.js";
import { scopeWords } from "../../trace/scopes.js";
import { s } from "../dom.js";
import { clip, textWidth } from "./measure.js";

/** @param {import("./folding.js").Region[]} regions @param {import("../../trace/scopes.js").ScopeTree} tree @returns {{frame: SVGElement | null, title: SVGElement}[]} */
export function regionParts(regions, tree) {
  return regions.map((region) => {
    const scope = tree.scopes[region.scope];
    const text = clip(scope.label, "note", Math.max(40, region.width - 34));
    const width = textWidth(text, "note") + 28;
    const frame = region.clean ? s("rect", { class: `region level-${Math.min(region.level, 3)}`, x: region.x, y: region.y, width: region.width, height: region.height, rx: 8 }) : null;
    const title = s("g", { class: "region-title", transform: `translate(${region.x} ${region.y})`, role: "button", tabindex: 0, "data-scope": scope.id, "aria-expanded": "true", "aria-label": `${scopeWords(scope)}, open, ${count(scope.all.length, "node")}` },
      s("title", {}, `${scopeWords(scope)}: ${count(scope.all.length, "node")}. Click to close.`), s("rect", { class: "region-bed", x: 4, y: -9, width, height: 18, rx: 4 }), s("text", { x: 9, y: 4 }, text), s("path", { class: "fold", d: `M${width - 11} 0h8` }));
    return { frame, title };
  });
}
