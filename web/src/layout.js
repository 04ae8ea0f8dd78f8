// Where the boxes of a level stand: connected ones by dagre's layout, the groups beside each other.
// Boxes of several layers of types stand in bands, one below the other.

import { Graph, layout } from "@dagrejs/dagre";

const WIDEST = 1.25; // rows: the width of a group whose arrows lead down; a wider one leads to the right
export const ROW = 1040; // pixels of a row of groups
const [MARGIN, GAP] = [20, 28];
const [BETWEEN, TITLE, PADDING] = [34, 26, 12]; // of bands: half of the way to the next, above and below the boxes

// `boxes` have a number, a layer, a width and a height; they get the position of their centre.
export function arranged(boxes, links, row = ROW) {
  const layers = [...new Set(boxes.map((box) => box.layer))].sort((a, b) => a - b);
  if (layers.length > 1) return inBands(boxes, links, layers, row);
  const groups = connected(boxes, links).map((group) => {
    const across = placed(group, "TB");
    const isNarrow = across.width <= WIDEST * row;
    const along = isNarrow ? across : placed(group, "LR");
    return along.width < across.width ? along : across;
  });
  return inRows(groups.sort((a, b) => b.boxes.length - a.boxes.length), row);
}

// The boxes in groups that links connect, with the links of each group.
function connected(boxes, links) {
  const group = new Map(boxes.map((box) => [box.number, box.number]));
  const top = (number) => {
    let at = number;
    while (group.get(at) !== at) at = group.get(at);
    group.set(number, at);
    return at;
  };
  for (const link of links) group.set(top(link.from), top(link.to));
  const found = new Map();
  for (const box of boxes) {
    const key = top(box.number);
    if (!found.has(key)) found.set(key, { boxes: [], links: [] });
    found.get(key).boxes.push(box);
  }
  for (const link of links) found.get(top(link.from)).links.push(link);
  return [...found.values()];
}

function placed({ boxes, links }, rankdir) {
  const graph = new Graph();
  graph.setGraph({ rankdir, nodesep: rankdir === "TB" ? GAP : 14, ranksep: rankdir === "TB" ? 56 : 90 });
  for (const box of boxes) graph.setNode(String(box.number), { ...box });
  for (const link of links) graph.setEdge(String(link.from), String(link.to), { link });
  layout(graph);
  const { width, height } = graph.graph();
  const edges = graph.edges().map((edge) => graph.edge(edge));
  const placedBoxes = graph.nodes().map((name) => graph.node(name));
  const points = edges.flatMap((edge) => edge.points); // dagre counts only boxes
  const [left, right] = [Math.min(0, ...points.map(({ x }) => x)), Math.max(width, ...points.map(({ x }) => x))];
  for (const spot of [...placedBoxes, ...points]) spot.x -= left;
  return { width: right - left, height, boxes: placedBoxes, edges };
}

// All boxes in the bands of their layers. An anchor between two bands holds them apart: the boxes
// above it lead to it, and it leads to those below. A band that would be too wide has several rows.
function inBands(boxes, links, layers, row) {
  const pull = pulls(boxes, links);
  const rows = layers.flatMap((layer) => rowsOf(boxes.filter((box) => box.layer === layer), pull, row));
  const order = new Map(rows.flatMap((members, place) => members.map((box) => [box.number, place])));
  const graph = new Graph({ multigraph: true });
  graph.setGraph({ rankdir: "TB", nodesep: GAP, ranksep: BETWEEN });
  rows.forEach((members, place) => {
    graph.setNode(anchor(place), { width: 1, height: 1 });
    for (const box of members) {
      graph.setNode(String(box.number), { ...box });
      graph.setEdge(anchor(place), String(box.number), { weight: 0 });
      if (place < rows.length - 1) graph.setEdge(String(box.number), anchor(place + 1), { weight: 0 });
    }
  });
  for (const link of links) {
    const isUpwards = order.get(link.from) > order.get(link.to); // laid out as if it led down
    const ends = isUpwards ? [link.to, link.from] : [link.from, link.to];
    graph.setEdge(...ends.map(String), { link, isUpwards }, String(isUpwards));
  }
  layout(graph);
  const found = graph.nodes().map((name) => graph.node(name)).filter(({ number }) => number !== undefined);
  const highest = Math.min(...found.map((box) => box.y - box.height / 2));
  const moved = ({ x, y }) => ({ x: x + MARGIN, y: y - highest + MARGIN + TITLE });
  const placed = found.map((box) => ({ ...box, ...moved(box) }));
  const bands = layers.map((layer) => {
    const members = placed.filter((box) => box.layer === layer);
    const [top, bottom] = [members.map((box) => box.y - box.height / 2), members.map((box) => box.y + box.height / 2)];
    return { layer, top: Math.min(...top) - TITLE, bottom: Math.max(...bottom) + PADDING };
  });
  const edges = graph.edges().map((edge) => graph.edge(edge)).filter(({ link }) => link);
  return {
    width: graph.graph().width + 2 * MARGIN,
    height: bands.at(-1).bottom + MARGIN,
    boxes: placed,
    edges: edges.map(({ points, link, isUpwards }) => ({ points: isUpwards ? points.map(moved).reverse() : points.map(moved), link })),
    bands,
  };
}

// How many more links of each box lead to lower layers than come from higher ones: boxes with the
// most stand lowest in their layer.
function pulls(boxes, links) {
  const layers = new Map(boxes.map((box) => [box.number, box.layer]));
  const found = new Map(boxes.map((box) => [box.number, 0]));
  for (const { from, to } of links) {
    if (layers.get(from) >= layers.get(to)) continue;
    found.set(from, found.get(from) + 1);
    found.set(to, found.get(to) - 1);
  }
  return found;
}

const anchor = (place) => `anchor ${place}`;

// Boxes of one layer in as few rows as their widths allow.
function rowsOf(boxes, pull, row) {
  const whole = boxes.reduce((sum, box) => sum + box.width + GAP, 0);
  const count = Math.ceil(whole / (WIDEST * row));
  if (count === 1) return [boxes];
  const rows = [[]];
  let width = 0;
  for (const box of [...boxes].sort((a, b) => pull.get(a.number) - pull.get(b.number))) {
    if (width > whole / count) {
      rows.push([]);
      width = 0;
    }
    rows.at(-1).push(box);
    width += box.width + GAP;
  }
  return rows;
}

// Groups from left to right, in as many rows as needed.
function inRows(groups, row) {
  const found = { width: 0, height: 0, boxes: [], edges: [], bands: [] };
  let [left, top, tallest] = [MARGIN, MARGIN, 0];
  for (const group of groups) {
    if (left > MARGIN && left + group.width > row) [left, top, tallest] = [MARGIN, top + tallest + GAP, 0];
    const moved = ({ x, y }) => ({ x: x + left, y: y + top });
    found.boxes.push(...group.boxes.map((box) => ({ ...box, ...moved(box) })));
    found.edges.push(...group.edges.map(({ points, link }) => ({ points: points.map(moved), link })));
    left += group.width + GAP;
    tallest = Math.max(tallest, group.height);
    found.width = Math.max(found.width, left - GAP + MARGIN);
    found.height = Math.max(found.height, top + tallest + MARGIN);
  }
  return found;
}
