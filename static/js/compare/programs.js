/**
 * The programs that can stand on either side: examples, one's own, those that came by a link; and of each that compiles a function
 * the same program without that, so that one function is seen in both modes.
 * @typedef {import("./place.js").Side} Side
 * @typedef {{id: string, title: string, name: string, source: string, own: boolean}} Program   `own`: no example, so that it runs only when asked to
 */
import { OWN_NAME } from "../desk.js";
import { unpackProgram } from "../link.js";

const COMPILES = /^(\s*)@(?:tf\.function|tf\.contrib\.eager\.defun|torch\.compile|torch\.jit\.script)\b.*$/;

/**
 * A program without the decorators that compile its functions; every line keeps its number.
 * @param {string} source @returns {string | null} null if it has none
 */
export function undecorated(source) {
  const lines = source.split("\n");
  if (!lines.some((line) => COMPILES.test(line))) return null;
  return lines.map((line) => line.replace(COMPILES, (_, indent) => `${indent}# ${line.trim()}`)).join("\n");
}

/** @param {Program[]} known each with its undecorated form behind it @returns {Program[]} */
export function inBothModes(known) {
  return known.flatMap((program) => {
    const source = undecorated(program.source);
    return source === null ? [program] : [program, { id: `${program.id}--eager`, title: `${program.own ? program.title : program.name}, run eagerly`, name: program.name, source, own: true }];
  });
}

export class Programs {
  /** @type {Program[]} */
  all = [];

  /** @param {Program[]} known */
  set(known) {
    this.all = inBothModes(known);
  }

  /** @param {string} id */
  find(id) {
    return this.all.find((program) => program.id === id) ?? null;
  }

  /**
   * What an address names.
   * @param {Side} side @param {string} name of the side @param {string} fallback an example's id
   * @returns {Promise<{program: Program | null, problem: string}>}
   */
  async named(side, name, fallback) {
    const source = side.program ? await unpackProgram(side.program) : null;
    if (source !== null) {
      const linked = this.all.find((program) => program.own && program.source === source) ?? { id: `linked-${name}`, title: `${name} program of the link`, name: OWN_NAME, source, own: true };
      if (!this.all.includes(linked)) this.all = [...this.all.filter((program) => program.id !== linked.id), linked];
      return { program: linked, problem: "" };
    }
    const found = this.find(side.example);
    const problem = side.program ? "A program in this address cannot be read: it was cut off or changed on its way. Ask for the link again." : side.example && !found ? `There is no example called ${side.example} here.` : "";
    return { program: found ?? this.find(fallback) ?? this.all[0] ?? null, problem };
  }
}
