/** Lines with a breakpoint, marked at their numbers. */
import { RangeSet, StateEffect, StateField } from "@codemirror/state";
import { GutterMarker, gutterLineClass } from "@codemirror/view";

/** @type {import("@codemirror/state").StateEffectType<number[]>} lines, in order */
export const setBreaks = StateEffect.define();

class Break extends GutterMarker {
  elementClass = "brk";
}

const MARKER = new Break();

/** @type {StateField<RangeSet<GutterMarker>>} */
export const breaksField = StateField.define({
  create: () => /** @type {RangeSet<GutterMarker>} */ (RangeSet.empty),
  update(set, transaction) {
    let now = set.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (effect.is(setBreaks)) now = RangeSet.of(effect.value.map((line) => MARKER.range(transaction.state.doc.line(line).from)));
    }
    return now;
  },
  provide: (field) => gutterLineClass.from(field),
});
