/** Wires a lesson: its text at the left, the live player at the right. The player's panes are those of the player's own page. */
import { Cancelled, ServerError, follow, submit } from "../api.js";
import { keyTable } from "../keytable.js";
import { MOST_CHARACTERS, packProgram } from "../link.js";
import { Measuring } from "../measuring.js";
import { Panes } from "../panes.js";
import { Player } from "../player/player.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { button, byId, h } from "../views/dom.js";
import { listen, on, openKeyList } from "../views/keys.js";
import { attachMenu } from "../views/menu.js";
import { MessageView } from "../views/message.js";
import { themeItems } from "../views/thememenu.js";
import { ExerciseView } from "./exercise.js";
import { Choices } from "../views/graph/choices.js";
import { markup } from "./markup.js";
import { MeasureView } from "./measure.js";
import { keep, kept } from "./progress.js";
import { QuestionView } from "./question.js";
import { checkRun, getLesson, getTrace, judge } from "./server.js";
import { StepsView } from "./steps.js";

/** @typedef {import("./types.js").Lesson} Lesson */
/** @typedef {import("./types.js").PlayerPlace} PlayerPlace */

const root = document.documentElement;
const app = byId("app");
const id = byId("lesson").dataset.lesson ?? "";
const player = new Player();
const message = new MessageView(byId("message"));
const state = kept(id);
const say = /** @param {string} words */ (words) => (byId("progress").textContent = words);

/** @type {Lesson} */
let lesson;
/** @type {StepsView} */
let steps;
let at = 0;
/** The program in the editor, by its name in the lesson, and the lesson's own recordings of programs. */
let program = "";
/** @type {Map<string, Promise<TraceIndex>>} */
const recordings = new Map();
/** @type {QuestionView | null} */
let question = null;
/** @type {ExerciseView | null} */
let exercise = null;
let running = false;
/** Whether the editor's text is the reader's own. */
let own = false;

const panes = new Panes(player, { measuring: new Measuring(), onRun: () => void run(), onEdit: () => edited(), back: () => void lay(program, { fresh: true }), origin: () => (own ? "edited" : "example"), commands: () => [], runCommand: () => {}, set: null, swap: () => {}, leaveAsking: () => byId("lesson-title").focus() });
const { code, graph } = panes;
/** What a question offers, in the picture. */
const choices = new Choices(graph, (number) => question?.choose(Number(number)));
player.follow((p, change) => choices.render(p, change));
attachMenu(byId("theme-button"), themeItems);

/** @param {string} name @returns {Promise<TraceIndex>} */
function recording(name) {
  let found = recordings.get(name);
  if (!found) {
    found = getTrace(lesson.programs[name].trace).then((document) => new TraceIndex(decodeTrace(document)));
    recordings.set(name, found);
    found.catch(() => recordings.delete(name));
  }
  return found;
}

/** Puts a program of the lesson into the player. @param {string} name @param {{fresh?: boolean}} [options] `fresh`: not the reader's version of it */
async function lay(name, { fresh = false } = {}) {
  const index = await recording(name);
  program = name;
  own = false;
  code.source = lesson.programs[name].source;
  if (player.index !== index) player.load(index);
  delete app.dataset.empty;
  if (fresh && exercise) {
    delete state.code[lesson.steps[at].exercise?.id ?? ""];
    save();
  }
  void addresses();
}

/** Where the links of the page lead: this program, in the player alone and beside its other version. */
async function addresses() {
  const packed = await packProgram(code.source);
  byId("playground").setAttribute("href", packed.length <= MOST_CHARACTERS ? `/play#program=${packed}` : "/play");
}

function save() {
  if (!keep(id, state)) message.show("This browser keeps nothing: your way through the lesson is lost when the page is closed.");
}

function edited() {
  if (!lesson || !program) return;
  own = code.source !== lesson.programs[program].source;
  const task = lesson.steps[at].exercise;
  if (task && own) {
    state.code[task.id] = code.source;
    save();
  }
  document.getElementById("run-here")?.classList.toggle("stale", player.stale);
}

/** Runs what stands in the editor; gives the run's id, null if it did not come to its end. @returns {Promise<string | null>} */
async function run() {
  if (running) return null;
  running = true;
  message.hide();
  const tell = /** @param {string} words */ (words) => {
    say(words);
    exercise?.busy(words);
  };
  try {
    tell("Handing in …");
    const run = await submit(code.source, program);
    const document = await follow(run, { queued: (place) => tell(place > 0 ? `Waiting, place ${place}` : "Waiting"), running: (line) => tell(line > 0 ? `Running line ${line}` : "Running"), building: () => tell("Drawing the graph") });
    const index = new TraceIndex(decodeTrace(document));
    player.load(index);
    if (document.end.kind === "error" || document.end.kind === "limit") player.last();
    else player.play(!matchMedia("(prefers-reduced-motion: reduce)").matches);
    return run;
  } catch (error) {
    const words = error instanceof Cancelled ? "Stopped." : error instanceof ServerError ? `${error.message} ${error.hint}` : String(error);
    message.show(words, true);
    exercise?.failed(words);
    return null;
  } finally {
    running = false;
    tell("");
  }
}

