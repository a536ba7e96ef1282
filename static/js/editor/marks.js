/**
 * What the player marks in the program, as CodeMirror decorations.
 * @typedef {{line: number, column: number, endLine: number, endColumn: number}} Span   1-based lines, columns in characters
 * @typedef {object} Marks
 * @property {{span: Span, kind: string}[]} colours   expressions by the kind of node they make
 * @property {{line: number, span: Span | null, error: boolean} | null} now
 * @property {Span[]} causes   counterparts of the selection
 * @property {{line: number, text: string, fresh: boolean, error?: boolean}[]} values   written at the right edge
 */
import { syntaxTree } from "@codemirror/language";
import { RangeSetBuilder, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { token } from "./token.js";

/** @type {import("@codemirror/state").StateEffectType<Marks | null>} */
export const setMarks = StateEffect.define();

class ValueWidget extends WidgetType {
  /** @param {string} text @param {string} style */
  constructor(text, style) {
    super();
    this.text = text;
    this.style = style;
  }

  /** @param {ValueWidget} other @override */
  eq(other) {
    return other.text === this.text && other.style === this.style;
  }

  /** @override */
  toDOM() {
    const span = document.createElement("span");
    span.className = this.style;
    span.textContent = this.text;
    span.setAttribute("aria-hidden", "true");
    return span;
  }

  /** @override */
  ignoreEvent() {
    return false;
  }
}

/**
 * A position in the text, or -1 when the text has no such place.
 * @param {import("@codemirror/state").Text} doc @param {number} line @param {number} column in characters
 */
function offset(doc, line, column) {
  if (line < 1 || line > doc.lines) return -1;
  const { from, text } = doc.line(line);
  let units = 0;
  let n = 0;
  for (const character of text) {
    if (n++ >= column) break;
    units += character.length;
  }
  return from + units;
}

/** @param {import("@codemirror/state").Text} doc @param {number} at @returns {{line: number, column: number}} */
export function lineColumn(doc, at) {
  const line = doc.lineAt(at);
  return { line: line.number, column: [...line.text.slice(0, at - line.from)].length };
}

/** The word that names what an expression makes. @param {import("@codemirror/state").EditorState} state @param {Span} span */
export function wordOf(state, span) {
  const from = offset(state.doc, span.line, span.column);
  const to = offset(state.doc, span.endLine, span.endColumn);
  return from >= 0 && to > from ? token(syntaxTree(state), state.doc, from, to) : null;
}

/** @param {import("@codemirror/state").EditorState} state @param {Marks} marks */
function decorate(state, marks) {
  const { doc } = state;
  const tree = syntaxTree(state);
  /** @type {{from: number, to: number, value: Decoration, rank: number}[]} */
  const all = [];
  /** @param {Span} span */
  const range = (span) => ({ from: offset(doc, span.line, span.column), to: offset(doc, span.endLine, span.endColumn) });
  for (const { span, kind } of marks.colours) {
    const { from, to } = range(span);
    const word = from >= 0 && to > from ? token(tree, state.doc, from, to) : null;
    if (word) all.push({ ...word, value: Decoration.mark({ class: `k-${kind} makes` }), rank: 3 });
  }
  for (const cause of marks.causes) {
    const { from, to } = range(cause);
    if (from >= 0 && to > from) all.push({ from, to, value: Decoration.mark({ class: "cause" }), rank: 1 });
  }
  if (marks.now && marks.now.line >= 1 && marks.now.line <= doc.lines) {
    const { from } = doc.line(marks.now.line);
    all.push({ from, to: from, value: Decoration.line({ class: marks.now.error ? "now errline" : "now", attributes: { "aria-current": "step" } }), rank: 0 });
    if (marks.now.span) {
      const at = range(marks.now.span);
      const word = at.from >= 0 && at.to > at.from ? token(tree, state.doc, at.from, at.to) : null;
      if (at.to > at.from && marks.now.error) all.push({ from: at.from, to: at.to, value: Decoration.mark({ class: "bad" }), rank: 1 });
      if (word) all.push({ ...word, value: Decoration.mark({ class: "span" }), rank: 2 });
    }
  }
  for (const { line, text, fresh, error } of marks.values) {
    if (line < 1 || line > doc.lines) continue;
    const { to } = doc.line(line);
    all.push({ from: to, to, value: Decoration.widget({ widget: new ValueWidget(text, `val${fresh ? " new" : ""}${error ? " err" : ""}`), side: 1 }), rank: 4 });
  }
  all.sort((a, b) => a.from - b.from || a.value.startSide - b.value.startSide || a.rank - b.rank || b.to - a.to);
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  for (const { from, to, value } of all) builder.add(from, to, value);
  return builder.finish();
}

/** @type {StateField<{marks: Marks | null, set: import("@codemirror/view").DecorationSet}>} */
export const marksField = StateField.define({
  create: () => ({ marks: /** @type {Marks | null} */ (null), set: Decoration.none }),
  update(field, transaction) {
    const { set } = field;
    /** @type {Marks | null} */
    let marks = field.marks;
    let changed = false;
    for (const effect of transaction.effects) {
      if (effect.is(setMarks)) {
        marks = effect.value;
        changed = true;
      }
    }
    if (!changed && syntaxTree(transaction.startState) !== syntaxTree(transaction.state) && !transaction.docChanged) changed = true;
    if (changed) return { marks, set: marks ? decorate(transaction.state, marks) : Decoration.none };
    return transaction.docChanged ? { marks, set: set.map(transaction.changes) } : field;
  },
  provide: (field) => EditorView.decorations.from(field, (value) => value.set),
});
