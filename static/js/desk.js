/**
 * The program on the desk: which it is, what it is called, where the address says it stands. Examples have their own name;
 * a program from a file has the file's; whatever else was edited or came by a link is `program.py`. Nothing here runs a program.
 * @typedef {import("./api.js").Example} Example
 * @typedef {import("./link.js").Place} Place
 * @typedef {import("./player/player.js").Player} Player
 */
import { arrive, goThere } from "./arrive.js";
import { storedLink } from "./api.js";
import { formatPlace, fromShortLink, MOST_BYTES, MOST_CHARACTERS, NEWER, nowhere, packProgram, parsePlace, toShortLink, unpackProgram } from "./link.js";
import { keepDraft, keptDraft } from "./drafts.js";
import { isEdit } from "./fork/steps.js";
import { keepOpen, keepProgram, keepUnsaid, keptOpen, keptProgram, wasUnsaid } from "./kept.js";

/** What a program of one's own is called, in the bar and in tracebacks. */
export const OWN_NAME = "program.py";
/** What the server takes as a name. */
const FILE_NAME = /^[\w. ()-]{1,100}$/;
/** The page of a short link. */
const SHORT = /^\/s\/([a-z2-7]{12,52})$/;
const QUIET = 400;

export class Desk {
  /**
   * @param {Player} player
   * @param {{source: () => string, put: (source: string, past?: string) => void, past: () => string, open: (example: Example, play: boolean) => Promise<void>, named: (name: string, own: boolean) => void, say: (words: string, bad?: boolean) => void}} page
   */
  constructor(player, page) {
    this.player = player;
    this.page = page;
    /** @type {Example[]} */
    this.examples = [];
    /** @type {Example | null} the example that was opened last */
    this.example = null;
    /** Where to go once the program has been run: what a link asked for. @type {Place | null} */
    this.wanted = null;
    /** The program that came with the address, if it is not the reader's own. */
    this.linked = "";
    /** What a program of one's own is called: after the file it came from. */
    this.own = OWN_NAME;
    /** Which draft an edit of what lies here goes to. */
    this.draft = "own";
    /** Whether it was said that the browser keeps nothing. */
    this.warned = false;
    this.packed = { source: "", text: "" };
    /** The short link that was opened, and its program. */
    this.short = { id: "", source: "" };
    this.timer = 0;
    this.written = "";
    /** Whether the address does not say yet what is here: it follows late, and not while the player plays. */
    this.unsaid = false;
    // Whoever leaves within the moment of quiet loses nothing.
    addEventListener("pagehide", () => {
      this.#keep();
      keepUnsaid(this.unsaid && !this.known && this.origin !== "link");
    });
    player.follow((_, change) => {
      if (["trace", "step", "selection", "view", "playing", "grain", "stops", "watches", "name", "query"].some((topic) => change.topics.has(/** @type {any} */ (topic)))) this.#later();
    });
  }

  /** The example whose text is on the desk, null for a program of one's own. */
  get known() {
    const source = this.page.source();
    return this.example?.source === source ? this.example : this.examples.find((example) => example.source === source) ?? null;
  }

  /** Where the text comes from: `edited` is what was made of the example that was opened last. @returns {"example" | "link" | "edited" | "own"} */
  get origin() {
    const source = this.page.source();
    if (this.known || !source) return "example";
    if (this.linked === source) return "link";
    return this.example && isEdit(this.example.source, source) ? "edited" : "own";
  }

  get name() {
    return this.known?.name ?? this.own;
  }

  /** The text changed, whoever changed it. */
  changed() {
    this.page.named(this.name, !this.known);
    this.#later();
  }

