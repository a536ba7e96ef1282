/** Measuring on request: hands a program in to be measured, follows it, can stop it. */
import { Cancelled, cancel, follow, ServerError, submitMeasure } from "./api.js";
import { readMeasurement } from "./trace/breakeven.js";

/** @typedef {import("./trace/breakeven.js").Measurement} Measurement */

export class Measuring {
  constructor() {
    /** Called whenever something here has changed. */
    this.changed = () => {};
    this.busy = false;
    /** How far it is, or what went wrong. */
    this.words = "";
    /** @type {Measurement | null} */
    this.found = null;
    /** That of the run, from when it is handed in: Stop may be pressed before the server has answered. @type {Promise<string> | null} */
    this.id = null;
  }

  /** @param {{source: string, name: string}} program @param {number} line that of the def, loop or statement that matters; 0: none */
  async start(program, line) {
    if (this.busy) return;
    this.#say("Handing in …", true);
    try {
      this.id = submitMeasure(program.source, program.name, line);
      const found = await follow(await this.id, {
        queued: (place) => this.#say(place > 0 ? `Waiting, place ${place}` : "Waiting"),
        measuring: (done, of) => this.#say(`Run ${Math.min(done + 1, of)} of ${of}`),
      });
      this.found = readMeasurement(found);
      this.#say("", false);
    } catch (error) {
      this.#say(error instanceof Cancelled ? "Stopped." : error instanceof ServerError ? `${error.message} ${error.hint}` : String(error), false);
    } finally {
      this.id = null;
    }
  }

  async stop() {
    if (!this.id) return;
    this.#say("Stopping …");
    try {
      await cancel(await this.id);
    } catch (error) {
      this.#say(error instanceof ServerError ? `${error.message} ${error.hint}` : String(error));
    }
  }

  /** Another program has been recorded. */
  forget() {
    this.found = null;
    if (!this.busy) this.words = "";
  }

  /** @param {string} words @param {boolean} [busy] */
  #say(words, busy = this.busy) {
    this.words = words;
    this.busy = busy;
    this.changed();
  }
}
