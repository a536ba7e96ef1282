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
import { ExerciseView } from "./exercise.js";
import { markup } from "./markup.js";
import { MeasureView } from "./measure.js";
import { keep, kept } from "./progress.js";
import { QuestionView } from "./question.js";
import { checkRun, getLesson, judge } from "./server.js";
import { Stage } from "./stage.js";
import { StepsView } from "./steps.js";
import { ToolsView } from "./tools.js";

/** @typedef {import("./types.js").Lesson} Lesson */

const root = document.documentElement;
const id = byId("lesson").dataset.lesson ?? "";
const player = new Player();
const message = new MessageView(byId("message"));
const state = kept(id);
const say = /** @param {string} words */ (words) => (byId("progress").textContent = words);
const complain = /** @param {unknown} error */ (error) => message.show(wordsOf(error), true);
/** @param {unknown} error */
const wordsOf = (error) => (error instanceof ServerError ? `${error.message} ${error.hint}` : error instanceof Error ? error.message : String(error));

/** @type {Lesson} */
let lesson;
/** @type {StepsView} */
let steps;
let at = 0;
/** @type {QuestionView | null} */
let question = null;
/** @type {ExerciseView | null} */
let exercise = null;

const desk = new LessonDesk(player, { edited: (source) => keepDraft(source), changed: () => moved() });
const around = { measuring: new Measuring(), onRun: () => void start(), onEdit: () => desk.typed(), back: () => void again(), origin: () => /** @type {"edited" | "example"} */ (desk.own ? "edited" : "example"), backWords: "Back to the lesson’s program", commands: () => commands, runCommand: /** @param {string} words */ (words) => keys.find((key) => key.words === words)?.run(new KeyboardEvent("keydown")), set: null, swap: () => {}, leaveAsking: () => byId("lesson-title").focus() };
const panes = new Panes(player, around);
desk.code = panes.code;
const stage = new Stage(player, panes);
const tools = new ToolsView(stage, desk, { change: (program) => void change(program), back: () => void again() });
/** The id of the run that ended last: what the checks of an exercise look at. */
let ended = "";
const run = new RunButton({ button: tools.run, word: tools.word, progress: byId("progress"), message }, { source: () => desk.source, name: () => desk.program, files: () => panes.files.given, asks: panes.asks, load: (document) => {
  ended = run.id ?? "";
  desk.ran(document);
} });
/** What a question offers, in the picture. */
const choices = new Choices(panes.graph, (number) => question?.choose(Number(number)));
player.follow((p, change) => choices.render(p, change));
attachMenu(byId("theme-button"), themeItems);

/** Another program or text is on the desk: the links and the row over the player say so. */
function moved() {
  tools.draw();
  choices.hidden = player.index !== desk.index;
  void desk.playAddress().then((address) => byId("playground").setAttribute("href", address));
}

function save() {
  if (!keep(id, state)) message.show("This browser keeps nothing: your way through the lesson is lost when the page is closed.");
}

/** @param {string} source */
function keepDraft(source) {
  const task = lesson.steps[at].exercise;
  if (!task) return;
  if (source === desk.sourceOf(task.program)) delete state.code[task.id];
  else state.code[task.id] = source;
  save();
}

/** Runs what stands in the editor. The question goes on about the lesson's own recording, so nothing of it is given away. */
function start() {
  ended = "";
  return run.start();
}

/** The lesson's own program and recording, where this step stands. */
async function again() {
  const step = lesson.steps[at];
  if (step.exercise) desk.put(desk.given);
  await desk.lay(desk.program);
  if (step.player?.program === desk.program) stage.stand(step.player, question?.done ?? true);
}

/** @param {string} program the other one of two */
async function change(program) {
  try {
    await desk.lay(program);
  } catch (error) {
    return complain(error);
  }
  const place = lesson.steps[at].player;
  if (place?.program === program) stage.stand(place, question?.done ?? true);
}

/** @param {number} to */
function go(to) {
  if (to >= lesson.steps.length) {
    state.done = true;
    save();
    return location.assign(lessonAt(lesson.next));
  }
  at = Math.max(0, to);
  state.at = at;
  state.reached = Math.max(state.reached, at);
  save();
  history.replaceState(null, "", `#step=${at + 1}`);
  void render();
  byId("lesson-scroll").scrollTop = 0;
  byId("lesson-title").focus({ preventScroll: true });
  // On a phone the text stands above the player, and the page scrolls.
  scrollTo(0, 0);
}

async function render() {
  const step = lesson.steps[at];
  byId("lesson-no").textContent = `${at + 1} of ${lesson.steps.length}`;
  byId("lesson-title").textContent = step.title;
  document.title = `${step.title} · ${lesson.title} · Stepgraph`;
  byId("lesson-body").replaceChildren(...markup(step.html));
  choices.show([]);
  question = step.question ? ask(step.question) : null;
  exercise = step.exercise ? task(step.exercise) : null;
  const measure = step.measure ? new MeasureView(step.measure, { source: (name) => desk.sourceOf(name), judge: (runs) => judge(id, at, runs) }) : null;
  byId("lesson-ask").replaceChildren(...[measure, question, exercise].flatMap((view) => (view ? [view.element] : [])));
  open();
  panes.tabs.show(step.exercise ? "code" : "graph");
  stage.show(step.exercise ? "code" : "graph");
  stage.times(false);
  try {
    say(player.index ? "" : "Loading the recording …");
    await setUp(step);
    say("");
  } catch (error) {
    say("");
    complain(error);
  }
  tools.show(step.player);
}

