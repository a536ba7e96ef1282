/** The program's variables at this step: name, shape, value. */
import { brief, sizeText } from "../trace/format.js";
import { lastBefore } from "../trace/index.js";
import { frameOf, storageOf, visibleVariables } from "../trace/variables.js";
import { miniature } from "./graph/thumbnail.js";
import { h } from "./dom.js";

/** @typedef {import("../trace/index.js").TraceIndex} TraceIndex */

export class VariablesView {
  /** @param {HTMLElement} pane @param {HTMLElement} title @param {import("../player/player.js").Player} player */
  constructor(pane, title, player) {
    this.pane = pane;
    this.title = title;
    this.player = player;
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    const { index, step } = player;
    if (!index || !["trace", "step", "selection"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) return;
    const frame = frameOf(index, step);
    const rows = visibleVariables(index, step);
    this.title.textContent = frame > 0 ? `Variables in ${index.text(index.trace.frames.function[frame])}` : "Variables";
    if (!rows.length) {
      this.pane.replaceChildren(h("p", { class: "teach" }, "None yet. A name appears here when the program gives it something."));
      return;
    }
    const body = h("tbody");
    for (const row of rows) {
      body.append(this.#row(index, row.name, row.node, row.value, row.changed));
      const storage = row.node >= 0 ? storageOf(index, row.node) : -1;
      if (storage >= 0 && index.trace.nodes.seq[storage] < index.limit(step)) body.append(this.#gradient(index, `${row.name}.grad`, storage));
    }
    this.pane.replaceChildren(h("table", { class: "vars" }, body));
  }

  /** @param {TraceIndex} index @param {string} name @param {number} storage */
  #gradient(index, name, storage) {
    const limit = index.limit(this.player.step);
    const last = lastBefore(index.values[storage], limit);
    const cleared = lastBefore(index.cleared[storage], limit);
    const held = last && !(cleared && cleared.seq > last.seq) ? last.value : -1;
    const changed = !!last && last.seq >= index.trace.steps.seq[this.player.step];
    return this.#line(index, name, storage, held >= 0 ? sizeText(index.trace.document.values[held].shape).replaceAll(" × ", "×") : "None", held, held >= 0 ? "" : cleared ? "cleared" : "not yet", changed);
  }

  /** @param {TraceIndex} index @param {string} name @param {number} node @param {number} value @param {boolean} changed */
  #row(index, name, node, value, changed) {
    const { document, nodes } = index.trace;
    if (node < 0) {
      const held = document.values[value];
      return this.#line(index, name, -1, held?.python ?? sizeText(held?.shape).replaceAll(" × ", "×"), value, held ? brief(held) : "", changed);
    }
    const scene = lastBefore(index.values[node], index.limit(this.player.step));
    const fixed = index.isStatic(nodes.graph[node]);
    const run = fixed ? lastBefore(index.planRuns?.get(index.stepPlan?.[this.player.step] ?? -1), index.limit(this.player.step))?.run ?? -2 : -2;
    const holds = scene && (!fixed || scene.table === "written" || (scene.run === run && run >= 0)) ? scene.value : -1;
    const type = document.types[nodes.type[node]];
    const shape = holds >= 0 ? sizeText(document.values[holds].shape) : type ? sizeText(type.shape) : "";
    return this.#line(index, name, node, shape.replaceAll(" × ", "×"), holds, holds >= 0 ? "" : "no value", changed);
  }

  /** @param {TraceIndex} index @param {string} name @param {number} node @param {string} shape @param {number} value @param {string} words @param {boolean} changed */
  #line(index, name, node, shape, value, words, changed) {
    const held = index.trace.document.values[value];
    const small = held && held.python === undefined ? miniature(held) : null;
    const { selected } = this.player;
    const row = h("tr", { class: `${changed ? "changed" : ""}${node >= 0 && selected === node ? " selected" : ""}` }, h("td", {}, name), h("td", {}, shape), h("td", { class: words && !held ? "muted" : "" }, small ?? (words || (held ? brief(held) : ""))));
    if (node >= 0) {
      row.setAttribute("tabindex", "0");
      const select = () => this.player.select(index.host(node));
      row.addEventListener("click", select);
      row.addEventListener("keydown", (event) => {
        if (event.key === "Enter") select();
      });
    }
    return row;
  }
}
