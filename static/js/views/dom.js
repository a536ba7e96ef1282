/**
 * Making elements. Text is always a text node, so that nothing a program prints can become markup.
 * @typedef {Node | string | null | undefined | false} Child
 */
const SVG = "http://www.w3.org/2000/svg";

/** @param {Element} element @param {Record<string, string | number | boolean | null | undefined>} attributes */
export function setAttributes(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? "" : String(value));
  }
}

/**
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number | boolean | null | undefined>} [attributes] @param {...Child} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  element.append(...solid(children));
  return element;
}

/**
 * @template {keyof SVGElementTagNameMap} K
 * @param {K} tag @param {Record<string, string | number | boolean | null | undefined>} [attributes] @param {...Child} children
 * @returns {SVGElementTagNameMap[K]}
 */
export function s(tag, attributes = {}, ...children) {
  const element = /** @type {SVGElementTagNameMap[K]} */ (document.createElementNS(SVG, tag));
  setAttributes(element, attributes);
  element.append(...solid(children));
  return element;
}

/** @param {Child[]} children @returns {(Node | string)[]} */
function solid(children) {
  return /** @type {(Node | string)[]} */ (children.filter((child) => child !== null && child !== undefined && child !== false));
}

/** @param {string} id */
export function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`The page has no #${id}`);
  return element;
}

/** @param {string} word @param {Record<string, string | number | boolean | null | undefined>} attributes @param {() => void} action */
export function button(word, attributes, action) {
  const element = h("button", { type: "button", ...attributes }, word);
  element.addEventListener("click", action);
  return element;
}

/** A file's name, which may go on below after each of its parts. @param {string} name @returns {(Node | string)[]} */
export function fileName(name) {
  return name.split(/(?<=[_\-/])/).flatMap((part, i) => (i ? [h("wbr"), part] : [part]));
}

/** Sentence parts as elements. @param {import("../trace/parts.js").Part[]} parts */
export function rich(parts) {
  return parts.map((part) => (part.style === "mark" ? h("mark", {}, part.text) : part.style === "code" ? h("code", {}, part.text) : document.createTextNode(part.text)));
}
