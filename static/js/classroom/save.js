/** Saves the answers of a class as a file. */
import { ServerError } from "../api.js";
import { h } from "../views/dom.js";

/** @param {import("./connection.js").Connection} connection @param {string} code */
export async function saveCsv(connection, code) {
  // Fetched, not linked to: a link could not carry the key.
  const response = await fetch(`${connection.path}/export.csv`, { headers: connection.headers });
  if (!response.ok) throw new ServerError("The answers could not be saved.", "Try again before you end the class.");
  const address = URL.createObjectURL(await response.blob());
  h("a", { href: address, download: `class-${code}.csv` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
