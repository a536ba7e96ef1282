/**
 * The editor: CodeMirror 6 for Python, and what the player marks in it. Bundled into static/build/editor.js.
 * Nothing here knows a trace: the code view says in lines and columns what to mark.
 * @typedef {import("./marks.js").Marks} Marks
 * @typedef {{nonce: string, onEdit: (source: string) => void, onRun: () => void, onResize: () => void, onPick: (line: number, column: number) => void, onBreak: (line: number) => void, onHover: import("./hover.js").Ask}} EditorOptions
 */
import { defaultKeymap, history, historyField, historyKeymap, indentWithTab } from "@codemirror/commands";
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { python } from "@codemirror/lang-python";
import { search, searchKeymap } from "@codemirror/search";
import { Annotation, EditorState, Transaction } from "@codemirror/state";
import { EditorView, drawSelection, keymap, lineNumbers } from "@codemirror/view";
import { tagHighlighter, tags } from "@lezer/highlight";
import { breaksField, setBreaks } from "./breaks.js";
import { cards, hideCard, showCard } from "./hover.js";
import { lineColumn, marksField, setMarks, wordOf } from "./marks.js";
import { wrappedLines } from "./wrapping.js";

/** Marks a change of the text that comes from the page, not from the reader. */
const fromPage = Annotation.define();

/** Only what makes no node is told apart by grammar: words that recede, and comments. */
const grammar = tagHighlighter([
  { tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.moduleKeyword, tags.operatorKeyword], class: "kw" },
  { tag: tags.comment, class: "c" },
]);

/**
 * Typing over a selection, done by us: the browser would leave elements with inline styles behind, which the page's policy forbids.
 * @param {InputEvent} event @param {EditorView} view
 */
function typeOver(event, view) {
  if (event.inputType !== "insertText" || !event.data || view.composing || view.state.selection.ranges.every((range) => range.empty)) return false;
  view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
  event.preventDefault();
  return true;
}

/**
 * Whoever comes by Tab also goes on by Tab, and changes nothing on the way: Tab indents once one has typed or clicked.
 * Without this a reader with a keyboard could not get past the program.
 */
const passing = [
  EditorView.domEventHandlers({
    focus: (_, view) => view.setTabFocusMode(arrival === "Tab"),
    mousedown: (_, view) => view.setTabFocusMode(false),
  }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((t) => t.annotation(fromPage))) update.view.setTabFocusMode(false);
  }),
];

/** The last key, "" after a pointer: how the reader came. */
let arrival = "";
addEventListener("keydown", (event) => (arrival = event.key), true);
addEventListener("pointerdown", () => (arrival = ""), true);

export class Editor {
  /** @param {HTMLElement} parent @param {EditorOptions} options */
  constructor(parent, options) {
    this.width = parent.clientWidth;
    new ResizeObserver(() => {
      this.width = parent.clientWidth;
      // After the editor has measured its letters, whose size may have changed with the window's: it does so in the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => options.onResize()));
    }).observe(parent);
    this.extensions = [
          EditorView.cspNonce.of(options.nonce),
          lineNumbers({ domEventHandlers: { mousedown: (view, block) => (options.onBreak(view.state.doc.lineAt(block.from).number), true) } }), breaksField, EditorView.lineWrapping, wrappedLines, history(), drawSelection(), indentOnInput(), bracketMatching(), indentUnit.of("    "), search({ top: true }),
          python(), syntaxHighlighting(grammar), marksField, cards(options.onHover),
          EditorView.contentAttributes.of({ "aria-label": "Program, Python", "aria-description": "Tab indents once something was typed; Escape, then Tab, leaves.", tabindex: "0", spellcheck: "false", autocorrect: "off" }),
          keymap.of([{ key: "Mod-Enter", run: () => (options.onRun(), true), preventDefault: true }, { key: "Mod-.", run: (view) => showCard(view, options.onHover), preventDefault: true }, { key: "Escape", run: hideCard }, ...searchKeymap, ...historyKeymap, indentWithTab, ...defaultKeymap.filter((binding) => binding.key !== "Mod-Enter")]),
          EditorView.domEventHandlers({ beforeinput: typeOver }), passing,
          EditorView.updateListener.of((update) => {
            if (update.docChanged && !update.transactions.some((t) => t.annotation(fromPage))) options.onEdit(this.source);
            if (update.selectionSet && update.transactions.some((t) => t.isUserEvent("select.pointer"))) {
              const at = lineColumn(update.state.doc, update.state.selection.main.head);
              options.onPick(at.line, at.column);
            }
          }),
    ];
    this.view = new EditorView({ parent, state: EditorState.create({ doc: "", extensions: this.extensions }) });
  }

