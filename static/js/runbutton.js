/** Run: hands the program in, shows how far it is, can be cancelled, loads the recording. */
import { answer, Cancelled, cancel, follow, halt, Lost, ServerError, submit } from "./api.js";
import { keepRunning } from "./kept.js";
import { button as makeButton } from "./views/dom.js";

/** @typedef {import("./trace/types.js").TraceDocument} TraceDocument */
/** @typedef {{source: string, name: string, files: import("./views/files.js").Given[], stdin: string | null}} Program   with what it read as input, and what lay beside it */

export class RunButton {
  /**
   * @param {{button: HTMLElement, word: HTMLElement, progress: HTMLElement, message: import("./views/message.js").MessageView}} elements
   * @param {{source: () => string, name: () => string, files: () => import("./views/files.js").Given[], load: (trace: TraceDocument, id: string) => void, asks: import("./views/ask.js").AskView}} on
   */
  constructor({ button, word, progress, message }, on) {
    this.button = button;
    this.word = word;
    this.progress = progress;
    this.message = message;
    this.on = on;
    /** That of the run, from when it is handed in: Stop may be pressed before the server has answered. @type {Promise<string> | null} */
    this.id = null;
    this.busy = false;
    /** Whether the program has begun. */
    this.begun = false;
    /** What was run last to its end. @type {Program | null} */
    this.ran = null;
    this.typed = "";
    this.rest = { word: word.textContent ?? "", title: button.title };
    button.addEventListener("click", () => (this.busy ? this.stop() : this.start()));
  }

  /** What lies here, to be recorded elsewhere too: with the input that it was given when it was run here. @returns {Program} */
  get program() {
    const [source, name, files] = [this.on.source(), this.on.name(), this.on.files()];
    return { source, name, files, stdin: this.ran?.source === source ? this.ran.stdin : null };
  }

  /** How far it is, in the bar; what went wrong, whole, under it. @param {string} words @param {boolean} [bad] */
  say(words, bad = false) {
    this.progress.textContent = bad ? "" : words;
    this.progress.title = bad ? "" : words;
    if (bad) this.message.show(words, true);
  }

  async start() {
    if (this.busy) return;
    this.message.hide();
    const source = this.on.source();
    if (!source.trim()) return this.say("The program is empty. Type one, or pick an example.", true);
    this.#setBusy(true);
    this.say("Handing in …");
    const { asks } = this.on;
    asks.begin();
    try {
      const handed = { source, name: this.on.name(), files: this.on.files() };
      this.typed = "";
      this.begun = false;
      this.id = submit(handed.source, handed.name, handed.files);
      const id = await this.id;
      const trace = await follow(id, {
        queued: (place, seconds) => this.say(place > 0 ? `Waiting, place ${place}, about ${seconds} s` : "Waiting"),
        away: () => this.say("The server does not answer. Trying again …"),
        running: (line) => {
          this.begun = true;
          this.say(line > 0 ? `Running line ${line}` : "Running");
        },
        output: (text) => {
          asks.print(text);
          this.say(`Prints: ${text.trim().split("\n").pop()?.slice(0, 60) ?? ""}`);
        },
        asks: (prompt) => {
          this.begun = true; // it may ask before anybody has looked at it running
          this.say("Waiting for your input");
          asks.ask(prompt, (text) => this.#answer(text));
        },
        building: () => this.say("Drawing the graph"),
      });
      this.say("");
      this.ran = { ...handed, stdin: this.typed || null };
      this.on.load(trace, id);
    } catch (error) {
      if (error instanceof Cancelled) this.say("Stopped.");
      else if (error instanceof Lost) this.#offerAgain(error);
      else if (error instanceof Error) this.say(error instanceof ServerError || "hint" in error ? `${error.message} ${/** @type {ServerError} */ (error).hint}` : error.message, true);
    } finally {
      asks.end();
      this.id = null;
      this.#setBusy(false);
    }
  }

  /** @param {Lost} error */
  #offerAgain(error) {
    this.say("");
    this.message.show(`${error.message} ${error.hint}`, true, makeButton("Run it again", { class: "link" }, () => void this.start()));
  }

  async stop() {
    if (!this.id) return;
    this.say("Stopping …");
    try {
      const id = await this.id;
      // What has run is worth looking at; what has not begun, or is drawn already, is just taken back.
      const done = this.begun && (await halt(id).then(() => true, (error) => {
        if (error instanceof ServerError && error.status === 409) return false;
        throw error;
      }));
      if (!done) await cancel(id);
    } catch (error) {
      if (error instanceof Error) this.say(error.message, true);
    }
  }

  /** @param {string | null} text */
  async #answer(text) {
    if (!this.id) return;
    try {
      await answer(await this.id, text);
      if (text !== null) this.typed += `${text}\n`;
    } catch (error) {
      if (error instanceof ServerError) this.say(`${error.message} ${error.hint}`, true);
    }
  }

  /** @param {boolean} busy */
  #setBusy(busy) {
    this.busy = busy;
    keepRunning(busy);
    this.word.textContent = busy ? "Stop" : this.rest.word;
    this.button.title = busy ? "Stop the program; what it did until then is shown" : this.rest.title;
  }
}
