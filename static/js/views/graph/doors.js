/** The doors in the wall at a step: feeds, and the ways of what is fetched. */

/** @typedef {import("../../trace/index.js").TraceIndex} TraceIndex */
/** @typedef {import("../../trace/scene.js").Scene} Scene */

/** @param {SVGElement} behind @param {SVGElement} ports @param {TraceIndex} index @param {Scene} scene */
export function showDoors(behind, ports, index, scene) {
  for (const fetch of behind.querySelectorAll(".e-fetch")) {
    const state = scene.slots.get(Number(fetch.getAttribute("data-slot")));
    const asked = isFetched(index, scene, Number(fetch.getAttribute("data-slot")));
    fetch.setAttribute("visibility", state && asked ? "visible" : "hidden");
    fetch.setAttribute("class", `edge e-data e-fetch is-${state?.state === "value" ? "on" : "off"}`);
  }
  for (const port of ports.querySelectorAll("[data-slot]")) {
    const slot = Number(port.getAttribute("data-slot"));
    const door = port.getAttribute("data-door");
    port.classList.toggle("is-now", scene.now.has(slot) && ((door === "fetch" && scene.kind === "fetched") || (door === "feed" && scene.kind === "fed")));
    port.setAttribute("visibility", scene.slots.has(slot) && (door !== "fetch" || isFetched(index, scene, slot)) ? "visible" : "hidden");
  }
}

/** Whether the plan of the scene fetches the node of a slot; without a plan nobody asks for anything. @param {TraceIndex} index @param {Scene} scene @param {number} slot */
function isFetched(index, scene, slot) {
  if (scene.plan < 0) return false;
  const { plans, document, nodes } = index.trace;
  return (document.lists[plans.fetches[scene.plan]] ?? []).some((node) => nodes.slot[index.host(node)] === slot);
}