  /** What the page begins with: what the address says, else what was open last, else the first example. @param {string} wanted an example's id */
  async begin(wanted) {
    // What was typed in the last moment before a reload is in no address yet.
    if (wasUnsaid() && keptProgram()) return this.bringBack();
    if (await this.#follow(location.hash)) return;
    const asked = this.examples.find((example) => example.id === wanted);
    if (asked) return this.show(asked, true);
    const open = keptOpen();
    const own = keptProgram();
    if (open === "" && own) return this.bringBack();
    const first = this.examples.find((example) => example.id === open) ?? this.examples[0];
    if (first) return this.show(first, true);
    this.page.say("No examples are there. Type a program and press Run.");
  }

  /** Another address in the same window. */
  async moved() {
    if (location.hash === this.written) return;
    const place = parsePlace(location.hash);
    if (!place.newer && !place.program && !place.example && this.player.index && !this.player.stale) goThere(this.player, place);
    else await this.#follow(location.hash);
  }

  /** @param {Example} example @param {boolean} play */
  async show(example, play) {
    const left = this.page.source();
    if (left.trim() && !this.known) this.#keep();
    if (example !== this.example) this.player.forget();
    this.example = example;
    this.draft = `example.${example.id}`;
    this.wanted = null;
    await this.page.open(example, play);
  }

  /** The last program of one's own is put on the desk, not run. */
  bringBack() {
    const own = keptProgram();
    if (!own) return;
    this.own = own.name;
    this.draft = own.draft;
    const kept = keptDraft(own.draft);
    this.#put(own.source, kept?.source === own.source ? kept.past : "");
  }

  /** A draft is put on the desk, not run. @param {string} key */
  take(key) {
    const kept = keptDraft(key);
    if (!kept) return;
    this.#keep();
    this.own = kept.name;
    this.draft = key;
    this.example = this.examples.find((example) => key === `example.${example.id}`) ?? this.example;
    this.#put(kept.source, kept.past);
  }

  /** A program from a file is put on the desk, not run. @param {string} source @param {string} name the file's */
  lay(source, name) {
    this.#keep();
    this.own = FILE_NAME.test(name) ? name : OWN_NAME;
    this.draft = `file.${this.own}`;
    this.wanted = null;
    this.linked = "";
    this.#put(source);
  }

  /** The example again, as it was before it was edited; the edited text is kept. */
  backToExample() {
    if (this.example) void this.show(this.example, true);
  }

  /** A recording has been loaded: goes where a link wanted to be. */
  arrived() {
    const { wanted, player } = this;
    this.wanted = null;
    return !!wanted && arrive(player, wanted);
  }

  /** The address of this program at this step. @returns {Promise<{link: string, problem: string}>} `problem`: why there is none */
  async link() {
    const hash = formatPlace(await this.#place());
    const link = `${location.origin}/play${hash}`;
    if (!this.known && link.length > MOST_CHARACTERS) {
      return { link: "", problem: `This program makes a link of ${link.length.toLocaleString("en")} characters, and at most ${MOST_CHARACTERS.toLocaleString("en")} arrive everywhere. Shorten the program, or send it as a file.` };
    }
    return { link, problem: "" };
  }

  /** This program at this step, for a short link: the server is to store it. */
  async shortLink() {
    return toShortLink(this.page.source(), this.name === OWN_NAME ? "" : this.name, await this.#place());
  }

  /** What lies here and is one's own is kept at once. @returns {boolean} whether the browser keeps it */
  #keep() {
    const source = this.page.source();
    if (!source.trim() || this.known || this.origin === "link") return true;
    keepProgram(source, this.name, this.draft);
    return keepDraft(this.draft, { source, name: this.name, past: this.page.past(), at: Date.now() });
  }

  /** @param {string} source @param {string} [past] */
  #put(source, past = "") {
    this.player.forget();
    this.page.put(source, past);
    this.page.named(this.name, !this.known);
  }

  /** @param {string} hash @returns {Promise<boolean>} whether it led anywhere */
  async #follow(hash) {
    const place = parsePlace(hash);
    if (place.newer) {
      this.page.say(NEWER, true);
      return false;
    }
    const [, id] = SHORT.exec(location.pathname) ?? [];
    if (id && !place.program && !place.example) return this.#followShort(id, place);
    if (place.program) {
      const source = await unpackProgram(place.program);
      if (source === null) {
        this.page.say(`The program in this address cannot be read: it was cut off or changed on its way, or is longer than ${MOST_BYTES / 1000} kB. Ask for the link again.`, true);
        return false;
      }
      this.wanted = place;
      const own = keptProgram();
      this.linked = own?.source === source ? "" : source;
      if (own?.source === source) {
        this.draft = own.draft;
        this.own = own.name;
        const kept = keptDraft(own.draft);
        this.#put(source, kept?.source === source ? kept.past : "");
        return true;
      }
      this.draft = `link.${place.program.slice(-24)}`;
      this.#put(source);
      return true;
    }
    if (!place.example) return false;
    const example = this.examples.find((one) => one.id === place.example);
    if (!example) {
      this.page.say(`There is no example called ${place.example} here. The menu Examples has all of them.`, true);
      return false;
    }
    this.player.forget();
    this.example = example;
    this.draft = `example.${example.id}`;
    this.wanted = place;
    await this.page.open(example, place.step < 0);
    return true;
  }

