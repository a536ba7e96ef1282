/**
 * What this browser keeps of a lesson: where the reader stands, what was answered and typed, the reader's own programs. It never leaves the browser.
 * @typedef {{at: number, reached: number, answered: Record<string, string[]>, typed: Record<string, string>, solved: Record<string, boolean>, code: Record<string, string>, spent: number, done: boolean}} Kept
 *   `answered`: by step, what was tried, the last one right or shown; `typed`: by step, an answer that was not given yet; `code`: by the exercise's id, elsewhere by step and program; `spent`: milliseconds at it
 */
const PREFIX = "stepgraph.lesson.";
const MOST_CODE = 100_000;

/** @returns {Kept} */
const nothing = () => ({ at: 0, reached: 0, answered: {}, typed: {}, solved: {}, code: {}, spent: 0, done: false });

/** @param {string} lesson @returns {Kept} */
export function kept(lesson) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + lesson) ?? "null");
    if (!found || typeof found !== "object") return nothing();
    const whole = /** @param {unknown} value */ (value) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : 0);
    const record = /** @param {any} value @param {(one: any) => boolean} fits */ (value, fits) => Object.fromEntries(Object.entries(value && typeof value === "object" ? value : {}).filter(([, one]) => fits(one)));
    const text = /** @param {unknown} one */ (one) => typeof one === "string" && one.length <= MOST_CODE;
    return {
      at: whole(found.at), reached: whole(found.reached), done: found.done === true,
      answered: record(found.answered, (one) => Array.isArray(one) && one.every(text)),
      typed: record(found.typed, text),
      solved: record(found.solved, (one) => typeof one === "boolean"),
      code: record(found.code, text),
      spent: whole(Math.round(found.spent)),
    };
  } catch {
    return nothing();
  }
}

export class Progress {
  /** @param {string} lesson @param {() => void} lost the browser keeps nothing */
  constructor(lesson, lost) {
    this.lesson = lesson;
    this.lost = lost;
    this.state = kept(lesson);
  }

  /** Changes something of it, and keeps that. @param {(state: Kept) => void} change */
  note(change) {
    change(this.state);
    try {
      localStorage.setItem(PREFIX + this.lesson, JSON.stringify(this.state));
    } catch {
      this.lost();
    }
  }

  /** Keeps a text under a name, or forgets it where there is nothing of the reader's in it. @param {"code" | "typed"} what @param {string} name @param {string} text @param {string} given what stands there by itself */
  keep(what, name, text, given) {
    if ((this.state[what][name] ?? given) === text) return;
    this.note((state) => {
      if (text === given) delete state[what][name];
      else state[what][name] = text;
    });
  }
}
