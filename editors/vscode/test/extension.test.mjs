/** The built extension with the official language client against `yg lsp`, without a display. */

import assert from "node:assert/strict";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import Module, { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const here = fileURLToPath(new URL(".", import.meta.url));
const vscode = require("./vscode.cjs");
const load = Module._load;
Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
const extension = require("../out/extension.js");
const node = ".yggdrasil/model/orders/order-service/yg-node.yaml";

let root;
const uri = (path) => vscode.Uri.file(join(root, path));

/** Waits until a file has diagnostics with these codes. */
async function diagnostics(path, codes) {
  for (;;) {
    const found = vscode.diagnostics.get(uri(path).toString());
    if (found && JSON.stringify(found.map(({ code }) => code.value ?? code)) === JSON.stringify(codes)) {
      return found;
    }
    await new Promise((resume) => (vscode.changed = resume));
  }
}

before(async () => {
  root = mkdtempSync(join(tmpdir(), "yg-vscode-"));
  cpSync(resolve(here, "../../../examples/shop"), root, { recursive: true });
  vscode.settings.set("command", JSON.parse(process.env.YG_LSP_COMMAND ?? '["yg", "lsp"]'));
  vscode.workspace.workspaceFolders.push({ uri: vscode.Uri.file(root), name: "shop", index: 0 });
  await extension.activate({ subscriptions: [] });
});

after(async () => {
  await extension.deactivate();
  rmSync(root, { recursive: true });
});

test("the extension shows an error of a document that is not saved", async () => {
  const text = readFileSync(join(root, node), "utf8");
  const broken = text.replace("payments/payment-service", "payments/payment-servce");
  const document = { uri: uri(node), languageId: "yaml", version: 1, getText: () => broken };
  vscode.workspace.textDocuments.push(document);
  vscode.workspace.onDidOpenTextDocument.fire(document);
  const [error] = await diagnostics(node, ["E004"]);
  assert.equal(error.message, "relation to 'payments/payment-servce' does not resolve");
  assert.equal(error.range.start.line, broken.split("\n").findIndex((line) => line.includes("servce")));
});

test("the extension has its commands", () => {
  assert.deepEqual([...vscode.registered.keys()].sort(), ["yg.openNode", "yg.openNodeOfFile", "yg.restart"]);
});
