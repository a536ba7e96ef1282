/**
 * The step of a lesson that is shown: its text, what it asks and sets, and the program where the step wants it.
 * @typedef {import("./types.js").Lesson} Lesson
 * @typedef {object} Around
 * @property {import("../player/player.js").Player} player
 * @property {import("../panes.js").Panes} panes
 * @property {import("./stage.js").Stage} stage
 * @property {import("./desk.js").LessonDesk} desk
 * @property {import("./tools.js").ToolsView} tools
 * @property {import("./progress.js").Progress} progress
 * @property {import("../views/graph/choices.js").Choices} choices   what a question offers, in the picture
 * @property {() => Promise<string>} run   runs what stands in the editor; the id of the run if it came to its end
 * @property {(words: string) => void} say
 * @property {(error: unknown) => void} complain
 * @property {(error: unknown) => string} wordsOf
 * @property {(to: number) => void} go
 */
import { keepDraft, keptDraft, MOST_PAST } from "../drafts.js";
import { byId } from "../views/dom.js";
import { ExerciseView } from "./exercise.js";
import { markup } from "./markup.js";
import { MeasureView } from "./measure.js";
import { QuestionView } from "./question.js";
import { checkRun, judge } from "./server.js";
import { StepsView } from "./steps.js";

/** Milliseconds without typing after which what can be undone is kept as well: the text itself is kept at once. */
const QUIET = 400;

export class StepPage {
  /** @param {Lesson} lesson @param {Around} around */
  constructor(lesson, around) {
    this.lesson = lesson;
    this.around = around;
    this.at = 0;
    /** @type {QuestionView | null} */
    this.question = null;
    /** @type {ExerciseView | null} */
    this.exercise = null;
    this.steps = new StepsView(lesson.steps.length, around.go);
    this.timer = 0;
    addEventListener("pagehide", () => this.#keepPast());
  }

  get step() {
    return this.lesson.steps[this.at];
  }

  /** Whether nothing is asked here that has not been answered. */
  get answered() {
    return this.question?.done ?? true;
  }

  /** @param {number} at */
  async show(at) {
    const { panes, stage, player, desk, tools, say, complain } = this.around;
    this.#keepPast();
    this.at = at;
    const { step } = this;
    byId("lesson-no").textContent = `${at + 1} of ${this.lesson.steps.length}`;
    byId("lesson-title").textContent = step.title;
    document.title = `${step.title} · ${this.lesson.title} · Stepgraph`;
    byId("lesson-body").replaceChildren(...markup(step.html));
    this.around.choices.show([]);
    this.question = step.question ? this.#ask(step.question) : null;
    this.exercise = step.exercise ? this.#task(step.exercise) : null;
    const measure = step.measure ? new MeasureView(step.measure, { source: (name) => desk.sourceOf(name), judge: (runs) => judge(this.lesson.id, at, runs) }) : null;
    byId("lesson-ask").replaceChildren(...[measure, this.question, this.exercise].flatMap((view) => (view ? [view.element] : [])));
    this.#open();
    panes.tabs.show(step.exercise ? "code" : "graph");
    stage.show(step.exercise ? "code" : "graph");
    stage.times(false);
    try {
      say(player.index ? "" : "Loading the recording …");
      await this.#setUp(step);
      say("");
    } catch (error) {
      say("");
      complain(error);
    }
    tools.show(step.player);
  }

  /** The program of a step, where the step wants it, with what the reader has changed in it here. @param {import("./types.js").Step} step */
  async #setUp(step) {
    const { desk, stage } = this.around;
    if (step.exercise) {
      await desk.lay(step.exercise.program);
      return this.#putDraft(step);
    }
    const place = step.player ?? this.#standing();
    if (!place) return;
    const anew = place.program !== desk.program || desk.own;
    if (anew) await desk.lay(place.program);
    if (step !== this.step) return;
    // A step that names no place leaves the player where it is.
    if (anew || step.player) stage.stand(place, this.answered);
    this.#putDraft(step);
  }

