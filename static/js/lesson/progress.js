/**
 * What this browser keeps of a lesson: where the reader stands, what was answered, the code of each exercise. It never leaves the browser.
 * @typedef {{at: number, reached: number, answered: Record<string, string[]>, solved: Record<string, boolean>, code: Record<string, string>, done: boolean}} Kept
 *   `answered`: by step, what was tried, the last one right or shown; `code`: by the exercise's id
 */
const PREFIX = "stepgraph.lesson.";
const MOST_CODE = 100_000;

/** @returns {Kept} */
const nothing = () => ({ at: 0, reached: 0, answered: {}, solved: {}, code: {}, done: false });

/** @param {string} lesson @returns {Kept} */
export function kept(lesson) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + lesson) ?? "null");
    if (!found || typeof found !== "object") return nothing();
    const whole = /** @param {unknown} value */ (value) => (Number.isInteger(value) && Number(value) >= 0 ? Number(value) : 0);
    const record = /** @param {any} value @param {(one: any) => boolean} fits */ (value, fits) => Object.fromEntries(Object.entries(value && typeof value === "object" ? value : {}).filter(([, one]) => fits(one)));
    return {
      at: whole(found.at), reached: whole(found.reached), done: found.done === true,
      answered: record(found.answered, (one) => Array.isArray(one) && one.every((text) => typeof text === "string")),
      solved: record(found.solved, (one) => typeof one === "boolean"),
      code: record(found.code, (one) => typeof one === "string" && one.length <= MOST_CODE),
    };
  } catch {
    return nothing();
  }
}

/** @param {string} lesson @param {Kept} state @returns {boolean} whether it could be kept */
export function keep(lesson, state) {
  try {
    localStorage.setItem(PREFIX + lesson, JSON.stringify(state));
    return true;
  } catch {
    return false;
  }
}
