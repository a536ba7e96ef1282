/** The page's two fonts inside a picture, so that it looks the same where they are not installed. */

/** @param {string} address @returns {Promise<string>} */
async function base64(address) {
  const bytes = new Uint8Array(await (await fetch(address)).arrayBuffer());
  let text = "";
  for (let i = 0; i < bytes.length; i += 0x8000) text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
  return btoa(text);
}

/** Rules with the fonts' Latin letters; without a server to give them, none: the next font of the list is taken. @param {string} base */
export async function fontRules(base) {
  const files = [["Inter Variable", "inter-latin-wght-normal"], ["JetBrains Mono Variable", "jetbrains-mono-latin-wght-normal"]];
  try {
    const rules = await Promise.all(files.map(async ([family, file]) => `@font-face{font-family:'${family}';font-weight:100 900;src:url(data:font/woff2;base64,${await base64(`${base}build/${file}.woff2`)})}`));
    return rules.join("");
  } catch {
    return "";
  }
}
