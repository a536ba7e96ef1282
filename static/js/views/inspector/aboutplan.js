/**
 * The plan as a whole: what it was made for, what each pass did, what it compiled to.
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 */
import { count, duration, time } from "../../trace/format.js";
import { called } from "../../trace/names.js";
import { asText } from "../../trace/parts.js";
import { rewritten } from "../../trace/rewrites.js";
import { button, h, rich } from "../dom.js";

const MOST = 4;

/** @param {TraceIndex} index @param {import("../../player/player.js").Player} player @param {number} plan @returns {Node[]} */
export function aboutPlan(index, player, plan) {
  const { events, plans, document } = index.trace;
  const limit = index.limit(player.step);
  const names = /** @param {number} list */ (list) => (document.lists[list] ?? []).map((node) => called(index, node)).join(", ") || "none";
  /** @type {Node[]} */
  const out = [h("h2", {}, `Plan ${plan + 1}`), h("p", { class: "lede" }, "A copy of the graph for one kind of call: pruned, rewritten, compiled. The graph itself stays whole.")];
  const facts = h("dl", { class: "block facts" });
  const fact = /** @param {string} term @param {Node | string} what */ (term, what) => facts.append(h("dt", {}, term), h("dd", {}, what));
  fact("Fetches", h("code", {}, names(plans.fetches[plan])));
  fact("Feeds", h("code", {}, names(plans.feeds[plan])));
  const runs = index.planRuns?.get(plan) ?? [];
  fact("Runs so far", String(runs.filter((run) => run.seq < limit).length));
  const ends = events.run_end ?? { seq: [] };
  const spent = ends.seq.map((seq, row) => ({ seq, row })).filter(({ seq, row }) => seq < limit && index.runPlan?.get(ends.run[row]) === plan);
  if (spent.length) fact("Last run took", time(ends.duration[spent[spent.length - 1].row]));
  out.push(facts);
  const table = h("tbody");
  const passes = events.pass ?? { seq: [] };
  const changes = index.rewrites?.get(plan) ?? [];
  let from = index.trace.plans.seq[plan];
  passes.seq.forEach((seq, row) => {
    if (passes.plan[row] !== plan) return;
    const made = changes.filter((change) => change.seq >= from && change.seq < seq);
    from = seq;
    const done = seq < limit;
    table.append(h("tr", {}, h("td", {}, button(words(index.text(passes.name[row])), { class: "link" }, () => player.goTo(index.stepOf(seq))), ...(done ? told(index, made) : [])), h("td", {}, done ? `${passes.before[row]} → ${passes.after[row]}` : "not yet", done ? h("span", { class: "sub" }, duration(passes.duration[row], document.machine.timer_ns)) : null)));
  });
  for (const change of changes.filter((one) => one.seq >= from && one.seq < limit)) {
    table.append(h("tr", {}, h("td", {}, button(LATER[change.action] ?? words(change.action), { class: "link" }, () => player.goTo(index.stepOf(change.seq))), ...told(index, [change])), h("td", {})));
  }
  if (table.childNodes.length) out.push(h("div", { class: "block" }, h("p", { class: "pane-title" }, "What the optimiser did", h("span", {}, "nodes")), h("table", { class: "table" }, table)));
  const compiled = events.compiled ?? { seq: [] };
  compiled.seq.forEach((seq, row) => {
    if (compiled.plan[row] !== plan || seq >= limit) return;
    const block = h("div", { class: "block" }, h("p", { class: "pane-title" }, "What it compiled to", h("span", {}, duration(compiled.duration[row], document.machine.timer_ns))), h("p", {}, `${count(compiled.nodes[row], "node")}, ${count(compiled.calls[row], "NumPy call")}, ${count(compiled.buffers[row], "buffer")}.`));
    const source = index.text(compiled.source[row]);
    if (source) block.append(h("details", {}, h("summary", {}, "The function it became"), h("pre", { class: "plan-source", tabindex: 0 }, source)));
    out.push(block);
  });
  return out;
}

/** What is done once the passes are through. */
const LATER = /** @type {Record<string, string>} */ ({ planned: "Memory", scheduled: "Schedule", extended: "What is new" });

/** What was changed, in the words of its step; the optimiser is named above. @param {TraceIndex} index @param {import("../../trace/rewrites.js").Rewrite[]} changes @returns {Node[]} */
function told(index, changes) {
  /** @type {Map<string, {parts: import("../../trace/parts.js").Part[], times: number}>} what reads the same is said once */
  const all = new Map();
  for (const change of changes) {
    const parts = capital(rewritten(index, change).slice(1));
    const same = all.get(asText(parts));
    if (same) same.times++;
    else all.set(asText(parts), { parts, times: 1 });
  }
  const shown = [...all.values()].slice(0, MOST).map(({ parts, times }) => h("span", { class: "did" }, ...rich(parts), times > 1 ? ` (${times} times)` : ""));
  return all.size > MOST ? [...shown, h("span", { class: "did" }, `And ${all.size - MOST} more.`)] : shown;
}

/** @param {import("../../trace/parts.js").Part[]} parts */
function capital([first, ...rest]) {
  const text = first.text.trimStart();
  return [{ ...first, text: text.charAt(0).toUpperCase() + text.slice(1) }, ...rest];
}

/** @param {string} name */
function words(name) {
  const text = name.replaceAll("_", " ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
