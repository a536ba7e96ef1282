/** What this browser keeps of the reader's work: the last program of one's own, and what was open. Nothing else leaves the page. */

const PROGRAM = "stepgraph.program";
const OPEN = "stepgraph.open";
const SIZES = "stepgraph.panes";
const RUNNING = "stepgraph.running";
const UNSAID = "stepgraph.unsaid";

/** @param {string} key @returns {string | null} */
function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** @param {string} key @param {string | null} text */
function write(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
  } catch {
    /* A browser that keeps nothing, or is full: the page works without it. */
  }
}

/** @param {string} key @returns {any} */
function object(key) {
  try {
    const found = JSON.parse(read(key) ?? "null");
    return found && typeof found === "object" ? found : null;
  } catch {
    return null;
  }
}

/** The last program of one's own. @returns {{source: string, name: string, draft: string} | null} `draft`: where its draft is (drafts.js) */
export function keptProgram() {
  const found = object(PROGRAM);
  return typeof found?.source === "string" && typeof found.name === "string" && found.source.length <= 200_000 ? { source: found.source, name: found.name, draft: typeof found.draft === "string" ? found.draft : "own" } : null;
}

/** @param {string} source @param {string} name @param {string} [draft] */
export function keepProgram(source, name, draft = "own") {
  write(PROGRAM, JSON.stringify({ source, name, draft }));
}

/** What was open when the page was left: an example's id, "" for one's own program, null if nothing was. */
export const keptOpen = () => read(OPEN);
/** @param {string} example */
export const keepOpen = (example) => write(OPEN, example);

/** Whether a run is going on in this tab: a reload ends it, and the page can say so afterwards. @param {boolean} on */
export function keepRunning(on) {
  try {
    if (on) sessionStorage.setItem(RUNNING, "1");
    else sessionStorage.removeItem(RUNNING);
  } catch {
    /* Nothing is kept, so nothing is said after a reload. */
  }
}

/** Whether a run was going on when this tab was reloaded; asked once. */
export function wasRunning() {
  try {
    const was = sessionStorage.getItem(RUNNING) !== null;
    sessionStorage.removeItem(RUNNING);
    return was;
  } catch {
    return false;
  }
}

/** Whether this tab is left with a program that its address does not name yet. @param {boolean} on */
export function keepUnsaid(on) {
  try {
    if (on) sessionStorage.setItem(UNSAID, "1");
    else sessionStorage.removeItem(UNSAID);
  } catch {
    /* Nothing is kept: the address decides. */
  }
}

/** Whether this is a reload of a page that was left so. */
export function wasUnsaid() {
  try {
    const [entry] = performance.getEntriesByType("navigation");
    return sessionStorage.getItem(UNSAID) !== null && /** @type {PerformanceNavigationTiming} */ (entry)?.type === "reload";
  } catch {
    return false;
  }
}

/** Sizes of the panes in pixels, by the name of their handle. @returns {Record<string, number>} */
export function keptSizes() {
  const found = object(SIZES) ?? {};
  return Object.fromEntries(Object.entries(found).filter(([, size]) => typeof size === "number" && Number.isFinite(size)));
}

/** @param {Record<string, number>} sizes */
export const keepSizes = (sizes) => write(SIZES, JSON.stringify(sizes));
