/** The part of the `vscode` module that the language client needs, without a window. */

const { EventEmitter } = require("node:events");
const { fileURLToPath, pathToFileURL } = require("node:url");

class Disposable {
  constructor(dispose = () => {}) {
    this.dispose = dispose;
  }
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(start, startCharacter, endLine, endCharacter) {
    const isPlaces = typeof start === "object";
    this.start = isPlaces ? start : new Position(start, startCharacter);
    this.end = isPlaces ? startCharacter : new Position(endLine, endCharacter);
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = text.split(":")[0];
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : "";
  }
  static parse(text) {
    return new Uri(text);
  }
  static file(path) {
    return new Uri(pathToFileURL(path).href);
  }
  toString() {
    return this.text;
  }
}

/** An event that nobody fires, or that the test fires through `fire`. */
function event() {
  const emitter = new EventEmitter();
  const listen = (listener, self) => {
    const bound = listener.bind(self);
    emitter.on("event", bound);
    return new Disposable(() => emitter.off("event", bound));
  };
  listen.fire = (value) => emitter.emit("event", value);
  return listen;
}

/** A namespace: `on..` are events, `register..` give disposables, other names are as given. */
function namespace(known) {
  const made = new Map();
  return new Proxy(known, {
    get(target, name) {
      if (name in target || typeof name === "symbol") {
        return target[name];
      }
      if (!made.has(name)) {
        made.set(name, /^on[A-Z]/.test(name) ? event() : () => new Disposable());
      }
      return made.get(name);
    },
  });
}

/** Classes and enumerations that the client extends or reads, but that no test looks into. */
function blank() {
  return new Proxy(class {}, {
    get: (target, name) => (name in target ? target[name] : String(name)),
  });
}

const diagnostics = new Map();
const commands = new Map();
const settings = new Map();
const output = { appendLine() {}, append() {}, show() {}, dispose() {}, trace() {}, error() {} };

const vscode = {
  Disposable,
  Position,
  Range,
  Diagnostic,
  Uri,
  version: "1.91.0",
  env: { appName: "test", language: "en" },
  RelativePattern: class {
    constructor(base, pattern) {
      Object.assign(this, { base, baseUri: base.uri, pattern });
    }
  },
  CancellationTokenSource: class {
    token = { isCancellationRequested: false, onCancellationRequested: event() };
    cancel() {}
    dispose() {}
  },
  EventEmitter: class {
    event = event();
    fire(value) {
      this.event.fire(value);
    }
    dispose() {}
  },
  workspace: namespace({
    textDocuments: [],
    notebookDocuments: [],
    workspaceFolders: [],
    getConfiguration: () => ({
      get: (name, otherwise) => (settings.has(name) ? settings.get(name) : otherwise),
    }),
    createFileSystemWatcher: () => namespace({ dispose() {} }),
  }),
  languages: namespace({
    match: () => 10,
    createDiagnosticCollection: () => ({
      set: (uri, found) => {
        diagnostics.set(uri.toString(), found);
        vscode.changed();
      },
      delete: (uri) => diagnostics.delete(uri.toString()),
      clear: () => diagnostics.clear(),
      dispose() {},
    }),
  }),
  window: namespace({
    visibleTextEditors: [],
    tabGroups: namespace({ all: [] }),
    createOutputChannel: () => output,
    showErrorMessage: (text) => {
      throw new Error(text);
    },
  }),
  commands: namespace({
    registerCommand: (name, run) => {
      commands.set(name, run);
      return new Disposable();
    },
  }),
  // For the test.
  diagnostics,
  registered: commands,
  settings,
  changed() {},
};

module.exports = new Proxy(vscode, {
  get: (target, name) => (name in target ? target[name] : (target[name] = blank())),
});
