// One level of the hierarchy: its boxes, the outside summed into few boxes, and the links.

export const MOST_BOXES = 40;
export const MOST_LINKS = 1.8; // for each box; with more, a drawing is a tangle

export function levelOf(model, parent) {
  const { graph } = model;
  const inside = graph.members(parent);
  const members = new Set(inside);
  const above = new Set(parent === null ? [graph.root] : [...graph.ancestors(parent), parent]);
  const links = new Map();
  for (const edge of graph.relations) {
    const from = boxOf(graph, members, above, edge.source);
    const to = boxOf(graph, members, above, edge.target);
    if (from !== to && (members.has(from) || members.has(to))) add(links, from, to, edge);
  }
  const touched = new Set([...links.values()].flatMap((link) => [link.from, link.to]));
  return {
    inside,
    outside: [...touched].filter((number) => !members.has(number)),
    links: [...links.values()],
  };
}

// The box that stands for a node: one of the level, or of the level nearest above where the two part.
function boxOf(graph, members, above, number) {
  let box = number;
  for (let at = number; at != null; at = graph.parents.get(at)) {
    if (members.has(at)) return at;
    if (above.has(at)) return at === number ? at : box;
    box = at;
  }
  return box;
}

function add(links, from, to, edge) {
  const key = `${from} ${to}`;
  const link = links.get(key) ?? { from, to, count: 0, weak: true, types: new Map() };
  link.count += 1;
  link.weak &&= edge.weak;
  link.change = link.count > 1 && link.change !== edge.change ? "changed" : edge.change;
  link.types.set(edge.type, (link.types.get(edge.type) ?? 0) + 1);
  links.set(key, link);
}

const boxesOf = (level) => level.inside.length + level.outside.length;
export const canBeDrawn = (level) => boxesOf(level) <= MOST_BOXES;

// How a level is shown: as boxes or as a matrix, if the address does not say otherwise.
export function formOf(level, chosen) {
  if (!canBeDrawn(level)) return "matrix";
  if (chosen) return chosen === "matrix" ? "matrix" : "boxes";
  return level.links.length > MOST_LINKS * boxesOf(level) ? "matrix" : "boxes";
}

export const kinds = (link) =>
  [...link.types].map(([type, count]) => (count > 1 ? `${type} ×${count}` : type)).join(", ");

// The links of a level that are part of a cycle: both ends reach each other.
export function cyclic(level) {
  const strong = level.links.filter((link) => !link.weak);
  const groups = components(strong.map((link) => [link.from, link.to]));
  return new Set(strong.filter((link) => groups.get(link.from) === groups.get(link.to)));
}

// Kosaraju's algorithm: finish nodes along the edges, then collect them against the edges.
function components(edges) {
  const [forward, backward] = [new Map(), new Map()];
  for (const [from, to] of edges) {
    for (const [map, key, value] of [[forward, from, to], [backward, to, from]]) {
      if (!map.has(key)) map.set(key, []);
      map.get(key).push(value);
    }
  }
  const [order, seen] = [[], new Set()];
  for (const start of forward.keys()) {
    const waiting = [[start, false]];
    while (waiting.length) {
      const [node, isDone] = waiting.pop();
      if (isDone) order.push(node);
      else if (!seen.has(node)) {
        seen.add(node);
        waiting.push([node, true], ...(forward.get(node) ?? []).map((next) => [next, false]));
      }
    }
  }
  const groups = new Map();
  for (const start of order.reverse()) {
    const waiting = [start];
    while (waiting.length) {
      const node = waiting.pop();
      if (groups.has(node)) continue;
      groups.set(node, start);
      waiting.push(...(backward.get(node) ?? []));
    }
  }
  return groups;
}