  /** What is behind a short link; the address may name another place in it. @param {string} id @param {Place} moved */
  async #followShort(id, moved) {
    let link;
    try {
      link = await storedLink(id);
    } catch (error) {
      const hint = error instanceof Error && "hint" in error ? ` ${error.hint}` : "";
      this.page.say(`The program behind this short link is not to be had. ${error instanceof Error ? error.message : String(error)}${hint}`, true);
      return false;
    }
    const place = location.hash.length > 1 ? moved : fromShortLink(link);
    const example = this.examples.find((one) => one.source === link.source);
    this.wanted = place;
    if (example) {
      this.player.forget();
      this.example = example;
      await this.page.open(example, place.step < 0);
      return true;
    }
    if (link.name && FILE_NAME.test(link.name)) this.own = link.name;
    this.linked = keptProgram()?.source === link.source ? "" : link.source;
    this.short = { id, source: link.source };
    this.draft = `link.${id}`;
    this.#put(link.source);
    return true;
  }

  /** @returns {Promise<Place>} */
  async #place() {
    const { player } = this;
    const { known } = this;
    const place = nowhere();
    if (known) place.example = known.id;
    else {
      const source = this.page.source();
      if (this.packed.source !== source) this.packed = { source, text: await packProgram(source) };
      place.program = this.packed.text;
    }
    if (player.index && !player.stale && player.step > 0) place.step = player.step;
    else if (this.wanted && (!player.index || player.stale)) Object.assign(place, { ...this.wanted, example: place.example, program: place.program });
    if (player.index && !player.stale) Object.assign(place, { node: player.selected, view: player.view, by: player.grain, stops: player.stops, watches: player.watches, name: player.name, find: player.query });
    return place;
  }

  /** The address and what the browser keeps follow when nothing has moved for a moment. */
  #later() {
    clearTimeout(this.timer);
    this.unsaid = true;
    this.timer = window.setTimeout(() => void this.#write(), QUIET);
  }

  async #write() {
    this.timer = 0;
    const source = this.page.source();
    if (!source.trim()) return;
    const { known } = this;
    if (known || this.origin !== "link") keepOpen(known ? known.id : "");
    // A program that came with a link takes no place of one's own until it is changed.
    if (!this.#keep() && !this.warned) {
      this.warned = true;
      this.page.say("This browser keeps nothing, so a reload loses what you type. Save the program as a file: menu File.");
    }
    if (this.player.playing) return;
    const place = await this.#place();
    // A short link stays one while its program is untouched: only the place in it moves.
    const short = !known && this.short.id !== "" && this.short.source === source;
    const hash = formatPlace(short ? { ...place, program: "" } : place);
    const path = short ? `/s/${this.short.id}` : SHORT.test(location.pathname) ? "/play" : location.pathname;
    const search = new URLSearchParams(location.search);
    search.delete("example");
    const rest = search.toString();
    this.written = hash.length <= MOST_CHARACTERS ? hash : "";
    const address = `${path}${rest && `?${rest}`}${this.written}`;
    if (address !== `${location.pathname}${location.search}${location.hash}`) history.replaceState(history.state, "", address);
    if (!this.timer) this.unsaid = false;
  }
}
