/** Who is in the class: hands first, in the order in which they went up; the teacher can hide a name or send somebody out. */
import { button, h } from "../views/dom.js";

/** @typedef {{id: string, name: string, present: boolean, hand: number | null, hidden: boolean}} Person */

const MOST_ROWS = 120;

export class People {
  /** @param {HTMLElement} pane @param {(kind: string, data: object) => void} send */
  constructor(pane, send) {
    this.pane = pane;
    this.send = send;
  }

  /** @param {Person[]} members */
  show(members) {
    const order = members.filter((one) => one.present || one.hand !== null).sort((a, b) => (a.hand ?? Infinity) - (b.hand ?? Infinity) || (a.name ? 0 : 1) - (b.name ? 0 : 1));
    const named = order.filter((one) => one.name || one.hand !== null);
    const rows = named.slice(0, MOST_ROWS).map((one) => this.#row(one));
    const rest = order.length - rows.length;
    this.pane.replaceChildren(h("ul", { class: "people" }, ...rows), h("p", { class: "muted" }, rest > 0 ? `${rest} ${rows.length ? "more" : "here"}, ${named.length > MOST_ROWS ? "some " : ""}without a name.` : order.length ? "" : "Nobody has joined yet."));
  }

  /** @param {Person} one */
  #row(one) {
    const shown = one.name || "without a name";
    const what = `${shown}${one.hand !== null ? ", needs help" : ""}`;
    return h("li", { class: one.hidden ? "is-hidden" : "" }, h("span", { class: "person" }, one.hand !== null ? h("b", { class: "hand-sign" }, "needs help: ") : null, shown), one.name ? button(one.hidden ? "Show" : "Hide", { class: "link", "aria-label": `${one.hidden ? "Show" : "Hide"} the name and texts of ${what}` }, () => this.send("hid", { member: one.id, hidden: !one.hidden })) : null, button("Remove", { class: "link", "aria-label": `Remove ${what}` }, () => {
      if (confirm(`Remove ${shown}? They cannot come back into this class.`)) this.send("removed", { member: one.id });
    }));
  }
}

/** Programs that students let the teacher show. */
export class Offers {
  /** @param {HTMLElement} pane @param {(kind: string, data: object) => void} send */
  constructor(pane, send) {
    this.pane = pane;
    this.send = send;
  }

  /** @param {{offer: number, name: string, by: string, lines: number}[]} offers @param {number} shown the program that the class is shown */
  show(offers, shown) {
    if (!offers.length) return this.pane.replaceChildren(h("p", { class: "muted" }, "A student who has run a program of their own can offer it; you can show it to everybody."));
    const rows = offers.map((one) => h("li", {}, h("span", { class: "person" }, h("code", {}, one.name), ` of ${one.by || "a student"}, ${one.lines} lines`), one.offer === shown ? h("b", {}, "shown") : button("Show to all", { class: "outlined" }, () => this.send("shown", { offer: one.offer }))));
    this.pane.replaceChildren(h("ul", { class: "people" }, ...rows));
  }
}
