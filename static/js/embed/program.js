/**
 * The program that an embed plays: it stands in the address, or behind a short link that the address names. Nothing here runs it.
 * @typedef {import("../api.js").Example} Example
 * @typedef {{source: string, name: string, example: Example | null, place: import("../link.js").Place}} Played
 */
import { examples, storedLink } from "../api.js";
import { OWN_NAME } from "../desk.js";
import { fromShortLink, NEWER, parsePlace, unpackProgram } from "../link.js";

/** What there is to say instead of a program. */
export class NoProgram extends Error {}

/** @param {string} link the id of a short link, "" for none @param {string} hash @returns {Promise<Played>} */
export async function played(link, hash) {
  const place = parsePlace(hash);
  if (place.newer) throw new NoProgram(NEWER);
  if (place.program) {
    const source = await unpackProgram(place.program);
    if (source === null) throw new NoProgram("The program in this address cannot be read: it was cut off or changed on its way.");
    return of(source, OWN_NAME, place);
  }
  if (place.example) {
    const example = (await examples()).find((one) => one.id === place.example);
    if (!example) throw new NoProgram(`There is no example called ${place.example} on this server.`);
    return { source: example.source, name: example.name, example, place };
  }
  if (!link) throw new NoProgram("This address names no program. Share, in the player, gives an address that does.");
  const stored = await storedLink(link);
  const named = typeof stored.name === "string" && stored.name ? stored.name : OWN_NAME;
  return of(stored.source, named, hash.length > 1 ? place : fromShortLink(stored));
}

/** An example is one whatever link it came by: it brings its recording. @param {string} source @param {string} name @param {import("../link.js").Place} place @returns {Promise<Played>} */
async function of(source, name, place) {
  const example = (await examples()).find((one) => one.source === source) ?? null;
  return { source, name: example?.name ?? name, example, place };
}
