/** Wires a lesson: its text at the left, the live player at the right. The player's panes are those of the player's own page. */
import { ServerError } from "../api.js";
import { keyTable } from "../keytable.js";
import { wasRunning } from "../kept.js";
import { Measuring } from "../measuring.js";
import { Panes } from "../panes.js";
import { Player } from "../player/player.js";
import { RunButton } from "../runbutton.js";
import { button, byId } from "../views/dom.js";
import { Choices } from "../views/graph/choices.js";
import { listen, on, openKeyList } from "../views/keys.js";
import { attachMenu } from "../views/menu.js";
import { MessageView } from "../views/message.js";
import { themeItems } from "../views/thememenu.js";
import { lessonAt } from "../site.js";
import { LessonDesk } from "./desk.js";
import { Progress } from "./progress.js";
import { getLesson } from "./server.js";
import { Stage } from "./stage.js";
import { StepPage } from "./step.js";
import { EVERY, Stopwatch } from "./stopwatch.js";
import { ToolsView } from "./tools.js";

const root = document.documentElement;
const id = byId("lesson").dataset.lesson ?? "";
const player = new Player();
const message = new MessageView(byId("message"));
const progress = new Progress(id, () => message.show("This browser keeps nothing: your way through the lesson is lost when the page is closed."));
const say = /** @param {string} words */ (words) => (byId("progress").textContent = words);
const complain = /** @param {unknown} error */ (error) => message.show(wordsOf(error), true);
/** @param {unknown} error */
const wordsOf = (error) => (error instanceof ServerError ? `${error.message} ${error.hint}` : error instanceof Error ? error.message : String(error));

/** The step that is shown, once the lesson is there. @type {StepPage | null} */
let page = null;

const desk = new LessonDesk(player, { edited: (source) => page?.edited(source), changed: () => moved() });
const around = { measuring: new Measuring(), files: true, onRun: () => void start(), onEdit: () => desk.typed(), back: () => void again(), origin: () => /** @type {"edited" | "example"} */ (desk.own ? "edited" : "example"), backWords: "Back to the lesson’s program", commands: () => commands, runCommand: /** @param {string} words */ (words) => keys.find((key) => key.words === words)?.run(new KeyboardEvent("keydown")), set: null, swap: () => {}, leaveAsking: () => byId("lesson-title").focus() };
const panes = new Panes(player, around);
desk.code = panes.code;
const stage = new Stage(player, panes);
const tools = new ToolsView(stage, desk, { change: (program) => void page?.change(program).catch(complain), back: () => void again() });
/** The id of the run that ended last: what the checks of an exercise look at. */
let ended = "";
const run = new RunButton({ button: tools.run, word: tools.word, progress: byId("progress"), message }, { source: () => desk.source, name: () => desk.program, files: () => panes.files.given, asks: panes.asks, load: (document, id) => {
  ended = id;
  desk.ran(document);
} });
/** What a question offers, in the picture. */
const choices = new Choices(panes.graph, (number) => page?.question?.choose(Number(number)));
player.follow((p, change) => choices.render(p, change));
attachMenu(byId("theme-button"), themeItems);

/** Another program or text is on the desk: the links and the row over the player say so. */
function moved() {
  tools.draw();
  choices.hidden = player.index !== desk.index;
  void desk.playAddress().then((address) => [byId("playground"), tools.playground].forEach((link) => link.setAttribute("href", address)));
}

/** Runs what stands in the editor. The question goes on about the lesson's own recording, so nothing of it is given away. @returns {Promise<string>} the run, if it came to its end */
async function start() {
  ended = "";
  await run.start();
  return ended;
}

const again = () => page?.again().catch(complain);

/** @param {number} to */
function go(to) {
  if (!page) return;
  const { lesson } = page;
  if (to >= lesson.steps.length) {
    progress.note((state) => (state.done = true));
    return location.assign(lessonAt(lesson.next));
  }
  const at = Math.max(0, to);
  progress.note((state) => {
    state.at = at;
    state.reached = Math.max(state.reached, at);
  });
  history.replaceState(null, "", `#step=${at + 1}`);
  void page.show(at);
  byId("lesson-scroll").scrollTop = 0;
  byId("lesson-title").focus({ preventScroll: true });
  // On a phone the text stands above the player, and the page scrolls.
  scrollTo(0, 0);
}

player.follow((_, change) => {
  if (change.topics.has("trace")) moved();
  const question = page?.question;
  if (change.topics.has("selection") && question && !question.done && !choices.hidden && player.selected >= 0) question.point(player.selected);
  if (change.topics.has("held")) say("What comes next is hidden until you answer.");
  else if (change.topics.has("step") && !run.busy) say("");
});

const onward = /** @param {KeyboardEvent} event */ (event) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && !(event.target instanceof Element && event.target.closest(".node, .region-title"));
/** @type {import("../views/keys.js").Key[]} */
const keys = [
  ...Array.from({ length: 9 }, (_, n) => ({ keys: String(n + 1), words: `Answer ${n + 1}`, match: on(String(n + 1)), run: () => page?.question?.choose(n + 1) })),
  { keys: "Enter", words: "On to the next step of the lesson", match: onward, run: () => byId("lesson-next").click() },
  ...keyTable({ player, graph: panes.graph, run: { start: () => void (page?.exercise ? page.exercise.around.onRun() : start()) }, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), find: (query) => panes.find.open(query), xray: () => panes.xray(), watch: () => panes.watch(), tell: say, tabs: panes.tabs, focusCode: () => panes.code.editor?.focus(), codeLine: () => panes.code.editor?.line ?? 1 }),
];
const commands = panes.commandsOf(keys);
listen(keys);
byId("keys-button").addEventListener("click", () => openKeyList(keys));

/** @param {number} now */
function frame(now) {
  player.tick(now);
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

const watch = new Stopwatch(performance.now());
for (const kind of ["pointerdown", "pointermove", "keydown", "wheel"]) addEventListener(kind, () => watch.touch(performance.now()), { passive: true });
setInterval(() => {
  const spent = watch.look(performance.now(), document.visibilityState === "visible");
  if (spent && !progress.state.done) progress.note((state) => (state.spent += spent));
}, EVERY);

async function editor() {
  try {
    panes.code.attach(await import(new URL(`${root.dataset.base ?? "/static/"}build/editor.js`, document.baseURI).href), root.dataset.nonce ?? "");
  } catch {
    message.show("The editor could not be loaded: run `make setup` and reload. The recording plays without it.", true);
  }
}

async function begin() {
  try {
    desk.lesson = await getLesson(id);
  } catch (error) {
    return complain(error);
  }
  page = new StepPage(desk.lesson, { player, panes, stage, desk, tools, progress, choices, run: start, say, complain, wordsOf, go });
  const wanted = /^#step=(\d{1,3})$/.exec(location.hash)?.[1];
  const { at, reached } = progress.state;
  await page.show(Math.max(0, Math.min(wanted ? Number(wanted) - 1 : at, reached, desk.lesson.steps.length - 1)));
  if (!wasRunning()) return;
  message.show("The page was reloaded while the program ran: that run is over and left no recording.", false, button("Run it again", { class: "link" }, () => {
    message.hide();
    void start();
  }));
}

void begin();
void editor();
