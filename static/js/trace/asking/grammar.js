/**
 * Expressions over a recording, as text and as a tree: the part of Python that asks and changes nothing. Nothing here is ever
 * given to `eval`: a tree is data, and `evaluate.js` walks it over recorded values.
 * @typedef {{kind: "literal", value: number | string | boolean | null} | {kind: "name", name: string} | {kind: "attribute", of: Tree, name: string, at: number}
 *   | {kind: "item", of: Tree, by: Tree[], at: number} | {kind: "call", of: Tree, args: Tree[], at: number} | {kind: "not" | "minus" | "plus", of: Tree, at: number}
 *   | {kind: "both" | "either", left: Tree, right: Tree} | {kind: "arithmetic", sign: string, left: Tree, right: Tree, at: number}
 *   | {kind: "compare", first: Tree, rest: {sign: string, with: Tree}[], at: number} | {kind: "list", items: Tree[]} | {kind: "dict", pairs: [Tree, Tree][]}} Tree
 */

/** What is wrong with an expression, and where in its text (-1: nowhere in particular). */
export class ExpressionError extends Error {
  /** @param {string} message @param {number} [at] */
  constructor(message, at = -1) {
    super(message);
    this.name = "ExpressionError";
    this.at = at;
  }
}

/** Longest expression that is read, and how deep it may nest. */
export const MOST_CHARACTERS = 200;
const MOST_DEPTH = 120;

/** @typedef {{kind: "number" | "text" | "name" | "sign" | "end", text: string, at: number}} Token */

