/**
 * The formulas of the op table, a small part of LaTeX, as MathML: fractions, indexes, powers, names, Greek letters.
 */
const MATH = "http://www.w3.org/1998/Math/MathML";
const SIGNS = /** @type {Record<string, string>} */ ({
  theta: "θ", sigma: "σ", alpha: "α", lambda: "λ", mu: "μ", pi: "π", Phi: "Φ", leftarrow: "←", cdot: "·", sum: "∑", prod: "∏", ge: "≥", le: "≤", ne: "≠", sim: "∼", ldots: "…", top: "⊤",
  bigvee: "⋁", bigwedge: "⋀", varnothing: "∅", lfloor: "⌊", rfloor: "⌋", "{": "{", "}": "}", partial: "∂", times: "×", in: "∈", infty: "∞",
});
const NAMES = new Set(["max", "min", "ln", "tanh", "arg", "exp", "log", "sin", "cos"]);
const LARGE = new Set(["∑", "∏", "⋁", "⋀"]);

/** @param {string} tag @param {...(Node | string)} children */
function m(tag, ...children) {
  const element = document.createElementNS(MATH, tag);
  element.append(...children);
  return element;
}

/** @param {string} latex @returns {Element | null} null for what is not understood: nothing wrong is drawn */
export function formula(latex) {
  const tokens = latex.match(/\\[a-zA-Z]+|\\.|[0-9.]+|[^\s]/g) ?? [];
  let at = 0;
  let known = true;
  const group = () => {
    if (tokens[at] !== "{") return atom();
    at++;
    const row = sequence("}");
    at++;
    return row;
  };
  /** @returns {Element} */
  const atom = () => {
    const token = tokens[at++] ?? "";
    if (token === "{") {
      at--;
      return group();
    }
    if (token === "\\frac") return m("mfrac", group(), group());
    if (token === "\\bar") return m("mover", group(), m("mo", "¯"));
    if (token === "\\operatorname" || token === "\\mathbf" || token === "\\text") {
      const name = m("mi", plainText());
      name.setAttribute("mathvariant", "normal");
      return name;
    }
    if (token.startsWith("\\")) {
      const word = token.slice(1);
      if (NAMES.has(word)) return m("mi", word);
      if (word in SIGNS) return m(/[a-zA-Z]/.test(word) && /^[θσαλμπΦ]$/.test(SIGNS[word]) ? "mi" : "mo", SIGNS[word]);
      if (word === "," || word === " ") return m("mspace");
      known = false;
      return m("mo", word);
    }
    if (/^[0-9.]+$/.test(token)) return m("mn", token);
    return m(/[a-zA-Z]/.test(token) ? "mi" : "mo", token === "-" ? "−" : token);
  };
  const plainText = () => {
    let text = "";
    if (tokens[at] === "{") {
      for (at++; at < tokens.length && tokens[at] !== "}"; at++) text += tokens[at];
      at++;
    }
    return text;
  };
  /** @param {string} end */
  const sequence = (end) => {
    const row = m("mrow");
    while (at < tokens.length && tokens[at] !== end) {
      let base = atom();
      let low = null;
      let high = null;
      while (tokens[at] === "_" || tokens[at] === "^") {
        const sign = tokens[at++];
        if (sign === "_") low = group();
        else high = group();
      }
      const under = LARGE.has(base.textContent ?? "") || base.textContent === "max" || base.textContent === "min";
      if (low && high) base = m("msubsup", base, low, high);
      else if (low) base = m(under ? "munder" : "msub", base, low);
      else if (high) base = m("msup", base, high);
      row.append(base);
    }
    return row;
  };
  const row = sequence("");
  return known && latex && !latex.includes("\\begin") ? m("math", row) : null;
}
