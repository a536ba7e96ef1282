/** The teacher's step and recording, for pages that show it in words: the presenter's view and the remote. */
import { decodeTrace } from "../trace/decode.js";
import { TraceIndex } from "../trace/index.js";

export class Watcher {
  /** @param {import("./connection.js").Connection} connection @param {() => void} changed */
  constructor(connection, changed) {
    /** @type {TraceIndex | null} */
    this.index = null;
    this.step = 0;
    this.loaded = 0;
    connection.on("class", (found) => {
      if (found.closed || found.program === this.loaded) return;
      void connection.get(`/programs/${found.program}/trace`).then((document) => {
        this.index = new TraceIndex(decodeTrace(document));
        this.loaded = found.program;
        changed();
      }, () => {}); // the words are missing, the buttons work; the next change asks again
    });
    connection.on("place", (place) => {
      this.step = place?.step ?? 0;
      changed();
    });
  }

  get count() {
    return this.index?.stepCount ?? 0;
  }
}

/** The buttons that move the teacher's page, and the keys of a presenter's clicker. @param {import("./connection.js").Connection} connection @param {(problem: string) => void} say @param {(error: unknown) => string} words */
export function steering(connection, say, words) {
  const press = /** @param {string} what */ (what) => connection.send("steer", what).then(() => say(""), (error) => say(words(error)));
  document.addEventListener("keydown", (event) => {
    const what = /** @type {Record<string, string>} */ ({ ArrowRight: "next", PageDown: "next", ArrowLeft: "back", PageUp: "back", Home: "first", End: "last" })[event.key];
    if (!what || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    void press(what);
  });
  return press;
}
