/**
 * The program: the editor, what the step does in it, and the values at its right edge.
 * @typedef {import("../player/player.js").Player} Player
 * @typedef {import("../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../editor/marks.js").Span} Span
 */
import { comparedWith } from "../player/transport.js";
import { focus } from "../trace/focus.js";
import { hovered, nodeWritten } from "../trace/hovered.js";
import { lineValues } from "../trace/linevalues.js";
import { codeCard } from "./codecard.js";
import { button, h } from "./dom.js";

/** @param {TraceIndex} index @param {number} span @returns {Span | null} */
export function spanOf(index, span) {
  if (span < 0) return null;
  const { spans } = index.trace;
  return { line: spans.line[span], column: spans.column[span], endLine: spans.end_line[span], endColumn: spans.end_column[span] };
}

/** The mark of a category in the program; grey where it has none. */
const MARKED = new Set(["op", "input", "variable", "constant", "update", "control"]);

export class CodeView {
  /** @param {HTMLElement} pane @param {HTMLElement} note @param {Player} player @param {{onRun: () => void, onEdit: () => void, back: () => void, origin: () => "example" | "link" | "edited" | "own", backWords?: string}} on `origin`: where the text on the desk comes from; `backWords`: the button that leads back */
  constructor(pane, note, player, on) {
    this.pane = pane;
    this.note = note;
    this.player = player;
    this.on = on;
    /** @type {import("../editor/entry.js").Editor | null} */
    this.editor = null;
    this.recorded = "";
    this.said = "";
    this.pending = "";
    /** What could be undone in the text that waits for the editor. */
    this.past = "";
    /** @type {{span: Span, kind: string}[]} */
    this.colours = [];
    this.fallback = h("pre", { class: "fallback", tabindex: 0, "aria-label": "Program" });
    pane.append(this.fallback);
  }

  /** The editor arrives after the first paint. @param {typeof import("../editor/entry.js")} bundle @param {string} nonce */
  attach(bundle, nonce) {
    const text = this.source;
    this.fallback.remove();
    this.editor = bundle.createEditor(this.pane, { nonce, onRun: this.on.onRun, onResize: () => this.#mark(), onEdit: () => this.#edited(), onPick: (line, column) => this.#pick(line, column), onBreak: (line) => this.player.toggleBreak(line), onHover: (line, column) => this.#card(line, column) });
    if (this.past) this.editor.restore(text, this.past);
    else this.editor.source = text;
    this.#stops();
    this.#mark();
  }

  get source() {
    return this.editor ? this.editor.source : this.pending;
  }

  /** @param {string} text */
  set source(text) {
    this.pending = text;
    this.past = "";
    if (this.editor) this.editor.source = text;
    else this.fallback.textContent = text;
    this.#edited();
  }

  /** What can be undone in the text, for {@link restore}. @param {number} most characters */
  undoable(most) {
    return this.editor ? this.editor.past(most) : this.past;
  }

  /** A text that was edited before, with what could be undone then. @param {string} text @param {string} past */
  restore(text, past) {
    this.source = text;
    if (!past) return;
    this.past = past;
    this.editor?.restore(text, past);
    this.#stops();
    this.#mark();
  }

  /** @param {Player} player @param {import("../player/player.js").Change} change */
  render(player, change) {
    if (change.topics.has("trace") && player.index) {
      this.recorded = player.index.trace.document.program.source;
      this.colours = colours(player.index);
    }
    if (change.topics.has("trace")) this.#edited();
    if (change.topics.has("stale")) this.#say();
    if (change.topics.has("stops")) this.#stops();
    if (change.topics.has("step") || change.topics.has("selection") || change.topics.has("trace") || change.topics.has("stale")) this.#mark();
  }

  #stops() {
    this.editor?.breaks(this.player.stops.flatMap((stop) => (stop.kind === "line" ? [stop.line] : [])));
  }

  #edited() {
    this.player.markStale(!!this.player.index && this.source !== this.recorded);
    this.on.onEdit();
    this.#say();
  }

