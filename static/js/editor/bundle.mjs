/** Bundles the editor and the fonts into static/build (never committed). Run by `make setup`: `npm run build`. */
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..");
const out = join(root, "static", "build");
await mkdir(out, { recursive: true });

// The players as one script each. Beside it stands what it was made of: the server takes the modules where any of them has changed since.
for (const [name, entry] of [["play", "static/js/main.js"], ["embed", "static/js/embed/main.js"], ["lesson", "static/js/lesson/main.js"]]) {
  const { metafile } = await build({
    entryPoints: { [name]: join(root, entry) },
    bundle: true, format: "esm", minify: true, target: "es2022", charset: "utf8", outdir: out, legalComments: "none", logLevel: "warning", metafile: true, absWorkingDir: join(root, "static"),
  });
  const sources = await Promise.all(Object.keys(metafile.inputs).sort().map(async (source) => [source, createHash("sha256").update(await readFile(join(root, "static", source))).digest("hex")]));
  await writeFile(join(out, `${name}.sources.json`), `${JSON.stringify(Object.fromEntries(sources), null, 1)}\n`);
}

// The player of saved recordings is one script: a page from a file loads nothing.
await build({
  entryPoints: { standalone: join(root, "static/js/standalone/main.js") },
  bundle: true, format: "iife", minify: true, target: "es2022", charset: "utf8", outdir: out, legalComments: "none", logLevel: "warning",
});

await build({
  entryPoints: { editor: join(root, "static/js/editor/entry.js") },
  bundle: true, format: "esm", minify: true, target: "es2022", outdir: out, legalComments: "linked", logLevel: "warning",
});

const fonts = '@import "@fontsource-variable/inter/wght.css";\n@import "@fontsource-variable/jetbrains-mono/wght.css";\n'
  + '@import "@fontsource-variable/jetbrains-mono/wght-italic.css";\n';
await writeFile(join(out, "fonts.in.css"), fonts);
await build({
  entryPoints: { fonts: join(out, "fonts.in.css") },
  bundle: true, minify: true, outdir: out, loader: { ".woff2": "file" }, assetNames: "[name]", nodePaths: [join(root, "node_modules")], logLevel: "warning",
});
