/**
 * A fork: the run before stays beside the new one, with the step at which they part. It stands under the program.
 * @typedef {import("../player/player.js").Player} Player
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 */
import { forkOf } from "../fork/steps.js";
import { called } from "../trace/names.js";
import { sceneAt } from "../trace/scene.js";
import { sentence } from "../trace/sentences.js";
import { brief } from "../trace/format.js";
import { ticked } from "./ticked.js";
import { button, h, rich, s } from "./dom.js";

const WIDE = 320;

export class ForkView {
  /** @param {HTMLElement} pane @param {Player} player @param {{decorate: (decoration: import("./graph/decoration.js").Decoration | null) => void, free: () => boolean, swap: (index: TraceIndex) => void}} on `free`: whether nobody else marks the graph; `swap`: the other run is shown */
  constructor(pane, player, on) {
    this.pane = pane;
    this.player = player;
    this.on = on;
    /** @type {{other: TraceIndex, fork: import("../fork/steps.js").Fork, swapped: boolean} | null} */
    this.state = null;
    this.marked = false;
  }

  /** Which step and node of the new run are those of the old one; from here on the old one stands beside it. @param {TraceIndex} before @param {TraceIndex} now @param {number} step @param {number} node */
  begin(before, now, step, node) {
    const fork = forkOf(before, now);
    this.state = { other: before, fork, swapped: false };
    return { step: Math.max(0, fork.toNow(step)), node: node >= 0 ? fork.node(node) : -1 };
  }

  forget() {
    if (!this.state) return;
    this.state = null;
    this.pane.hidden = true;
    this.#mark();
  }

