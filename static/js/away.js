/* Keeps the strip up to date that says what the server has lost. Only on servers that lean on others (templates/away.html). */

const EVERY = 10_000; // ms
const strip = /** @type {HTMLElement} */ (document.getElementById("away"));

function makeRoom() {
  document.documentElement.style.setProperty("--away-height", `${strip.offsetHeight}px`);
}

/** @param {string} text */
function show(text) {
  if (strip.textContent !== text) strip.textContent = text;
  strip.hidden = text === "";
  makeRoom();
}

async function look() {
  if (document.hidden) return;
  try {
    const answer = await fetch("/api/condition", { headers: { Accept: "application/json" } });
    if (answer.ok) show(String((await answer.json()).text));
  } catch {
    // The server itself is away: whatever the page asks of it next says so.
  }
}

makeRoom();
window.addEventListener("resize", makeRoom);
document.addEventListener("visibilitychange", look);
setInterval(look, EVERY);
