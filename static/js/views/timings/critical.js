/** The critical path as a list, as marks on the graph, and what a faster op would change. */
import { ifFaster, scheduleOf } from "../../trace/critical.js";
import { count, duration, time } from "../../trace/format.js";
import { called, label } from "../../trace/names.js";
import { sceneAt } from "../../trace/scene.js";
import { spentByPhase } from "../../trace/spent.js";
import { phaseLabel } from "../../trace/where.js";
import { barred } from "../charts/bar.js";
import { button, h } from "../dom.js";

/** @typedef {import("../../player/player.js").Player} Player */
/** @typedef {import("../../trace/critical.js").Schedule} Schedule */

const FACTORS = [1.5, 2, 5, 10];

/** The phase after a step in which kernels ran first, -1 if none does. @param {import("../../trace/index.js").TraceIndex} index @param {number} step */
const firstTimed = (index, step) => spentByPhase(index).find((one) => one.kernels > 0 && index.trace.phases.last[one.phase] > step)?.phase ?? -1;

export class CriticalView {
  /** @param {Player} player @param {(decoration: import("../graph/decoration.js").Decoration | null) => void} decorate */
  constructor(player, decorate) {
    this.player = player;
    this.decorate = decorate;
    this.factor = 2;
    this.element = h("div", { class: "timing-table" });
    this.key = "";
  }

  /** @param {boolean} on whether it is what one looks at */
  show(on) {
    if (!on) {
      this.decorate(null);
      this.key = "";
    } else this.#draw(true);
  }

  /** The step moved: only another plan or pass is another path. */
  move() {
    this.#draw(false);
  }

  /** @param {boolean} anew */
  #draw(anew) {
    const { index, step, view } = this.player;
    if (!index) return;
    const scene = sceneAt(index, step, view ?? undefined);
    const key = `${scene.graph} ${scene.plan} ${scene.episode} ${scene.plan >= 0 ? scene.hulls.length : scene.slots.size}`;
    if (!anew && key === this.key) return;
    this.key = key;
    const found = scheduleOf(index, scene);
    if (!found || !found.length) {
      this.decorate(null);
      const there = this.player.furthest < 0 ? firstTimed(index, step) : -1;
      this.element.replaceChildren(
        h("p", { class: "teach" }, index.isStatic(Math.max(0, scene.graph)) && scene.plan < 0 ? "The graph itself is never timed: go to a run of a plan made from it, and its levels, critical path and slack stand here." : "Nothing has run here yet that could be timed."),
        ...(there < 0 ? [] : [h("p", {}, button(`Go to the first timed phase: ${phaseLabel(index, there)}`, { class: "link" }, () => this.player.goTo(index.trace.phases.last[there])))]),
      );
      return;
    }
    this.#mark(index, scene, found);
    const top = Math.max(1, ...found.tasks.map((task) => task.time));
    const choose = h("select", { "aria-label": "How many times faster" }, ...FACTORS.map((factor) => h("option", { value: factor, selected: factor === this.factor }, `${factor} ×`)));
    choose.addEventListener("change", () => {
      this.factor = Number(choose.value);
      this.#draw(true);
    });
    const resolution = index.trace.document.machine.timer_ns;
    const rows = [...found.tasks].sort((x, y) => y.time - x.time || x.level - y.level).slice(0, 200).map((task) => {
      const { serial, parallel } = ifFaster(found, task.node, this.factor);
      const name = h("button", { type: "button", title: "Select it in the graph" }, called(index, task.node));
      name.addEventListener("click", () => this.player.select(index.host(this.#shown(scene, task.node))));
      const op = label(index, task.node);
      return h("tr", { class: task.critical ? "is-critical" : "" }, h("td", {}, name, op === called(index, task.node) ? null : h("span", { class: "muted" }, ` ${op}`)), h("td", {}, String(task.level + 1)), h("td", {}, ...barred(task.time / top, duration(task.time, resolution).split(",")[0])), h("td", {}, task.critical ? h("b", {}, "critical") : time(Math.round(task.slack))), h("td", {}, saved(serial, found.work)), h("td", {}, saved(parallel, found.length)));
    });
    const best = found.length ? found.work / found.length : 1;
    const runs = Math.max(...found.tasks.map((task) => task.runs));
    this.element.replaceChildren(
      h("p", { class: "timing-head" }, h("b", {}, `Critical path ${time(Math.round(found.length))}`), ` of ${time(Math.round(found.work))} in kernels: ${count(found.tasks.length, "op")} in ${count(found.levels, "level")}, at most ${found.widest} at once (L in the graph is the level). However many workers there are, the kernels get at best ${best.toPrecision(3)} times as fast. What if an op were `, h("label", {}, choose), " as fast?"),
      h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Op", "level", "time", "slack", "saves, one after another", "saves, enough workers"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows)),
      h("p", { class: "how" }, `Kernel times of the recording${runs > 1 ? `, median of ${count(runs, "run")}` : ""}, clock ${time(resolution)}${found.unmeasured ? `; ${count(found.unmeasured, "op")} took no longer than the clock can tell` : ""}. What lies between kernels is not in them. The teaching engine on this machine, not TensorFlow or PyTorch.`),
    );
  }

  /** A fused step is seen as the last op of its chain. @param {import("../../trace/scene.js").Scene} scene @param {number} node */
  #shown(scene, node) {
    const hull = scene.hulls.find((one) => one.node === node);
    return hull ? hull.chain[hull.chain.length - 1] : node;
  }

  /** @param {import("../../trace/index.js").TraceIndex} index @param {import("../../trace/scene.js").Scene} scene @param {Schedule} found */
  #mark(index, scene, found) {
    const tasks = new Map(found.tasks.map((task) => [task.node, task]));
    const fused = new Map(scene.hulls.flatMap((hull) => hull.chain.map((node) => /** @type {[number, number]} */ ([node, hull.node]))));
    const last = new Set(scene.hulls.map((hull) => hull.chain[hull.chain.length - 1]));
    const slots = new Map([...tasks.keys()].map((node) => [index.trace.nodes.slot[node], node]));
    const taskOf = /** @param {number} node */ (node) => tasks.get(fused.get(node) ?? node) ?? tasks.get(slots.get(index.trace.nodes.slot[node]) ?? -1);
    this.decorate({
      node: (node) => {
        const task = taskOf(node);
        if (!task) return null;
        const words = fused.has(node) && !last.has(node) ? "" : task.critical ? `L${task.level + 1}, no slack` : `L${task.level + 1}, slack ${time(Math.round(task.slack))}`;
        return { mark: task.critical ? "critical" : "dim", label: words };
      },
      edge: (source, target, kind) => ((kind === "data" || kind === "grad") && taskOf(source)?.critical && taskOf(target)?.critical ? { mark: "critical" } : null),
    });
  }
}

/** @param {number} ns @param {number} of */
const saved = (ns, of) => (ns < 0.5 ? "nothing" : `${time(Math.round(ns))}, ${((100 * ns) / of).toPrecision(2)} %`);