const TOKEN = /\s*(?:(\d[\d_]*\.?\d*(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([\p{L}_][\p{L}\p{N}_]*)|('(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")|(\*\*|\/\/|==|!=|<=|>=|[-+*/%<>()[\],.{}:=]))/uy;
const WORDS = new Set(["and", "or", "not", "in", "is", "if", "else", "lambda", "for"]);
const ESCAPES = /** @type {Record<string, string>} */ ({ n: "\n", t: "\t", r: "\r", "0": "\0" });

/** @param {string} text @returns {Token[]} */
function tokens(text) {
  /** @type {Token[]} */
  const out = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const from = TOKEN.lastIndex;
    const match = TOKEN.exec(text);
    if (!match) {
      const at = from + (/^\s*/.exec(text.slice(from))?.[0].length ?? 0);
      if (at >= text.length) break;
      throw new ExpressionError(`“${text[at]}” has no meaning here.`, at);
    }
    const [whole, number, name, quoted, sign] = match;
    const kind = number !== undefined ? "number" : name !== undefined ? "name" : quoted !== undefined ? "text" : "sign";
    out.push({ kind, text: number ?? name ?? quoted ?? sign, at: from + whole.length - (number ?? name ?? quoted ?? sign).length });
  }
  out.push({ kind: "end", text: "", at: text.length });
  return out;
}

/** Text as Python quotes it. @param {string} quoted */
export function unquote(quoted) {
  return quoted.slice(1, -1).replace(/\\(x[\da-fA-F]{2}|u[\da-fA-F]{4}|.)/gs, (_, c) => (c.length > 1 ? String.fromCharCode(parseInt(c.slice(1), 16)) : ESCAPES[c] ?? c));
}

class Reader {
  /** @param {string} text */
  constructor(text) {
    this.tokens = tokens(text);
    this.next = 0;
    this.depth = 0;
  }

  get now() {
    return this.tokens[this.next];
  }

  /** @param {...string} words @returns {string} the word that was taken, "" if none of them stands here */
  take(...words) {
    const { kind, text } = this.now;
    if ((kind !== "sign" && kind !== "name") || !words.includes(text)) return "";
    this.next++;
    return text;
  }

  /** @param {string} sign */
  expect(sign) {
    if (!this.take(sign)) throw new ExpressionError(this.now.kind === "end" ? `A “${sign}” is missing at the end.` : `A “${sign}” is missing before “${this.now.text}”.`, this.now.at);
  }

  /** @returns {Tree} */
  whole() {
    const tree = this.expression();
    const { kind, text, at } = this.now;
    if (kind === "end") return tree;
    if (text === "=") throw new ExpressionError("“=” would change the program. To compare, write “==”.", at);
    if (text === "if" || text === "else" || text === "for") throw new ExpressionError(`“${text}” is not read here: compare, calculate, and join with and, or, not.`, at);
    throw new ExpressionError(`“${text}” does not belong here.`, at);
  }

  /** @returns {Tree} */
  expression() {
    if (++this.depth > MOST_DEPTH) throw new ExpressionError("This nests too deep.", this.now.at);
    let left = this.conjunction();
    while (this.take("or")) left = { kind: "either", left, right: this.conjunction() };
    this.depth--;
    return left;
  }

  /** @returns {Tree} */
  conjunction() {
    let left = this.negation();
    while (this.take("and")) left = { kind: "both", left, right: this.negation() };
    return left;
  }

  /** @returns {Tree} */
  negation() {
    const { at } = this.now;
    if (++this.depth > MOST_DEPTH) throw new ExpressionError("This nests too deep.", at);
    const tree = this.take("not") ? /** @type {Tree} */ ({ kind: "not", of: this.negation(), at }) : this.comparison();
    this.depth--;
    return tree;
  }

  /** @returns {Tree} */
  comparison() {
    const first = this.sum();
    /** @type {{sign: string, with: Tree}[]} */
    const rest = [];
    const { at } = this.now;
    for (;;) {
      let sign = this.take("==", "!=", "<=", ">=", "<", ">", "in", "is");
      if (!sign && this.now.text === "not" && this.tokens[this.next + 1]?.text === "in") {
        this.next += 2;
        sign = "not in";
      }
      if (!sign) break;
      if (sign === "is" && this.take("not")) sign = "is not";
      rest.push({ sign, with: this.sum() });
    }
    return rest.length ? { kind: "compare", first, rest, at } : first;
  }

  /** @returns {Tree} */
  sum() {
    return this.chain(["+", "-"], () => this.product());
  }

  /** @returns {Tree} */
  product() {
    return this.chain(["*", "/", "//", "%"], () => this.unary());
  }

  /** @param {string[]} signs @param {() => Tree} part @returns {Tree} */
  chain(signs, part) {
    let left = part();
    for (;;) {
      const { at } = this.now;
      const sign = this.take(...signs);
      if (!sign) return left;
      left = { kind: "arithmetic", sign, left, right: part(), at };
    }
  }

  /** @returns {Tree} */
  unary() {
    const { at } = this.now;
    if (++this.depth > MOST_DEPTH) throw new ExpressionError("This nests too deep.", at);
    const sign = this.take("-", "+");
    const tree = sign ? /** @type {Tree} */ ({ kind: sign === "-" ? "minus" : "plus", of: this.unary(), at }) : this.power();
    this.depth--;
    return tree;
  }

  /** @returns {Tree} */
  power() {
    const base = this.postfix();
    const { at } = this.now;
    return this.take("**") ? { kind: "arithmetic", sign: "**", left: base, right: this.unary(), at } : base;
  }

  /** @returns {Tree} */
  postfix() {
    let tree = this.atom();
    for (;;) {
      const { at } = this.now;
      if (this.take(".")) {
        const name = this.now;
        if (name.kind !== "name") throw new ExpressionError("A name is missing after “.”.", name.at);
        this.next++;
        tree = { kind: "attribute", of: tree, name: name.text, at };
      } else if (this.take("[")) {
        if (this.now.text === ":") throw new ExpressionError("Slices are not read here: ask for one element, x[0].", this.now.at);
        const by = this.list("]");
        if (!by.length) throw new ExpressionError("A number is missing between “[” and “]”.", at);
        tree = { kind: "item", of: tree, by, at };
      } else if (this.take("(")) tree = { kind: "call", of: tree, args: this.list(")"), at };
      else return tree;
    }
  }

  /** What stands between commas, up to the sign that closes it. @param {string} close */
  list(close) {
    /** @type {Tree[]} */
    const items = [];
    while (!this.take(close)) {
      items.push(this.expression());
      if (this.now.text === ":" && close === "]") throw new ExpressionError("Slices are not read here: ask for one element, x[0].", this.now.at);
      if (!this.take(",")) {
        this.expect(close);
        break;
      }
    }
    return items;
  }

  /** @returns {Tree} */
  atom() {
    const token = this.now;
    this.next++;
    if (token.kind === "number") return { kind: "literal", value: Number(token.text.replaceAll("_", "")) };
    if (token.kind === "text") return { kind: "literal", value: unquote(token.text) };
    if (token.kind === "name") {
      if (token.text === "True" || token.text === "False") return { kind: "literal", value: token.text === "True" };
      if (token.text === "None") return { kind: "literal", value: null };
      if (WORDS.has(token.text)) throw new ExpressionError(`“${token.text}” does not belong here.`, token.at);
      return { kind: "name", name: token.text };
    }
    if (token.text === "(") {
      const items = this.list(")");
      const tuple = items.length !== 1 || this.tokens[this.next - 2].text === ",";
      return tuple ? { kind: "list", items } : items[0];
    }
    if (token.text === "[") return { kind: "list", items: this.list("]") };
    if (token.text === "{") return this.dict();
    this.next--;
    throw new ExpressionError(token.kind === "end" ? "Something is missing at the end." : `“${token.text}” does not belong here.`, token.at);
  }

  /** @returns {Tree} */
  dict() {
    /** @type {[Tree, Tree][]} */
    const pairs = [];
    while (!this.take("}")) {
      const key = this.expression();
      this.expect(":");
      pairs.push([key, this.expression()]);
      if (!this.take(",")) {
        this.expect("}");
        break;
      }
    }
    return { kind: "dict", pairs };
  }
}

/**
 * The tree of an expression.
 * @param {string} text @param {number} [most] characters
 * @returns {Tree}
 * @throws {ExpressionError} it is no expression, or one that would do something
 */
export function parse(text, most = MOST_CHARACTERS) {
  if (!text.trim()) throw new ExpressionError("Type a name, such as loss, or a comparison, such as loss > 1.");
  if (text.length > most) throw new ExpressionError(`Longer than ${most} characters.`);
  return new Reader(text).whole();
}

/** Whether a text is an expression. @param {string} text */
export function isExpression(text) {
  try {
    parse(text);
    return true;
  } catch (error) {
    if (error instanceof ExpressionError) return false;
    throw error;
  }
}
