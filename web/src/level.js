// One level of the hierarchy: its boxes, the outside summed into few boxes, and the links.

export const MOST_BOXES = 40;
export const MOST_LINKS = 1.8; // for each box; with more, a drawing is a tangle
const FEWEST = 12; // boxes that tell something: with fewer, the largest are opened

// `inside` are the boxes that links lead to or from, `frames` the opened boxes with those in them,
// `drawn` the links between the boxes of each frame without the number `implied` by others, `aside` the nodes that are only named.
export function levelOf(model, parent, { opens = false } = {}) {
  const { graph } = model;
  const way = parent === null ? [] : [...graph.ancestors(parent), parent];
  const above = new Set(parent === null ? [graph.root] : way);
  const isAside = opens && !way.some((number) => isMinor(model, number)) ? (number) => isMinor(model, number) : () => false;
  const all = graph.members(parent);
  const important = all.filter((number) => !isAside(number));
  const tops = important.length ? important : all;
  const room = MOST_BOXES - outsideOf(graph, new Set(all), above).length;
  const frames = opens ? opened(model, tops, isAside, room) : new Map();
  const aside = new Set([all, ...[...frames.keys()].map((frame) => graph.children(frame))].flat());
  const frameOf = new Map(tops.map((number) => [number, null]));
  for (const [frame, boxes] of frames) boxes.forEach((number) => frameOf.set(number, frame));
  frameOf.forEach((_, number) => aside.delete(number));

  const [links, drawn, against] = [new Map(), new Map(), new Map()];
  const ends = (edge) => {
    const found = [edge.source, edge.target].map((number) => boxOf(graph, frameOf, above, number, aside));
    return found[0] !== found[1] && !found.includes(null) && found.some((number) => frameOf.has(number)) ? found : null;
  };
  for (const edge of graph.relations) {
    const found = ends(edge);
    if (!found) continue;
    add(links, ...found, edge);
    const [frame, ...between] = parted(frameOf, ...found);
    if (!drawn.has(frame)) drawn.set(frame, new Map());
    if (!between.includes(undefined)) add(drawn.get(frame), ...between, edge);
  }
  const reaches = reaching([...links.values()].filter((link) => !link.weak));
  for (const edge of graph.imports) {
    const found = ends(edge);
    if (found && !links.has(found.join(" ")) && reaches(found[1], found[0])) add(against, ...found, edge);
  }
  const touched = new Set([...links.values()].flatMap((link) => [link.from, link.to]));
  const outside = [...touched].filter((number) => !frameOf.has(number));
  const size = frameOf.size + outside.length;
  const ways = new Map([...drawn].map(([frame, each]) => [frame, [...each.values()]]));
  return {
    tops, outside, frames,
    inside: [...frameOf.keys()].filter((number) => !frames.has(number) || touched.has(number)),
    links: [...links.values()],
    ...thinned(ways, MOST_LINKS * size),
    against: [...against.values()],
    aside: [...aside],
    size,
  };
}

// Tests, documentation and the like: what nobody keeps in step with its code.
const isMinor = (model, number) => Boolean(model.nodes[number].blackbox || model.nodes[number].drift === "off");

function outsideOf(graph, members, above) {
  const found = new Set();
  for (const edge of graph.relations) {
    const ends = [edge.source, edge.target].map((number) => boxOf(graph, members, above, number));
    if (ends[0] !== ends[1] && ends.some((number) => members.has(number))) ends.forEach((number) => found.add(number));
  }
  return [...found].filter((number) => !members.has(number));
}

