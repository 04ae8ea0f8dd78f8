// Build the script, the style and the licences of the page: `make web`.

import { build } from "esbuild";
import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const to = process.argv[2] ?? join(here, "../src/yg/surfaces/explorer/assets");

const result = await build({
  absWorkingDir: here,
  entryPoints: { page: "src/main.js", style: "src/style.css" },
  outdir: to,
  bundle: true,
  minify: true,
  format: "esm",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  alias: { "linkify-it": "./src/no-linkify.js", entities: "./src/entities.js" },
});

const used = Object.keys(result.metafile.inputs)
  .map((path) => /^node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1])
  .filter(Boolean);
const packages = [...new Set([...used, "@dagrejs/graphlib"])].sort(); // dagre's file includes it

const licence = (name) => {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
};

const heading = "page.js contains these libraries:\n\n";
writeFileSync(join(to, "LICENSES.txt"), heading + packages.map(licence).join(`\n${"-".repeat(70)}\n\n`));
