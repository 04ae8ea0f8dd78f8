// One level of the hierarchy: its boxes, the outside summed into few boxes, and the links.

export const MOST_BOXES = 40;
export const MOST_LINKS = 1.8; // for each box; with more, a drawing is a tangle

export function levelOf(model, parent) {
  const { graph } = model;
  const inside = parent === null ? graph.tops : graph.children(parent);
  const members = new Set(inside);
  const above = new Set(parent === null ? [] : [...graph.ancestors(parent), parent]);
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

export const usesMatrix = (level) => {
  const boxes = level.inside.length + level.outside.length;
  return boxes > MOST_BOXES || level.links.length > MOST_LINKS * boxes;
};

export const kinds = (link) =>
  [...link.types].map(([type, count]) => (count > 1 ? `${type} ×${count}` : type)).join(", ");
