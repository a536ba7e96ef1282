/** The server, as a lesson's page sees it. */
import { ServerError } from "../api.js";
import { answerAt, NO_SERVER } from "../site.js";

/** @typedef {import("./types.js").Lesson} Lesson */

/** @param {string} path @param {object} [body] @returns {Promise<any>} */
async function ask(path, body) {
  const address = answerAt(path);
  if (!address) throw new ServerError(...NO_SERVER);
  let response;
  try {
    response = await fetch(address, body && { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  } catch {
    throw new ServerError("The server cannot be reached.", "Look whether it still runs, then try again. What you typed is kept.");
  }
  const found = await response.json().catch(() => null);
  if (!response.ok || !found) throw new ServerError(found?.error?.message ?? `The server answered ${response.status}.`, found?.error?.hint ?? "Try again.");
  return found;
}

/** @param {string} id @returns {Promise<Lesson>} */
export const getLesson = (id) => ask(`/api/lessons/${encodeURIComponent(id)}`);
/** @param {string} address @returns {Promise<import("../trace/types.js").TraceDocument>} */
export const getTrace = (address) => ask(address);
/** @param {string} lesson @param {string} exercise @param {string} run @returns {Promise<import("./types.js").CheckResult>} */
export const checkRun = (lesson, exercise, run) => ask(`/api/lessons/${encodeURIComponent(lesson)}/exercises/${encodeURIComponent(exercise)}`, { run });
/** @param {string} lesson @param {number} step @param {Record<string, string>} runs @returns {Promise<import("./types.js").Verdict>} */
export const judge = (lesson, step, runs) => ask(`/api/lessons/${encodeURIComponent(lesson)}/measures`, { step, runs });
