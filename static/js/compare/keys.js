/** Every key of the side-by-side with what it does, in the order of the list that `?` shows. */
import { on } from "../views/keys.js";
import { isProjector, toggleProjector } from "../views/thememenu.js";

/** @typedef {import("../views/keys.js").Key} Key */

/**
 * @param {{duet: import("./duet.js").Duet, graphs: import("../views/graph/graph.js").GraphView[], run: () => void, list: () => void}} page
 * @returns {Key[]}
 */
export function keyTable({ duet, graphs, run, list }) {
  /** @type {(keys: string, words: string, match: Key["match"], run: () => void) => Key} */
  const key = (keys, words, match, action) => ({ keys, words, match, run: action });
  return [
    key("Space", "Play, pause", on(" "), () => duet.play()),
    key("→", "Next moment", (event) => on("ArrowRight")(event) || on("PageDown")(event), () => duet.goTo(duet.at + 1, true)),
    key("←", "Moment before", (event) => on("ArrowLeft")(event) || on("PageUp")(event), () => duet.goTo(duet.at - 1)),
    key("Ctrl →", "Next phase of either side", on("ArrowRight", { ctrl: true }), () => duet.byPhase(1)),
    key("Ctrl ←", "Back one phase of either side", on("ArrowLeft", { ctrl: true }), () => duet.byPhase(-1)),
    key("Home", "First moment", on("Home"), () => duet.goTo(0)),
    key("End", "Last moment", on("End"), () => duet.goTo(duet.moments.length - 1)),
    key("S", "Next speed", on("s"), () => duet.nextSpeed()),
    key("+", "Larger, both", (event) => on("+")(event) || on("=")(event), () => graphs.forEach(({ camera }) => camera.zoom(1.2))),
    key("−", "Smaller, both", on("-"), () => graphs.forEach(({ camera }) => camera.zoom(1 / 1.2))),
    key("0", "Fit both", on("0"), () => graphs.forEach((graph) => graph.fit())),
    key("P", "Projector", on("p"), () => toggleProjector()),
    key("Ctrl Enter", "Run both programs", on("Enter", { ctrl: true }), () => run()),
    key("?", "This list", on("?"), () => list()),
    key("Esc", "Back: leave the projector, let the selection go", on("Escape"), () => (isProjector() ? toggleProjector(false) : duet.select("a", -1))),
  ];
}
