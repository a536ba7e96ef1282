/** With the teacher, or on one's own: what of the teacher's place reaches this player. */
import { words } from "./connection.js";
import { lookAt, PointerView } from "./spot.js";

/** @typedef {import("./stage.js").Place} Place */

export class Following {
  /** @param {import("./connection.js").Connection} connection @param {import("./stage.js").Stage} stage @param {(following: Following) => void} changed */
  constructor(connection, stage, changed) {
    this.connection = connection;
    this.stage = stage;
    this.changed = changed;
    /** Whether this player goes where the teacher goes. */
    this.along = true;
    /** Whether the steps are being set from outside just now. */
    this.setting = false;
    /** @type {Place | null} */
    this.place = null;
    /** The program that is wanted, and the one that is loaded; 0 for one's own run. */
    this.shown = { program: 0, beside: false };
    this.loaded = -1;
    /** @type {any} */
    this.zoom = undefined;
    const pointer = new PointerView(stage.panes.graph);
    connection.on("class", (found) => {
      this.shown = found;
      if (this.along) void this.#load();
    });
    connection.on("place", (place) => {
      this.place = place;
      if (this.along) this.#apply();
      this.changed(this);
    });
    connection.on("pointer", (spot) => pointer.show(this.along ? spot : null));
    connection.on("zoom", (zoom) => {
      this.zoom = zoom;
      if (this.along) lookAt(stage.panes.graph, zoom);
    });
    stage.player.follow((_, change) => {
      if (!this.along || this.setting) return;
      if (["step", "playing", "view"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) this.leave();
    });
  }

  /** On one's own from here on. */
  leave() {
    this.along = false;
    this.changed(this);
  }

  /** Back to the teacher. */
  back() {
    this.along = true;
    void this.#load().then(() => this.#apply());
    this.changed(this);
  }

  /** Shows a run of one's own. @param {import("../trace/types.js").TraceDocument} document */
  own(document) {
    this.along = false;
    this.loaded = 0;
    this.#set(() => this.stage.show(document));
    this.changed(this);
  }

  async #load() {
    const wanted = this.shown.program;
    if (!wanted || this.loaded === wanted) return this.#apply();
    try {
      const { document, files } = await this.connection.recording(this.shown);
      if (wanted !== this.shown.program || !this.along) return;
      this.loaded = wanted;
      this.#set(() => this.stage.show(document, files));
      this.#apply();
      this.changed(this);
    } catch (error) {
      this.stage.message.show(words(error), true);
    }
  }

  #apply() {
    const { place } = this;
    if (place && place.program === this.loaded) this.#set(() => this.stage.goTo(place));
  }

  /** @param {() => void} action */
  #set(action) {
    this.setting = true;
    try {
      action();
    } finally {
      this.setting = false;
    }
  }
}
