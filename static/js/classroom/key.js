/**
 * The teacher's key: in the part of the address after `#`, which no browser sends anywhere. From there it goes into this
 * browser's store and out of the address, which everybody in the hall can read.
 */
const STORE = "stepgraph.class.";

/** @param {string} code @returns {string} "" if this browser does not have it */
export function takeKey(code) {
  const found = new URLSearchParams(location.hash.slice(1)).get("key") ?? "";
  try {
    if (found) localStorage.setItem(STORE + code, found);
    const kept = found || localStorage.getItem(STORE + code) || "";
    if (found) history.replaceState(history.state, "", location.pathname + location.search);
    return kept;
  } catch {
    return found; // a browser that keeps nothing: the key stays in the address, so that a reload finds it
  }
}

/** @param {string} code */
export function forgetKey(code) {
  try {
    localStorage.removeItem(STORE + code);
  } catch {
    /* It was not kept. */
  }
}

/** An address of the teacher's with the key in it. @param {string} classes where classes are, as other devices reach it @param {string} code @param {string} page @param {string} key */
export const keyLink = (classes, code, page, key) => `${classes}/${code}/${page}#key=${encodeURIComponent(key)}`;
