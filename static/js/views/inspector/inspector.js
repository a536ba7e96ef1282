/**
 * The inspector: everything about the selected node at this step; with nothing selected, about the node of the step.
 * @typedef {import("../../player/player.js").Player} Player
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 */
import { focus } from "../../trace/focus.js";
import { sceneAt } from "../../trace/scene.js";
import { errorCard } from "./errorcard.js";
import { aboutNode } from "./aboutnode.js";
import { aboutLoop } from "./aboutloop.js";
import { aboutPlan } from "./aboutplan.js";
import { h } from "../dom.js";

export class InspectorView {
  /** @param {HTMLElement} pane @param {Player} player @param {{goToLine: (line: number) => void, ask: (query: string) => void, learn: (node: number) => void}} on `ask`: the find box; `learn`: the X-ray of a parameter */
  constructor(pane, player, on) {
    this.pane = pane;
    this.player = player;
    this.on = on;
    this.shown = "";
    // Reading scrollTop would lay the page out anew at every step.
    this.scrolled = 0;
    pane.addEventListener("scroll", () => (this.scrolled = pane.scrollTop), { passive: true });
  }

  /** @param {Player} player @param {import("../../player/player.js").Change} change */
  render(player, change) {
    const { index, step, selected } = player;
    if (!index || !["trace", "step", "selection", "view", "stops"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) return;
    const loop = player.loop ? aboutLoop(index, player) : null;
    if (loop) return this.#fill(loop, `loop ${player.loop}`);
    const about = selected >= 0 ? selected : subject(index, step);
    const last = step >= index.stepCount - 1;
    const { end } = index.trace.document;
    if (selected < 0 && last && end.kind !== "ok" && (end.kind !== "exit" || end.exit_code !== 0)) return this.#fill(errorCard(index, player, this.on), "error");
    if (about >= 0) {
      const scene = sceneAt(index, step, player.view ?? undefined);
      const state = stateOf(index, scene, index.host(about));
      return this.#fill(aboutNode(index, player, about, state ?? null, this.on), `node ${index.host(about)}`);
    }
    const plan = index.stepPlan?.[step] ?? -1;
    if (plan >= 0) return this.#fill(aboutPlan(index, player, plan), `plan ${plan}`);
    return this.#fill([h("h2", {}, "Nothing selected"), h("p", { class: "lede" }, "Click a node, a word in the program or a bar below. What it holds, where it comes from and how long it took is shown here.")], "none");
  }

  /** @param {(Node | string)[]} content @param {string} subject */
  #fill(content, subject) {
    const top = subject === this.shown ? this.scrolled : 0;
    const before = this.scrolled;
    this.pane.replaceChildren(...content);
    if (before > 0 || top > 0) this.pane.scrollTop = top;
    this.shown = subject;
  }
}

/** A fused step has no place of its own: it holds what the last op of its chain holds. @param {TraceIndex} index @param {import("../../trace/scene.js").Scene} scene @param {number} node */
function stateOf(index, scene, node) {
  const hull = scene.hulls.find((one) => one.node === node);
  if (!hull) return [...scene.slots.values()].find((s) => s.node === node);
  const last = scene.slots.get(hull.slots[hull.slots.length - 1]);
  return last && { ...last, node };
}

/** The node that a step is about; -1 for a step about the plan as a whole. @param {TraceIndex} index @param {number} step */
function subject(index, step) {
  for (let k = step; k >= 0; k--) {
    const at = focus(index, k);
    if (at.whole) return -1;
    if (at.nodes.length) return at.nodes[0];
  }
  return -1;
}
