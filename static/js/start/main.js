/** The start page: the same small model in both modes, playing side by side. Recordings of the server, never drawn by hand. */
import { exampleTrace, ServerError } from "../api.js";
import { Duet } from "../compare/duet.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { asText } from "../trace/parts.js";
import { sentence } from "../trace/sentences.js";
import { byId, h } from "../views/dom.js";
import { GraphView } from "../views/graph/graph.js";
import { attachMenu } from "../views/menu.js";
import { themeItems } from "../views/thememenu.js";
import { StripView } from "../views/compare/strip.js";
import { shortCode, spanText } from "../trace/names.js";

// Links to the player from when it stood at this address lead there.
if (/[#&](example|program)=/.test(location.hash)) location.replace(`/play${location.search}${location.hash}`);

const duet = new Duet();
duet.loops = true;
duet.pace = 0.22;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const sides = /** @type {const} */ (["a", "b"]).map((side) => {
  const root = byId(`side-${side}`);
  const pane = /** @type {HTMLElement} */ (root.querySelector(".stage"));
  const graph = new GraphView(pane, duet[side], { top: 16, shared: true });
  duet[side].follow((player, change) => graph.render(player, change));
  return { side, root, graph, code: /** @type {HTMLElement} */ (root.querySelector(".now-code")), strip: new StripView(/** @type {HTMLElement} */ (root.querySelector(".strip-pane")), duet, [{ side, name: root.dataset.name ?? "" }], { axis: false }) };
});

duet.follow((_, topics) => {
  for (const { side, code, strip } of sides) {
    strip.render(topics);
    const index = duet[side].index;
    if (!index || !topics.has("at")) continue;
    const step = duet.moments[duet.at]?.[side] ?? -1;
    const text = step < 0 ? "" : spanText(index, index.trace.steps.span[step]) || lineText(index, step);
    code.textContent = text;
  }
  if (topics.has("playing")) pause.replaceChildren(duet.playing ? "Pause" : "Resume");
  if (topics.has("at") && !duet.playing) said.textContent = sides.map(({ side, root }) => (duet[side].index ? `${root.dataset.name}: ${asText(sentence(/** @type {TraceIndex} */ (duet[side].index), duet[side].step))}` : "")).join(" ");
});

/** The source line of a step. @param {TraceIndex} index @param {number} step */
function lineText(index, step) {
  return shortCode(index.trace.document.program.source.split("\n")[index.trace.steps.line[step] - 1]?.trim() ?? "");
}

const pause = byId("pause");
const said = byId("said");
pause.addEventListener("click", () => duet.play());
attachMenu(byId("theme-button"), themeItems);

/** @param {number} now */
function frame(now) {
  duet.tick(now);
  requestAnimationFrame(frame);
}

async function start() {
  try {
    const [a, b] = await Promise.all(sides.map(async ({ root }) => new TraceIndex(decodeTrace(await exampleTrace(root.dataset.example ?? "")))));
    duet.load(a, b);
    // The pictures are small: all of each is shown, also once the fonts have come and it is laid anew.
    const fit = () => sides.forEach(({ graph }) => graph.fit());
    fit();
    void document.fonts.ready.then(fit);
    requestAnimationFrame(frame);
    // Where motion is not wanted, the page stands at a moment that says much: the left side is compiled and has not run.
    const compiled = duet.moments.findLastIndex(({ a: step }) => step >= 0 && a.text(a.trace.phases.name[a.phaseOf(step)]) === "compile");
    if (still.matches) duet.goTo(Math.max(0, compiled));
    else duet.play(true);
  } catch (error) {
    for (const { root } of sides) root.querySelector(".stage")?.append(h("p", { class: "start-problem", role: "status" }, error instanceof ServerError ? `${error.message} ${error.hint}` : "The recording could not be shown. Reload the page."));
  }
}
void start();
