/** Where the time of each phase went, as a table with bars. */
import { time } from "../../trace/format.js";
import { spentByPhase } from "../../trace/spent.js";
import { phaseLabel } from "../../trace/where.js";
import { barred } from "../charts/bar.js";
import { h } from "../dom.js";

const MOST = 300;

/** @param {import("../../player/player.js").Player} player @returns {HTMLElement[]} */
export function phaseTable(player) {
  const { index } = player;
  if (!index) return [];
  const { furthest } = player;
  const all = spentByPhase(index).filter((_, phase) => furthest < 0 || index.trace.phases.first[phase] <= furthest);
  const total = (/** @type {(one: import("../../trace/spent.js").Spent) => number} */ of) => all.reduce((sum, one) => sum + of(one), 0);
  const longest = Math.max(1, ...all.map((one) => one.clock));
  const share = /** @param {number} part @param {number} of */ (part, of) => (of > 0 ? `${((100 * part) / of).toPrecision(2)} %` : "");
  const row = /** @param {string} name @param {{clock: number, kernels: number, prepared: number, rest: number}} one @param {number} phase */ (name, one, phase) => {
    const go = phase < 0 ? h("b", {}, name) : h("button", { type: "button", title: "Go there" }, name);
    if (phase >= 0) go.addEventListener("click", () => player.goTo(index.trace.phases.first[phase]));
    return h("tr", {}, h("td", {}, go), h("td", {}, ...(phase < 0 ? [time(Math.round(one.clock))] : barred(one.clock / longest, time(Math.round(one.clock))))), h("td", {}, time(one.kernels)), h("td", {}, one.prepared ? time(one.prepared) : ""), h("td", {}, time(Math.round(one.rest))), h("td", {}, share(one.kernels, one.clock)));
  };
  const sum = { clock: total((one) => one.clock), kernels: total((one) => one.kernels), prepared: total((one) => one.prepared), rest: total((one) => one.rest) };
  return [
    h("table", { class: "table" }, h("thead", {}, h("tr", {}, ...["Phase", "clock", "kernels", "passes, compiler", "framework, Python", "kernels’ share"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...(furthest < 0 ? [row("All", sum, -1)] : []), ...all.slice(0, MOST).map((one) => row(phaseLabel(index, one.phase), one, one.phase)))),
    h("p", { class: "how" }, `${all.length > MOST ? `The first ${MOST} of ${all.length} phases. ` : ""}The recorded clock, with the recorder’s own cost taken out; what is done for the first time in a process takes longer. The teaching engine on this machine, not TensorFlow or PyTorch.`),
  ];
}