  /** What can be undone and redone, as text for {@link restore}; "" if nothing can. @param {number} most characters: what is oldest is left out */
  past(most) {
    const { done, undone } = this.view.state.toJSON({ history: historyField }).history;
    while (done.length) {
      const text = JSON.stringify({ done, undone });
      if (text.length <= most) return text;
      done.splice(0, Math.ceil(done.length / 4));
    }
    return "";
  }

  /** Puts a text here that was edited before, with what could be undone then. @param {string} text @param {string} past */
  restore(text, past) {
    try {
      const kept = { doc: text, selection: { ranges: [{ anchor: 0, head: 0 }], main: 0 }, history: JSON.parse(past) };
      this.view.setState(EditorState.fromJSON(kept, { extensions: this.extensions }, { history: historyField }));
    } catch {
      this.source = text; // kept by another version
    }
  }

  get source() {
    return this.view.state.doc.toString();
  }

  /** Replaces the text; the reader can undo it, unless there was none. @param {string} text */
  set source(text) {
    const { doc } = this.view.state;
    if (doc.toString() === text) return;
    this.view.dispatch({ changes: { from: 0, to: doc.length, insert: text }, selection: { anchor: 0 }, annotations: [fromPage.of(true), Transaction.addToHistory.of(doc.length > 0)], scrollIntoView: false });
    this.view.scrollDOM.scrollTop = 0;
  }

  /** @param {Marks} marks @param {number} [reveal] a line that must be on the screen */
  mark(marks, reveal = 0) {
    /** @type {import("@codemirror/state").StateEffect<any>[]} */
    const effects = [setMarks.of(marks)];
    const { doc } = this.view.state;
    if (reveal > 0 && reveal <= doc.lines) {
      const line = doc.line(reveal);
      const word = marks.now?.span ? wordOf(this.view.state, marks.now.span) : null;
      // Where only a few lines are shown, this one is the middle of them.
      const few = this.view.scrollDOM.clientHeight < 5 * this.view.defaultLineHeight;
      effects.push(EditorView.scrollIntoView(word && word.from >= line.from && word.to <= line.to ? word.to : line.from, few ? { y: "center" } : { y: "nearest", yMargin: 40 }));
    }
    this.view.dispatch({ effects });
  }

  /** Lines with a breakpoint. @param {Iterable<number>} lines */
  breaks(lines) {
    this.view.dispatch({ effects: setBreaks.of([...lines].filter((line) => line <= this.view.state.doc.lines).sort((a, b) => a - b)) });
  }

  /** How many characters fit on a line beside the numbers. */
  get columns() {
    return Math.max(20, Math.floor((this.width - 46) / this.view.defaultCharacterWidth));
  }

  /** The line with the cursor, from 1. */
  get line() {
    return this.view.state.doc.lineAt(this.view.state.selection.main.head).number;
  }

  focus() {
    this.view.focus();
  }

  /** Puts the cursor on a line and shows it. @param {number} line */
  goTo(line) {
    const { doc } = this.view.state;
    if (line < 1 || line > doc.lines) return;
    this.view.dispatch({ selection: { anchor: doc.line(line).from }, effects: EditorView.scrollIntoView(doc.line(line).from, { y: "center" }) });
    this.view.focus();
  }
}

/** @param {HTMLElement} parent @param {EditorOptions} options */
export function createEditor(parent, options) {
  return new Editor(parent, options);
}
