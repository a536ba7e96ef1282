/**
 * The class, as a page is connected to it: what happens in it arrives as sections of its state, what the page sends goes out.
 *
 * Not an EventSource: that cannot send the teacher's key, which must not stand in an address. A lost connection is taken up
 * again by itself; the page names the last number it saw and is told what has changed since.
 * @typedef {(data: any) => void} Hear
 * @typedef {"open" | "lost" | "ended" | "refused"} Line   how the connection stands
 */
import { ask, ServerError } from "../api.js";

/** Longest time between two tries, in ms: a hall that comes back does not come back at once. */
const MOST_PAUSE = 8000;
/** Without a sign of life for so long, in ms, the connection is taken for lost. The server sends one every 5 s. */
const SILENCE = 12_000;

export class Connection {
  /** @param {string} code @param {{key?: string, projector?: boolean}} [as] */
  constructor(code, { key = "", projector = false } = {}) {
    this.path = `/api/classes/${encodeURIComponent(code)}`;
    this.key = key;
    this.projector = projector;
    /** @type {Map<string, Hear[]>} */
    this.heard = new Map();
    /** @type {((line: Line) => void)[]} */
    this.lines = [];
    this.seen = "";
    this.pause = 500;
    this.over = false;
    /** @type {AbortController | null} */
    this.request = null;
    addEventListener("online", () => this.request?.abort());
  }

  /** @param {string} name a section or what passes @param {Hear} hear */
  on(name, hear) {
    this.heard.set(name, [...(this.heard.get(name) ?? []), hear]);
  }

  /** @param {(line: Line) => void} tell */
  onLine(tell) {
    this.lines.push(tell);
  }

  /** Follows the class until it ends or the page is not wanted in it. */
  async start() {
    while (!this.over) {
      const before = performance.now();
      await this.#follow().catch(() => {});
      if (this.over) return;
      this.#tell("lost");
      if (performance.now() - before > 5000) this.pause = 500;
      await new Promise((resolve) => setTimeout(resolve, this.pause * (0.5 + Math.random())));
      this.pause = Math.min(MOST_PAUSE, this.pause * 2);
    }
  }

  /** Sends an event; one that is refused is an error with words for the reader. @param {string} kind @param {unknown} [data] */
  async send(kind, data = {}) {
    const answer = await this.post("/events", { kind, data });
    // What one has done oneself is told in the answer: the others need not be woken for it.
    if (answer?.me) for (const hear of this.heard.get("me") ?? []) hear(answer.me);
    return answer;
  }

  /** @param {string} path below the class @param {unknown} body */
  post(path, body) {
    return ask(`${this.path}${path}`, { method: "POST", headers: { "Content-Type": "application/json", ...this.headers }, body: JSON.stringify(body) });
  }

  /** @param {string} path below the class */
  get(path) {
    return ask(`${this.path}${path}`, { headers: this.headers });
  }

  /** The recording of a program of the class, and the files beside the program. @param {{program: number, beside: boolean}} about what the class is shown @returns {Promise<{document: import("../trace/types.js").TraceDocument, files: import("../views/files.js").Given[]}>} */
  async recording({ program, beside }) {
    const path = `/programs/${program}`;
    const [document, files] = await Promise.all([this.get(`${path}/trace`), beside ? this.get(`${path}/files`) : { files: [] }]);
    return { document, files: files.files };
  }

  /** @returns {Record<string, string>} */
  get headers() {
    return this.key ? { "X-Class-Key": this.key } : {};
  }

  async #follow() {
    const request = new AbortController();
    this.request = request;
    let timer = 0;
    const alive = () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => request.abort(), SILENCE);
    };
    alive();
    try {
      const headers = { ...this.headers, ...(this.seen && { "Last-Event-ID": this.seen }) };
      const response = await fetch(`${this.path}/events${this.projector ? "?as=projector" : ""}`, { headers, signal: request.signal, cache: "no-store" });
      if (response.status === 403 || response.status === 404) return this.#end("refused");
      if (!response.ok || !response.body) return;
      this.#tell("open");
      this.pause = 500;
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let rest = ""; ;) {
        const { done, value } = await reader.read();
        if (done) return;
        alive();
        const blocks = (rest + value).split("\n\n");
        rest = blocks.pop() ?? "";
        blocks.forEach((block) => this.#hear(block));
        if (this.over) return;
      }
    } finally {
      clearTimeout(timer);
      request.abort();
    }
  }

  /** @param {string} block the lines of one event */
  #hear(block) {
    let name = "";
    let data = "";
    for (const line of block.split("\n")) {
      if (line.startsWith("event: ")) name = line.slice(7);
      else if (line.startsWith("data: ")) data = line.slice(6);
      else if (line.startsWith("id: ")) this.seen = line.slice(4);
    }
    if (!name) return;
    const found = JSON.parse(data);
    for (const hear of this.heard.get(name) ?? []) hear(found);
    if (name === "class" && found.closed) this.#end("ended");
    if (name === "me" && found.removed) this.#end("refused");
  }

  /** @param {Line} line */
  #end(line) {
    this.over = true;
    this.#tell(line);
  }

  /** @param {Line} line */
  #tell(line) {
    for (const tell of this.lines) tell(line);
  }
}

/** What went wrong, in words with what to do. @param {unknown} error */
export function words(error) {
  if (error instanceof ServerError) return `${error.message} ${error.hint}`;
  return error instanceof Error ? error.message : String(error);
}

/** Lets of many calls within `pause` ms the first and the last through. @template T @param {(value: T) => void} call @param {number} pause @returns {(value: T) => void} */
export function newest(call, pause) {
  let timer = 0;
  let last = -Infinity;
  /** @type {T} */
  let kept;
  const now = () => {
    timer = 0;
    last = performance.now();
    call(kept);
  };
  return (value) => {
    kept = value;
    if (timer) return;
    const wait = last + pause - performance.now();
    if (wait <= 0) now();
    else timer = window.setTimeout(now, wait);
  };
}
