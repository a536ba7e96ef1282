/** Lines that wrap go on under their own beginning: each indented line says how deep it is, the style sheet does the rest. */
import { RangeSetBuilder } from "@codemirror/state";
import { Decoration, ViewPlugin } from "@codemirror/view";

const COLUMNS = 4;
/** As many depths as the style sheet knows; deeper lines wrap as the deepest does. */
const DEPTHS = [1, 2, 3, 4].map((depth) => Decoration.line({ class: `in-${depth}` }));

/** @param {import("@codemirror/view").EditorView} view the lines on the screen alone are looked at */
function depths(view) {
  /** @type {RangeSetBuilder<Decoration>} */
  const builder = new RangeSetBuilder();
  const { doc } = view.state;
  for (const { from, to } of view.visibleRanges) {
    for (let at = from; at <= to; ) {
      const line = doc.lineAt(at);
      const depth = Math.ceil((/^ */.exec(line.text)?.[0].length ?? 0) / COLUMNS);
      if (depth) builder.add(line.from, line.from, DEPTHS[Math.min(depth, DEPTHS.length) - 1]);
      at = line.to + 1;
    }
  }
  return builder.finish();
}

export const hangingIndent = ViewPlugin.define((view) => ({
  set: depths(view),
  update(update) {
    if (update.docChanged || update.viewportChanged) this.set = depths(update.view);
  },
}), { decorations: (plugin) => plugin.set });
