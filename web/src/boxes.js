// A level drawn as boxes with links; the layout is dagre's.

import { Graph, layout } from "@dagrejs/dagre";
import { kinds } from "./level.js";
import { html, plural, short } from "./parts.js";
import { address } from "./routes.js";

const HEIGHT = 52;
const SMALLEST = 0.75; // a wide drawing is made smaller down to this; then it scrolls
const LETTER = 7.6; // pixels of an average letter of a name
const [NARROWEST, WIDEST] = [112, 220];
const MOST = Math.floor((WIDEST - 24) / LETTER);

const widthOf = (text) => Math.min(WIDEST, Math.max(NARROWEST, 24 + LETTER * text.length));

function arranged(model, level) {
  const graph = new Graph({ multigraph: false });
  graph.setGraph({ rankdir: "TB", nodesep: 28, ranksep: 56, marginx: 12, marginy: 12 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const number of [...level.inside, ...level.outside].sort((a, b) => a - b)) {
    const label = labelOf(model, level, number);
    const longest = Math.max(label.name.length, label.remark.length * 0.86);
    graph.setNode(String(number), { width: widthOf("m".repeat(longest)), height: HEIGHT, ...label });
  }
  for (const link of level.links) graph.setEdge(String(link.from), String(link.to), { link });
  layout(graph);
  return graph;
}

function labelOf(model, level, number) {
  const node = model.nodes[number];
  const sum = model.summary(number);
  const parts = [node.presence === "present" ? (node.type ?? "") : node.presence];
  if (node.blackbox) parts.push("blackbox");
  if (sum.inside) parts.push(plural(sum.inside, "node"));
  const signs = (sum.errors ? "✕" : sum.warnings ? "!" : "") + (sum.drifted ? " ≠" : "");
  const isOutside = !level.inside.includes(number);
  return {
    number,
    name: short((isOutside ? node.path : node.name) + (signs ? ` ${signs}` : ""), MOST),
    remark: short(parts.filter(Boolean).join(" · "), Math.floor(MOST * 1.15)),
    isOutside,
    isMissing: node.presence !== "present",
    hasInside: sum.inside > 0,
    change: model.changeOf?.(number) ?? "",
  };
}

const CHANGES = { added: "+", removed: "−", changed: "~" };

const path = (points) => {
  const [first, ...rest] = points;
  let line = `M${first.x},${first.y}`;
  for (let at = 0; at < rest.length - 1; at += 1) {
    const [here, next] = [rest[at], rest[at + 1]];
    const end = at === rest.length - 2 ? next : { x: (here.x + next.x) / 2, y: (here.y + next.y) / 2 };
    line += `Q${here.x},${here.y} ${end.x},${end.y}`;
  }
  return rest.length === 1 ? `${line}L${rest[0].x},${rest[0].y}` : line;
};

export function Boxes({ model, level, view = "overview" }) {
  const graph = arranged(model, level);
  const { width, height } = graph.graph();
  const nodes = graph.nodes().map((name) => graph.node(name));
  const edges = graph.edges().map((edge) => graph.edge(edge));
  return html`<figure class="drawing">
    <div class="wide" role="region" aria-label="Drawing" tabindex="0">
    <svg class="boxes" width=${width} height=${height} style=${{ minWidth: `${SMALLEST * width}px` }} viewBox="0 0 ${width} ${height}" role="group"
      aria-label="Nodes of this level and the links between them">
      <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
        <path d="M0,1L9,5L0,9z" /></marker></defs>
      ${edges.map(({ points, link }) => html`<g class="link ${link.weak ? "weak" : ""} ${link.change ?? ""}">
        <title>${title(model, link)}</title>
        <path d=${path(points)} marker-end="url(#arrow)" />
        ${(link.count > 1 || link.change) && html`<text x=${middle(points).x + 6} y=${middle(points).y + 4}>${CHANGES[link.change] ?? ""}${link.count > 1 ? link.count : ""}</text>`}
      </g>`)}
      ${nodes.map((box) => html`<${Box} model=${model} box=${box} view=${view} />`)}
    </svg></div>
    <${Legend} level=${level} />
  </figure>`;
}

const middle = (points) => points[Math.floor(points.length / 2)];

const title = (model, link) =>
  `${short(model.nodes[link.from].path)} → ${short(model.nodes[link.to].path)}: ${kinds(link)}`;

function Box({ model, box, view }) {
  const node = model.nodes[box.number];
  const { x, y, width, height } = box;
  const [left, top] = [x - width / 2, y - height / 2];
  const to = address(box.hasInside ? view : "node", node.path);
  const classes = `box ${box.isOutside ? "outside" : ""} ${box.isMissing ? "missing" : ""} ${box.change}`;
  return html`<a href=${to} class=${classes}>
    <title>${short(node.path)}${box.change ? `, ${box.change}` : ""}</title>
    ${box.hasInside && html`<rect class="behind" x=${left + 4} y=${top + 4} width=${width} height=${height} rx="6" />`}
    <rect x=${left} y=${top} width=${width} height=${height} rx="6" />
    <text class="name" x=${x} y=${y - 4}>${CHANGES[box.change] ? `${CHANGES[box.change]} ` : ""}${box.name}</text>
    <text class="remark" x=${x} y=${y + 15}>${box.remark}</text>
  </a>`;
}

const Legend = ({ level }) => html`<figcaption class="quiet">
  An arrow leads from a node to one that it uses${level.links.some((link) => link.weak) ? "; a dashed one is an event or guidance" : ""}.
  ${level.outside.length ? " Dashed boxes are outside of this level." : ""}
  ${level.links.length === 0 ? " There are no links between these nodes." : ""}
</figcaption>`;
