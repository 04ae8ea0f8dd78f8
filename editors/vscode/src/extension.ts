/** Starts `yg lsp` for each folder of the workspace, and passes the settings on. */

import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";

const clients = new Map<string, LanguageClient>();

function optionsFor(folder: vscode.WorkspaceFolder): [ServerOptions, LanguageClientOptions] {
  const settings = vscode.workspace.getConfiguration("yg", folder);
  const [command, ...args] = settings.get<string[]>("command", ["yg", "lsp"]);
  const pattern = new vscode.RelativePattern(folder, "**/*");
  const server = { command, args, options: { cwd: folder.uri.fsPath } };
  const client: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", pattern: `${folder.uri.fsPath}/**/*` }],
    workspaceFolder: folder,
    diagnosticCollectionName: "yg",
    // Diagnostics are pushed, also for files that are not open; pulled ones would be shown twice.
    initializationOptions: { diagnostics: "push", codeLens: settings.get("codeLens") },
    synchronize: {
      configurationSection: "yg",
      fileEvents: vscode.workspace.createFileSystemWatcher(pattern),
    },
  };
  return [server, client];
}

async function start(folder: vscode.WorkspaceFolder): Promise<void> {
  const key = folder.uri.toString();
  if (folder.uri.scheme !== "file" || clients.has(key)) {
    return;
  }
  const [server, options] = optionsFor(folder);
  const client = new LanguageClient("yg", "Yggdrasil", server, options);
  clients.set(key, client);
  try {
    await client.start();
  } catch (error) {
    clients.delete(key);
    const install = "pip install 'yggdrasil-context[lsp]'";
    void vscode.window.showErrorMessage(
      `The language server did not start (${error}). Install it with: ${install}`,
    );
  }
}

async function stop(folder: vscode.WorkspaceFolder): Promise<void> {
  const key = folder.uri.toString();
  const client = clients.get(key);
  clients.delete(key);
  await client?.stop();
}

async function restart(): Promise<void> {
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    await stop(folder);
    await start(folder);
  }
}

async function openNode(): Promise<void> {
  const uri = vscode.window.activeTextEditor?.document.uri;
  const folder = uri && vscode.workspace.getWorkspaceFolder(uri);
  const client = folder && clients.get(folder.uri.toString());
  const found = await client?.sendRequest("workspace/executeCommand", {
    command: "yg.openNode",
    arguments: [uri?.toString()],
  });
  if (client && !found) {
    void vscode.window.showInformationMessage("No node owns this file.");
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  context.subscriptions.push(
    vscode.commands.registerCommand("yg.restart", restart),
    vscode.commands.registerCommand("yg.openNodeOfFile", openNode),
    vscode.workspace.onDidChangeWorkspaceFolders(async (event) => {
      await Promise.all(event.removed.map(stop));
      await Promise.all(event.added.map(start));
    }),
    vscode.workspace.onDidChangeConfiguration(async (event) => {
      if (event.affectsConfiguration("yg.command")) {
        await restart();
      }
    }),
  );
  await Promise.all((vscode.workspace.workspaceFolders ?? []).map(start));
}

export async function deactivate(): Promise<void> {
  await Promise.all([...clients.values()].map((client) => client.stop()));
}
