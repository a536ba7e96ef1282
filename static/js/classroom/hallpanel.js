/** The hall as the executor, for the teacher: deal the ops of this graph, call them one by one, see what it took. */
import { button, h } from "../views/dom.js";
import { opsOf } from "./deal.js";

/** @typedef {import("./phoneop.js").Hall} Hall */

export class HallPanel {
  /** @param {HTMLElement} pane @param {import("./stage.js").Stage} stage @param {(kind: string, data: object) => void} send @param {string} screen the address of the projector's page */
  constructor(pane, stage, send, screen) {
    this.pane = pane;
    this.stage = stage;
    this.send = send;
    this.screen = screen;
    this.show(null, 0);
  }

  /** @param {Hall | null} hall @param {number} following */
  show(hall, following) {
    const { graph } = this.stage.panes;
    if (!hall) {
      const deal = /** @param {"static" | "dynamic"} mode */ (mode) => () => {
        const ops = opsOf(graph);
        if (!ops.length) return this.stage.message.show("There is no graph at this step: go to a step that shows one, then deal.", true);
        this.send("dealt", { mode, ops });
      };
      return this.pane.replaceChildren(h("p", {}, "Each phone becomes an op of the graph on the screen and fires when its inputs have arrived."), h("div", { class: "choices" }, button("Deal, static", { class: "outlined", title: "Everything that is ready fires at once" }, deal("static")), button("Deal, dynamic", { class: "outlined", title: "You call one op after the other" }, deal("dynamic"))), h("p", { class: "muted" }, `${following} phones are here.`));
    }
    const done = hall.ops.filter((op) => op.fired !== null).length;
    const next = hall.mode === "dynamic" ? hall.ops.findIndex((op) => op.fired === null && !op.called && op.inputs.every((source) => hall.ops[source].fired !== null)) : -1;
    const pending = hall.ops.some((op) => op.called && op.fired === null);
    const call = hall.mode !== "dynamic" || done === hall.ops.length ? null : button(next >= 0 && !pending ? `Call ${hall.ops[next].name}` : "Waiting for the one that was called", { class: "primary", id: "call", disabled: next < 0 || pending }, () => this.send("called", { op: next }));
    this.pane.replaceChildren(h("p", {}, h("b", {}, `${done} of ${hall.ops.length}`), ` ops have fired, ${hall.mode}.`), call ?? "", ...hallTimes(hall), h("div", { class: "choices" }, button("End", { class: "outlined" }, () => this.send("dealt", { mode: hall.mode, ops: [] })), h("a", { class: "outlined", href: this.screen, target: "_blank", rel: "noopener" }, "Projector page")));
  }
}

/** What the room took, in words. @param {Hall} hall */
export function hallTimes(hall) {
  if (hall.ops.every((op) => op.fired === null)) return [];
  const seconds = /** @param {number} time */ (time) => `${time.toFixed(1)} s`;
  const all = hall.ops.every((op) => op.fired !== null);
  return [
    h("dl", { class: "hall-times" }, h("div", {}, h("dt", {}, all ? "The room took" : "So far"), h("dd", {}, seconds(hall.makespan))), h("div", {}, h("dt", {}, "All ops, one after the other"), h("dd", {}, seconds(hall.work))), h("div", {}, h("dt", {}, "Critical path"), h("dd", {}, seconds(hall.chain)))),
    h("p", { class: "critical-words" }, hall.critical.map((at) => hall.ops[at].name).join(" → ")),
  ];
}
