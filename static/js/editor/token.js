/**
 * The one word of an expression that names what it makes: `relu` of `torch.relu(x)`, `@` of `x @ w`.
 * @param {import("@lezer/common").Tree} tree
 * @param {import("@codemirror/state").Text} doc
 * @param {number} from
 * @param {number} to
 * @returns {{from: number, to: number} | null} null where the expression spans lines and has no such word
 */
export function token(tree, doc, from, to) {
  /** @type {import("@lezer/common").SyntaxNode | null} */
  let node = tree.resolveInner(from, 1);
  while (node && (node.from > from || node.to < to)) node = node.parent;
  if (!node || node.from !== from || node.to !== to) return fits(doc, from, to);
  return word(node) ?? fits(doc, from, to);
}

/** @param {import("@lezer/common").SyntaxNode} node @returns {{from: number, to: number} | null} */
function word(node) {
  if (node.name === "ParenthesizedExpression") {
    const inner = node.firstChild?.nextSibling;
    return inner ? word(inner) : null;
  }
  if (node.name === "CallExpression") {
    const callee = node.firstChild;
    const name = callee?.name === "MemberExpression" ? callee.lastChild : callee;
    return name ? { from: name.from, to: name.to } : null;
  }
  if (node.name === "BinaryExpression" || node.name === "UnaryExpression" || node.name === "UpdateStatement") {
    for (let child = node.firstChild; child; child = child.nextSibling) {
      if (/Op$/.test(child.name) || child.name === "UpdateOp") return { from: child.from, to: child.to };
    }
  }
  if (node.name === "MemberExpression" && node.lastChild?.name === "PropertyName") return { from: node.lastChild.from, to: node.lastChild.to };
  if (node.name === "AssignStatement") {
    const value = node.lastChild;
    return value ? word(value) : null;
  }
  return null;
}

/** The whole expression, if it is short and on one line. @param {import("@codemirror/state").Text} doc @param {number} from @param {number} to */
function fits(doc, from, to) {
  return doc.lineAt(from).to >= to && to - from <= 60 ? { from, to } : null;
}
