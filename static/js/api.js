/**
 * The server, as the page sees it (docs/http.md).
 * @typedef {import("./trace/types.js").TraceDocument} TraceDocument
 * @typedef {{id: string, title: string, group: string, note: string, name: string, source: string}} Example
 * @typedef {{queued?: (place: number, seconds: number) => void, away?: () => void, running?: (line: number) => void, output?: (text: string) => void, asks?: (prompt: string) => void, building?: () => void, measuring?: (done: number, of: number) => void}} Progress
 */
import { answerAt, NO_SERVER } from "./site.js";

/** The server refused, or could not be reached. `hint` says what to do. */
export class ServerError extends Error {
  /** @param {string} message @param {string} hint @param {number} [status] what HTTP calls it, 0: nothing was answered */
  constructor(message, hint, status = 0) {
    super(message);
    this.name = "ServerError";
    this.hint = hint;
    this.status = status;
  }
}

/** The server no longer knows the run: it was started anew, or could not be reached for long. */
export class Lost extends ServerError {
  constructor() {
    super("The server was started anew while the program ran: that run is over and left no recording.", "The program is still here.");
  }
}

/** A run that was stopped on request. */
export class Cancelled extends Error {}

const OFFLINE = "Look whether the server still runs, and the network is there; then try again.";

/** @param {string} path @param {RequestInit} [init] @returns {Promise<any>} */
export async function ask(path, init) {
  const address = answerAt(path);
  if (!address) throw new ServerError(...NO_SERVER);
  let response;
  try {
    response = await fetch(address, init);
  } catch {
    throw new ServerError("The server cannot be reached.", OFFLINE);
  }
  if (response.status === 204) return null;
  const body = await response.json().catch(() => null);
  if (!response.ok || !body) throw new ServerError(body?.error?.message ?? `The server answered ${response.status}.`, body?.error?.hint ?? "Try again.", response.status);
  return body;
}

/** @returns {Promise<Example[]>} */
export async function examples() {
  return (await ask("/api/examples")).examples;
}

/** @param {string} id @returns {Promise<TraceDocument>} */
export function exampleTrace(id) {
  return ask(`/api/examples/${encodeURIComponent(id)}/trace`);
}

/** The page that plays a recording without a server, without one. @returns {Promise<string>} */
export async function playerPage() {
  return (await ask("/api/player-page")).page;
}

/** Stores a program and a place for whoever has the link. @param {import("./link.js").ShortLink} link @returns {Promise<{id: string, links: {page: string, code: string, embed: string}, reachable: boolean}>} `reachable`: from other devices, too */
export function storeLink(link) {
  return ask("/api/links", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(link) });
}

/** What is behind a short link. @param {string} id @returns {Promise<import("./link.js").ShortLink>} */
export function storedLink(id) {
  return ask(`/api/links/${encodeURIComponent(id)}`);
}

/** Hands a program in. @param {string} source @param {string} name @param {{name: string, data: string}[]} files beside it, in base64 @returns {Promise<string>} the id of the run */
export async function submit(source, name, files = []) {
  const body = await ask("/api/runs", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ source, name, ...(files.length && { files }) }) });
  return body.id;
}

/** Hands a program in to be measured, with the recorder off. @param {string} source @param {string} name @param {number} [line] that of the def, loop or statement that is timed too @returns {Promise<string>} the id of the run */
export async function submitMeasure(source, name, line = 0) {
  const body = await ask("/api/runs", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify({ source, name, interactive: false, measure: line > 0 ? { line } : {} }) });
  return body.id;
}

/** @param {string} id */
export function cancel(id) {
  return ask(`/api/runs/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** Ends a running program; what it has recorded is kept. @param {string} id */
export function halt(id) {
  return ask(`/api/runs/${encodeURIComponent(id)}/stop`, { method: "POST" });
}

/** Answers a program that asks; `null`: there is no more input. @param {string} id @param {string | null} text */
export function answer(id, text) {
  const body = text === null ? { eof: true } : { text };
  return ask(`/api/runs/${encodeURIComponent(id)}/input`, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
}

/**
 * Follows a run to its end and gives its trace, or its measurement if that was asked for.
 * @param {string} id @param {Progress} progress @returns {Promise<any>}
 * @throws {Cancelled | ServerError}
 */
export function follow(id, progress) {
  return new Promise((resolve, reject) => {
    const events = new EventSource(`/api/runs/${encodeURIComponent(id)}/events`);
    const finish = /** @param {() => void} then */ (then) => {
      events.close();
      then();
    };
    /** @param {string} name @param {(data: any) => void} tell */
    const hear = (name, tell) => events.addEventListener(name, (event) => tell(JSON.parse(/** @type {MessageEvent} */ (event).data)));
    hear("queued", (data) => progress.queued?.(data.place, data.seconds));
    hear("running", (data) => progress.running?.(data.line));
    hear("output", (data) => progress.output?.(data.text));
    hear("asks", (data) => progress.asks?.(data.prompt));
    hear("building", () => progress.building?.());
    hear("measuring", (data) => progress.measuring?.(data.done, data.of));
    hear("done", () => finish(() => ask(`/api/runs/${encodeURIComponent(id)}`).then(resolve, reject)));
    hear("failed", (data) => finish(() => reject(new ServerError(data.message, "Run it again."))));
    hear("cancelled", () => finish(() => reject(new Cancelled("This run was stopped."))));
    events.onerror = () => {
      if (events.readyState === EventSource.CLOSED) finish(() => reject(new Lost()));
      else progress.away?.();
    };
  });
}
