/**
 * What each box of the picture is to look like at a step, with a key that changes when the look does.
 * @typedef {import("../../trace/index.js").TraceIndex} TraceIndex
 * @typedef {import("../../trace/scene.js").Scene} Scene
 * @typedef {import("../../trace/scene.js").SlotState} SlotState
 * @typedef {import("./folding.js").Folded} Folded
 * @typedef {import("./folding.js").Bundle} Bundle
 * @typedef {import("./node.js").Look & {style: string, spoken: string, now: boolean, bundle: {count: number, held: number} | null, dress?: Required<import("./decoration.js").Dress>}} Dressed   `dress`: what others say about it
 */
import { spoken, stateWords, texts } from "../../trace/describe.js";
import { count } from "../../trace/format.js";
import { label, variable } from "../../trace/names.js";
import { scopeWords } from "../../trace/scopes.js";

const HOLDS = new Set(["value", "seen", "feeding", "freed", "inner"]);
const GONE = new Set(["ghost", "merged", "folded", "skipped"]);

/** @param {TraceIndex} index @param {SlotState} state @param {import("./geometry.js").Box} box @param {boolean} now @param {boolean} selected @returns {Dressed} */
export function nodeLook(index, state, box, now, selected) {
  const definition = index.definition(state.node);
  const words = texts(index, state, box.form);
  const value = state.value >= 0 ? index.trace.document.values[state.value] : null;
  return {
    box, state: state.state, symbol: definition.symbol, category: definition.category, ...words, value, arrived: state.arrived, selected, now, bundle: null,
    why: `${words.name ? `${words.name}, ` : ""}${words.label}: ${stateWords(index, state)}`, spoken: spoken(index, state),
    style: `node k-${definition.category} f-${box.form} is-${state.state}${now ? " is-now" : ""}${selected ? " is-selected" : ""}`,
  };
}

/**
 * What a closed scope holds at a step; null while none of its nodes exists.
 * @param {Scene} scene @param {Bundle} bundle @param {number} chosen the selected slot
 */
export function gather(scene, bundle, chosen) {
  let there = 0;
  let held = 0;
  let gone = 0;
  let freed = 0;
  let failed = false;
  let selected = false;
  let now = -1;
  for (const slot of bundle.slots) {
    const state = scene.slots.get(slot);
    if (!state) continue;
    there++;
    if (HOLDS.has(state.state)) held++;
    if (GONE.has(state.state)) gone++;
    if (state.state === "freed") freed++;
    if (state.state === "error") failed = true;
    if (scene.now.has(slot)) now = state.node;
    if (slot === chosen) selected = true;
  }
  return there ? { there, held, gone, freed, failed, selected, now } : null;
}

/** @param {TraceIndex} index @param {Folded} plan @param {import("../../trace/scopes.js").ScopeTree} tree @param {number} id @param {NonNullable<ReturnType<typeof gather>>} held @returns {Dressed} */
export function bundleLook(index, plan, tree, id, held) {
  const bundle = /** @type {Bundle} */ (plan.bundles.get(id));
  const box = /** @type {import("./geometry.js").Box} */ (plan.boxes.get(id));
  const scope = tree.scopes[bundle.scope];
  const state = held.failed ? "error" : held.gone === held.there ? "ghost" : held.freed === held.there ? "freed" : held.held === held.there ? "value" : bundle.lower ? "pending" : "empty";
  const now = held.now >= 0;
  const doing = now ? variable(index, held.now) || label(index, held.now) : "";
  const title = bundle.lower ? `∂ ${scope.label}` : scope.label;
  const sub = doing || count(bundle.slots.length, bundle.lower ? "node" : "op");
  const words = bundle.lower ? `gradients of ${scope.label}` : scope.label;
  return {
    box, state, symbol: "", category: bundle.lower ? "gradient" : "shape", label: title, name: "", sub, value: null, note: "",
    arrived: false, selected: held.selected, now, bundle: { count: held.there, held: held.held }, why: `${words}: ${count(bundle.slots.length, "node")}, closed. Click to open.`,
    // What is written comes first, so that it can be said to a computer that listens.
    spoken: `${title} ${sub}: ${bundle.lower ? "gradients of " : ""}${scopeWords(scope)}, closed, ${held.held} of ${held.there} hold a value${doing ? `, now ${doing}` : ""}`,
    style: `node scope k-${bundle.lower ? "gradient" : "shape"} f-scope is-${state}${now ? " is-now" : ""}${held.selected ? " is-selected" : ""}`,
  };
}
