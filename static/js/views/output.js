/** What the program has printed so far; what this step printed is marked. */
import { countBefore } from "../trace/index.js";
import { h } from "./dom.js";

const MOST = 20000;

export class OutputView {
  /** @param {HTMLElement} pane */
  constructor(pane) {
    this.pane = pane;
    this.shown = "";
  }

  /** @param {import("../player/player.js").Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    const { index, step } = player;
    if (!index || !(change.topics.has("trace") || change.topics.has("step"))) return;
    const { stdout } = index.trace.document;
    const rows = index.trace.events.output ?? { seq: [], offset: [], length: [], stream: [] };
    const asked = index.trace.events.asked ?? { seq: [], offset: [], length: [] };
    const limit = index.limit(step);
    const n = countBefore(rows.seq, limit, (seq) => seq);
    const m = countBefore(asked.seq, limit, (seq) => seq);
    const now = index.text(index.trace.steps.kind[step]) === "output" ? index.trace.steps.row[step] : -1;
    const shows = `${n} ${m} ${now}`;
    if (shows === this.shown && !change.topics.has("trace")) return;
    this.shown = shows;
    if (!n && !m) {
      this.pane.replaceChildren(h("p", { class: "teach" }, stdout ? "Nothing printed yet." : "This program prints nothing."));
      return;
    }
    const box = h("div", { class: "out" });
    const from = Math.max(0, n - 400);
    if (from > 0) box.append(h("span", { class: "muted" }, "…\n"));
    let shown = 0;
    let answer = from > 0 ? countBefore(asked.seq, rows.seq[from], (seq) => seq) : 0;
    /** What was typed stands where it was typed, as in a terminal. @param {number} before */
    const answers = (before) => {
      for (; answer < m && asked.seq[answer] < before; answer++) box.append(h("span", { class: "muted" }, stdout.slice(asked.offset[answer], asked.offset[answer] + asked.length[answer])));
    };
    for (let row = from; row < n && shown < MOST; row++) {
      answers(rows.seq[row]);
      const text = stdout.slice(rows.offset[row], rows.offset[row] + rows.length[row]);
      shown += text.length;
      const style = `${rows.stream[row] === 2 ? "err" : ""}${row === now ? " new" : ""}`.trim();
      box.append(style ? h("span", { class: style }, text) : text);
    }
    answers(limit);
    this.pane.replaceChildren(box);
    const scroller = this.pane.parentElement;
    // The last printed line is to be seen, not what stands under the output.
    if (scroller) scroller.scrollTop += this.pane.getBoundingClientRect().bottom - scroller.getBoundingClientRect().bottom;
  }
}
