// The data of the page: decoded once, then indexed for the questions that the views ask.

export async function decoded(base64) {
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return JSON.parse(await new Response(stream).text());
}

const DRAFT = "W025"; // the rule that reports a text nobody has written yet
const WEAK = new Set(["constrains", "supersedes"]); // links that nothing has to be built before

export const grouped = (items, key) => {
  const found = new Map();
  for (const item of items) {
    const name = key(item);
    if (!found.has(name)) found.set(name, []);
    found.get(name).push(item);
  }
  return found;
};

// A graph as nodes with numbers: what is below, above and beside each of them.
export class Graph {
  constructor(shown) {
    this.nodes = shown.nodes;
    this.numbers = new Map(shown.nodes.map((node, number) => [`${node.kind} ${node.path}`, number]));
    this.edges = shown.edges.map((edge) => ({ ...edge, type: edge.type ?? edge.kind }));
    const relations = this.edges.filter((edge) => edge.kind === "relation" || edge.kind === "event");
    this.relations = relations.map((edge) => ({
      ...edge,
      weak: edge.kind === "event" || WEAK.has(edge.type),
    }));
    this.imports = this.edges.filter((edge) => edge.kind === "import"); // without a relation
    this.outgoing = grouped(this.relations, (edge) => edge.source);
    this.incoming = grouped(this.relations, (edge) => edge.target);
    this.guidance = shown.guidance; // only Spec Graphs have it
    const contains = this.edges.filter((edge) => edge.kind === "contains" && edge.source !== edge.target);
    this.below = grouped(contains, (edge) => edge.source);
    this.above = grouped(contains, (edge) => edge.target);
    this.parents = this.#forest();
    this.root = this.#root();
  }

  // The node that contains all others; null if there are several at the top.
  #root() {
    const tops = this.tops.filter((number) => this.nodes[number].presence !== "missing");
    return tops.length === 1 && this.children(tops[0]).length ? tops[0] : null;
  }

  // The boxes of a level; the first level is that of the root, if there is one.
  members(parent) {
    if (parent !== null) return this.children(parent);
    if (this.root === null) return this.tops;
    return [...this.children(this.root), ...this.tops.filter((number) => number !== this.root)];
  }

  number(kind, path) {
    return this.numbers.get(`${kind} ${path}`);
  }

  children(number) {
    return (this.below.get(number) ?? []).map((edge) => edge.target);
  }

  // The nodes that contain a node; in a Spec Graph there may be several.
  containers(number) {
    return (this.above.get(number) ?? []).map((edge) => edge.source);
  }

  // The nodes at the top: those that nothing contains, and one of each cycle that nothing reaches.
  #forest() {
    const contained = new Set([...this.below.values()].flat().map((edge) => edge.target));
    const parents = new Map();
    this.tops = [];
    const reach = (top) => {
      this.tops.push(top);
      parents.set(top, null);
      const waiting = [top];
      for (let at = 0; at < waiting.length; at += 1) {
        for (const child of this.children(waiting[at])) {
          if (!parents.has(child)) {
            parents.set(child, waiting[at]);
            waiting.push(child);
          }
        }
      }
    };
    const nodes = this.nodes.flatMap((node, number) => (node.kind === "node" && !node.repository ? [number] : []));
    nodes.filter((number) => !contained.has(number)).forEach(reach);
    nodes.filter((number) => !parents.has(number)).forEach(reach);
    return parents;
  }

  // The nodes above a node, from the top down.
  ancestors(number) {
    const found = [];
    for (let at = this.parents.get(number); at != null; at = this.parents.get(at)) found.push(at);
    return found.reverse();
  }
}

// Everything the views ask for, from one document.
export class Model {
  constructor(data) {
    this.data = data;
    this.graph = new Graph(data.graph);
    this.nodes = this.graph.nodes;
    this.packages = new Map(data.packages.map((each) => [each.node, each]));
    this.things = new Map(data.things.map((each) => [`${each.kind} ${each.path}`, each.texts]));
    this.drift = new Map((data.drift?.nodes ?? []).map((each) => [each.node, each]));
    this.reviews = new Map(data.review.map((each) => [each.node, each]));
    this.files = grouped(data.files, (file) => file.node);
    this.positions = this.#positions();
    this.issues = this.#issues();
  }

  node(path) {
    return this.nodes[this.graph.number("node", path)];
  }

