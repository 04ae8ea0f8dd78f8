// A level as a dependency matrix, rows and columns in the order of the plan.
// A mark says that the node of the column uses the node of the row, so what a layered system has
// stands above the diagonal, and what closes a cycle below it.

import { useState } from "preact/hooks";
import { cyclic, kinds } from "./level.js";
import { html, plural, short } from "./parts.js";
import { address } from "./routes.js";

const SMALL = 24; // rows of a matrix with names above its columns
const MOST_ROWS = 1000; // shown at first

export function Matrix({ model, level, view = "overview" }) {
  const [isWhole, setWhole] = useState(false);
  const all = model.inOrder([...level.inside, ...level.outside]);
  const order = isWhole ? all : all.slice(0, MOST_ROWS);
  const places = new Map(all.map((number, place) => [number, place]));
  const rows = order.map(() => []);
  for (const link of [...level.links, ...level.against]) {
    const at = places.get(link.from);
    if (at < order.length) rows[places.get(link.to)]?.push({ at, link });
  }
  const labels = labelsOf(model, level);
  const isSmall = order.length <= SMALL;
  const isOutside = new Set(level.outside);
  const cycles = new Set([...cyclic(level), ...level.against]);
  const isBelow = (link) => !link.weak && places.get(link.from) < places.get(link.to);
  const backward = [...level.links.filter((link) => isBelow(link) && cycles.has(link)), ...level.against];
  const early = level.links.filter((link) => isBelow(link) && !cycles.has(link));
  return html`<figure class="drawing">
    <div class="wide matrix ${isSmall ? "few" : ""}" role="region" aria-label="Dependency matrix" tabindex="0">
      <table style=${{ "--columns": order.length }}>
        <caption class="hidden">Dependency matrix: a mark says that the node of the column uses the node of the row.</caption>
        <thead><tr><td></td>${order.map((number, place) => html`<th scope="col" class=${isOutside.has(number) ? "outside" : ""}>
          <span title=${short(model.nodes[number].path)}>${isSmall && html`<span class="name">${short(labels.get(number), 24)}</span> `}${place + 1}</span></th>`)}</tr></thead>
        <tbody>${order.map((number, place) => html`<tr key=${number}>
          <${Head} model=${model} label=${labels.get(number)} number=${number} place=${place} isOutside=${isOutside.has(number)} view=${view} />
          ${cells(model, level, order, rows[place], place, cycles)}
        </tr>`)}</tbody>
      </table>
    </div>
    ${order.length < all.length && html`<p class="more">The first ${order.length.toLocaleString("en")} of ${plural(all.length, "node")}. ${" "}
      <button type="button" onClick=${() => setWhole(true)}>Show all</button></p>`}
    <figcaption>
      A mark says that the node of the column uses the node of the row; a number counts relations${level.links.some((link) => link.weak) ? ", ○ is an event or guidance" : ""}.
      Rows and columns are in the order of <code>yg plan</code>.
      ${backward.length ? html` <span class="state error"><span class="sign" aria-hidden="true">▲</span> ${plural(backward.length, "link")} below the diagonal: these nodes depend on each other${level.against.length ? html`; <a href="#/issues?q=W022">${plural(level.against.length, "of them is an undeclared import", "of them are undeclared imports")}</a>` : ""}.</span>` : " There are no cycles here."}
      ${early.length ? " △ below the diagonal is no cycle: the node of the column uses an early part of the node of the row." : ""}
      ${order.some((number) => model.summary(number).stale) ? " ? stale texts." : ""}
      ${isOutside.size ? " Names in italics are outside of this level." : ""}
    </figcaption>
  </figure>`;
}

// Nodes of opened boxes have their path, so that it says what they are in.
function labelsOf(model, level) {
  const root = model.graph.root === null ? "" : `${model.nodes[model.graph.root].path}/`;
  const opened = new Set([...level.frames.values()].flat());
  const label = (number) => {
    const { path, name } = model.nodes[number];
    if (!opened.has(number) || model.graph.guidance) return name;
    return root && path.startsWith(root) ? path.slice(root.length) : path;
  };
  return new Map([...level.inside, ...level.outside].map((number) => [number, label(number)]));
}

function Head({ model, label, number, place, isOutside, view }) {
  const node = model.nodes[number];
  const to = model.graph.children(number).length ? view : "node";
  const sign = { added: "+ ", removed: "− ", changed: "~ " }[model.changeOf?.(number)] ?? "";
  const stale = model.summary(number).stale ? " ?" : "";
  return html`<th scope="row" class="${isOutside ? "outside" : ""} ${model.changeOf?.(number) ?? ""}">
    <div><a href=${address(to, node.path)} title="${short(node.path)}${stale && ", stale"}">${sign}${short(isOutside ? node.path : label, 32)}${stale}</a>
    <span class="place" aria-hidden="true">${place + 1}</span></div></th>`;
}

// The cells of a row; a run of empty cells is one cell, so that large levels stay small.
function cells(model, level, order, marks, place, cycles) {
  const filled = [...marks, { at: place, link: null }].sort((a, b) => a.at - b.at);
  const found = [];
  let next = 0;
  for (const { at, link } of filled) {
    if (at > next) found.push(html`<td class="gap" colspan=${at - next}></td>`);
    found.push(link === null ? html`<td class="self"></td>` : html`<${Cell} model=${model} link=${link} isBelow=${at < place || level.against.includes(link)} isCyclic=${cycles.has(link)} />`);
    next = at + 1;
  }
  if (next < order.length) found.push(html`<td class="gap" colspan=${order.length - next}></td>`);
  return found;
}

function Cell({ model, link, isBelow, isCyclic }) {
  const what = `${short(model.nodes[link.from].path)} → ${short(model.nodes[link.to].path)}: ${kinds(link)}`;
  const kind = link.weak ? "weak" : !isBelow ? "forward" : isCyclic ? "backward" : "early";
  const sign = { weak: "○", backward: "▲", early: "△", forward: "■" }[kind];
  return html`<td class="mark ${kind} ${link.change ?? ""}" title=${what}>${{ added: "+", removed: "−", changed: "~" }[link.change] ?? (link.count > 1 && link.count < 100 ? link.count : sign)}</td>`;
}