/** The program of a step, where the step wants it. @param {import("./types.js").Step} step */
async function setUp(step) {
  if (step.exercise) {
    const draft = state.code[step.exercise.id];
    await desk.lay(step.exercise.program);
    if (draft !== undefined) desk.put(draft);
    return;
  }
  const place = step.player ?? standing();
  const anew = !!place && (place.program !== desk.program || desk.own);
  if (place && anew) await desk.lay(place.program);
  // A step that names no place leaves the player where it is.
  if (place && step === lesson.steps[at] && (anew || step.player)) stage.stand(place, question?.done ?? true);
}

/** Where the last step that named a place has left the player, nothing hidden. @returns {import("./types.js").PlayerPlace | undefined} */
function standing() {
  const before = lesson.steps.slice(0, at).findLast((step) => step.player)?.player;
  return before && { ...before, hide: false };
}

/** @param {import("./types.js").Question} of */
function ask(of) {
  const step = at;
  return new QuestionView(of, {
    answered: state.answered[String(step)] ?? [],
    onOptions: (found) => choices.show(found),
    onAnswer: (all, done) => {
      state.answered[String(step)] = all;
      save();
      open();
      if (done) void reveal(of.reveal);
    },
  });
}

/** The question is answered: what came may be seen, in the recording that it was about. @param {number | undefined} to */
async function reveal(to) {
  if (to !== undefined && player.index !== desk.index) await desk.lay(desk.program);
  player.hold(-1);
  if (to !== undefined) stage.reveal(to);
}

function open() {
  const { question: asked } = lesson.steps[at];
  // What a card advises may be what is being asked.
  byId("app").toggleAttribute("data-asking", Boolean(asked) && !(question?.done ?? true));
  steps.show(at, state.reached, !asked || (question?.done ?? false) || at < state.reached, lesson.next);
}

/** @param {import("./types.js").Exercise} of */
function task(of) {
  return new ExerciseView(of, {
    solved: state.solved[of.id] ?? false, solution: desk.sourceOf(of.solution.program), mine: () => desk.source,
    onRun: () => void check(of),
    onReset: () => put(desk.sourceOf(of.program)),
    onSolution: () => put(desk.sourceOf(of.solution.program)),
    onSolved: () => {
      state.solved[of.id] = true;
      save();
    },
  });
}

/** @param {string} text */
function put(text) {
  desk.put(text);
  stage.show("code");
}

/** Runs the reader's program and asks what the checks say about that run. @param {import("./types.js").Exercise} of */
async function check(of) {
  const view = exercise;
  view?.busy("Running …");
  await start();
  try {
    if (ended) view?.show(await checkRun(id, of.id, ended));
    else view?.failed("It was not run to its end, so there is nothing to check yet.");
  } catch (error) {
    view?.failed(wordsOf(error));
  } finally {
    view?.busy("");
  }
}

player.follow((_, change) => {
  if (change.topics.has("trace")) moved();
  if (change.topics.has("selection") && question && !question.done && !choices.hidden && player.selected >= 0) question.point(player.selected);
  if (change.topics.has("held")) say("What comes next is hidden until you answer.");
  else if (change.topics.has("step") && !run.busy) say("");
});

const onward = /** @param {KeyboardEvent} event */ (event) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && !(event.target instanceof Element && event.target.closest(".node, .region-title"));
/** @type {import("../views/keys.js").Key[]} */
const keys = [
  ...Array.from({ length: 9 }, (_, n) => ({ keys: String(n + 1), words: `Answer ${n + 1}`, match: on(String(n + 1)), run: () => question?.choose(n + 1) })),
  { keys: "Enter", words: "On to the next step of the lesson", match: onward, run: () => byId("lesson-next").click() },
  ...keyTable({ player, graph: panes.graph, run: { start: () => void (exercise ? exercise.around.onRun() : start()) }, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), find: (query) => panes.find.open(query), xray: () => panes.xray(), watch: () => panes.watch(), tell: say, tabs: panes.tabs, focusCode: () => panes.code.editor?.focus(), codeLine: () => panes.code.editor?.line ?? 1 }),
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

async function editor() {
  try {
    panes.code.attach(await import(new URL(`${root.dataset.base ?? "/static/"}build/editor.js`, document.baseURI).href), root.dataset.nonce ?? "");
  } catch {
    message.show("The editor could not be loaded: run `make setup` and reload. The recording plays without it.", true);
  }
}

async function begin() {
  try {
    lesson = await getLesson(id);
  } catch (error) {
    return complain(error);
  }
  desk.lesson = lesson;
  steps = new StepsView(lesson.steps.length, go);
  const wanted = /^#step=(\d{1,3})$/.exec(location.hash)?.[1];
  at = Math.max(0, Math.min(wanted ? Number(wanted) - 1 : state.at, state.reached, lesson.steps.length - 1));
  await render();
  if (!wasRunning()) return;
  message.show("The page was reloaded while the program ran: that run is over and left no recording.", false, button("Run it again", { class: "link" }, () => {
    message.hide();
    void start();
  }));
}

void begin();
void editor();