  /** Under which name the reader's changes to the program on the desk are kept: an exercise's go with it, others stay where they were made. */
  #draftName() {
    return this.step.exercise?.id ?? `${this.at}/${this.around.desk.program}`;
  }

  /** @param {import("./types.js").Step} step */
  #putDraft(step) {
    const draft = this.around.progress.state.code[this.#draftName()];
    if (draft === undefined || step !== this.step) return;
    const kept = keptDraft(this.#pastName());
    this.around.desk.put(draft, kept?.source === draft ? kept.past : "");
  }

  #pastName() {
    return `lesson.${this.lesson.id}.${this.#draftName()}`;
  }

  #keepPast() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = 0;
    const { desk } = this.around;
    if (desk.code && desk.source !== desk.given) keepDraft(this.#pastName(), { source: desk.source, name: desk.program, past: desk.code.undoable(MOST_PAST), at: Date.now() });
  }

  /** The text of the program has changed. @param {string} source */
  edited(source) {
    const { desk, progress } = this.around;
    progress.keep("code", this.#draftName(), source, desk.given);
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.#keepPast(), QUIET);
  }

  /** The lesson's own program and recording, where this step stands. */
  async again() {
    const { desk } = this.around;
    desk.put(desk.given);
    await desk.lay(desk.program);
    this.#stand();
  }

  /** @param {string} program the other one of two */
  async change(program) {
    const { step } = this;
    this.#keepPast();
    await this.around.desk.lay(program);
    if (step !== this.step) return;
    this.#stand();
    this.#putDraft(step);
  }

  #stand() {
    const { desk, stage } = this.around;
    const place = this.step.player;
    if (place?.program === desk.program) stage.stand(place, this.answered);
  }

  /** Where the last step that named a place has left the player, nothing hidden. @returns {import("./types.js").PlayerPlace | undefined} */
  #standing() {
    const before = this.lesson.steps.slice(0, this.at).findLast((step) => step.player)?.player;
    return before && { ...before, hide: false };
  }

  /** @param {import("./types.js").Question} of */
  #ask(of) {
    const { progress, choices } = this.around;
    const step = String(this.at);
    return new QuestionView(of, {
      answered: progress.state.answered[step] ?? [],
      typed: progress.state.typed[step] ?? "",
      onType: (text) => progress.keep("typed", step, text, ""),
      onOptions: (found) => choices.show(found),
      onAnswer: (all, done) => {
        progress.note((state) => (state.answered[step] = all));
        this.#open();
        if (done) void this.#reveal(of.reveal);
      },
    });
  }

  /** The question is answered: what came may be seen, in the recording that it was about. @param {number | undefined} to */
  async #reveal(to) {
    const { player, desk, stage } = this.around;
    const { step } = this;
    if (to !== undefined && player.index !== desk.index) {
      await desk.lay(desk.program);
      this.#putDraft(step);
    }
    player.hold(-1);
    if (to !== undefined) stage.reveal(to);
  }

  #open() {
    const { step, at } = this;
    const { reached } = this.around.progress.state;
    // What a card advises may be what is being asked.
    byId("app").toggleAttribute("data-asking", Boolean(step.question) && !this.answered);
    this.steps.show(at, reached, this.answered || at < reached, this.lesson.next);
  }

  /** @param {import("./types.js").Exercise} of */
  #task(of) {
    const { desk, progress } = this.around;
    return new ExerciseView(of, {
      solved: progress.state.solved[of.id] ?? false, solution: desk.sourceOf(of.solution.program), mine: () => desk.source,
      onRun: () => void this.#check(of),
      onReset: () => this.#put(desk.sourceOf(of.program)),
      onSolution: () => this.#put(desk.sourceOf(of.solution.program)),
      onSolved: () => progress.note((state) => (state.solved[of.id] = true)),
    });
  }

  /** @param {string} text */
  #put(text) {
    this.around.desk.put(text);
    this.around.stage.show("code");
  }

  /** Runs the reader's program and asks what the checks say about that run. @param {import("./types.js").Exercise} of */
  async #check(of) {
    const { run, wordsOf } = this.around;
    const view = this.exercise;
    view?.busy("Running …");
    const ended = await run();
    try {
      if (ended) view?.show(await checkRun(this.lesson.id, of.id, ended));
      else view?.failed("It was not run to its end, so there is nothing to check yet.");
    } catch (error) {
      view?.failed(wordsOf(error));
    } finally {
      view?.busy("");
    }
  }
}
