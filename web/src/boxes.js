// A level drawn as boxes with links.

import { arranged } from "./layout.js";
import { kinds } from "./level.js";
import { html, plural, short } from "./parts.js";
import { address } from "./routes.js";

const [HEIGHT, LINE] = [52, 17]; // of a box, and of a second line of its name
const SMALLEST = 0.8; // a wide drawing is made smaller down to this; then it scrolls
const LETTER = 7.6; // pixels of an average letter of a name
const [NARROWEST, WIDEST] = [112, 220];
const MOST = Math.floor((WIDEST - 24) / LETTER);
const CHANGES = { added: "+", removed: "−", changed: "~" };
const SIGNS = { "✕": "errors", "!": "warnings", "≠": "drift" };

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
  if (sum.inside) remarks.push(plural(sum.inside, "node"));
  const signs = [sum.errors ? "✕" : sum.warnings ? "!" : "", sum.drifted ? "≠" : ""].filter(Boolean);
  const label = isOutside && !model.graph.guidance ? node.path : node.name;
  const name = lines([CHANGES[change], label, ...signs].filter(Boolean).join(" "));
  const remark = short(remarks.filter(Boolean).join(" · "), Math.floor(MOST * 1.15));
  const longest = Math.max(...name.map((line) => line.length), 0.86 * remark.length);
  return {
    number, name, remark, signs, change, isOutside,
    isMissing: node.presence !== "present",
    hasInside: sum.inside > 0,
    width: Math.min(WIDEST, Math.max(NARROWEST, 24 + LETTER * longest)),
    height: HEIGHT + LINE * (name.length - 1),
  };
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
  const numbers = [...level.inside, ...level.outside].sort((a, b) => a - b);
  const { width, height, boxes, edges } = arranged(numbers.map((number) => boxOf(model, level, number)), level.links);
  return html`<figure class="drawing">
    <div class="wide" role="region" aria-label="Drawing" tabindex="0">
    <svg class="boxes" style=${{ width: `min(${width}px, max(100%, ${SMALLEST * width}px))`, aspectRatio: `${width} / ${height}` }}
      viewBox="0 0 ${width} ${height}" role="group" aria-label="Nodes of this level and the links between them">
      <defs><marker id="arrow" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="7" markerHeight="7" orient="auto-start-reverse">
        <path d="M0,1L9,5L0,9z" /></marker></defs>
      ${edges.map(({ points, link }) => html`<g class="link ${link.weak ? "weak" : ""} ${link.change ?? ""}">
        <title>${title(model, link)}</title>
        <path d=${path(points)} marker-end="url(#arrow)" />
        ${(link.count > 1 || link.change) && html`<text x=${middle(points).x + 6} y=${middle(points).y + 4}>${CHANGES[link.change] ?? ""}${link.count > 1 ? link.count : ""}</text>`}
      </g>`)}
      ${boxes.map((box) => html`<${Box} model=${model} box=${box} view=${view} />`)}
    </svg></div>
    <${Legend} level=${level} boxes=${boxes} />
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
    <text class="name" x=${x} y=${top + 22}>${box.name.map((line, at) => html`<tspan x=${x} dy=${at ? LINE : 0}>${line}${at < box.name.length - 1 ? " " : ""}</tspan>`)}</text>
    <text class="remark" x=${x} y=${top + height - 11}>${box.remark}</text>
  </a>`;
}

function Legend({ level, boxes }) {
  const signs = Object.keys(SIGNS).filter((sign) => boxes.some((box) => box.signs.includes(sign)));
  return html`<figcaption>
    ${level.links.length ? "An arrow leads from a node to one that it uses" : "There are no links between these nodes"}${level.links.some((link) => link.weak) ? "; a dashed one is an event or guidance" : ""}.
    ${level.outside.length ? " Dashed boxes are outside of this level." : ""}
    ${signs.length ? ` ${signs.map((sign) => `${sign} ${SIGNS[sign]}`).join(", ")}.` : ""}
  </figcaption>`;
}
