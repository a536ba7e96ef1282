/** How long the program takes with the recorder off: median and spread of several runs, as a table with bars. */
import { count, time } from "../../trace/format.js";
import { spreadBar } from "../charts/bar.js";
import { button, h } from "../dom.js";

/** @typedef {import("../../trace/breakeven.js").Measurement} Measurement */
/** @typedef {import("../../trace/breakeven.js").Figure} Figure */

/** @param {Measurement} found @returns {[string, Figure | null | undefined][]} */
function figures({ total, kernel, overhead, parts, loops, target }) {
  const aim = target ? `${target.what}${target.name ? ` ${target.name}` : ""} in line ${target.line}` : "";
  return [
    ["Whole program", total], ["in kernels", kernel], ["framework, Python", overhead], ["Build the graph", parts.build], ["Optimise", parts.optimise], ["Compile", parts.compile],
    ["First run", parts.first_run], ["A later run", parts.steady_run], [loops.length ? `A pass of the loop in line ${loops[0].line}` : "A pass", parts.iteration], [aim, parts.target],
  ];
}

/** @param {Measurement} found */
function table(found) {
  const rows = /** @type {[string, Figure][]} */ (figures(found).filter(([, figure]) => figure));
  const longest = Math.max(1, ...rows.map(([, figure]) => figure.high));
  const row = /** @param {[string, Figure]} one */ ([name, figure]) =>
    h("tr", {}, h("td", {}, name), h("td", { class: "cell-only-wide" }, spreadBar(figure, longest)), h("td", {}, `${figure.resolved ? time(figure.median) : `too short for the clock (${time(figure.median)})`}`), h("td", {}, `${time(figure.low)} to ${time(figure.high)}`), h("td", {}, String(figure.count)));
  return h("table", { class: "table" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "With the recorder off"), h("td", { class: "cell-only-wide" }), ...["median", "middle half", "times"].map((word) => h("th", { scope: "col" }, word)))), h("tbody", {}, ...rows.map(row)));
}

/** @param {import("../../measuring.js").Measuring} measuring @param {import("../../player/player.js").Player} player @returns {HTMLElement} */
export function measured(measuring, player) {
  const { index } = player;
  const { busy, words, found } = measuring;
  const program = index?.trace.document.program;
  const line = index?.trace.steps.line[player.step] ?? 0;
  const start = /** @param {number} at */ (at) => () => void (program && measuring.start(program, at));
  const head = h(
    "p", { class: "timing-head" },
    busy ? button("Stop", { class: "link" }, () => void measuring.stop()) : button(found ? "Measure again" : "Measure", { class: "link", disabled: !program }, start(0)),
    busy || line <= 0 ? null : " ", busy || line <= 0 ? null : button(`with line ${line}`, { class: "link", title: "Times the def, loop or statement that begins at this step's line, too" }, start(line)),
    " ", h("span", { role: "status" }, words || (found ? "" : "Runs the program several times without the recorder, each time in a fresh process.")),
  );
  if (!found) return h("div", { class: "timing-table" }, head);
  const { machine, repeats, end, notes } = found;
  const ended = end.kind === "ok" ? "" : ` The program ended by ${end.kind}${end.line ? ` in line ${end.line}` : ""}: times are of what it did until then.`;
  const how = `${count(repeats, "run")} of this program, one after the other. The clock's resolution is ${time(machine.timer_ns)}, a mark costs ${time(machine.mark_ns)}.${ended} ${notes.join(" ")} The teaching engine on this machine, not TensorFlow or PyTorch.`;
  return h("div", { class: "timing-table" }, head, table(found), h("p", { class: "how" }, how));
}
