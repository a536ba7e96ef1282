/**
 * A copy of the lessons on a host without Python (`stepgraph export COURSE DIR`): what the server would answer lies in
 * files beside the pages, and nothing can be run.
 */
export const isSite = typeof document !== "undefined" && document.documentElement.dataset.site !== undefined;

/** What a page of the copy says when something needs a server, and what to do. @type {[string, string]} */
export const NO_SERVER = ["This copy of the lessons has no server, so it plays recordings and runs nothing.", "Install Stepgraph (pip install stepgraph), start it (stepgraph serve), and open the lesson there."];

/**
 * Where the answer to a request lies: the request itself where there is a server, a file in a copy, null if only a server has it.
 * @param {string} path @param {boolean} [copy] @returns {string | null}
 */
export function answerAt(path, copy = isSite) {
  if (!copy) return path;
  const [, lesson, program] = /^\/api\/lessons\/([\w-]+)(?:\/programs\/([\w.-]+)\/trace)?$/.exec(path) ?? [];
  return lesson ? `../data/${lesson}${program ? `/${program}` : ""}.json` : null;
}

/** The address of a lesson's page; without an id that of their list. @param {string | null | undefined} id @param {boolean} [copy] */
export function lessonAt(id, copy = isSite) {
  if (copy) return id ? `${id}.html` : "../index.html";
  return id ? `/lessons/${id}` : "/lessons";
}