  /** Says so where what is shown is not a recording of this text. */
  #say() {
    const { index, stale } = this.player;
    const origin = this.on.origin();
    const words = origin === "example" && !stale ? "" : origin === "link" && (stale || !index) ? "This program came with the link. Nothing of it has run: read it, then press Run to record it."
      : !index ? "This program has not been run since the page was loaded. Press Run to record it." : stale ? "Edited since this run: the graph still shows the recorded program. Press Run to record this one." : "";
    const said = `${words}${origin}`;
    if (this.said === said) return;
    this.said = said;
    this.note.hidden = !words;
    this.note.replaceChildren(h("span", {}, words), ...(words && origin === "edited" ? [button(this.on.backWords ?? "Back to the example", { class: "link" }, () => this.on.back())] : []));
  }

  #mark() {
    const { index, step, stale, selected } = this.player;
    if (!this.editor) return;
    if (!index || stale) return this.editor.mark({ colours: [], now: null, causes: [], values: [] });
    const { steps, nodes, spans } = index.trace;
    const at = focus(index, step);
    const bad = at.kind === "failed" || (at.kind === "error" && step === index.stepCount - 1);
    const line = bad && index.trace.document.end.error?.line ? index.trace.document.end.error.line : steps.line[step];
    const node = at.nodes[0] ?? -1;
    /** @type {Span[]} */
    const causes = [];
    const forward = at.kind === "gradient" && node >= 0 ? nodes.mirrors[node] : at.kind === "ran" && node >= 0 ? node : -1;
    const cause = forward >= 0 && nodes.span[forward] >= 0 && spans.line[nodes.span[forward]] !== line ? spanOf(index, nodes.span[forward]) : null;
    if (cause) causes.push(cause);
    const chosen = selected >= 0 ? spanOf(index, nodes.span[index.host(selected)]) : null;
    if (chosen) causes.push(chosen);
    const width = this.editor.columns;
    const lines = this.recorded.split("\n");
    const values = lineValues(index, step).filter((v) => (lines[v.line - 1]?.length ?? 0) + v.text.length + 2 <= width);
    this.editor.mark({ colours: this.colours, now: line > 0 ? { line, span: spanOf(index, bad ? failedSpan(index, step) : steps.span[step]), error: bad } : null, causes, values }, line);
  }

  /** A click in the program selects the node that the expression makes. @param {number} line @param {number} column */
  #pick(line, column) {
    const { index, stale } = this.player;
    if (!index || stale) return;
    const node = nodeWritten(index, line, column, index.limit(this.player.step));
    if (node >= 0) this.player.select(node);
  }

  /** What stands at a place of the program, at this step. @param {number} line @param {number} column */
  #card(line, column) {
    const { index, stale, step, grain } = this.player;
    const found = index && !stale ? hovered(index, step, comparedWith(index, step, grain), line, column) : null;
    return found && codeCard(found, step, line);
  }
}

/** What failed: that of the step, else of the op before it that did. @param {import("../trace/index.js").TraceIndex} index @param {number} step */
function failedSpan(index, step) {
  const { steps, nodes } = index.trace;
  if (steps.span[step] >= 0) return steps.span[step];
  const last = [...index.failed.keys()].pop();
  return last === undefined ? -1 : nodes.span[last];
}

/** Each expression that makes a node, once, in the hue of what it makes. @param {TraceIndex} index */
function colours(index) {
  const { nodes, count } = { nodes: index.trace.nodes, count: index.trace.count.nodes };
  const seen = new Set();
  /** @type {{span: Span, kind: string}[]} */
  const out = [];
  for (let node = 0; node < count; node++) {
    const span = nodes.span[node];
    const definition = index.definition(node);
    if (span < 0 || seen.has(span) || nodes.serves[node] >= 0 || !MARKED.has(definition.role)) continue;
    seen.add(span);
    const at = spanOf(index, span);
    if (at) out.push({ span: at, kind: definition.category });
  }
  return out;
}
