/**
 * What the page around an embed may say to it, and what it hears (docs/sharing.md).
 *
 *     frame.contentWindow.postMessage({ stepgraph: 1, go: { line: 7 } }, "https://the.server");
 *
 * Only the page that holds the frame is listened to, and only to go to a place: it can neither change the program nor run it. Who asks by
 * `{stepgraph: 1, follow: true}` hears, at its own origin and at no other, at which step the player is: numbers, nothing of the program.
 * @typedef {import("../player/player.js").Player} Player
 */
import { parsePlace } from "../link.js";

/** Of this version of the messages. */
export const VERSION = 1;
const KEYS = ["step", "line", "node", "name"];

/** A place as somebody else's page names it: it goes through the same sieve as an address. @param {unknown} wanted @returns {import("../link.js").Place | null} */
export function placeIn(wanted) {
  if (!wanted || typeof wanted !== "object") return null;
  const parts = new URLSearchParams();
  for (const key of KEYS) {
    const value = /** @type {Record<string, unknown>} */ (wanted)[key];
    if (typeof value === "number" || typeof value === "string") parts.set(key, String(value).slice(0, 200));
  }
  return parsePlace(parts.toString());
}

/** @param {Player} player @param {(place: import("../link.js").Place) => void} go */
export function listenToHost(player, go) {
  if (window.parent === window) return;
  /** The origins that follow; an opaque one (`null`) cannot be named, so it hears nothing. @type {Set<string>} */
  const followers = new Set();
  const tell = () => {
    const { index, step } = player;
    const at = index ? { step: step + 1, steps: index.stepCount, line: Math.max(0, index.trace.steps.line[step] ?? 0) } : null;
    for (const origin of followers) window.parent.postMessage({ stepgraph: VERSION, at }, origin);
  };
  addEventListener("message", (event) => {
    const { data } = event;
    if (event.source !== window.parent || !data || typeof data !== "object" || data.stepgraph !== VERSION) return;
    const place = placeIn(data.go);
    if (place) go(place);
    if (data.follow === true && /^https?:/.test(event.origin)) {
      followers.clear();
      followers.add(event.origin);
      tell();
    }
  });
  player.follow((_, change) => {
    if (change.topics.has("step") || change.topics.has("trace")) tell();
  });
}
