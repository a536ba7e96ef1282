/** Opens a class on a program and goes to the teacher's page of it. */
import { ask } from "../api.js";
import { words } from "./connection.js";

/** @param {Partial<import("../runbutton.js").Program> & {source: string, name: string, title?: string, notes?: string}} program @param {(words: string, bad?: boolean) => void} say */
export async function openClass(program, say) {
  if (!program.source.trim()) return say("The program is empty: a class begins with one.", true);
  say("Recording for the class …");
  try {
    const { code, key } = await ask("/api/classes", { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(program) });
    location.assign(`/class/${code}/teach#key=${encodeURIComponent(key)}`);
  } catch (error) {
    say(words(error), true);
  }
}