/** @param {PlayerPlace} place @param {boolean} answered */
function stand(place, answered) {
  player.hold(place.hide && !answered ? place.at : -1);
  player.goTo(place.at);
  if (place.select !== undefined) player.select(place.select);
  if (place.open === "xray") panes.xray(place.select);
  else if (place.open === "output" || place.open === "variables") show("code");
  else if (place.open && place.open !== "graph") panes.timings.show(/** @type {any} */ (place.open === "measure" ? "measured" : place.open));
}

/** The graph, or the program with its output beside it. @param {"graph" | "code"} what */
function show(what) {
  app.dataset.lesson = what;
  for (const one of byId("lesson-tools").querySelectorAll("button[data-show]")) one.setAttribute("aria-pressed", String(/** @type {HTMLElement} */ (one).dataset.show === what));
  graph.fit();
}

/** What can be done with the player in this step. @param {PlayerPlace | undefined} place */
function tools(place) {
  const showing = app.dataset.lesson ?? "graph";
  /** @type {HTMLElement[]} */
  const found = [];
  const shown = place?.program ?? program;
  const pair = place?.beside ? [shown, place.beside] : [];
  for (const name of pair) found.push(button(name, { class: "tab", "aria-pressed": String(name === program) }, () => void change(name, place)));
  if (pair.length) found.push(button("Side by side", { class: "link" }, () => void sideBySide(pair)));
  if (place?.until !== undefined) found.push(button("▶ Play this part", { class: "link" }, () => playPart(/** @type {PlayerPlace} */ (place))));
  found.push(h("span", { class: "fill" }));
  for (const [what, words] of /** @type {["graph" | "code", string][]} */ ([["graph", "Graph"], ["code", "Edit the program"]])) found.push(button(words, { class: "tab", "data-show": what, "aria-pressed": String(showing === what) }, () => show(what)));
  const go = button("Run", { class: "run", id: "run-here", title: "Run the program as it stands in the editor (Ctrl Enter)" }, () => void run());
  byId("lesson-tools").replaceChildren(...found, go);
}

/** @param {string} name @param {PlayerPlace | undefined} place */
async function change(name, place) {
  await lay(name);
  if (place && name === place.program) stand(place, question?.done ?? true);
  tools(place);
}

/** @param {string[]} pair */
async function sideBySide(pair) {
  const [a, b] = await Promise.all(pair.map((name) => packProgram(lesson.programs[name].source)));
  location.assign(`/compare#${new URLSearchParams({ left: a, right: b })}`);
}

/** @param {PlayerPlace} place */
function playPart(place) {
  player.goTo(place.at);
  const stop = place.until ?? -1;
  const watch = /** @param {number} now */ (now) => {
    if (!player.playing) return;
    if (player.step >= stop) return player.play(false);
    void now;
    requestAnimationFrame(watch);
  };
  player.play(true);
  requestAnimationFrame(watch);
}

/** @param {number} to */
async function go(to) {
  if (to >= lesson.steps.length) {
    state.done = true;
    save();
    return location.assign(lesson.next ? `/lessons/${lesson.next}` : "/lessons");
  }
  at = Math.max(0, to);
  state.at = at;
  state.reached = Math.max(state.reached, at);
  save();
  history.replaceState(null, "", `#step=${at + 1}`);
  await render();
  byId("lesson-scroll").scrollTop = 0;
  byId("lesson-title").focus({ preventScroll: true });
}

async function render() {
  const step = lesson.steps[at];
  const place = step.player;
  const tried = state.answered[String(at)] ?? [];
  byId("lesson-no").textContent = `${at + 1} of ${lesson.steps.length}`;
  byId("lesson-title").textContent = step.title;
  byId("lesson-body").replaceChildren(...markup(step.html));
  question = null;
  exercise = null;
  choices.show([]);
  /** @type {HTMLElement[]} */
  const asks = [];
  if (step.measure) asks.push(new MeasureView(step.measure, { source: (name) => lesson.programs[name].source, judge: (runs) => judge(id, at, runs) }).element);
  if (step.question) {
    question = new QuestionView(step.question, {
      answered: tried,
      onAnswer: (all, done) => answered(all, done),
      onOptions: (found) => choices.show(found),
    });
    asks.push(question.element);
  }
  if (step.exercise) asks.push(task(step.exercise));
  byId("lesson-ask").replaceChildren(...asks);
  open();
  try {
    say(player.index ? "" : "Loading the recording …");
    if (step.exercise) await begin(step.exercise);
    else {
      const wanted = place?.program ?? standing();
      if (wanted && (wanted !== program || own)) await lay(wanted);
      if (place) stand(place, question?.done ?? true);
    }
    say("");
  } catch (error) {
    message.show(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error), true);
  }
  if (place?.open !== "output" && place?.open !== "variables") show(step.exercise ? "code" : "graph");
  tools(place);
}