  /** @param {Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (!this.state || !player.index || !["trace", "step", "view"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) return;
    const { other, fork, swapped } = this.state;
    const { index, step } = player;
    this.pane.hidden = false;
    const first = fork.first;
    const mine = first ? (swapped ? first.before : first.now) : -1;
    const theirs = swapped ? fork.toNow(step) : fork.toBefore(step);
    const parted = first !== null && step >= this.#parting();
    this.pane.replaceChildren(
      h("p", { class: "fork-title" }, h("b", {}, swapped ? "The run before" : "A fork of the run before"), first ? "" : ": every step is the same, with the same numbers."),
      this.#strip(index, other, step, theirs),
      first ? h("p", {}, ...ticked(first.words)) : h("p", {}, "The edit changes nothing that was recorded."),
      ...(parted && theirs >= 0 ? [h("p", { class: "fork-other" }, swapped ? "Now: " : "Before: ", ...rich(sentence(other, theirs)))] : []),
      h("p", { class: "deeds" },
        first ? button(`First difference${mine >= 0 ? `, step ${mine + 1}` : ""}`, { class: "link" }, () => player.goTo(mine >= 0 ? mine : this.#parting())) : null,
        button(swapped ? "Back to the new run" : "Show the run before", { class: "link" }, () => this.#swap()),
        button("Forget it", { class: "link" }, () => this.forget())));
    this.#mark();
  }

  /** The first step of the shown run that is not as in the other. */
  #parting() {
    if (!this.state?.fork.first) return Infinity;
    const { fork, swapped } = this.state;
    const { before, now } = /** @type {import("../fork/steps.js").Difference} */ (fork.first);
    if (swapped) return before >= 0 ? before : fork.toBefore(now) + 1;
    return now >= 0 ? now : fork.toNow(before) + 1;
  }

  /** Both runs as lines that part: the shown one solid, the other dashed. @param {TraceIndex} index @param {TraceIndex} other @param {number} step @param {number} theirs */
  #strip(index, other, step, theirs) {
    const most = Math.max(index.stepCount, other.stepCount);
    const x = /** @param {number} at */ (at) => 6 + ((WIDE - 12) * at) / Math.max(1, most - 1);
    const part = Math.min(this.#parting(), index.stepCount - 1);
    const [top, low] = [10, 26];
    const at = x(part);
    const parted = step >= this.#parting();
    const strip = s("svg", { class: "fork-strip", viewBox: `0 0 ${WIDE} 36`, role: "img", "aria-label": this.state?.fork.first ? `Both runs are the same for ${part} steps. The shown one has ${index.stepCount}, the other ${other.stepCount}; this is step ${step + 1}.` : `Both runs have the same ${index.stepCount} steps.` },
      s("path", { class: "trunk", d: `M6 ${top}H${x(index.stepCount - 1)}` }));
    if (this.state?.fork.first) strip.append(s("path", { class: "ghost", d: `M${at} ${top}C${at + 8} ${top} ${at + 4} ${low} ${at + 14} ${low}H${Math.max(at + 14, x(other.stepCount - 1))}` }), s("circle", { class: "part", cx: at, cy: top, r: 4 }));
    if (parted && theirs >= 0) strip.append(s("circle", { class: "ghost-now", cx: Math.max(at + 14, x(theirs)), cy: low, r: 4 }));
    strip.append(s("circle", { class: "now", cx: x(step), cy: top, r: 5.5 }));
    return strip;
  }

  #swap() {
    const { index, step, selected } = this.player;
    if (!this.state || !index) return;
    const { other, fork, swapped } = this.state;
    const to = swapped ? fork.toNow(step) : fork.toBefore(step);
    const back = swapped && selected >= 0 ? fork.node(selected) : -1;
    this.state = { other: index, fork, swapped: !swapped };
    this.on.swap(other);
    this.player.goTo(Math.max(0, to));
    if (back >= 0) this.player.select(back);
  }

  /** Numbers that are others than before are marked in the graph, single ones with what they were. */
  #mark() {
    const { index, step } = this.player;
    if (!this.on.free()) return;
    if (!this.state || !index || step < this.#parting()) {
      if (this.marked) this.on.decorate(null);
      this.marked = false;
      return;
    }
    const { other, fork, swapped } = this.state;
    const theirs = swapped ? fork.toNow(step) : fork.toBefore(step);
    const before = new Map([...sceneAt(other, Math.max(0, theirs)).slots.values()].map((state) => [key(other, state.node), state]));
    const here = new Map([...sceneAt(index, step).slots.values()].map((state) => [state.node, state]));
    this.marked = true;
    this.on.decorate({
      node: (node) => {
        const mine = here.get(node);
        const old = before.get(key(index, node));
        if (!mine || mine.value < 0) return null;
        if (!old) return { mark: "added", label: "new" };
        const [a, b] = [index.trace.document.values[mine.value], other.trace.document.values[old.value]];
        if (!b || !a || JSON.stringify(a.data ?? [a.min, a.max, a.mean]) === JSON.stringify(b.data ?? [b.min, b.max, b.mean])) return null;
        return { mark: "changed", label: b.size === 1 ? `${swapped ? "then" : "was"} ${brief(b)}` : "" };
      },
    });
  }
}

/** What tells a node's place in both runs: its kind, its name, the how-manieth of them in its pass. @param {TraceIndex} index @param {number} node */
function key(index, node) {
  const { slot, mirrors } = index.trace.nodes;
  const forward = mirrors[node] >= 0 ? mirrors[node] : node;
  return `${index.definition(node).role} ${index.definition(node).op} ${called(index, forward)} ${ordinals(index).get(slot[node]) ?? 0}`;
}

/** @type {WeakMap<TraceIndex, Map<number, number>>} */
const ORDINALS = new WeakMap();

/** The how-manieth place with its kind and name each place is. @param {TraceIndex} index */
function ordinals(index) {
  let all = ORDINALS.get(index);
  if (!all) {
    ORDINALS.set(index, (all = new Map()));
    /** @type {Map<string, number>} */
    const counts = new Map();
    for (const [slot, [node]] of index.slotNodes.entries()) {
      if (node === undefined) continue;
      const forward = index.trace.nodes.mirrors[node] >= 0 ? index.trace.nodes.mirrors[node] : node;
      const name = `${index.definition(node).role} ${index.definition(node).op} ${called(index, forward)}`;
      counts.set(name, (counts.get(name) ?? 0) + 1);
      all.set(slot, counts.get(name) ?? 0);
    }
  }
  return all;
}
