// A level drawn as boxes with links.

import { ROW, arranged } from "./layout.js";
import { kinds } from "./level.js";
import { html, plural, short } from "./parts.js";
import { address } from "./routes.js";

const [HEIGHT, LINE] = [52, 17]; // of a box, and of a second line of its name
const SMALLEST = 0.8; // a wide drawing is made smaller down to this; then it scrolls
const LETTER = 7.6; // pixels of an average letter of a name
const GAP = 20; // around the boxes of a frame
const [NARROWEST, WIDEST] = [112, 220];
const MOST = Math.floor((WIDEST - 24) / LETTER);
const CHANGES = { added: "+", removed: "−", changed: "~" };
const SIGNS = { "✕": "errors", "!": "warnings", "≠": "drift", "?": "stale texts" };
const TITLE = 30; // pixels above the boxes of a frame

// A name in at most two lines, broken after a word.
function lines(name) {
  if (name.length <= MOST) return [name];
  const breaks = [...name.matchAll(/[\s/_.-]+|(?<=[a-z0-9])(?=[A-Z])/g)].map((found) => found.index + found[0].length);
  const at = breaks.filter((place) => place <= MOST + 1).at(-1) ?? MOST;
  return [name.slice(0, at).trim(), short(name.slice(at).trim(), MOST - 1)];
}

function boxOf(model, level, number) {
  const node = model.nodes[number];
  const sum = model.summary(number);
  const change = model.changeOf?.(number) ?? "";
  const isOutside = !level.inside.includes(number);
  const remarks = [change === "removed" ? change : node.presence === "present" ? (node.type ?? "") : node.presence];
  if (node.repository) remarks.push(`of ${node.repository}`);
  if (node.blackbox) remarks.push("blackbox");
  if (model.own(node.path).isDraft) remarks.push("draft");
  if (sum.inside) remarks.push(plural(sum.inside, "node"));
  const signs = signsOf(sum);
  const label = isOutside && !model.graph.guidance ? node.path : node.name;
  const name = lines([CHANGES[change], label, ...signs].filter(Boolean).join(" "));
  const remark = short(remarks.filter(Boolean).join(" · "), Math.floor(MOST * 1.15));
  const longest = Math.max(...name.map((line) => line.length), 0.86 * remark.length);
  return {
    number, name, remark, signs, change, isOutside,
    layer: model.layerOf(node),
    isMissing: node.presence !== "present",
    isStale: sum.stale > 0,
    hasInside: sum.inside > 0,
    width: Math.min(WIDEST, Math.max(NARROWEST, 24 + LETTER * longest)),
    height: HEIGHT + LINE * (name.length - 1),
  };
}

const signsOf = (sum) =>
  [sum.errors ? "✕" : sum.faults ? "!" : "", sum.differs ? "≠" : "", sum.stale ? "?" : ""].filter(Boolean);

// An opened box: its name above the boxes in it.
function frameOf(model, level, number, row) {
  const node = model.nodes[number];
  const signs = signsOf(model.own(node.path));
  const name = short([node.name, ...signs].join(" "), MOST * 2);
  const remark = model.own(node.path).isDraft ? "draft" : "";
  const inner = drawingOf(model, level, number, row);
  const width = Math.max(inner.width, 40 + LETTER * (name.length + remark.length + 1));
  const layer = model.layerOf(node);
  return { number, name, remark, signs, inner, layer, isStale: signs.includes("?"), width, height: inner.height + TITLE };
}

// The boxes of a frame, or of the whole level, in their places.
function drawingOf(model, level, frame = null, row = ROW) {
  const numbers = frame === null ? [...level.tops, ...level.outside] : level.frames.get(frame);
  const inner = numbers.length === 1 ? row - 2 * GAP : row / 2;
  const boxes = [...numbers].sort((a, b) => a - b).map((number) =>
    level.frames.has(number) ? frameOf(model, level, number, inner) : boxOf(model, level, number));
  return arranged(boxes, level.drawn.get(frame) ?? [], row);
}

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

