/** The learning X-ray: which parameters learn, where the way to the others is cut, in words; the way lit up in the graph. */
import { label } from "../../trace/names.js";
import { behind, linkWords, shine } from "../../trace/xray/shine.js";
import { passKey, whyNot } from "../../trace/xray/xray.js";
import { button, h } from "../dom.js";
import { ticked } from "../ticked.js";

/** @typedef {import("../../player/player.js").Player} Player */
/** @typedef {import("../../trace/xray/xray.js").Finding} Finding */
/** @typedef {import("../../trace/index.js").TraceIndex} TraceIndex */

const SIGNS = /** @type {Record<string, string>} */ ({ learns: "✓", cut: "×", faint: "≈", unchanged: "=", nothing: "?" });
const SPOKEN = /** @type {Record<string, string>} */ ({ learns: "learns", cut: "gets no gradient", faint: "gets a gradient that is 0 or too small", unchanged: "gets a gradient and is not changed", nothing: "has nothing to learn from" });

export class XrayView {
  /** @param {Player} player @param {(decoration: import("../graph/decoration.js").Decoration | null) => void} decorate @param {(line: number) => void} goToLine */
  constructor(player, decorate, goToLine) {
    this.player = player;
    this.decorate = decorate;
    this.goToLine = goToLine;
    /** The parameter that is looked at, -1 for the first that does not learn. */
    this.chosen = -1;
    this.key = "";
    this.list = h("ul", { class: "xray-list", "aria-label": "Parameters" });
    this.words = h("div", { class: "xray-words", "aria-live": "polite" });
    this.element = h("div", { class: "xray" }, this.list, this.words);
  }

  /** @param {boolean} on whether it is what one looks at */
  show(on) {
    if (on) return this.#draw(true);
    this.decorate(null);
    this.key = "";
  }

  /** Looks at this parameter. @param {number} node */
  choose(node) {
    this.chosen = node;
  }

  /** Another recording: nothing in it was chosen. */
  forget() {
    this.chosen = -1;
    this.key = "";
  }

  /** The step moved: only another pass is another X-ray. */
  move() {
    this.#draw(false);
  }

  /** @param {boolean} anew */
  #draw(anew) {
    const { index, step } = this.player;
    if (!index) return;
    const key = passKey(index, step);
    if (!anew && key === this.key) return;
    this.key = key;
    const { notes, findings } = whyNot(index, step);
    if (!findings.length) {
      this.decorate(null);
      this.list.replaceChildren();
      this.words.replaceChildren(h("p", { class: "teach" }, "This program makes nothing that could learn: no parameter, no variable. Give a tensor requires_grad=True, make a module or a tf.Variable, and its way from the loss is shown here."));
      return;
    }
    const shown = findings.find((one) => one.node === this.chosen) ?? findings.find((one) => one.verdict !== "learns") ?? findings[0];
    this.list.replaceChildren(...findings.map((one) => this.#item(one, one === shown)));
    const about = notes.map((note) => this.#note(note));
    // What is wrong with the pass explains more than a parameter that learns, and less than one that does not.
    this.words.replaceChildren(...(shown.verdict === "learns" ? [...about, ...this.#finding(index, shown)] : [...this.#finding(index, shown), ...about]));
    this.decorate(shine(index, shown));
  }

  /** @param {Finding} finding @param {boolean} shown */
  #item(finding, shown) {
    const one = button("", { "aria-current": shown ? "true" : null, title: `${finding.name} ${SPOKEN[finding.verdict]}` }, () => {
      this.chosen = finding.node;
      this.player.select(finding.node);
      this.#draw(true);
      /** @type {HTMLElement | null} */ (this.list.querySelector("[aria-current]"))?.focus();
    });
    one.append(h("span", { class: `sign ${finding.verdict}`, "aria-hidden": "true" }, SIGNS[finding.verdict]), h("code", {}, finding.name), h("span", { class: "kind" }, finding.kind === "learns" ? "learns" : finding.kind));
    return h("li", {}, one);
  }

  /** @param {import("../../trace/xray/notes.js").Note} note */
  #note(note) {
    return h("section", { class: "xray-note" }, h("h2", {}, ...ticked(note.title)), h("p", {}, ...ticked(note.words)), this.#tries(note.tries), h("p", { class: "deeds" }, note.line > 0 ? button(`Show line ${note.line}`, { class: "link" }, () => this.goToLine(note.line)) : null, button("Show it in the graph", { class: "link" }, () => this.player.select(note.node))));
  }

  /** @param {TraceIndex} index @param {Finding} finding @returns {Node[]} */
  #finding(index, finding) {
    const { player } = this;
    const at = finding.at >= 0 ? finding.at : finding.node;
    return [
      h("h2", { class: finding.verdict }, h("span", { class: `sign ${finding.verdict}`, "aria-hidden": "true" }, SIGNS[finding.verdict]), h("span", {}, ...ticked(finding.title))),
      h("p", {}, ...ticked(finding.words)),
      this.#way(index, finding),
      ...(finding.tries.length ? [this.#tries(finding.tries)] : []),
      h("p", { class: "deeds" },
        finding.line > 0 ? button(`Show line ${finding.line}`, { class: "link" }, () => this.goToLine(finding.line)) : null,
        finding.step >= 0 && finding.verdict !== "learns" ? button(`Go to step ${finding.step + 1}`, { class: "link" }, () => {
          player.show(null);
          player.goTo(finding.step);
          player.select(index.host(at));
        }) : null),
    ];
  }

  /** @param {string[]} tries */
  #tries(tries) {
    return h("ol", { class: "tries", "aria-label": "What to try" }, ...tries.map((one) => h("li", {}, h("span", {}, ...ticked(one)))));
  }

  /** The way as a line of ops, with the size of the gradient between them: what the picture shows, as text. @param {TraceIndex} index @param {Finding} finding */
  #way(index, finding) {
    if (!finding.path.length) return h("p", { class: "muted" }, "There is no way from the loss to it.");
    const line = h("p", { class: "xray-way", "aria-label": "The way from the loss, with the largest entry of the gradient on each edge" });
    const stop = /** @param {number} node */ (node) => button(node === finding.node ? finding.name : label(index, index.host(node)), { title: "Select it in the graph" }, () => this.player.select(index.host(node)));
    line.append(stop(finding.path[0].reader));
    const dark = behind(finding);
    for (const link of finding.path) {
      if (index.host(link.reader) === index.host(link.source)) continue;
      const cut = link === finding.cut && finding.verdict === "cut";
      line.append(h("span", { class: cut ? "hop cut" : "hop" }, h("span", { class: "size" }, dark.has(link) ? "–" : linkWords(link)), h("span", { "aria-hidden": "true" }, cut ? "✕" : "←")), stop(link.source));
    }
    return line;
  }
}
