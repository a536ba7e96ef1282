/** A loop pass by pass: its counter, and what it held at the end of each pass; a pass leads to its first step. */
import { brief, count } from "../../trace/format.js";
import { loopTable } from "../../trace/looptable.js";
import { sceneAt } from "../../trace/scene.js";
import { scopesOf } from "../../trace/scopes.js";
import { miniature } from "../graph/thumbnail.js";
import { button, h } from "../dom.js";

/** So many passes are listed round the one of the step. */
const MOST = 60;

/** @param {import("../../trace/index.js").TraceIndex} index @param {import("../../player/player.js").Player} player @returns {Node[] | null} null where the loop is not in the graph of this step */
export function aboutLoop(index, player) {
  const tree = scopesOf(index, sceneAt(index, player.step, player.view ?? undefined).graph);
  const scope = tree.scopes.find((one) => one.key === player.loop);
  if (!scope) return null;
  const name = scope.label.replace(/ × \d+$/, "");
  const close = button("Close", { class: "link" }, () => player.watchLoop(player.loop));
  const table = loopTable(index, tree, scope, player.step);
  if (!table) return [h("h2", {}, name), h("p", { class: "lede" }, "This loop has not begun in this run. Its passes are listed here as they happen."), close];
  const { columns, rows, left } = table;
  const now = rows.findLastIndex((row) => row.state !== "later");
  const from = Math.max(0, Math.min(now - (MOST >> 1), rows.length - MOST));
  const cell = /** @param {number} id */ (id) => {
    const value = index.trace.document.values[id];
    return h("td", value ? { title: brief(value) } : {}, value ? (value.size !== undefined && value.size > 1 && miniature(value)) || brief(value) : h("span", { class: "later" }, "–"));
  };
  const body = rows.slice(from, from + MOST).map((row) => h("tr", { class: row.pass === now + 1 ? "here" : "", "aria-current": row.pass === now + 1 ? "step" : null },
    h("td", {}, button(String(row.pass), { class: "link", title: `To the beginning of pass ${row.pass}`, "aria-label": `Pass ${row.pass}${row.state === "later" ? ", not yet" : ""}` }, () => player.goTo(row.step))), ...row.values.map(cell)));
  return [
    h("h2", {}, `${name}, ${now < 0 ? `${count(rows.length, "pass", "passes")}, none begun` : `pass ${now + 1} of ${rows.length}`}`),
    h("p", { class: "lede" }, "What it held at the end of each pass; of the pass that is going on, so far."),
    h("div", { class: "heat-scroll", tabindex: 0, role: "region", "aria-label": "Values per pass" }, h("table", { class: "table passes" }, h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "pass"), ...columns.map((column) => h("th", { scope: "col" }, h("code", {}, column))))), h("tbody", {}, ...body))),
    ...(rows.length > MOST ? [h("p", { class: "teach" }, `${rows.length} passes; ${Math.min(MOST, rows.length)} round this one are listed.`)] : []),
    ...(left ? [h("p", { class: "teach" }, `${count(left, "more value")} in this loop; select a node to see its own history.`)] : []),
    close,
  ];
}