  // The place of a node's type in the layers of the graph; after all of them if it has none.
  layerOf(node) {
    const { layers } = this.data;
    const place = layers.indexOf(node.type);
    return place < 0 ? layers.length : place;
  }

  // Whether the code of a node changed after its texts were confirmed: then its package says so.
  isStale(path) {
    return this.blocks(path, "stale").some((block) => block.subject === path);
  }

  texts(kind, path) {
    return (this.things.get(`${kind} ${path}`) ?? []).map((place) => this.data.texts[place]);
  }

  // The blocks of one kind in the package of a node; for aspects and flows, with the reasons.
  blocks(path, kind) {
    const found = this.packages.get(path)?.blocks ?? [];
    return found.map((place) => this.data.blocks[place]).filter((block) => block.kind === kind);
  }

  // Where a box stands in the order of the plan: where the last node in it stands.
  #positions() {
    const found = new Map();
    for (let place = this.data.plan.length - 1; place >= 0; place -= 1) {
      const reached = [this.graph.number("node", this.data.plan[place])];
      for (const number of reached) {
        if (found.has(number)) continue;
        found.set(number, place);
        reached.push(...this.graph.containers(number));
      }
    }
    return found;
  }

  inOrder(numbers) {
    const place = (number) => this.positions.get(number) ?? -1;
    const path = (number) => this.nodes[number].path;
    return [...numbers].sort((a, b) => place(a) - place(b) || (path(a) < path(b) ? -1 : 1));
  }

  // Issues by the node, aspect or flow whose name, file or folder they have.
  #issues() {
    const places = new Map();
    for (const thing of this.data.things) {
      if (thing.kind === "node" && this.node(thing.path)?.repository) continue; // it is in an import
      const files = thing.texts.map((place) => this.data.texts[place].path);
      if (!this.graph.guidance && files.length) places.set(folder(files[0]), thing);
      files.forEach((file) => places.set(file, thing));
    }
    this.places = places;
    return grouped(this.data.issues.issues, (issue) => keyOf(this.thingOf(issue)));
  }

  // What an issue is about; undefined if it is no node, aspect or flow.
  thingOf({ subject, file }) {
    const node = this.node(subject);
    return node ?? this.places.get(file) ?? this.places.get(folder(file));
  }

  issuesOf(kind, path) {
    return this.issues.get(`${kind} ${path}`) ?? [];
  }

  // Counts of a node and all below it, for boxes and lists.
  summary(number) {
    this.summaries ??= new Map();
    if (!this.summaries.has(number)) {
      const all = this.descendants(number);
      const found = all.map((each) => this.own(this.nodes[each].path));
      const sum = (key) => count(found, (each) => each[key]);
      const total = (value) => all.reduce((so, each) => so + value(this.nodes[each]), 0);
      this.summaries.set(number, {
        inside: all.length - 1,
        lines: total((node) => node.lines ?? 0),
        files: total((node) => this.files.get(node.path)?.length ?? 0),
        errors: sum("errors"),
        warnings: sum("warnings"),
        faults: sum("faults"),
        drifted: sum("drifted"),
        differs: sum("differs"),
        stale: sum("stale"),
      });
    }
    return this.summaries.get(number);
  }

  // What is wrong with a node itself.
  own(path) {
    const issues = this.issuesOf("node", path);
    const warnings = issues.filter((issue) => issue.severity === "warning");
    const drift = this.drift.get(path);
    return {
      errors: issues.some((issue) => issue.severity === "error"),
      warnings: warnings.length > 0,
      faults: warnings.some((issue) => issue.code !== DRAFT), // warnings of something that was written
      isDraft: warnings.some((issue) => issue.code === DRAFT),
      drifted: isDrifted(drift),
      differs: isDrifted(drift) && drift.baseline,
      stale: this.isStale(path),
    };
  }

  descendants(number) {
    const seen = new Set([number]);
    for (const each of seen) this.graph.children(each).forEach((child) => seen.add(child));
    return [...seen];
  }
}

const keyOf = (thing) => (thing ? `${thing.kind} ${thing.path}` : "");
export const isDrifted = (drift) => drift !== undefined && drift.state !== "ok";
export const folder = (path) => path.slice(0, path.lastIndexOf("/"));
export const count = (items, test) => items.reduce((sum, item) => sum + (test(item) ? 1 : 0), 0);
export const estimated = (characters) => Math.ceil(characters / 4);
export const tokensOf = (block) => block.tokens ?? estimated(block.characters);
