/** How long a reader is at a lesson: only while the page is seen and something was done in it lately. Milliseconds. */

/** Reading a step without touching anything takes no longer; who is away longer does not read. */
const AWAY = 120_000;
/** Between two looks at the clock. A computer that slept in between counts as one. */
export const EVERY = 5_000;

export class Stopwatch {
  /** @param {number} now */
  constructor(now) {
    this.touched = now;
    this.last = now;
  }

  /** Something was done. @param {number} now */
  touch(now) {
    this.touched = now;
  }

  /** What counts of the time since the last look. @param {number} now @param {boolean} seen */
  look(now, seen) {
    const since = Math.min(now - this.last, 2 * EVERY);
    this.last = now;
    return seen && now - this.touched <= AWAY ? Math.max(0, since) : 0;
  }
}
