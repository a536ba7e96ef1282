/**
 * Lines that wrap: they go on under their own beginning (each indented line says how deep it is, the style sheet does the
 * rest), and break where an expression does: after an opening bracket, before a dot.
 */
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, ViewPlugin, WidgetType } from "@codemirror/view";

const COLUMNS = 4;
/** As many depths as the style sheet knows; deeper lines wrap as the deepest does. */
const DEPTHS = [1, 2, 3, 4].map((depth) => Decoration.line({ class: `in-${depth}` }));
/** Shorter lines fit into every pane. */
const SHORT = 24;

class Chance extends WidgetType {
  eq() {
    return true;
  }

  toDOM() {
    return document.createElement("wbr");
  }
}

const CHANCE = Decoration.widget({ widget: new Chance(), side: 1 });

/** @param {import("@codemirror/view").EditorView} view the lines on the screen alone are looked at */
function wrapping(view) {
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  const { doc } = view.state;
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      const depth = Math.ceil((/^ */.exec(line.text)?.[0].length ?? 0) / COLUMNS);
      if (depth) builder.add(line.from, line.from, DEPTHS[Math.min(depth, DEPTHS.length) - 1]);
      if (line.length > SHORT) for (const { index } of line.text.matchAll(/(?<=[([{])(?=\w)|(?<=[\w)\]])(?=\.[a-zA-Z_])/g)) builder.add(line.from + index, line.from + index, CHANCE);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export const wrappedLines = ViewPlugin.define((view) => ({
  set: wrapping(view),
  update(update) {
    if (update.docChanged || update.viewportChanged) this.set = wrapping(update.view);
  },
}), { decorations: (plugin) => plugin.set });
