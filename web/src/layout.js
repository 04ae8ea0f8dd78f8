// Where the boxes of a level stand: connected ones by dagre's layout, the groups beside each other.

import { Graph, layout } from "@dagrejs/dagre";

const WIDEST = 1.25; // rows: the width of a group whose arrows lead down; a wider one leads to the right
export const ROW = 1040; // pixels of a row of groups
const [MARGIN, GAP] = [20, 28];

// `boxes` have a number, a width and a height; they get the position of their centre.
export function arranged(boxes, links, row = ROW) {
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

// Groups from left to right, in as many rows as needed.
function inRows(groups, row) {
  const found = { width: 0, height: 0, boxes: [], edges: [] };
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
