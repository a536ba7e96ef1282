/**
 * A card over the word under the pointer, or at the cursor when asked for (Ctrl .) or tapped. What stands in it the page says.
 * @typedef {(line: number, column: number) => HTMLElement | null} Ask   1-based line, column in characters
 */
import { StateEffect, StateField } from "@codemirror/state";
import { EditorView, hoverTooltip, showTooltip } from "@codemirror/view";
import { lineColumn } from "./marks.js";

/** @type {import("@codemirror/state").StateEffectType<import("@codemirror/view").Tooltip | null>} */
const setCard = StateEffect.define();

const PATIENCE = 200;

/** @type {StateField<import("@codemirror/view").Tooltip | null>} */
const cardField = StateField.define({
  create: () => /** @type {import("@codemirror/view").Tooltip | null} */ (null),
  update(card, transaction) {
    for (const effect of transaction.effects) if (effect.is(setCard)) return effect.value;
    return transaction.docChanged || transaction.selection ? null : card;
  },
  provide: (field) => showTooltip.from(field),
});

/** @param {import("@codemirror/state").EditorState} state @param {number} at @param {Ask} ask @returns {import("@codemirror/view").Tooltip | null} */
function cardAt(state, at, ask) {
  const { line, column } = lineColumn(state.doc, at);
  const dom = ask(line, column);
  return dom && { pos: state.wordAt(at)?.from ?? at, above: true, create: () => ({ dom }) };
}

/** @param {EditorView} view @param {Ask} ask @returns {boolean} whether there is something to show */
export function showCard(view, ask) {
  const card = cardAt(view.state, view.state.selection.main.head, ask);
  view.dispatch({ effects: setCard.of(card) });
  return card !== null;
}

/** @param {EditorView} view @returns {boolean} whether one was there */
export function hideCard(view) {
  if (!view.state.field(cardField)) return false;
  view.dispatch({ effects: setCard.of(null) });
  return true;
}

/** @param {Ask} ask */
export function cards(ask) {
  return [
    cardField,
    hoverTooltip((view, pos, side) => {
      // The place between two words belongs to neither.
      const word = view.state.wordAt(pos);
      if (word && ((word.from === pos && side < 0) || (word.to === pos && side > 0))) return null;
      return cardAt(view.state, side < 0 && pos > 0 ? pos - 1 : pos, ask);
    }, { hoverTime: PATIENCE }),
    EditorView.domEventHandlers({
      pointerup: (event, view) => {
        if (event.pointerType === "touch") requestAnimationFrame(() => showCard(view, ask));
        return false;
      },
    }),
  ];
}
