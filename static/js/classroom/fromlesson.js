/** A class on a lesson, opened from the teacher's page of it: its first program, and the page's text as notes. */
import { getLesson } from "../lesson/server.js";
import { words } from "./connection.js";
import { openClass } from "./open.js";

/** Longest notes that the server takes, in characters. */
const MOST_NOTES = 20_000;

/** @param {HTMLElement} opener @param {HTMLElement} said where it says what went wrong */
export function offerClass(opener, said) {
  opener.addEventListener("click", () => void open(opener.dataset.opens ?? "", (text) => (said.textContent = text)));
}

/** @param {string} id of the lesson @param {(words: string) => void} say */
async function open(id, say) {
  try {
    const lesson = await getLesson(id);
    const first = /** @type {HTMLElement | null} */ (document.querySelector("a[data-program]"))?.dataset.program ?? "";
    const program = lesson.programs[first] ?? Object.values(lesson.programs)[0];
    if (!program) return say("This lesson has no program to open a class on.");
    await openClass({ source: program.source, name: program.name, title: lesson.title, notes: notes() }, say);
  } catch (error) {
    say(words(error));
  }
}

/** What the page says to the teacher, section by section. */
function notes() {
  const sections = [...document.querySelectorAll(".columns section, .talk")].map((section) => [...section.querySelectorAll("h2, p, li")].map((one) => (one.textContent ?? "").trim()).filter(Boolean).join("\n"));
  return sections.join("\n\n").slice(0, MOST_NOTES);
}
