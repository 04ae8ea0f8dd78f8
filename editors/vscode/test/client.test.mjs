/** The protocol library of the official language client against `yg lsp`, without a display. */

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";

const require = createRequire(import.meta.url);
const protocol = require("vscode-languageserver-protocol/node");
const here = fileURLToPath(new URL(".", import.meta.url));
const extension = JSON.parse(readFileSync(join(here, "..", "package.json"), "utf8"));
const [command, ...args] = process.env.YG_LSP_COMMAND
  ? JSON.parse(process.env.YG_LSP_COMMAND)
  : extension.contributes.configuration.properties["yg.command"].default;
const node = ".yggdrasil/model/orders/order-service/yg-node.yaml";

let root, server, connection, capabilities;
const published = new Map();
let notify = () => {};

const uri = (path) => pathToFileURL(join(root, path)).href;

/** Waits until a file has diagnostics with these codes. */
async function diagnostics(path, codes) {
  for (;;) {
    const found = published.get(uri(path));
    if (found && JSON.stringify(found.map((each) => each.code)) === JSON.stringify(codes)) {
      return found;
    }
    await new Promise((resume) => (notify = resume));
  }
}

before(async () => {
  root = mkdtempSync(join(tmpdir(), "yg-vscode-"));
  cpSync(resolve(here, "../../../examples/shop"), root, { recursive: true });
  server = spawn(command, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  connection = protocol.createProtocolConnection(server.stdout, server.stdin);
  connection.onNotification(protocol.PublishDiagnosticsNotification.type, (sent) => {
    published.set(sent.uri, sent.diagnostics);
    notify();
  });
  connection.listen();
  const answer = await connection.sendRequest(protocol.InitializeRequest.type, {
    processId: process.pid,
    rootUri: pathToFileURL(root).href,
    workspaceFolders: [{ uri: pathToFileURL(root).href, name: "shop" }],
    initializationOptions: { diagnostics: "push", codeLens: "always" },
    capabilities: {
      textDocument: { diagnostic: {}, publishDiagnostics: {} },
      workspace: { workspaceEdit: { documentChanges: true, resourceOperations: ["rename"] } },
    },
  });
  capabilities = answer.capabilities;
  await connection.sendNotification(protocol.InitializedNotification.type, {});
});

after(async () => {
  await connection.sendRequest(protocol.ShutdownRequest.type);
  const left = new Promise((resume) => server.on("exit", resume));
  await connection.sendNotification(protocol.ExitNotification.type);
  assert.equal(await left, 0);
  connection.dispose();
  rmSync(root, { recursive: true });
});

test("diagnostics are pushed only, as the extension asks", () => {
  assert.equal(capabilities.diagnosticProvider, undefined);
});

test("a document that is not saved has errors, completions and fixes", async () => {
  const text = readFileSync(join(root, node), "utf8");
  await connection.sendNotification(protocol.DidOpenTextDocumentNotification.type, {
    textDocument: { uri: uri(node), languageId: "yaml", version: 1, text },
  });
  await diagnostics(node, []);
  await connection.sendNotification(protocol.DidChangeTextDocumentNotification.type, {
    textDocument: { uri: uri(node), version: 2 },
    contentChanges: [{ text: text.replace("payments/payment-service", "payments/payment-servce") }],
  });
  const [error] = await diagnostics(node, ["E004"]);
  const position = error.range.start;
  const actions = await connection.sendRequest(protocol.CodeActionRequest.type, {
    textDocument: { uri: uri(node) },
    range: error.range,
    context: { diagnostics: [error] },
  });
  assert.deepEqual(
    actions.map((action) => action.title),
    ["Change to 'payments/payment-service'"],
  );
  const offered = await connection.sendRequest(protocol.CompletionRequest.type, {
    textDocument: { uri: uri(node) },
    position,
  });
  assert.ok(offered.items.some((item) => item.label === "payments/payment-service"));
});

test("a source file has a lens that leads to its node", async () => {
  const file = "src/shop/orders/service.py";
  const [lens] = await connection.sendRequest(protocol.CodeLensRequest.type, {
    textDocument: { uri: uri(file) },
  });
  assert.match(lens.command.title, /^orders\/order-service · /);
  const opened = await connection.sendRequest(protocol.ExecuteCommandRequest.type, {
    command: lens.command.command,
    arguments: lens.command.arguments,
  });
  assert.equal(opened, uri(node));
});
