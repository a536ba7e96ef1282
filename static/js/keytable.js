/** Every key of the page with what it does, in the order of the list that `?` shows. */
import { on } from "./views/keys.js";
import { toggleProjector, isProjector } from "./views/thememenu.js";
import { byId } from "./views/dom.js";
import { toggleBlank, togglePointer } from "./views/presenter.js";

/** @typedef {import("./views/keys.js").Key} Key */

/**
 * @param {{player: import("./player/player.js").Player, graph: import("./views/graph/graph.js").GraphView, run: {start: () => unknown}, full: (pane: string) => void, unfull: () => void,
 *   list: () => void, xray: () => void, find: (query?: string) => void, watch: () => void, tell: (words: string) => void, tabs: import("./views/tabs.js").TabsView, focusCode: () => void, codeLine: () => number}} page   `codeLine`: the line with the cursor; `tell`: why nothing happened
 * @returns {Key[]}
 */
export function keyTable({ player, graph, run, full, unfull, list, xray, find, watch, tell, tabs, focusCode, codeLine }) {
  /** @param {string} tab @param {() => void} focus */
  const go = (tab, focus) => {
    tabs.show(tab);
    focus();
  };
  /** @param {string} id */
  const focus = (id) => byId(id).focus();
  const pane = () => {
    const own = document.activeElement?.closest("#output-pane, #variables-pane");
    if (own) return own.id === "output-pane" ? "output" : "variables";
    const at = document.activeElement?.closest(".left, .right, .graph, .time");
    return at?.classList.contains("left") ? "left" : at?.classList.contains("right") ? "right" : at?.classList.contains("time") ? "time" : "graph";
  };
  /** @type {(keys: string, words: string, match: Key["match"], run: () => void) => Key} */
  const key = (keys, words, match, action) => ({ keys, words, match, run: action });
  /** Says so where a key leads nowhere. @param {boolean} done @param {string} words */
  const or = (done, words) => {
    if (!done) tell(words);
  };
  const noStops = () => (player.stops.length ? "No breakpoint is reached in this direction." : "No breakpoint is set. B sets one on this line; a click on a line's number does, too.");
  return [
    key("Space", "Play, pause", on(" "), () => player.play()),
    { ...key("Ctrl K", "Find: steps, names, ops, values, output, what to do", on("k", { ctrl: true }), () => find()), always: true },
    key("→", "Next step, or line, iteration … as chosen", on("ArrowRight"), () => player.move(1)),
    key("←", "Step back, by the same", on("ArrowLeft"), () => player.move(-1)),
    key("E", "How far → and ← go: the next of event, line, line over calls, iteration, phase", on("e"), () => player.nextGrain()),
    key("Shift →", "Next line", on("ArrowRight", { shift: true }), () => player.move(1, "line")),
    key("Shift ←", "Back one line", on("ArrowLeft", { shift: true }), () => player.move(-1, "line")),
    key("J", "Next line, over the calls that this one makes", on("j"), () => player.move(1, "call")),
    key("Shift J", "Back one line, over calls", on("j", { shift: true }), () => player.move(-1, "call")),
    key("U", "Out of this call", on("u"), () => player.moveOut(1)),
    key("Shift U", "Back to where this call was made", on("u", { shift: true }), () => player.moveOut(-1)),
    key("Ctrl →", "Next phase", on("ArrowRight", { ctrl: true }), () => player.move(1, "phase")),
    key("Ctrl ←", "Back one phase", on("ArrowLeft", { ctrl: true }), () => player.move(-1, "phase")),
    key("Ctrl Shift →", "Next iteration", on("ArrowRight", { ctrl: true, shift: true }), () => player.move(1, "iteration")),
    key("Ctrl Shift ←", "Back one iteration", on("ArrowLeft", { ctrl: true, shift: true }), () => player.move(-1, "iteration")),
    key("Home", "First step", on("Home"), () => player.first()),
    key("End", "Last step", on("End"), () => player.last()),
    key("PageDown", "Next step (presenter)", on("PageDown"), () => player.move(1)),
    key("PageUp", "Step back (presenter)", on("PageUp"), () => player.move(-1)),
    // A presenter's clicker sends B to blank the screen.
    key("B", "Breakpoint on this line, or off it (projector: blank the screen)", on("b"), () => (isProjector() ? toggleBlank() : player.toggleBreak())),
    key("Shift B", "Next visit of a breakpoint", on("b", { shift: true }), () => or(player.moveByStop(1), noStops())),
    key("Ctrl B", "Visit before of a breakpoint", on("b", { ctrl: true }), () => or(player.moveByStop(-1), noStops())),
    key("R", "Run to the line with the cursor", on("r"), () => or(player.runTo(codeLine()), `Line ${codeLine()} is never run.`)),
    key("X", "Next change of the selected variable", on("x"), () => or(player.moveByChange(1), player.name ? `${player.name} does not change any more.` : "Select a variable first: click its name under Variables.")),
    key("Shift X", "Change before of the selected variable", on("x", { shift: true }), () => or(player.moveByChange(-1), player.name ? `${player.name} did not change before.` : "Select a variable first: click its name under Variables.")),
    key("M", "Who made this value", on("m"), () => find(`made ${player.name}`)),
    key("Shift M", "Who uses this value", on("m", { shift: true }), () => find(`used ${player.name}`)),
    key("N", "Next step that the last search fits", on("n"), () => or(player.moveByMatch(1), "Nothing was searched for yet. Ctrl K searches.")),
    key("Shift N", "Step before that it fits", on("n", { shift: true }), () => or(player.moveByMatch(-1), "Nothing was searched for yet. Ctrl K searches.")),
    key("W", "Watch an expression", on("w"), watch),
    key("Y", "X-ray: why does it not learn, why does my loss not fall?", on("y"), xray),
    key("S", "Next speed", on("s"), () => player.nextSpeed()),
    key("]", "Next value of the selected node", on("]"), () => player.moveByValue(1)),
    key("[", "Previous value of the selected node", on("["), () => player.moveByValue(-1)),
    key("+", "Larger", (event) => on("+")(event) || on("=")(event), () => graph.camera.zoom(1.2)),
    key("−", "Smaller", on("-"), () => graph.camera.zoom(1 / 1.2)),
    key("0", "Fit the graph", on("0"), () => graph.fit()),
    key("/", "Search the graph", on("/"), () => go("graph", () => graph.openSearch())),
    key("F", "Pane full screen, and back", on("f"), () => full(pane())),
    key("G", "Go to the graph", on("g"), () => go("graph", () => graph.focus())),
    key("C", "Go to the program", on("c"), () => go("code", focusCode)),
    key("I", "Go to the inspector", on("i"), () => go("node", () => focus("inspector"))),
    key("V", "Go to the variables", on("v"), () => go("variables", () => focus("variables-pane"))),
    key("O", "Go to the output", on("o"), () => go("output", () => focus("output-pane"))),
    key("T", "Go to the timeline", on("t"), () => go("times", () => byId("lanes").querySelector("svg")?.focus())),
    key("Ctrl .", "In the program: the value of the name at the cursor", () => false, () => {}),
    key("Tab arrows", "In the graph: next node, along an edge", () => false, () => {}),
    key("Enter", "In the graph: select the node", () => false, () => {}),
    key(".", "Pointer: a large spot under the mouse", on("."), () => togglePointer()),
    key("P", "Projector", on("p"), () => toggleProjector()),
    { ...key("Ctrl Enter", "Run the program", on("Enter", { ctrl: true }), () => void run.start()), always: true },
    key("?", "This list", on("?"), list),
    { ...key("Esc", "Back: leave the program, the selection, the full screen", on("Escape"), () => {
      if (document.activeElement instanceof HTMLElement && document.activeElement.closest(".cm-editor")) document.activeElement.blur();
      else if (toggleBlank(false) || togglePointer(false)) return;
      else if (byId("app").dataset.full) unfull();
      else if (isProjector()) toggleProjector(false);
      else player.select(-1);
    }), always: true },
  ];
}
