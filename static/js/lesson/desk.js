/**
 * The programs of a lesson: laid into the editor with their recordings, edited and run by the reader, laid back.
 * @typedef {import("./types.js").Lesson} Lesson
 * @typedef {object} Around
 * @property {(source: string) => void} edited   the reader has changed the text
 * @property {() => void} changed   another program or another text is on the desk
 */
import { formatPlace, nowhere } from "../compare/place.js";
import { MOST_CHARACTERS, packProgram } from "../link.js";
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";
import { byId } from "../views/dom.js";
import { getTrace } from "./server.js";

export class LessonDesk {
  /** @param {import("../player/player.js").Player} player @param {Around} around */
  constructor(player, around) {
    this.player = player;
    this.around = around;
    /** @type {Lesson | null} */
    this.lesson = null;
    /** @type {import("../views/code.js").CodeView | null} */
    this.code = null;
    /** The program on the desk, by its name in the lesson. */
    this.program = "";
    this.wanted = "";
    /** The lesson's own recording of it. @type {TraceIndex | null} */
    this.index = null;
    /** @type {Map<string, Promise<TraceIndex>>} */
    this.recordings = new Map();
    this.laying = false;
  }

  /** Whether the text, or the recording that is shown, is the reader's own. */
  get own() {
    return !!this.lesson && !!this.program && (this.source !== this.given || (this.player.index !== null && this.player.index !== this.index));
  }

  get source() {
    return this.code?.source ?? "";
  }

  /** The program as the lesson gave it. */
  get given() {
    return this.sourceOf(this.program);
  }

  /** @param {string} name */
  sourceOf(name) {
    return this.lesson?.programs[name]?.source ?? "";
  }

  /** @param {string} name @returns {Promise<TraceIndex>} */
  recording(name) {
    let found = this.recordings.get(name);
    if (!found) {
      found = getTrace(this.lesson?.programs[name].trace ?? "").then((document) => new TraceIndex(decodeTrace(document)));
      this.recordings.set(name, found);
      found.catch(() => this.recordings.delete(name));
    }
    return found;
  }

  /** Puts a program of the lesson into the player, as the lesson gave it. @param {string} name */
  async lay(name) {
    // Nobody types into a program that is about to be replaced.
    const editor = byId("code");
    editor.inert = true;
    this.wanted = name;
    const index = await this.recording(name).finally(() => (editor.inert = false));
    // Another one was asked for while this recording was on its way.
    if (this.wanted !== name) return;
    this.laying = true;
    this.program = name;
    this.index = index;
    if (this.code) this.code.source = this.given;
    if (this.player.index !== index) this.player.load(index);
    this.laying = false;
    this.around.changed();
  }

  /** Puts a text into the editor in place of the one that is there; Ctrl Z brings it back, or undoes what could be undone in the new one. @param {string} text @param {string} [past] */
  put(text, past = "") {
    this.code?.restore(text, past);
  }

  /** The editor's text has changed, by whomever. */
  typed() {
    if (this.laying || !this.lesson || !this.program) return;
    this.around.edited(this.source);
    this.around.changed();
  }

  /** A run of what stands in the editor has come to its end. @param {import("../trace/types.js").TraceDocument} document */
  ran(document) {
    this.player.load(new TraceIndex(decodeTrace(document)));
    // What went wrong stands at the end; what went well is watched from the start.
    if (document.end.kind === "error" || document.end.kind === "limit" || matchMedia("(prefers-reduced-motion: reduce)").matches) this.player.last();
    else this.player.play(true);
    this.around.changed();
  }

  /** Where this program stands in the player, alone. @returns {Promise<string>} */
  async playAddress() {
    const packed = await packProgram(this.source);
    return packed.length <= MOST_CHARACTERS ? `/play#program=${packed}` : "/play";
  }

  /** Where two programs of the lesson stand side by side; what is built first and run later at the left. @param {string} one @param {string} two @returns {Promise<string>} */
  async besideAddress(one, two) {
    const [a, b] = await Promise.all([one, two].map((name) => packProgram(this.sourceOf(name))));
    return `/compare${formatPlace({ ...nowhere(), left: { example: "", program: a }, right: { example: "", program: b } })}`;
  }
}
