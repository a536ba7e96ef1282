/**
 * Drafts: what the reader has made of each program, with what can be undone in it, kept in the browser across reloads and versions.
 * Bounded: the oldest goes first.
 * @typedef {{source: string, name: string, past: string, at: number}} Draft
 */

const PREFIX = "stepgraph.draft.";
const MOST_DRAFTS = 30;
/** Characters of all drafts together; a browser keeps about 5 million for a site. */
const MOST_ALL = 2_000_000;
/** Characters of what can be undone in one. */
export const MOST_PAST = 200_000;

/** Only the text has to be there: what another version kept, with less beside it, is still read. @param {string} key which program it is made of @returns {Draft | null} */
export function keptDraft(key) {
  try {
    const found = JSON.parse(localStorage.getItem(PREFIX + key) ?? "null");
    if (typeof found?.source !== "string") return null;
    const { source, name, past, at } = found;
    return { source, name: typeof name === "string" ? name : "program.py", past: typeof past === "string" ? past : "", at: Number.isFinite(at) ? at : 0 };
  } catch {
    return null;
  }
}

/** All drafts, the newest first. @returns {[string, Draft][]} */
export function keptDrafts() {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX)).map((key) => key.slice(PREFIX.length));
    return keys.flatMap((key) => {
      const draft = keptDraft(key);
      return draft ? [/** @type {[string, Draft]} */ ([key, draft])] : [];
    }).sort(([, a], [, b]) => b.at - a.at);
  } catch {
    return [];
  }
}

/** @param {string} key @param {Draft} draft @returns {boolean} whether it could be kept */
export function keepDraft(key, draft) {
  const others = keptDrafts().filter(([other]) => other !== key);
  const size = (/** @type {Draft} */ one) => one.source.length + one.past.length;
  let all = others.reduce((sum, [, one]) => sum + size(one), size(draft));
  for (;;) {
    try {
      if (others.length < MOST_DRAFTS && all <= MOST_ALL) {
        localStorage.setItem(PREFIX + key, JSON.stringify(draft));
        return true;
      }
    } catch {
      if (!others.length) return false; // it keeps nothing, or has no room even for this one
    }
    const oldest = others.pop();
    if (!oldest) return false;
    all -= size(oldest[1]);
    try {
      localStorage.removeItem(PREFIX + oldest[0]);
    } catch {
      return false;
    }
  }
}