// Open boxes, the largest first, until there are enough; not one that would make it too many.
function opened(model, tops, isAside, room) {
  const { graph } = model;
  const frames = new Map();
  const sizes = (number) => {
    const { lines, files, inside } = model.summary(number);
    return [lines, files, inside];
  };
  const larger = (a, b) => sizes(a).map((size, at) => size - sizes(b)[at]).find(Boolean) ?? 0;
  const closed = new Set(tops);
  let total = tops.length;
  while (closed.size < FEWEST) {
    const next = [...closed]
      .map((number) => ({ number, boxes: own(graph, number).filter((child) => !isAside(child)) }))
      .filter(({ boxes }) => boxes.length && total + boxes.length <= room)
      .sort((a, b) => larger(b.number, a.number) || a.number - b.number)[0];
    if (!next) break;
    frames.set(next.number, next.boxes);
    closed.delete(next.number);
    next.boxes.forEach((number) => closed.add(number));
    total += next.boxes.length;
  }
  return frames;
}

// What is in a box and in no other; nothing if a part of it is in several.
function own(graph, number) {
  const children = graph.children(number);
  const isOnly = (child) => graph.parents.get(child) === number && graph.containers(child).length === 1;
  return children.every(isOnly) ? children : [];
}

// The box that stands for a node: one of the level, or of the level nearest above where the two part;
// null for what was set aside.
function boxOf(graph, members, above, number, aside = null) {
  let box = number;
  for (let at = number; at != null; at = graph.parents.get(at)) {
    if (aside?.has(at)) return null;
    if (members.has(at)) return at;
    if (above.has(at)) return at === number ? at : box;
    box = at;
  }
  return box;
}

// The smallest frame around two boxes, and what stands for each of them in it; the end that the
// other is in has nothing.
function parted(frameOf, from, to) {
  const [one, two] = [from, to].map((number) => {
    const way = [number];
    for (let at = frameOf.get(number); at != null; at = frameOf.get(at)) way.unshift(at);
    return way;
  });
  let at = 0;
  while (at < one.length && one[at] === two[at]) at += 1;
  return [at ? one[at - 1] : null, one[at], two[at]];
}

// Whether links lead from one box to another.
function reaching(links) {
  const next = new Map();
  for (const { from, to } of links) next.set(from, [...(next.get(from) ?? []), to]);
  const known = new Map();
  return (from, to) => {
    if (!known.has(from)) {
      const seen = new Set([from]);
      for (const each of seen) (next.get(each) ?? []).forEach((number) => seen.add(number));
      known.set(from, seen);
    }
    return known.get(from).has(to);
  };
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

const linksIn = (drawn) => [...drawn.values()].reduce((sum, links) => sum + links.length, 0);

// The links to draw: if there are too many, those that others do not imply. `implied` are left out.
function thinned(drawn, most) {
  const all = linksIn(drawn);
  if (all <= most) return { drawn, implied: 0 };
  const thin = new Map([...drawn].map(([frame, links]) => [frame, withoutImplied(links)]));
  return { drawn: thin, implied: all - linksIn(thin) };
}

// Links without those whose end a longer way reaches as well; links of a cycle, events and what a
// change adds or removes are kept.
function withoutImplied(links) {
  const strong = links.filter((link) => !link.weak);
  const groups = components(strong.map((link) => [link.from, link.to]));
  const group = (number) => groups.get(number);
  const between = strong
    .map((link) => ({ from: group(link.from), to: group(link.to) }))
    .filter((link) => link.from !== link.to);
  const reaches = reaching(between);
  const next = new Map();
  for (const { from, to } of between) next.set(from, (next.get(from) ?? new Set()).add(to));
  const isImplied = (from, to) => [...(next.get(from) ?? [])].some((way) => way !== to && reaches(way, to));
  return links.filter((link) => {
    const [from, to] = [group(link.from), group(link.to)];
    return link.weak || link.change || from === to || !isImplied(from, to);
  });
}

export const canBeDrawn = (level) => level.size <= MOST_BOXES;

// How a level is shown: as boxes or as a matrix, if the address does not say otherwise.
export function formOf(level, chosen) {
  if (!canBeDrawn(level)) return "matrix";
  if (chosen) return chosen === "matrix" ? "matrix" : "boxes";
  return linksIn(level.drawn) > MOST_LINKS * level.size ? "matrix" : "boxes";
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