/** The program of the last step that named one. */
function standing() {
  for (let n = at; n >= 0; n--) {
    const found = lesson.steps[n].player?.program;
    if (found) return found;
  }
  return "";
}

/** @param {string[]} all @param {boolean} done */
function answered(all, done) {
  state.answered[String(at)] = all;
  save();
  const step = lesson.steps[at];
  if (done) {
    player.hold(-1);
    if (step.question?.reveal !== undefined) reveal(step.question.reveal);
  }
  open();
}

/** Shows what came: played where it is near, else at once. @param {number} to */
function reveal(to) {
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  if (to > player.step && to - player.step <= 12 && !still) playPart({ program, at: player.step, until: to, hide: false });
  else player.goTo(to);
}

function open() {
  const step = lesson.steps[at];
  const free = !step.question || (question?.done ?? false) || at < state.reached;
  steps.show(at, state.reached, free, lesson.next);
}

/** @param {import("./types.js").Exercise} of */
function task(of) {
  exercise = new ExerciseView(of, {
    hints: 0, solved: state.solved[of.id] ?? false, solution: lesson.programs[of.solution.program].source,
    onRun: () => void check(of),
    onReset: () => put(lesson.programs[of.program].source),
    onSolution: () => put(lesson.programs[of.solution.program].source),
    onSolved: () => {
      state.solved[of.id] = true;
      save();
    },
  });
  return exercise.element;
}

/** @param {string} text */
function put(text) {
  code.source = text;
  edited();
  show("code");
}

/** @param {import("./types.js").Exercise} of */
async function begin(of) {
  await lay(of.program);
  const mine = state.code[of.id];
  if (mine !== undefined && mine !== code.source) put(mine);
}

/** @param {import("./types.js").Exercise} of */
async function check(of) {
  const done = await run();
  if (!done || !exercise) return;
  try {
    exercise.show(await checkRun(id, of.id, done));
  } catch (error) {
    exercise.failed(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error));
  }
}

player.follow((_, change) => {
  app.toggleAttribute("data-held", player.furthest >= 0);
  if (change.topics.has("selection") && question && !question.done && player.selected >= 0) question.point(player.selected);
  if (change.topics.has("held")) say("What comes next is hidden until you answer.");
  else if (change.topics.has("step") && !running) say("");
});

const keys = [
  ...Array.from({ length: 9 }, (_, n) => ({ keys: String(n + 1), words: `Answer ${n + 1}`, match: on(String(n + 1)), run: () => question?.choose(n + 1) })),
  { keys: "Enter", words: "On to the next step of the lesson", match: /** @param {KeyboardEvent} event */ (event) => event.key === "Enter" && !event.ctrlKey && !event.metaKey && !(event.target instanceof Element && event.target.closest("button, a, input, textarea, [contenteditable], [role=img]")), run: () => byId("lesson-next").click() },
  ...keyTable({ player, graph, run: { start: () => void run() }, full: (pane) => panes.full(pane), unfull: () => panes.unfull(), list: () => openKeyList(keys), find: (query) => panes.find.open(query), xray: () => panes.xray(), watch: () => panes.watch(), tell: say, tabs: panes.tabs, focusCode: () => code.editor?.focus(), codeLine: () => code.editor?.line ?? 1 }),
];
listen(keys);
byId("keys-button").addEventListener("click", () => openKeyList(keys));

/** @param {number} now */
function frame(now) {
  player.tick(now);
  requestAnimationFrame(frame);
}

async function editor() {
  try {
    code.attach(await import(`${root.dataset.base ?? "/static/"}build/editor.js`), root.dataset.nonce ?? "");
  } catch {
    message.show("The editor could not be loaded: run `make setup` and reload. The recording plays without it.", true);
  }
}

async function start() {
  try {
    lesson = await getLesson(id);
  } catch (error) {
    return message.show(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error), true);
  }
  steps = new StepsView(lesson.steps.length, (to) => void go(to));
  const wanted = /^#step=(\d{1,3})$/.exec(location.hash)?.[1];
  at = Math.min(wanted ? Number(wanted) - 1 : state.at, state.reached, lesson.steps.length - 1);
  requestAnimationFrame(frame);
  await render();
}

void start();
void editor();