export function Boxes({ model, level, view }) {
  const drawing = drawingOf(model, level);
  const { width, height } = drawing;
  return html`<figure class="drawing">
    <div class="wide" role="region" aria-label="Drawing" tabindex="0">
    <svg class="boxes" style=${{ width: `min(${width}px, max(100%, ${SMALLEST * width}px))`, aspectRatio: `${width} / ${height}` }}
      viewBox="0 0 ${width} ${height}" role="group" aria-label="Nodes of this level and the links between them">
      <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
        <path d="M0,1L9,5L0,9z" /></marker></defs>
      <${Drawing} model=${model} drawing=${drawing} view=${view} />
    </svg></div>
    <${Legend} level=${level} drawing=${drawing} />
  </figure>`;
}

const Drawing = ({ model, drawing, view }) => html`
  ${drawing.bands.map(({ layer, top, bottom }) => html`<g class="layer">
    <rect x="2" y=${top} width=${drawing.width - 4} height=${bottom - top} rx="6" />
    <text x="14" y=${top + 18}>${short(model.data.layers[layer] ?? "other types", 40)}</text>
  </g>`)}
  ${drawing.boxes.map((box) => box.inner && html`<${Frame} model=${model} box=${box} view=${view} />`)}
  ${drawing.edges.map(({ points, link }) => html`<g class="link ${link.weak ? "weak" : ""} ${link.change ?? ""}">
    <title>${title(model, link)}</title>
    <path d=${path(points)} marker-end="url(#arrow)" />
    ${(link.count > 1 || link.change) && html`<text x=${middle(points).x + 6} y=${middle(points).y + 4}>${CHANGES[link.change] ?? ""}${link.count > 1 ? link.count : ""}</text>`}
  </g>`)}
  ${drawing.boxes.map((box) => !box.inner && html`<${Box} model=${model} box=${box} view=${view} />`)}`;

function Frame({ model, box, view }) {
  const node = model.nodes[box.number];
  const [left, top] = [box.x - box.width / 2, box.y - box.height / 2];
  return html`<rect class="ground" x=${left} y=${top} width=${box.width} height=${box.height} rx="6" />
    <a href=${address(view, node.path)} class="frame">
      <title>${short(node.path)}${box.isStale ? ", stale" : ""}</title>
      <text class="name" x=${left + 20} y=${top + 26}>${box.name}${box.remark && html`${" "}<tspan class="remark" dx="4">${box.remark}</tspan>`}</text>
    </a>
    <g transform="translate(${left + (box.width - box.inner.width) / 2} ${top + TITLE})"><${Drawing} model=${model} drawing=${box.inner} view=${view} /></g>`;
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
    <title>${short(node.path)}${box.change ? `, ${box.change}` : ""}${box.isStale ? ", stale" : ""}</title>
    ${box.hasInside && html`<rect class="behind" x=${left + 4} y=${top + 4} width=${width} height=${height} rx="6" />`}
    <rect x=${left} y=${top} width=${width} height=${height} rx="6" />
    <text class="name" x=${x} y=${top + 22}>${box.name.map((line, at) => html`<tspan x=${x} dy=${at ? LINE : 0}>${line}${at < box.name.length - 1 ? " " : ""}</tspan>`)}</text>
    <text class="remark" x=${x} y=${top + height - 11}>${box.remark}</text>
  </a>`;
}

const allBoxes = (drawing) => drawing.boxes.flatMap((box) => [box, ...(box.inner ? allBoxes(box.inner) : [])]);

function Legend({ level, drawing }) {
  const boxes = allBoxes(drawing);
  const signs = Object.keys(SIGNS).filter((sign) => boxes.some((box) => box.signs.includes(sign)));
  return html`<figcaption>
    ${level.links.length ? "An arrow leads from a node to one that it uses" : "There are no links between these nodes"}${level.links.some((link) => link.weak) ? "; a dashed one is an event or guidance" : ""}.
    ${level.implied ? ` Not drawn: ${plural(level.implied, "link")} to boxes that longer ways lead to as well.` : ""}
    ${level.outside.length ? " Dashed boxes are outside of this level." : ""}
    ${signs.length ? ` ${signs.map((sign) => `${sign} ${SIGNS[sign]}`).join(", ")}.` : ""}
  </figcaption>`;
}
